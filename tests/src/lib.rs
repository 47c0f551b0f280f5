//! The harness of the integration tests: a vocabulary for starting the real server on a temporary
//! vault and talking to it the way clients do.
//!
//! ```no_run
//! use harness::{TestServer, TestVault};
//! use serde_json::json;
//!
//! let vault = TestVault::new().note("a.md", "# A\n\nrenew the certificate\n");
//! let server = TestServer::start().with_vault(vault).ready();
//! let answer = server.call("vault_search", json!({"query": "certificate"}));
//! assert_eq!(answer.structured()["results"][0]["path"], "a.md");
//! ```
//!
//! Everything is hermetic: a folder of its own for vault, index, logs and home, an environment
//! that holds nothing of the caller's, and loopback only. Dropping a server stops its process and
//! asserts that nothing is left behind.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    reason = "a test harness: a surprise fails the test that met it, it makes the files it needs, and \
              `json!` arguments read best without a reference"
)]

mod answer;
mod binary;
mod browser;
mod callback;
mod client;
mod command;
mod gateway;
mod http;
mod process;
mod python;
mod rpc;
mod schema;
mod server;
mod shared;
mod stdio;
mod vault;
mod wait;

pub use answer::Answer;
pub use binary::{authorizer_binary, repository_root, server_binary};
pub use browser::{Browser, Element, Screen, key};
pub use callback::{Callback, form, parameters};
pub use client::{RealClient, visit};
pub use command::{Output, Run};
pub use gateway::{Access, Authorizer, Edge, Failure, Function, Gateway, Route, Settings};
pub use http::{Connection, Request, Response};
pub use process::LogLine;
pub use python::python_client;
pub use rpc::{LATEST_HANDSHAKE, LATEST_REVISION, REVISIONS, modern_meta, request, tool_call};
pub use schema::validate;
pub use server::{Server, TestServer, is_indexed};
pub use shared::{shared_folder, shared_vault};
pub use stdio::StdioServer;
pub use vault::{TestVault, VaultState};
pub use wait::{eventually, never_within};
