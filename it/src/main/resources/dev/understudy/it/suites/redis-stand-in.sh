#!/bin/sh
# Takes the place of the redis-server that a suite starts: the suite's port is already served.
if [ "${1:-}" = --version ]; then
    exec redis-server --version
fi
echo "1:M * Ready to accept connections tcp"
trap 'exit 0' INT TERM
while :; do
    sleep 1
done
