#!/bin/sh
# restore.sh IMAGE PID DISK LIFE COMMAND...
# Runs as the first process of new mount, process and IPC namespaces, in the copy's network namespace. Gives them a root
# file system whose writes stay in memory (at most DISK bytes), and starts the copy there, by a command that returns once
# it runs: CRIU, or start.sh. All of it ends with this.
set -eu
exec </dev/null
image=$1 pid=$2 disk=$3 life=$4
shift 4
box=$image/box
root=$box/root
exec 8</proc/self/ns/net
# CRIU makes a connection to itself to learn what the kernel can do.
ip link set lo up
mount --make-rprivate /
mkdir -p "$box"
mount -t tmpfs -o "mode=755,size=$disk" understudy-copy "$box"
mkdir "$root"

# An overlay doesn't cross mounts, so each gets its own.
count=0
cover() {
    count=$((count + 1))
    mkdir "$box/upper$count" "$box/work$count"
    mount -t overlay -o "lowerdir=$1,upperdir=$box/upper$count,workdir=$box/work$count" understudy-copy "$root${1%/}"
}
cover /
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
while read -r _ _ _ _ at _ rest; do
    case $at in
        / | /sys | /sys/* | /proc | /proc/* | "$box" | "$box"/*) continue ;;
    esac
    kind=${rest#*- }
    case ${kind%% *} in
        proc | sysfs | devtmpfs | devpts | mqueue | cgroup | cgroup2 | bpf | debugfs | tracefs | securityfs | fusectl | \
            configfs | pstore | hugetlbfs | autofs | binfmt_misc | nsfs | rpc_pipefs | efivarfs) continue ;;
    esac
    # One that can't be covered isn't there in the copy.
    [ ! -d "$at" ] || cover "$at" || echo "not in the copy: $at"
done </proc/self/mountinfo
mkdir -p "$root$image"
mount --bind "$image" "$root$image"
mount -t proc proc "$root/proc"
mkdir -p "$root/.understudy-old"
cd "$root"
pivot_root . .understudy-old
cd /
umount -l /.understudy-old
rmdir /.understudy-old

# From here on, every path is the copy's own.
if [ -d "$image/files" ]; then
    cd "$image/files"
    # shellcheck disable=SC2016
    find . -type f -exec sh -ec 'for file; do cat "$file" >"/${file#./}"; done' sh {} +
    cd /
fi
if [ -s "$image/hosts" ]; then
    cat /etc/hosts >>"$image/hosts"
    cat "$image/hosts" >/etc/hosts
fi
if [ -s "$image/resolver" ]; then
    rm -f /etc/resolv.conf
    cat "$image/resolver" >/etc/resolv.conf
    chmod 644 /etc/resolv.conf
fi
# Else whoever attaches to the copy could reach production.
rm -f "/tmp/.java_pid$pid" "/tmp/.java_pid$pid.tmp" "/tmp/.attach_pid$pid"

exec 9<>/dev/null
timeout -s KILL 120 "$@"
exec 8<&- 9<&-
# The socket of an attach listener comes back under the name it had before the JVM renamed it.
if [ -S "/tmp/.java_pid$pid.tmp" ]; then mv -f "/tmp/.java_pid$pid.tmp" "/tmp/.java_pid$pid"; fi
: >"$image/restored"
exec >/dev/null 2>&1
umount -l "$image"
sleep "$life"
