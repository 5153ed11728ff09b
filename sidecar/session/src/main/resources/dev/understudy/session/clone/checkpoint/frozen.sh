#!/bin/sh
# CRIU runs this at several steps; at post-dump the process still stands still, and its files are as its memory knows
# them. If this fails, the dump fails, and the process runs on.
[ "$CRTOOLS_SCRIPT_ACTION" = post-dump ] || exit 0
set -eu
umask 077
cd "$UNDERSTUDY_IMAGE"
target=/proc/$UNDERSTUDY_TARGET
room=$UNDERSTUDY_IN_PLACE

copy() { # HANDLE PATH
    case $2 in
        *' (deleted)' | /dev/zero* | /memfd:* | /SYSV* | /anon_hugepage* | */hsperfdata_*) return 0 ;;
        */../* | */..) echo "odd path: $2" >&2 && exit 1 ;;
        /*) ;;
        *) return 0 ;;
    esac
    [ -f "$1" ] && [ ! -e "files$2" ] || return 0
    room=$((room - $(stat -Lc %s "$1")))
    [ "$room" -ge 0 ] || { echo "too many bytes in files that are written in place: $2" >&2 && exit 1; }
    mkdir -p "files${2%/*}"
    cat "$1" >"files$2"
}

find "$target/fd" -perm /200 -printf '%f %l\n' >frozen.links
find -L "$target/fd" -type f -printf '%f %D:%i\n' >frozen.files
# Written in place, or opened since the list was made.
while read -r fd path; do
    if ! grep -Fxq -e "$path" known || grep -Fxq -e "$path" in-place; then
        copy "$target/fd/$fd" "$path"
    fi
done <frozen.links
grep -E '^[0-9a-f]+-[0-9a-f]+ .w.s ' "$target/maps" >frozen.maps || true
while read -r range _ _ _ _ path; do
    copy "$target/map_files/$range" "$path"
done <frozen.maps
