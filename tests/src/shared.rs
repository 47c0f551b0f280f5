//! Data that lies beside the repository: real vaults, cases and labelled sets.
//!
//! A fresh clone of a user has no such folder; there the suites that need it are skipped with a
//! line that says so. `REQUIRE_SHARED=1` (the project's own CI) turns the skip into a failure.

use std::path::PathBuf;

use crate::repository_root;

/// A path in the folder `shared` beside the repository; `None`, with a line on standard output,
/// when it is not there.
#[track_caller]
pub fn shared_folder(relative: &str) -> Option<PathBuf> {
    let path = repository_root().join("../shared").join(relative);
    if path.exists() {
        return Some(path.canonicalize().expect("an existing path has a canonical form"));
    }
    let required = std::env::var("REQUIRE_SHARED").is_ok_and(|value| value == "1");
    assert!(!required, "REQUIRE_SHARED=1, and ../shared/{relative} is not present");
    println!("skipped: ../shared/{relative} not present");
    None
}

/// One of the real vaults beside the repository.
#[track_caller]
pub fn shared_vault(name: &str) -> Option<PathBuf> {
    shared_folder(&format!("vaults/{name}"))
}
