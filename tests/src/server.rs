//! The real server on a temporary vault, over HTTP.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::answer::Answer;
use crate::command::{Run, environment, launched};
use crate::http::{Connection, Request, Response};
use crate::process::{LogLine, Process};
use crate::rpc::{LATEST_HANDSHAKE, request, tool_call};
use crate::stdio::StdioServer;
use crate::vault::TestVault;
use crate::wait::eventually;

/// The token that a server gets unless the test gives another.
const TOKEN: &str = "harness-token-4e1f0c6b9a2d";

/// How long a server may take to listen, to finish its index or to stop.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a server will be started.
#[derive(Clone)]
pub struct TestServer {
    vault: TestVault,
    /// Index, home and temporary files: kept over a restart, so that the index persists.
    data: Arc<TempDir>,
    token: Option<String>,
    environment: BTreeMap<String, OsString>,
    unset: Vec<String>,
    launcher: Vec<String>,
}

impl TestServer {
    /// A server on an empty vault with the default token, on a free port of the loopback address.
    pub fn start() -> Self {
        Self {
            vault: TestVault::new(),
            data: Arc::new(tempfile::Builder::new().prefix("data-").tempdir().expect("a temporary folder")),
            token: Some(TOKEN.to_owned()),
            environment: BTreeMap::new(),
            unset: Vec::new(),
            launcher: Vec::new(),
        }
    }

    /// Serves this vault.
    #[must_use]
    pub fn with_vault(mut self, vault: impl Into<TestVault>) -> Self {
        self.vault = vault.into();
        self
    }

    /// Takes this token.
    #[must_use]
    pub fn with_token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    /// Sets no token at all.
    #[must_use]
    pub fn without_token(mut self) -> Self {
        self.token = None;
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn with_env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.insert(name.to_owned(), value.into());
        self
    }

    /// Leaves out a variable that the harness would set.
    #[must_use]
    pub fn without_env(mut self, name: &str) -> Self {
        self.unset.push(name.to_owned());
        self
    }

    /// Starts it through another program, which gets the binary and its arguments behind its own.
    #[must_use]
    pub fn launched_by(mut self, launcher: &[&str]) -> Self {
        self.launcher = launcher.iter().map(|part| (*part).to_owned()).collect();
        self
    }

    /// The vault.
    pub fn vault(&self) -> &TestVault {
        &self.vault
    }

    /// The folder of index, home and temporary files.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Where the index is.
    pub fn index_path(&self) -> PathBuf {
        self.environment
            .get("INDEX_DB_PATH")
            .map_or_else(|| self.data.path().join("index").join("index.db"), PathBuf::from)
    }

    /// The environment the server gets.
    pub(crate) fn environment(&self) -> BTreeMap<String, OsString> {
        let mut all = environment(self.data.path());
        all.insert("VAULT_PATH".to_owned(), self.vault.root().into());
        all.insert("INDEX_DB_PATH".to_owned(), self.index_path().into());
        all.insert("HOST".to_owned(), "127.0.0.1".into());
        all.insert("PORT".to_owned(), "0".into());
        if let Some(token) = &self.token {
            all.insert("MCP_AUTH_TOKEN".to_owned(), token.into());
        }
        if !self.vault.is_temporary() {
            // It is somebody's: a server that writes would make its first memory files there.
            all.insert("READONLY_MODE".to_owned(), "true".into());
        }
        all.extend(self.environment.clone());
        all.retain(|name, _| !self.unset.contains(name));
        all
    }

    /// The environment as `NAME=VALUE`, for a client that starts the server itself.
    pub fn environment_for_a_client(&self) -> Vec<OsString> {
        let pair = |(name, value): (String, OsString)| {
            let mut pair = OsString::from(format!("{name}="));
            pair.push(value);
            pair
        };
        self.environment().into_iter().map(pair).collect()
    }

