//! Runs the shared case files, row by row. They hold what Obsidian and its libraries do; nothing of them is
//! copied here.

#![expect(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test may fail and print")]

mod cases {
    mod headings;
    mod links;
    mod metadata;
    mod pain;
    pub(crate) mod shared;
    mod tags;
    mod yaml;
}

use serde_json::Value;

use cases::shared::{case_file, shared};

/// The rows of a case file under a key.
fn rows<'a>(file: &'a Value, key: &str) -> &'a [Value] {
    let rows = file[key].as_array().expect("rows");
    assert!(!rows.is_empty());
    rows
}

/// Collects the rows that fail, so that one run shows them all.
#[derive(Default)]
struct Failures(Vec<String>);

impl Failures {
    fn check<T: PartialEq + std::fmt::Debug>(&mut self, row: &str, actual: &T, expected: &T) {
        if actual != expected {
            self.0.push(format!("{row}\n  expected {expected:?}\n  actual   {actual:?}"));
        }
    }

    #[track_caller]
    fn report(self) {
        assert!(self.0.is_empty(), "{} rows fail:\n{}", self.0.len(), self.0.join("\n"));
    }
}
