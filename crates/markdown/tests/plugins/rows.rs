//! Where the rows are, and how a test over them reports.

use serde_json::Value;

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
