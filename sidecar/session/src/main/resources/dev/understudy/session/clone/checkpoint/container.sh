#!/bin/sh
# container.sh IMAGE PID DISK LIFE ROOTFS COMMAND...
# Runs as the first process of new mount, process and IPC namespaces. Makes what a copy of a container sees: the root
# directory and the volumes of production, whose writes stay in memory (at most DISK bytes). Starts the copy by a
# command of its runtime, which returns once it runs. All of it ends with this.
set -eu
exec </dev/null
image=$1 pid=$2 disk=$3 life=$4 rootfs=$5
shift 5
box=$image/box
mount --make-rprivate /
mount -t proc proc /proc
mkdir -p "$box"
mount -t tmpfs -o "mode=755,size=$disk" understudy-copy "$box"

cover() { # DIRECTORY NAME TARGET
    mkdir "$box/upper-$2" "$box/work-$2" "$3"
    chmod --reference="$1" "$box/upper-$2"
    chown --reference="$1" "$box/upper-$2"
    mount -t overlay -o "lowerdir=$1,upperdir=$box/upper-$2,workdir=$box/work-$2" understudy-copy "$3"
}
restore() { # DESTINATION TARGET: files as they were at the snapshot
    [ -d "$image/files$1" ] || return 0
    cd "$image/files$1"
    # shellcheck disable=SC2016
    find . -type f -exec sh -ec 'for file; do cat "$file" >"$0/${file#./}"; done' "$2" {} +
    cd /
    rm -r "$image/files$1"
}
cover "$rootfs" root "$box/root"
hosts=$box/root/etc/hosts
tab=$(printf '\t')
# the innermost first, so that each file goes to the volume that it is in
sort -t "$tab" -r -k 3 "$image/mounts" >"$image/mounts.sorted"
while IFS=$tab read -r number way destination source; do
    target=$box/mount$number
    case $way in
        OVERLAY) cover "$source" "mount$number" "$target" && restore "$destination" "$target" ;;
        COPY)
            cp -p "$source" "$target"
            if [ -f "$image/files$destination" ]; then cat "$image/files$destination" >"$target"; fi
            rm -f "$image/files$destination"
            if [ "$destination" = /etc/hosts ]; then hosts=$target; fi
            ;;
        *) : >"$target" ;;
    esac
done <"$image/mounts.sorted"
# what is in the kernel's own mounts is in the snapshot itself
while read -r destination; do
    if [ "$destination" != / ]; then rm -rf "$image/files$destination"; fi
done <"$image/own"
restore "" "$box/root"
if [ -s "$image/hosts" ]; then
    mkdir -p "${hosts%/*}"
    if [ -f "$hosts" ]; then cat "$hosts" >>"$image/hosts"; fi
    cat "$image/hosts" >"$hosts"
fi
# Else whoever attaches to the copy could reach production.
rm -f "$box/root/tmp/.java_pid$pid" "$box/root/tmp/.java_pid$pid.tmp" "$box/root/tmp/.attach_pid$pid"
if [ -f "$image/agent.jar" ]; then
    cp "$image/agent.jar" "$box/root/understudy-agent.jar"
    chmod 444 "$box/root/understudy-agent.jar"
fi
# CRIU takes over how production's root directory is shared with other mounts: there must be something to take.
mount --make-shared "$box/root"
{ if timeout -s KILL 120 "$@"; then
    # The socket of an attach listener comes back under the name it had before the JVM renamed it.
    attach=$box/root/tmp/.java_pid$pid
    if [ -S "$attach.tmp" ]; then mv -f "$attach.tmp" "$attach"; fi
    : >"$image/restored"
else
    echo "$1 ended with $?"
    : >"$image/failed"
fi; } 2>&1 | { stdbuf -o0 head -c 16777216; exec cat >/dev/null; } &
until [ -e "$image/restored" ] || [ -e "$image/failed" ]; do sleep 0.05; done
[ -e "$image/restored" ] || { wait; exit 1; }
exec >/dev/null 2>&1
sleep "$life"
