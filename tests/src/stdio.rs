//! The real server on standard input and output.

use std::io::Write;
use std::process::{ChildStdin, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::command::hermetic;
use crate::process::{LogLine, Process};
use crate::rpc::{LATEST_HANDSHAKE, request, tool_call};
use crate::server::TestServer;

const PATIENCE: Duration = Duration::from_secs(60);

/// A server that speaks MCP over its standard streams.
pub struct StdioServer {
    process: Process,
    stdin: Option<ChildStdin>,
    settings: TestServer,
    next_id: u64,
}

impl StdioServer {
    #[track_caller]
    pub(crate) fn start(settings: TestServer) -> Self {
        let mut command = hermetic(&settings.environment());
        command.args(["serve", "--stdio"]).stdin(Stdio::piped());
        let mut process = Process::spawn(&mut command);
        let stdin = process.take_stdin();
        Self { process, stdin, settings, next_id: 1 }
    }

    /// Performs the handshake of the last revision that has one.
    #[track_caller]
    pub fn initialize(&mut self) -> Value {
        let result = self.rpc(
            "initialize",
            json!({
                "protocolVersion": LATEST_HANDSHAKE,
                "capabilities": {},
                "clientInfo": {"name": "harness", "version": "0"},
            }),
        );
        self.send_line(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        result
    }

    /// Writes one line.
    #[track_caller]
    pub fn send_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("the server reads");
    }

    /// Sends a request and waits for the response with its id.
    #[track_caller]
    pub fn rpc(&mut self, method: &str, params: Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        self.send_line(&request(id, method, params).to_string());
        self.response(id)
    }

    /// Calls a tool.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        let id = self.next_id;
        self.next_id += 1;
        self.send_line(&tool_call(id, tool, arguments).to_string());
        let message = self.response(id);
        let result = message.get("result").unwrap_or_else(|| panic!("{tool}: {message}"));
        Answer::new(tool, result.clone())
    }

    #[track_caller]
    fn response(&mut self, id: u64) -> Value {
        let found =
            self.process.wait_for_line(&format!("the response to request {id}"), 0, PATIENCE, |line| {
                line.json()
                    .filter(|message| !line.stderr && message["id"] == id && message.get("method").is_none())
            });
        found.unwrap_or_else(|| panic!("ended without a response to {id}:\n{}", self.process.transcript()))
    }

    /// The lines on standard output so far.
    pub fn stdout(&self) -> Vec<LogLine> {
        self.process.lines().into_iter().filter(|line| !line.stderr).collect()
    }

    /// The lines on standard error so far.
    pub fn stderr(&self) -> Vec<LogLine> {
        self.process.lines().into_iter().filter(|line| line.stderr).collect()
    }

    /// Closes standard input, as a client that ends does, and asserts a clean end: exit code 0,
    /// nothing but JSON-RPC on standard output, the vault untouched.
    #[track_caller]
    pub fn finish(mut self) -> TestServer {
        self.end();
        self.settings
    }

    /// Like [`Self::finish`], and gives the lines of standard output.
    #[track_caller]
    pub fn finish_with_output(mut self) -> Vec<String> {
        self.end();
        self.stdout().into_iter().map(|line| line.text).collect()
    }

    /// How it was started.
    pub fn settings(&self) -> &TestServer {
        &self.settings
    }

    #[track_caller]
    fn end(&mut self) {
        drop(self.stdin.take());
        let Some(status) = self.process.wait(Duration::from_secs(15)) else {
            panic!("still running 15 s after its input ended:\n{}", self.process.transcript())
        };
        assert!(status.success(), "ended with {status}:\n{}", self.process.transcript());
        for line in self.stdout() {
            let message = line.json().unwrap_or_else(|| panic!("not JSON on standard output: {}", line.text));
            assert_eq!(message["jsonrpc"], "2.0", "not JSON-RPC on standard output: {}", line.text);
        }
        self.settings.vault().assert_untouched();
    }
}
