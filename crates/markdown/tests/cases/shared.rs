//! Where the shared data lies beside this checkout. Read only; a checkout without it skips with a line, and
//! fails under `REQUIRE_SHARED=1`.

use std::path::PathBuf;

use serde_json::Value;

/// A path below the folder of shared data, or `None` when this checkout has none.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
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
pub(crate) fn case_file(name: &str) -> Option<Value> {
    let path = shared("cases")?.join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(serde_json::from_str(&text).expect("a case file is JSON"))
}
