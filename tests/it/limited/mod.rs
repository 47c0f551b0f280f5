//! Tokens with limits: made and revoked on the command line, and what a caller with one sees and may do.
//!
//! The vault has an open part, `Projects`, and a hidden one. Everything hidden has [`SECRET`] in its name or
//! text, or lies in [`HIDDEN`]: neither may stand in any answer to a caller that sees `Projects` alone.

mod http;
mod logs;
mod reading;
mod tokens;
mod writing;

use harness::{Answer, Response, Server, TestServer, TestVault, request, tool_call};
use serde_json::{Value, json};

/// A word of the hidden part.
const SECRET: &str = "quartzfish";

/// A folder of the hidden part.
const HIDDEN: &str = "Hushed";

/// What the server calls itself.
const PUBLIC_URL: &str = "https://vault.example.com";

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

/// What everybody may see.
fn open_part(vault: TestVault) -> TestVault {
    let vault = vault
        .note(
            "Projects/Open.md",
            "---\ntitle: Open plan\naliases: [The plan]\ntags: [visible, visible/deep]\ntype: plan\ncreated: 2026-01-10\n\
             owner: anna\nrelated:\n  - \"[[Vault 7]]\"\n---\n# Open plan\n\nSee [[Vault 7]], [[Open two]], \
             [[Missing]] and ![[pic.png]].\n\n## Steps\n\n- [ ] call the carpenter 📅 2026-01-15 ^call\n\nfirst step\n",
        )
        .note("Projects/Open two.md", "---\ncreated: 2026-01-11\n---\nBack to [[Projects/Open]]. #visible\n")
        .note("Projects/deep/Lonely.md", "---\ncreated: 2026-01-12\n---\nnothing links here\n")
        .note("Projects/data.csv", "a,b\n1,2\n")
        .bytes("Projects/pic.png", PNG);
    ["Open.md", "Open two.md", "deep/Lonely.md", "data.csv", "pic.png"]
        .iter()
        .fold(vault, |vault, name| vault.modified(&format!("Projects/{name}"), 1_768_000_000))
}

/// Both parts: of everything that a tool can show, something is hidden.
fn whole() -> TestVault {
    let secret = |text: &str| text.replace("SECRET", SECRET);
    open_part(TestVault::new())
        .note(
            "Hushed/Vault 7.md",
            &secret(
                "---\ntitle: SECRET title\naliases: [SECRET alias]\ntags: [SECRET-tag, visible/SECRET]\n\
                 type: SECRET-type\nSECRET-key: SECRET-value\nowner: SECRET-owner\ncreated: 2026-01-13\n---\n\
                 > [!info] SECRET callout\n> of it\n\n# SECRET heading\n\nSECRET text about the plan, \
                 [[Projects/Open]] and [[Open two]].\n\n- [ ] SECRET task 📅 2026-01-15\n",
            ),
        )
        .note(&secret("Hushed/SECRET plan.md"), &secret("the carpenter of SECRET, [[Projects/Open]]\n"))
        .note("Hushed/Open.md", &secret("a namesake SECRET\n"))
        .note("Hushed/Missing.md", &secret("what the link means SECRET\n"))
        .note(&secret("SECRET root.md"), &secret("SECRET at the top #visible\n"))
        .note(&secret("ProjectsSECRET/Sibling.md"), &secret("nearly the same folder SECRET\n"))
        .note(
            &secret("Hushed/SECRET bad.md"),
            &secret("---\ntitle: \"SECRET unclosed\ntags: [a\n---\nSECRET\n"),
        )
        .note(&secret("Hushed/SECRET.csv"), &secret("SECRET,1\n"))
        .note(&secret("Hushed/SECRET.canvas"), "{\"nodes\":[],\"edges\":[]}")
        .bytes(&secret("Hushed/SECRET.png"), PNG)
        .note(
            &secret("About Me/SECRET.md"),
            &secret(
                "---\nentry-policy: append-only\n---\n## SECRET tools\n\n- **2026-01-08**: SECRET entry\n",
            ),
        )
        .note("Daily Notes/2026-01-15.md", &secret("a day of SECRET with [[Projects/Open]]\n"))
}

/// A server over both parts.
fn settings() -> TestServer {
    TestServer::start().with_vault(whole()).with_env("PUBLIC_URL", PUBLIC_URL)
}

/// Makes a token beside the running server.
#[track_caller]
fn create(server: &Server, arguments: &[&str]) -> String {
    let arguments: Vec<&str> = ["token", "create"].into_iter().chain(arguments.iter().copied()).collect();
    let output = server.settings().command(&arguments).success();
    let token = output.stdout.strip_suffix('\n').unwrap_or_default();
    assert!(!token.is_empty() && !token.contains('\n'), "one line and nothing else: {:?}", output.stdout);
    token.to_owned()
}

/// Somebody who calls with a token.
struct Client<'a> {
    server: &'a Server,
    token: String,
}

impl<'a> Client<'a> {
    #[track_caller]
    fn new(server: &'a Server, arguments: &[&str]) -> Self {
        Self { server, token: create(server, arguments) }
    }

    fn send(&self, message: &Value) -> Response {
        let header = format!("Bearer {}", self.token);
        let post = self.server.post().without_header("authorization").header("authorization", &header);
        self.server.send(&post.json(message))
    }

    /// The whole answer to a request of the protocol.
    #[track_caller]
    fn rpc(&self, method: &str, params: Value) -> Value {
        let response = self.send(&request(1, method, params));
        assert_eq!(response.status, 200, "{method}: {}", response.text());
        response.json()
    }

    #[track_caller]
    fn call(&self, tool: &str, arguments: Value) -> Answer {
        let response = self.send(&tool_call(1, tool, arguments.clone()));
        assert_eq!(response.status, 200, "{tool} {arguments}: {}", response.text());
        let message = response.json();
        let result = message.get("result").unwrap_or_else(|| panic!("{tool} {arguments}: {message}"));
        Answer::new(tool, result.clone())
    }
}

/// Asserts that nothing of the hidden part is in an answer.
#[track_caller]
fn tells_nothing(what: &str, answer: &Value) {
    let text = answer.to_string();
    for word in [SECRET, HIDDEN] {
        if let Some(place) = text.to_lowercase().find(&word.to_lowercase()) {
            let around: String = text.chars().skip(place.saturating_sub(150)).take(400).collect();
            panic!("{what} tells of {word}: …{around}…");
        }
    }
}

/// The records of a kind, each as text.
fn events(server: &Server, message: &str) -> Vec<Value> {
    server.log().iter().filter(|line| line.is_event(message)).filter_map(harness::LogLine::json).collect()
}

/// Calls of every tool that only reads, about the open part or about nothing in particular.
fn reading_calls() -> Vec<(&'static str, Value)> {
    let mut calls = crate::tools::calls_about("Projects/Open.md");
    calls.extend([
        ("vault_read_file", json!({"path": "Projects/data.csv"})),
        ("vault_history", json!({})),
        ("vault_history", json!({"path": "Projects"})),
        ("vault_diff", json!({"change": 1})),
        ("vault_diff", json!({"change": 2})),
    ]);
    calls
}
