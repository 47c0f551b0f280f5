//! Real MCP clients in pinned versions, driven by a script each in `tests/client`.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::{Connection, Request};
use crate::repository_root;

/// The longest that a client may take for all it does.
const LONGEST_SESSION: Duration = Duration::from_secs(120);

/// A client that `make clients` installs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RealClient {
    /// The Python package `mcp`, version 1.
    Python1,
    /// The same, version 2.
    Python2,
    /// The TypeScript SDK, version 1.
    TypeScript1,
    /// The same, version 2.
    TypeScript2,
    /// The Inspector's command line.
    Inspector,
}

impl RealClient {
    /// The ones that a script drives through a whole session.
    pub const SCRIPTED: [Self; 4] = [Self::Python1, Self::Python2, Self::TypeScript1, Self::TypeScript2];

    /// Whether it is installed. If not, a line says so; with `REQUIRE_CLIENTS=1` that is a failure.
    #[track_caller]
    pub fn is_installed(self) -> bool {
        let missing = self.needs().into_iter().find(|path| !path.exists());
        let Some(missing) = missing else { return true };
        let required = std::env::var("REQUIRE_CLIENTS").is_ok_and(|value| value == "1");
        assert!(!required, "{self:?}: no {}: `make clients` installs it", missing.display());
        println!("skipped: {self:?} is not installed (`make clients` does it)");
        false
    }

    fn needs(self) -> Vec<PathBuf> {
        let root = repository_root();
        let packages = root.join("tests/client/node/node_modules/@modelcontextprotocol");
        match self {
            Self::Python1 => vec![root.join(".venv-client-1/bin/python")],
            Self::Python2 => vec![root.join(".venv/bin/python")],
            Self::TypeScript1 => vec![packages.join("sdk")],
            Self::TypeScript2 => vec![packages.join("client")],
            Self::Inspector => vec![packages.join("inspector")],
        }
    }

    /// Its program, with what it needs before the arguments of a session, and a home of its own.
    fn command(self, home: &Path) -> Command {
        let root = repository_root();
        let node = || {
            let mut command = Command::new("sh");
            command.arg(root.join("scripts/node.sh"));
            command
        };
        let mut command = match self {
            Self::Python1 | Self::Python2 => {
                let mut command = self.needs().first().map_or_else(|| Command::new("python3"), Command::new);
                command.arg(root.join("tests/client/oauth.py")).env("PYTHONDONTWRITEBYTECODE", "1");
                command
            }
            Self::TypeScript1 | Self::TypeScript2 => {
                let mut command = node();
                command.arg(root.join("tests/client/node/session.mjs"));
                command.arg(if self == Self::TypeScript1 { "1" } else { "2" });
                command
            }
            Self::Inspector => {
                let mut command = node();
                let packages = "tests/client/node/node_modules/@modelcontextprotocol";
                command
                    .arg(root.join(packages).join("inspector/clients/launcher/build/index.js"))
                    .arg("--cli");
                // It asks for a log-in only where somebody could see it, or when it may open a browser itself:
                // there is none, so it prints the address.
                command.env("MCP_AUTO_OPEN_ENABLED", "true").env("MCP_INSPECTOR_SECRET_STORE", "memory");
                command
            }
        };
        command.env("HOME", home);
        // What stands here is not for loopback.
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs it to its end and gives the last JSON it said. Whenever it wants a page opened, `browser` is given the
    /// address and says where that led back to.
    #[track_caller]
    pub fn session(self, arguments: &[&str], mut browser: impl FnMut(&str) -> String) -> Value {
        let home = tempfile::tempdir().expect("a temporary folder");
        let mut command = self.command(home.path());
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{self:?} does not start: {error}"));
        let mut stdin = child.stdin.take().expect("piped");
        let (send, said) = channel();
        pass_on(child.stdout.take().expect("piped"), send.clone());
        pass_on(child.stderr.take().expect("piped"), send);
        let (mut last, mut transcript) = (json!(null), String::new());
        let deadline = Instant::now() + LONGEST_SESSION;
        loop {
            let line = match said.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    panic!("{self:?} does not end within {LONGEST_SESSION:?}; it said:\n{transcript}");
                }
            };
            transcript.push_str(&line);
            transcript.push('\n');
            if let Some(address) = line.strip_prefix("Please navigate to: ") {
                browser(address.trim());
            }
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            if let Some(address) = message["open"].as_str() {
                writeln!(stdin, "{}", browser(address)).expect("it waits for an answer");
            }
            last = message;
        }
        let status = child.wait().expect("it ends");
        assert!(status.success(), "{self:?} ended with {status}; it said:\n{transcript}");
        last
    }

    /// Runs it to its end and gives what it wrote to its standard output, or its complaints.
    ///
    /// # Errors
    /// Both outputs, when it ends with an error.
    #[track_caller]
    pub fn run(self, arguments: &[&str]) -> Result<String, String> {
        let home = tempfile::tempdir().expect("a temporary folder");
        let mut command = self.command(home.path());
        let output = command.args(arguments).stdin(Stdio::null()).output().expect("it starts");
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(stdout);
        }
        Err(format!("{stdout}{}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// Sends the lines of a stream on, until its end.
fn pass_on(stream: impl Read + Send + 'static, to: Sender<String>) {
    std::thread::spawn(move || {
        let lines = BufReader::new(stream).lines();
        lines.map_while(Result::ok).take_while(|line| to.send(line.clone()).is_ok()).for_each(drop);
    });
}

/// What a browser does with the address that it is sent to, when a client listens there.
#[track_caller]
pub fn visit(address: &str) {
    let rest = address.strip_prefix("http://").unwrap_or_else(|| panic!("sent to {address}"));
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let listener = host.parse().unwrap_or_else(|_| panic!("{host} is no address"));
    Connection::new(listener).send(&Request::new("GET", &format!("/{path}")).header("connection", "close"));
}
