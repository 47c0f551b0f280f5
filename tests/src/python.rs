//! A real MCP client: the Python package `mcp`, in the virtual environment that `make test` makes.

use std::ffi::OsString;
use std::process::Command;

use serde_json::Value;

use crate::repository_root;

/// Runs `tests/client/<script>` with the arguments and gives the JSON it prints.
///
/// `None`, with a line on standard output, when there is no `.venv` (it is made by `make test`);
/// under `REQUIRE_SHARED=1` that is a failure.
#[track_caller]
pub fn python_client(script: &str, arguments: &[OsString]) -> Option<Value> {
    let root = repository_root();
    let python = root.join(".venv/bin/python");
    if !python.exists() {
        let required = std::env::var("REQUIRE_SHARED").is_ok_and(|value| value == "1");
        assert!(!required, "no .venv: `make test` makes it from scripts/requirements.txt");
        println!("skipped: .venv not present (`make test` makes it)");
        return None;
    }
    let output = Command::new(python)
        .arg(root.join("tests/client").join(script))
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{script} failed:\n{stdout}\n{stderr}");
    Some(
        serde_json::from_str(&stdout)
            .unwrap_or_else(|error| panic!("{script}: {error}:\n{stdout}\n{stderr}")),
    )
}
