//! A server that only reads.

use harness::{Server, TestServer};
use serde_json::json;

use super::{calls, calls_that_make, changes, done, serve, vault};
use crate::tools::WRITERS;

fn names(server: &Server) -> Vec<String> {
    server.tools().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn no_tool_that_writes_is_listed_and_calling_one_is_an_error_that_says_so() {
    let writing = serve(vault());
    let change =
        done(&writing, "vault_patch_note", json!({"path": "Note.md", "operation": "append", "content": "x"}));
    let change = change.structured()["change"].clone();
    let server = writing.stop().with_env("READONLY_MODE", "true").ready();
    let listed = names(&server);
    assert!(WRITERS.iter().all(|tool| !listed.contains(&(*tool).to_owned())), "{listed:?}");
    let before = server.vault().state();
    let all = calls().into_iter().map(|(tool, arguments, _)| (tool, arguments)).chain(calls_that_make());
    for (tool, arguments) in all.chain([("vault_undo", json!({"change": change}))]) {
        let answer = server.rpc("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(tool), "{message}");
        assert!(message.contains("the server is read-only (READONLY_MODE=true)"), "{message}");
        assert!(server.vault().state() == before, "{tool}: the vault was touched");
    }
    assert_eq!(changes(&server), 1);
    let started = TestServer::start().with_vault(vault()).with_env("READONLY_MODE", "true").ready();
    assert_eq!(changes(&started), 0, "there is no journal yet");
}

#[test]
fn a_tool_that_is_switched_off_is_said_to_be() {
    let server =
        TestServer::start().with_vault(vault()).with_env("DISABLED_TOOLS", "vault_delete_note").ready();
    let call = json!({"name": "vault_delete_note", "arguments": {"path": "Note.md"}});
    let answer = server.rpc("tools/call", call);
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("vault_delete_note") && message.contains("DISABLED_TOOLS"), "{message}");
}
