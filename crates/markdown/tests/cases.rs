//! Runs the shared case files, row by row. They hold what Obsidian and its libraries do; nothing of them is
//! copied here.

#![expect(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test may fail and print")]

mod cases {
    mod headings;
    mod links;
    mod metadata;
    mod pain;
    mod tags;
    mod yaml;
}

use serde_json::Value;
use std::path::PathBuf;

/// The folder of shared data, or `None` when this checkout has none.
fn shared(path: &str) -> Option<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    if root.is_dir() {
        return Some(root.join(path));
    }
    #[expect(clippy::disallowed_methods, reason = "a test switch, not configuration of the product")]
    let required = std::env::var("REQUIRE_SHARED").is_ok_and(|value| value == "1");
    assert!(!required, "REQUIRE_SHARED=1, but {} is not present", root.display());
    println!("skipped: {} not present", root.join(path).display());
    None
}

/// A case file, or `None` when this checkout has no shared data.
fn case_file(name: &str) -> Option<Value> {
    let path = shared("cases")?.join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(serde_json::from_str(&text).expect("a case file is JSON"))
}

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
