//! The JSON-RPC messages of MCP, as a client of each revision sends them.

use serde_json::{Value, json};

/// Every protocol revision that Streamable HTTP has, oldest first.
pub const REVISIONS: [&str; 4] = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// The newest revision: no handshake, every request carries its version.
pub const LATEST_REVISION: &str = "2026-07-28";

/// The newest revision that begins with `initialize`.
pub const LATEST_HANDSHAKE: &str = "2025-11-25";

/// A request without parameters of its own.
pub fn request(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A `tools/call` request.
pub fn tool_call(id: u64, tool: &str, arguments: Value) -> Value {
    request(id, "tools/call", json!({"name": tool, "arguments": arguments}))
}

/// The `_meta` object that a request of the handshake-less revision carries.
pub fn modern_meta(revision: &str) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": {"name": "harness", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}
