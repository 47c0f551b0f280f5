//! Where the repository and the binary under test are.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn repository_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository").to_path_buf()
}

/// The `vault-cortex` binary beside the running test (or bench) executable: the target folder of
/// the same profile. Cargo does not build it for us, since the tests depend on no server code.
pub fn server_binary() -> PathBuf {
    beside("vault-cortex", "vault-cortex")
}

/// The edge's function, built in the same way.
pub fn authorizer_binary() -> PathBuf {
    beside("authorizer", "authorizer")
}

fn beside(name: &str, package: &str) -> PathBuf {
    let executable = std::env::current_exe().expect("the test executable has a path");
    let candidates = executable.ancestors().skip(1).take(2).map(|folder| folder.join(name));
    candidates.clone().find(|path| path.is_file()).unwrap_or_else(|| {
        panic!(
            "no `{name}` beside the tests (looked for {}): run `cargo build -p {package}` \
             with the same profile first, or `make test`, which does it",
            candidates.map(|path| path.display().to_string()).collect::<Vec<_>>().join(" and ")
        )
    })
}