    /// Starts it and waits until it listens; the index may still be building.
    #[track_caller]
    pub fn listening(self) -> Server {
        let mut command = launched(&self.launcher, &self.environment());
        command.arg("serve").stdin(Stdio::null());
        let mut process = Process::spawn(&mut command);
        let url = process.wait_for_line("the event \"server started\"", 0, PATIENCE, |line| {
            line.is_event("server started").then(|| line.json()).flatten().and_then(|event| find_url(&event))
        });
        let Some(url) = url else {
            panic!("the server ended instead of starting:\n{}", process.transcript())
        };
        let authority = url.trim_start_matches("http://").split('/').next().unwrap_or_default().to_owned();
        let port = authority.rsplit(':').next().and_then(|port| port.parse().ok());
        let port: u16 = port.unwrap_or_else(|| panic!("no port in {url:?}"));
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        Server {
            connection: Mutex::new(Connection::new(address)),
            running: Some(Running { process, settings: self }),
            address,
            url,
            schemas: OnceLock::new(),
        }
    }

    /// Starts it and waits until its index is complete.
    #[track_caller]
    pub fn ready(self) -> Server {
        let server = self.listening();
        server.wait_until_indexed();
        server
    }

    /// Starts it expecting that it stops by itself with an error, and gives what it wrote.
    #[track_caller]
    pub fn refused(self) -> crate::Output {
        let mut run = Run::new(&["serve"], self.data.path());
        for (name, value) in self.environment() {
            run = run.env(&name, value);
        }
        run.output()
    }

    /// Runs another command of the binary with the server's environment (vault, index, token).
    #[track_caller]
    pub fn command(&self, arguments: &[&str]) -> crate::Output {
        let mut run = Run::new(arguments, self.data.path());
        for (name, value) in self.environment() {
            run = run.env(&name, value);
        }
        run.output()
    }

    /// Starts it on standard input and output instead of HTTP.
    #[track_caller]
    pub fn over_stdio(self) -> StdioServer {
        StdioServer::start(self)
    }
}

struct Running {
    process: Process,
    settings: TestServer,
}

/// A running server. Dropping it stops it, and asserts that it ended well, wrote no token and no
/// panic to its logs, and left the vault and the temporary folder as they were.
pub struct Server {
    running: Option<Running>,
    address: SocketAddr,
    url: String,
    connection: Mutex<Connection>,
    schemas: OnceLock<BTreeMap<String, Value>>,
}

impl Server {
    fn running(&self) -> &Running {
        self.running.as_ref().expect("the server runs until it is stopped")
    }

    /// The vault it serves.
    pub fn vault(&self) -> &TestVault {
        &self.running().settings.vault
    }

    /// How it was started.
    pub fn settings(&self) -> &TestServer {
        &self.running().settings
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL that it announced.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The endpoint a client is given.
    pub fn endpoint(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.running().process.id()
    }

    /// The token it was given.
    pub fn token(&self) -> &str {
        self.running().settings.token.as_deref().unwrap_or_default()
    }

    /// Everything it has logged so far.
    pub fn log(&self) -> Vec<LogLine> {
        self.running().process.lines()
    }

    /// A `POST /mcp` with the headers that a client of the last handshake revision sends.
    pub fn post(&self) -> Request {
        Request::new("POST", "/mcp")
            .header("authorization", &format!("Bearer {}", self.token()))
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .header("mcp-protocol-version", LATEST_HANDSHAKE)
    }

    /// Sends a request on the kept-alive connection.
    #[track_caller]
    pub fn send(&self, request: &Request) -> Response {
        self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner).send(request)
    }

    /// Sends a JSON-RPC request and gives the whole response message.
    #[track_caller]
    pub fn rpc(&self, method: &str, params: Value) -> Value {
        let response = self.send(&self.post().json(&request(1, method, params)));
        assert_eq!(response.status, 200, "{method}: {}", response.text());
        response.json()
    }

    /// The served tools as `tools/list` describes them.
    #[track_caller]
    pub fn tools(&self) -> Vec<Value> {
        let response = self.rpc("tools/list", json!({}));
        response["result"]["tools"].as_array().unwrap_or_else(|| panic!("no tools: {response}")).clone()
    }

    /// Calls a tool and checks what every answer must keep.
    #[track_caller]
    pub fn call(&self, tool: &str, arguments: Value) -> Answer {
        let response = self.send(&self.post().json(&tool_call(1, tool, arguments.clone())));
        assert_eq!(response.status, 200, "{tool} {arguments}: {}", String::from_utf8_lossy(&response.body));
        let message = response.json();
        let result = message.get("result").unwrap_or_else(|| panic!("{tool} {arguments}: {message}")).clone();
        let answer = Answer::new(tool, result);
        answer.check(self.output_schema(tool));
        answer
    }

