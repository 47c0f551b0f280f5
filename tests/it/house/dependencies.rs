//! The direction of dependencies, read from `cargo metadata` and the lock file.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use harness::repository_root;
use serde_json::Value;

/// The database engine and its C half: one crate may name them, and only once.
const ENGINE: &str = "libsql";

/// Who may depend on which of our own packages. What is not listed may depend on none.
fn allowed() -> BTreeMap<&'static str, &'static [&'static str]> {
    BTreeMap::from([
        ("vault-cortex-vault", &["vault-cortex-markdown", "vault-cortex-store"][..]),
        ("vault-cortex-search", &["vault-cortex-markdown", "vault-cortex-store", "vault-cortex-vault"]),
        (
            "vault-cortex",
            &[
                "vault-cortex-markdown",
                "vault-cortex-search",
                "vault-cortex-store",
                "vault-cortex-token",
                "vault-cortex-vault",
            ],
        ),
        ("authorizer", &["vault-cortex-token"]),
        ("xtask", &["vault-cortex-tests"]),
    ])
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(repository_root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Names of what a package depends on, tests and build scripts included.
fn dependencies(package: &Value) -> BTreeSet<String> {
    let all = package["dependencies"].as_array().unwrap();
    all.iter().map(|dependency| dependency["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn our_crates_depend_only_downwards() {
    let packages = packages();
    let ours: BTreeSet<_> =
        packages.iter().map(|package| package["name"].as_str().unwrap().to_owned()).collect();
    let allowed = allowed();
    let mut rows = Vec::new();
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let may = allowed.get(name).copied().unwrap_or_default();
        for dependency in dependencies(package).intersection(&ours) {
            if !may.contains(&dependency.as_str()) {
                rows.push(format!("{name} depends on {dependency}"));
            }
        }
    }
    super::no_rows("token; markdown, store ← vault ← search ← server; nothing depends on server", rows);
}

#[test]
fn only_the_store_names_the_database_engine() {
    let rows = packages()
        .iter()
        .filter(|package| package["name"] != "vault-cortex-store")
        .flat_map(|package| {
            let name = package["name"].as_str().unwrap().to_owned();
            dependencies(package)
                .into_iter()
                .filter(|dependency| dependency.starts_with(ENGINE) || dependency.contains("sqlite"))
                .map(move |dependency| format!("{name} depends on {dependency}"))
        })
        .collect();
    super::no_rows("only vault-cortex-store depends on libsql", rows);
}

#[test]
fn the_lock_file_holds_one_database_engine() {
    let lock = std::fs::read_to_string(repository_root().join("Cargo.lock")).unwrap();
    let named = |name: &str| lock.matches(&format!("name = \"{name}\"\n")).count();
    assert_eq!(named("libsql-ffi"), 1, "two engines in one process corrupt each other's locks");
    assert_eq!(named("libsqlite3-sys"), 0, "a second SQLite beside libsql");
}

#[test]
fn the_edge_half_stays_small() {
    let packages = packages();
    let token = packages.iter().find(|package| package["name"] == "vault-cortex-token").unwrap();
    let heavy: Vec<_> = dependencies(token)
        .into_iter()
        .filter(|name| ["tokio", "axum", "hyper", "reqwest", "ureq"].contains(&name.as_str()))
        .collect();
    assert!(heavy.is_empty(), "the token crate is shared with the edge and takes no runtime: {heavy:?}");
}

#[test]
fn every_package_takes_the_lints_of_the_workspace() {
    let rows = packages()
        .iter()
        .filter_map(|package| {
            let manifest = package["manifest_path"].as_str().unwrap();
            let text = std::fs::read_to_string(manifest).unwrap();
            (!text.contains("[lints]\nworkspace = true")).then(|| manifest.to_owned())
        })
        .collect();
    super::no_rows("`[lints] workspace = true` in every manifest", rows);
}
