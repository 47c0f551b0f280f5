//! The whole way in: gateway, authorizer and server, set up for each other as infra/README.md says.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Function, Gateway};
use crate::binary::authorizer_binary;
use crate::http::{Connection, Request, Response};
use crate::rpc::{LATEST_HANDSHAKE, request};
use crate::server::{Server, TestServer};

/// The name under which the gateway calls the host: an address in the range of examples.
const ORIGIN: &str = "192.0.2.10:8000";

/// A server behind a gateway that asks the real authorizer.
pub struct Edge {
    gateway: Gateway,
    function: Arc<Function>,
    server: Server,
}

impl Edge {
    /// Starts the server with what it must know of the gateway, waits for its index, and deploys the authorizer.
    #[track_caller]
    pub fn start(server: TestServer) -> Self {
        let gateway = Gateway::open();
        let server = server
            .with_env("PUBLIC_URL", gateway.url())
            .with_env("ALLOWED_HOSTS", ORIGIN)
            .with_env("TRUST_FORWARDED_HOPS", "1")
            .ready();
        gateway.integrate(server.address(), ORIGIN);
        let variables = [("MCP_AUTH_TOKEN", server.token()), ("PUBLIC_URL", &gateway.url())];
        let function = Arc::new(Function::deploy(&authorizer_binary(), &variables));
        gateway.authorize_with(Arc::clone(&function));
        Self { gateway, function, server }
    }

    /// The gateway.
    pub fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    /// The deployed authorizer.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The server behind it.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The endpoint a client is given.
    pub fn endpoint(&self) -> String {
        format!("{}/mcp", self.gateway.url())
    }

    /// Sends a request to the gateway, on a connection of its own.
    #[track_caller]
    pub fn send(&self, request: &Request) -> Response {
        Connection::new(self.gateway.address()).send(request)
    }

    /// A `POST /mcp` that lists the tools, without any token.
    pub fn list_tools(&self) -> Request {
        Request::new("POST", "/mcp")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", LATEST_HANDSHAKE)
            .json(&request(1, "tools/list", json!({})))
    }

    /// The same with a token.
    pub fn list_tools_with(&self, token: &str) -> Request {
        self.list_tools().header("authorization", &format!("Bearer {token}"))
    }

    /// Asserts that a response to [`Self::list_tools_with`] came from the server and lists tools.
    #[track_caller]
    pub fn lists_tools(response: &Response) {
        assert_eq!(response.status, 200, "{}", String::from_utf8_lossy(&response.body));
        let tools: Value = response.json();
        assert!(tools["result"]["tools"].as_array().is_some_and(|tools| !tools.is_empty()), "{tools}");
    }

    /// Stops the server, and gives the gateway that has no host any more.
    #[track_caller]
    pub fn without_host(self) -> Gateway {
        let Self { gateway, server, .. } = self;
        server.stop();
        gateway
    }
}
