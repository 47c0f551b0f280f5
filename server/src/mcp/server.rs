//! The protocol handler: what rmcp calls for each message. It holds nothing but the process.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use axum::http::request::Parts;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, CompletionInfo, CustomRequest, CustomResult, ErrorCode, ErrorData,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult, ListToolsResult,
    PaginatedRequestParams, PromptMessage, ProtocolVersion, Reference, Role, ServerConfig,
    Tool as ToolDefinition,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use vault::{FolderScope, Principal};

use super::error::{ToolError, is_trouble, with_causes};
use super::prompts::{self, Completion, RequestLog};
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

    /// What is said of a tool that cannot be called.
    fn not_served(&self, name: &str) -> String {
        if let Some(reason) = self.app.tools.hidden_because(name) {
            return format!("the tool {name:?} is not served here: {reason}");
        }
        let nearest = self.app.tools.nearest(name);
        let hint = nearest.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        let name: String = name.chars().take(100).collect();
        format!("unknown tool {name:?}{hint}")
    }

    fn request_id(context: &RequestContext<RoleServer>) -> RequestId {
        let parts = context.extensions.get::<Parts>();
        parts.and_then(|parts| parts.extensions.get::<RequestId>().cloned()).unwrap_or_default()
    }

    /// Does what blocks, on a thread for that. A panic ends there as well.
    async fn apart<T: Send + 'static>(
        &self,
        who: Principal,
        job: impl FnOnce(&Call<'_>) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<Result<T, ToolError>, &'static str> {
        let app = Arc::clone(&self.app);
        let outcome = tokio::task::spawn_blocking(move || job(&Call { app: &app, who: &who })).await;
        outcome.map_err(|join| if join.is_panic() { "panic" } else { "cancelled" })
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
            return Err(ErrorData::invalid_params(self.not_served(&request.name), None));
        };
        let who = self.principal(&context)?;
        let request_id = Self::request_id(&context);
        let name = tool.name();
        let arguments = request.arguments;
        let folders = match &who.folders {
            FolderScope::All => None,
            FolderScope::Only(folders) => Some(folders.join(", ")),
        };
        let caller = who.name.clone();
        let log = CallLog { tool: name, caller, folders, request_id, started: Instant::now() };
        let result = match self.apart(who, move |call| tool.call(call, arguments)).await {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => log.failed(&error),
            Err(cause) => log.failed(&ToolError::Internal { tool: name, cause: cause.to_owned() }),
        };
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompts = prompts::served(&self.app.tools).map(prompts::Prompt::definition).collect();
        Ok(ListPromptsResult::with_all_items(prompts)
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompt = prompts::find(&self.app.tools, &request.name).map_err(invalid)?;
        let who = self.principal(&context)?;
        let log = RequestLog {
            prompt: prompt.name,
            request_id: Self::request_id(&context),
            started: Instant::now(),
        };
        let (arguments, log_inside) = (request.arguments, log.clone());
        let text = match self.apart(who, move |call| prompt.message(call, arguments, log_inside)).await {
            Ok(Ok(text)) => text,
            Ok(Err(error)) => {
                log.error("arguments", &error);
                return Err(invalid(error.to_string()));
            }
            Err(cause) => {
                log.error("all", &ToolError::Internal { tool: prompt.name, cause: cause.to_owned() });
                "This prompt could not be put together: the server's log has the details.".to_owned()
            }
        };
        let message = PromptMessage::new_text(Role::User, text);
        Ok(GetPromptResult::new(vec![message]).with_description(prompt.text).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let Reference::Prompt(reference) = &request.r#ref else {
            return Err(invalid("arguments are completed for prompts only: ref is ref/prompt".to_owned()));
        };
        let prompt = prompts::find(&self.app.tools, &reference.name).map_err(invalid)?;
        let who = self.principal(&context)?;
        let log = RequestLog {
            prompt: prompt.name,
            request_id: Self::request_id(&context),
            started: Instant::now(),
        };
        let argument = request.argument;
        let found = self.apart(who, move |call| prompt.complete(call, &argument.name, &argument.value)).await;
        // Nothing that is offered is needed: what cannot be looked up is not offered.
        let offered = match found {
            Ok(Ok(offered)) => offered,
            Ok(Err(error @ ToolError::UnknownArgument { .. })) => return Err(invalid(error.to_string())),
            Ok(Err(error)) => {
                log.error("completion", &error);
                Completion::default()
            }
            Err(cause) => {
                log.error("completion", &ToolError::Internal { tool: prompt.name, cause: cause.to_owned() });
                Completion::default()
            }
        };
        let has_more = offered.total > offered.values.len();
        let total = u32::try_from(offered.total).ok();
        let info = CompletionInfo::with_pagination(offered.values, total, has_more);
        info.map(CompleteResult::new).map_err(|error| ErrorData::internal_error(error, None))
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // rmcp takes a known method whose params do not fit for one it does not know.
        const KNOWN: [&str; 7] = [
            "initialize",
            "tools/call",
            "tools/list",
            "prompts/get",
            "prompts/list",
            "completion/complete",
            "server/discover",
        ];
        // Revisions that name themselves in every request have no handshake any more.
        let removed = request.method == "initialize" && context.meta.protocol_version().is_some();
        if KNOWN.contains(&request.method.as_str()) && !removed {
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

/// The error of the protocol for params that are not allowed.
fn invalid(message: String) -> ErrorData {
    ErrorData::invalid_params(message, None)
}

/// What records about a call have in common.
struct CallLog {
    tool: &'static str,
    caller: String,
    /// The folders that the caller is limited to.
    folders: Option<String>,
    request_id: RequestId,
    started: Instant,
}

impl CallLog {
    /// Logs an error and makes the answer that tells of it.
    fn failed(&self, error: &ToolError) -> CallToolResult {
        let duration_us = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let (tool, caller, request_id) = (self.tool, self.caller.as_str(), self.request_id.as_str());
        let code = error.code();
        if let Some(denial) = error.denial() {
            // The audit: who asked for more than it may have, with the limits it has. Where it asked is the
            // caller's word, as a query is.
            tracing::warn!(
                tool.name = tool,
                caller.name = caller,
                denied.what = denial.what,
                denied.place = (denial.what == "folder").then_some("outside"),
                caller.folders = self.folders.as_deref(),
                request.id = request_id,
                duration.us = duration_us,
                "access_denied"
            );
            return error_result(error);
        }
        match error {
            ToolError::Internal { cause, .. } => {
                tracing::error!(
                    tool.name = tool,
                    caller.name = caller,
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
                    caller.name = caller,
                    error.code = code,
                    error.message = with_causes(error),
                    request.id = request_id,
                    duration.us = duration_us,
                    "tool_error"
                );
            }
            // The caller's own mistakes quote what it sent, queries included: not for the log.
            _ => {
                tracing::info!(
                    tool.name = tool,
                    caller.name = caller,
                    error.code = code,
                    request.id = request_id,
                    duration.us = duration_us,
                    "tool_error"
                );
            }
        }
        error_result(error)
    }
}
