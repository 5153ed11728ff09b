#!/bin/bash
# Runs redis-server as the user redis, with the arguments that the public image takes.
set -euo pipefail

if [[ ${1:-} == -* || ${1:-} == *.conf ]]; then
    set -- redis-server "$@"
fi

if [[ $1 == redis-server ]]; then
    if [[ $(id -u) == 0 ]]; then
        chown -R redis:redis .
        exec setpriv --reuid=redis --regid=redis --init-groups -- "$0" "$@"
    fi
    shift
    config=()
    if [[ ${1:-} == *.conf ]]; then
        config=("$1")
        shift
    fi
    # A container's port is reachable only as far as its network is; the public image has this built in.
    # Placed before the caller's options, which may say otherwise.
    set -- redis-server "${config[@]}" --protected-mode no "$@"
fi

exec "$@"
