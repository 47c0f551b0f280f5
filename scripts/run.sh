#!/bin/sh
# `make run`: serve a vault on this machine and print everything a client needs to connect.
#
# The token comes from MCP_AUTH_TOKEN, or from a file only you can read, made on the first run and
# used again afterwards. It travels in the environment, never on an argument list, where every
# process on the machine could see it.
set -eu

fail() {
  echo "make run: $1" >&2
  exit 1
}

repository=$(cd "$(dirname "$0")/.." && pwd)
binary=${VAULT_CORTEX_BINARY:-$repository/target/release/vault-cortex}

# Relative paths in XDG variables are to be ignored, says their specification.
case ${XDG_DATA_HOME:-} in
  /*) data=$XDG_DATA_HOME/vault-cortex ;;
  *) data=$HOME/.local/share/vault-cortex ;;
esac

# The vault: VAULT (make run VAULT=...), else VAULT_PATH, else a copy of the sample vault: what an agent
# writes there is no change of the repository. The copy stays until you delete it.
vault=${VAULT:-${VAULT_PATH:-}}
if [ -z "$vault" ]; then
  vault=$data/sample-vault
  if [ ! -d "$vault" ]; then
    # A new name and a rename: never half a copy.
    mkdir -p "$data"
    rm -rf "$vault.new"
    cp -R "$repository/examples/vault" "$vault.new"
    mv "$vault.new" "$vault"
  fi
fi
# shellcheck disable=SC2088 # a tilde that the calling shell left as it was
case $vault in
  '~') vault=$HOME ;;
  '~/'*) vault=$HOME/${vault#'~/'} ;;
esac
[ -d "$vault" ] || fail "there is no folder $vault"
vault=$(cd "$vault" && pwd)

PORT=${PORT:-8000}
# This machine only, unless asked otherwise: HOST=0.0.0.0 opens the port to the network.
HOST=${HOST:-127.0.0.1}
# A calm terminal: LOG_LEVEL=info shows every request.
LOG_LEVEL=${LOG_LEVEL:-warn}
VAULT_PATH=$vault
export HOST LOG_LEVEL PORT VAULT_PATH
unset VAULT

if [ -n "${MCP_AUTH_TOKEN:-}" ]; then
  token_source='from MCP_AUTH_TOKEN'
else
  token_file=$data/token
  if [ ! -s "$token_file" ]; then
    # umask: readable by you alone from its first byte. A new name and a rename: never half a token.
    (
      umask 077
      mkdir -p "$data"
      od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$token_file.new"
      mv "$token_file.new" "$token_file"
    )
  fi
  MCP_AUTH_TOKEN=$(cat "$token_file")
  token_source="kept in $token_file"
fi
export MCP_AUTH_TOKEN

# Another server on the port would answer our health check and take our clients' calls.
if "$binary" healthcheck >/dev/null 2>&1; then
  fail "port $PORT is taken by a server that runs already; choose another: make run PORT=8001"
fi

# JSON wants backslashes and quotes escaped in the paths shown below.
json() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }

connect() {
  url=${PUBLIC_URL:-http://localhost:$PORT}
  url=${url%/}/mcp
  bearer="Bearer $MCP_AUTH_TOKEN"
  cat <<END

Vault Cortex serves $vault

  URL    $url
  Token  $MCP_AUTH_TOKEN
         ($token_source)

Claude Code
  claude mcp add --transport http vault-cortex $url --header "Authorization: $bearer"

Claude Desktop (claude_desktop_config.json; it starts a server of its own)
  {"mcpServers": {"vault-cortex": {"command": "$(json "$binary")", "args": ["serve", "--stdio"], "env": {"VAULT_PATH": "$(json "$vault")"}}}}

Cursor (~/.cursor/mcp.json)
  {"mcpServers": {"vault-cortex": {"url": "$url", "headers": {"Authorization": "$bearer"}}}}

VS Code (.vscode/mcp.json)
  {"servers": {"vault-cortex": {"type": "http", "url": "$url", "headers": {"Authorization": "$bearer"}}}}

MCP Inspector
  npx @modelcontextprotocol/inspector --cli $url --transport http --header "Authorization: $bearer" --method tools/list

curl
  curl -s $url -H "Authorization: $bearer" -H 'Content-Type: application/json' -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "vault_search", "arguments": {"query": "how long does the dough proof"}}}'

Ctrl-C stops the server.

END
}

# Beside the server, until it answers: it listens at once, and a minute without an answer is a fault.
# After `exec` below the server has this script's process id, so that Ctrl-C reaches it once and its
# exit code is ours.
server=$$
(
  waited=0
  until "$binary" healthcheck >/dev/null 2>&1; do
    sleep 0.2
    kill -0 "$server" 2>/dev/null || exit 0
    waited=$((waited + 1))
    if [ "$waited" -gt 300 ]; then
      echo "make run: no answer from port $PORT after a minute" >&2
      exit 1
    fi
  done
  connect
) &

exec "$binary" serve
