//! The Lambda authorizer: API Gateway (HTTP API, payload format 2.0) asks it about every request to a protected
//! route that carries an `Authorization` header, and answers with a fixed 403 when it says no. The host checks
//! everything again; this only keeps out what could never pass there.
//!
//! It answers in simple format: `{"isAuthorized": bool, "context": {...}}`. Whatever event comes, the answer
//! is one of these, never an error, because an error becomes a 500 that clients retry.
//! Without `MCP_AUTH_TOKEN` and `PUBLIC_URL` it does not start, and the gateway answers 500: closed.

mod decision;
mod event;
mod paths;
mod settings;

pub use decision::{Authorizer, Decision, Grounds};
pub use event::read_event;
pub use settings::{Settings, SettingsError};
