//! Where the rows are, and how a test over them reports.

use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;

/// A path in the shared folder, or `None` (with a line that says so) when it is absent.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(name);
    if !path.exists() {
        #[expect(clippy::disallowed_methods, reason = "a switch of the test run, not of the product")]
        let required = std::env::var("REQUIRE_SHARED").is_ok_and(|value| value == "1");
        assert!(!required, "{} is required and not present", path.display());
        println!("skipped: {} not present", path.display());
        return None;
    }
    Some(path)
}

/// The rows of one file, or `None` when it is absent.
pub(crate) fn load(file: &str) -> Option<Value> {
    let path = shared("cases")?.join(file);
    let text = std::fs::read_to_string(&path).expect("rows can be read");
    Some(serde_json::from_str(&text).expect("rows are JSON"))
}

/// The list under a key.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The text under a key; empty when it is null or missing.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Collects the rows that differ, so that one run shows them all.
#[derive(Default)]
pub(crate) struct Report {
    rows: usize,
    differences: Vec<String>,
}

impl Report {
    pub(crate) fn compare<T: PartialEq + std::fmt::Debug>(
        &mut self,
        id: &str,
        what: &str,
        ours: &T,
        theirs: &T,
    ) {
        if ours != theirs {
            self.differences.push(format!("{id} {what}\n    ours   {ours:?}\n    theirs {theirs:?}"));
        }
    }

    pub(crate) fn row(&mut self) {
        self.rows += 1;
    }

    /// Panics with every difference. `expected` guards against an empty or renamed list.
    pub(crate) fn finish(self, expected: usize) {
        assert!(
            self.differences.is_empty(),
            "{} differences in {} rows:\n{}",
            self.differences.len(),
            self.rows,
            self.differences.join("\n")
        );
        assert!(self.rows >= expected, "only {} of {expected} rows were there", self.rows);
    }
}
