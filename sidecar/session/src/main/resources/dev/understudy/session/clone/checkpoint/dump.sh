#!/bin/sh
# dump.sh SECONDS CRIU ARGUMENTS...
# Runs CRIU. After SECONDS, everything it writes fails: CRIU then gives up in good order, and the process runs on.
# Killing CRIU is left to whoever runs this: in a few of its steps, a kill would hit the process too.
soft=$1
shift
trap '' XFSZ
"$@" &
criu=$!
(
    sleep "$soft"
    : >"$UNDERSTUDY_IMAGE/late"
    exec prlimit --pid "$criu" --fsize=0:0
) >/dev/null 2>&1 &
watch=$!
wait "$criu"
code=$?
kill "$watch" 2>/dev/null
exit "$code"
