#!/bin/sh
# `make run`: serve a vault on this machine and print everything a client needs to connect.
#
# The token comes from MCP_AUTH_TOKEN, or from a file only you can read, made on the first run and
# used again afterwards. It travels in the environment, never on an argument list, where every
# process on the machine could see it. Ctrl-C stops the server.
set -eu

repository=$(cd "$(dirname "$0")/.." && pwd)
binary=${VAULT_CORTEX_BINARY:-$repository/target/release/vault-cortex}

# The vault: VAULT (make run VAULT=...), else VAULT_PATH, else the sample vault.
vault=${VAULT:-${VAULT_PATH:-$repository/examples/vault}}
# shellcheck disable=SC2088 # a tilde that the calling shell left as it was
case $vault in
  '~') vault=$HOME ;;
  '~/'*) vault=$HOME/${vault#'~/'} ;;
esac
if [ ! -d "$vault" ]; then
  echo "make run: there is no folder $vault" >&2
  exit 1
fi
vault=$(cd "$vault" && pwd)

PORT=${PORT:-8000}
# This machine only, unless asked otherwise: HOST=0.0.0.0 opens the port to the network.
HOST=${HOST:-127.0.0.1}
VAULT_PATH=$vault
unset VAULT
export HOST PORT VAULT_PATH

if [ -z "${MCP_AUTH_TOKEN:-}" ]; then
  # Relative paths in XDG variables are to be ignored, says their specification.
  case ${XDG_DATA_HOME:-} in
    /*) data=$XDG_DATA_HOME/vault-cortex ;;
    *) data=$HOME/.local/share/vault-cortex ;;
  esac
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
else
  token_source='from MCP_AUTH_TOKEN'
fi
export MCP_AUTH_TOKEN

# Another server on the port would answer our health check and take our clients' calls.
if "$binary" healthcheck >/dev/null 2>&1; then
  echo "make run: port $PORT is taken by a server that runs already; choose another: make run PORT=8001" >&2
  exit 1
fi

server=
stop() {
  trap - INT TERM
  if [ -n "$server" ]; then
    kill -TERM "$server" 2>/dev/null || :
    wait "$server" 2>/dev/null || :
  fi
  exit "$1"
}
# Ctrl-C is how this is meant to end, so it ends well.
trap 'stop 0' INT
trap 'stop 143' TERM

"$binary" serve &
server=$!

# The server listens at once and indexes meanwhile; a minute without an answer is a fault.
waited=0
until "$binary" healthcheck >/dev/null 2>&1; do
  if ! kill -0 "$server" 2>/dev/null; then
    wait "$server" || status=$?
    echo 'make run: the server stopped; its last lines above say why' >&2
    exit "${status:-1}"
  fi
  waited=$((waited + 1))
  if [ "$waited" -gt 300 ]; then
    echo "make run: no answer from port $PORT after a minute" >&2
    stop 1
  fi
  sleep 0.2
done

url=${PUBLIC_URL:-http://localhost:$PORT}
url=${url%/}/mcp
# JSON wants backslashes and quotes escaped in the paths shown below.
json() { printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g'; }

cat <<END

Vault Cortex serves $vault

  URL    $url
  Token  $MCP_AUTH_TOKEN
         ($token_source)

Claude Code
  claude mcp add --transport http vault-cortex $url --header "Authorization: Bearer $MCP_AUTH_TOKEN"

Claude Desktop (claude_desktop_config.json; starts a server of its own over stdio)
  {"mcpServers": {"vault-cortex": {"command": "$(json "$binary")", "args": ["serve", "--stdio"], "env": {"VAULT_PATH": "$(json "$vault")"}}}}

Cursor (~/.cursor/mcp.json)
  {"mcpServers": {"vault-cortex": {"url": "$url", "headers": {"Authorization": "Bearer $MCP_AUTH_TOKEN"}}}}

VS Code (.vscode/mcp.json)
  {"servers": {"vault-cortex": {"type": "http", "url": "$url", "headers": {"Authorization": "Bearer $MCP_AUTH_TOKEN"}}}}

MCP Inspector
  npx @modelcontextprotocol/inspector --cli $url --transport http --header "Authorization: Bearer $MCP_AUTH_TOKEN" --method tools/list

curl
  curl -s $url -H "Authorization: Bearer $MCP_AUTH_TOKEN" -H 'Content-Type: application/json' -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "vault_fts_search", "arguments": {"query": "sourdough"}}}'

Ctrl-C stops the server.
END

wait "$server"
