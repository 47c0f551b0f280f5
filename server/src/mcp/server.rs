//! The protocol handler: what rmcp calls for each message. It holds nothing but the process.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use axum::http::request::Parts;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
    ErrorCode, ErrorData, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerConfig,
    Tool as ToolDefinition,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use vault::Principal;

use super::error::{ToolError, is_trouble};
use super::tool::{Call, error_result};
use crate::app::App;
use crate::http::RequestId;

/// How long a client may keep the list of tools: it changes only with a restart.
const LIST_TTL_MS: u64 = 300_000;

/// Answers the protocol for one connection or one request; a clone costs one count.
#[derive(Clone)]
pub(crate) struct McpServer {
    app: Arc<App>,
    /// Who calls when no HTTP request says so.
    local: Option<Principal>,
}

impl McpServer {
    /// A handler whose callers are named by the bearer middleware.
    pub(crate) fn over_http(app: Arc<App>) -> Self {
        Self { app, local: None }
    }

    /// A handler for the one process at the other end of a pipe: the owner.
    pub(crate) fn over_stdio(app: Arc<App>) -> Self {
        Self { app, local: Some(Principal::owner("stdio")) }
    }

    fn principal(&self, context: &RequestContext<RoleServer>) -> Result<Principal, ErrorData> {
        let parts = context.extensions.get::<Parts>();
        parts
            .and_then(|parts| parts.extensions.get::<Principal>().cloned())
            .or_else(|| self.local.clone())
            // Not reachable while the middleware stands before the handler; never a default caller.
            .ok_or_else(|| ErrorData::internal_error("no caller is known for this request", None))
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        self.app.server.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    fn get_tool(&self, name: &str) -> Option<ToolDefinition> {
        self.app.tools.get(name).map(|tool| tool.definition.clone())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.app.tools.iter().map(|tool| tool.definition.clone()).collect();
        Ok(ListToolsResult::with_all_items(tools)
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.app.tools.get(&request.name).cloned() else {
            let hint = self
                .app
                .tools
                .nearest(&request.name)
                .map(|name| format!("; did you mean {name}?"))
                .unwrap_or_default();
            let name: String = request.name.chars().take(100).collect();
            return Err(ErrorData::invalid_params(format!("unknown tool {name:?}{hint}"), None));
        };
        let who = self.principal(&context)?;
        let request_id = context
            .extensions
            .get::<Parts>()
            .and_then(|parts| parts.extensions.get::<RequestId>().cloned())
            .unwrap_or_default();
        let name = tool.name();
        let app = Arc::clone(&self.app);
        let arguments = request.arguments;
        let started = Instant::now();
        // Tools read files and the database: that blocks. A panic ends here as well.
        let outcome =
            tokio::task::spawn_blocking(move || tool.call(&Call { app: &app, who: &who }, arguments)).await;
        let result = match outcome {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => failed(name, &error, &request_id, started),
            Err(join) => {
                let cause = if join.is_panic() { "panic" } else { "cancelled" };
                let error = ToolError::Internal { tool: name, cause: cause.to_owned() };
                failed(name, &error, &request_id, started)
            }
        };
        Ok(result.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // rmcp takes a known method whose params do not fit for one it does not know.
        const KNOWN: [&str; 4] = ["initialize", "tools/call", "tools/list", "server/discover"];
        if KNOWN.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(
                format!("the params of {} do not have the form that the protocol asks for", request.method),
                None,
            ));
        }
        let method: String = request.method.chars().take(100).collect();
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("unknown method {method}"), None))
    }

    async fn on_initialized(&self, _context: NotificationContext<RoleServer>) {}
}

/// Logs an error and makes the answer that tells of it.
fn failed(tool: &'static str, error: &ToolError, request_id: &RequestId, started: Instant) -> CallToolResult {
    let duration_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    let (code, request_id) = (error.code(), request_id.as_str());
    match error {
        ToolError::Internal { cause, .. } => {
            tracing::error!(
                tool.name = tool,
                error.code = code,
                error.message = cause.as_str(),
                request.id = request_id,
                duration.us = duration_us,
                "tool_error"
            );
        }
        error if is_trouble(error) => {
            tracing::warn!(
                tool.name = tool,
                error.code = code,
                error.message = describe(error),
                request.id = request_id,
                duration.us = duration_us,
                "tool_error"
            );
        }
        // The caller's own mistakes quote what it sent, queries included: not for the log.
        _ => {
            tracing::info!(
                tool.name = tool,
                error.code = code,
                request.id = request_id,
                duration.us = duration_us,
                "tool_error"
            );
        }
    }
    error_result(error)
}

/// An error with its causes.
fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}
