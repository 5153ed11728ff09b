#!/bin/sh
# start.sh IMAGE FILES
# Runs inside of the copy's own world. Starts the command of IMAGE/words, and returns when it has a process id, which is
# in IMAGE/copy.pid. What the command prints is kept to a limit; the rest is read and dropped.
set -eu
image=$1 files=$2
exec 8<&- 9<&-
cd /
# A service may have had the right to a low port by what started it.
echo 0 2>/dev/null >/proc/sys/net/ipv4/ip_unprivileged_port_start || :
echo 500 2>/dev/null >/proc/self/oom_score_adj || :
ulimit -c 0
ulimit -n "$files" 2>/dev/null || :
if [ -f "$image/agent.jar" ]; then
    cp "$image/agent.jar" /understudy-agent.jar
    chmod 444 /understudy-agent.jar
fi
# shellcheck disable=SC2016
{
    xargs -0 -x -s 1500000 sh -c 'echo "$$" >"$0/copy.pid"; umask "$1" && cd "$2" && shift 2 && exec "$@"' "$image" \
        <"$image/words" 2>&1 || echo "it ended with $?"
} | { stdbuf -o0 head -c 16777216; exec cat >/dev/null; } &
tries=0
until [ -s "$image/copy.pid" ] || [ "$tries" = 500 ]; do
    tries=$((tries + 1))
    sleep 0.02
done
