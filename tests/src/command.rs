//! Running the binary to its end: the command line side of the product.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::process::Process;
use crate::server_binary;

/// How long a command may take before it counts as hung.
const LIMIT: Duration = Duration::from_secs(120);

/// A command line in a hermetic environment.
pub struct Run {
    arguments: Vec<OsString>,
    environment: BTreeMap<String, OsString>,
}

/// What a command wrote and how it ended.
#[derive(Debug)]
pub struct Output {
    /// Exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// `vault-cortex` with these arguments, its home and data in `data`.
    pub fn new(arguments: &[&str], data: &Path) -> Self {
        Self { arguments: arguments.iter().map(OsString::from).collect(), environment: environment(data) }
    }

    /// Adds an argument that may be a path.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.insert(name.to_owned(), value.into());
        self
    }

    /// Runs it to its end.
    #[track_caller]
    pub fn output(self) -> Output {
        let mut command = hermetic(&self.environment);
        command.args(&self.arguments).stdin(Stdio::null());
        let mut process = Process::spawn(&mut command);
        let Some(status) = process.wait(LIMIT) else {
            panic!("{:?} did not end within {LIMIT:?}; it wrote:\n{}", self.arguments, process.transcript())
        };
        let side = |stderr: bool| {
            let lines = process.lines();
            lines
                .iter()
                .filter(|line| line.stderr == stderr)
                .map(|line| format!("{}\n", line.text))
                .collect::<String>()
        };
        Output { code: status.code(), stdout: side(false), stderr: side(true) }
    }
}

impl Output {
    /// Asserts exit code 0 and gives the output back.
    #[track_caller]
    pub fn success(self) -> Self {
        assert_eq!(self.code, Some(0), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Asserts a failure (not a crash) whose message holds every one of the words.
    #[track_caller]
    pub fn fails_naming(self, words: &[&str]) -> Self {
        let both = format!("{}{}", self.stdout, self.stderr);
        assert!(self.code.is_some_and(|code| code != 0 && code != 101), "exit code {:?}:\n{both}", self.code);
        assert!(!both.contains("panicked"), "a panic:\n{both}");
        for word in words {
            assert!(both.contains(word), "nothing about {word:?} in:\n{both}");
        }
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("not JSON ({error}):\n{}\nstderr:\n{}", self.stdout, self.stderr))
    }
}

/// The binary with this environment and nothing of the caller's.
pub(crate) fn hermetic(environment: &BTreeMap<String, OsString>) -> Command {
    launched(&[], environment)
}

/// The same, started by another program that gets the binary as its last argument.
pub(crate) fn launched(launcher: &[String], environment: &BTreeMap<String, OsString>) -> Command {
    let mut words = launcher.iter().map(OsString::from).chain([server_binary().into()]);
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).env_clear().envs(environment);
    command
}

/// The variables that every process of the tests gets: home, data and temporary files in `data`.
pub(crate) fn environment(data: &Path) -> BTreeMap<String, OsString> {
    let folder = |name: &str| {
        let path = data.join(name);
        std::fs::create_dir_all(&path).expect("a folder in the temporary folder");
        path.into_os_string()
    };
    let mut environment: BTreeMap<String, OsString> = [
        ("HOME", folder("home")),
        ("TMPDIR", folder("tmp")),
        ("XDG_DATA_HOME", folder("xdg-data")),
        ("XDG_CONFIG_HOME", folder("xdg-config")),
        ("XDG_CACHE_HOME", folder("xdg-cache")),
        ("TZ", OsString::from("UTC")),
        ("NO_COLOR", OsString::from("1")),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    if let Some(path) = std::env::var_os("PATH") {
        environment.insert("PATH".to_owned(), path);
    }
    environment
}