    #[track_caller]
    fn output_schema(&self, tool: &str) -> Option<&Value> {
        let schemas = self.schemas.get_or_init(|| {
            let tools = self.tools();
            tools
                .iter()
                .filter_map(|tool| {
                    Some((tool["name"].as_str()?.to_owned(), tool.get("outputSchema")?.clone()))
                })
                .collect()
        });
        schemas.get(tool)
    }

    /// Waits until `/healthz` says that the index is complete, or that there is none to wait for.
    #[track_caller]
    pub fn wait_until_indexed(&self) {
        eventually("the index is complete", PATIENCE, || {
            let health = self.send(&Request::new("GET", "/healthz")).json();
            is_indexed(&health).then_some(())
        });
    }

    /// Waits until the search finds a path.
    #[track_caller]
    pub fn wait_for_hit(&self, query: &str, path: &str, limit: Duration) {
        eventually(&format!("{query:?} finds {path}"), limit, || self.finds(query, path).then_some(()));
    }

    /// Whether the keyword search finds this path.
    #[track_caller]
    pub fn finds(&self, query: &str, path: &str) -> bool {
        self.call("vault_fts_search", json!({"query": query}))
            .list("results", "path")
            .iter()
            .any(|found| found == path)
    }

    /// Stops it politely, checks its end, and gives the settings back for a restart.
    #[track_caller]
    pub fn stop(mut self) -> TestServer {
        self.finish()
    }

    /// Kills it on the spot, as a power cut does, and gives the settings back for a restart.
    #[track_caller]
    pub fn kill(mut self) -> TestServer {
        let mut running = self.running.take().expect("it runs");
        running.process.signal(Signal::KILL);
        running.process.wait(PATIENCE).expect("a killed process ends");
        running.settings
    }

    /// Stops its work, as a busy machine would, until [`Self::resume`].
    pub fn pause(&self) {
        self.running().process.signal(Signal::STOP);
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.running().process.signal(Signal::CONT);
    }

    /// Sends SIGTERM without waiting for the end.
    pub fn terminate(&self) {
        self.running().process.signal(Signal::TERM);
    }

    #[track_caller]
    fn finish(&mut self) -> TestServer {
        let mut running = self.running.take().expect("it runs");
        running.process.signal(Signal::TERM);
        let Some(status) = running.process.wait(Duration::from_secs(15)) else {
            panic!("still running 15 s after SIGTERM:\n{}", running.process.transcript())
        };
        assert!(status.success(), "ended with {status}:\n{}", running.process.transcript());
        check_log(&running.process.lines(), running.settings.token.as_deref());
        running.settings.vault.assert_untouched();
        let temporary: Vec<_> = std::fs::read_dir(running.settings.data().join("tmp"))
            .expect("the temporary folder")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        assert!(temporary.is_empty(), "temporary files left: {temporary:?}");
        running.settings
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.running.is_some() && !std::thread::panicking() {
            self.finish();
        }
    }
}

/// Whether a body of `/healthz` tells of no indexing, under way or yet to begin.
pub fn is_indexed(health: &Value) -> bool {
    health.get("indexing").is_none_or(Value::is_null) && health["state"] != "opening"
}

/// Every line is a JSON object, none tells of a panic, none holds the token.
#[track_caller]
pub(crate) fn check_log(lines: &[LogLine], token: Option<&str>) {
    for line in lines {
        assert!(!line.text.contains("panicked"), "a panic: {}", line.text);
        assert!(line.json().is_some(), "a log line that is no JSON object: {}", line.text);
        if let Some(token) = token {
            assert!(!line.text.contains(token), "the token in a log: {}", line.text);
        }
    }
}

/// The `url` of the event, at its top level or among its fields.
fn find_url(event: &Value) -> Option<String> {
    [&event["url"], &event["fields"]["url"]].into_iter().find_map(Value::as_str).map(str::to_owned)
}
