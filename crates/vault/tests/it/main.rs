//! The vault against real folders.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test fails by a panic, and makes the files it tests with"
)]

mod daily_notes;
mod in_place;
mod interrupted;
mod links;
mod moving;
mod paths;
mod principals;
mod processes;
mod races;
mod reading;
mod sequences;
mod settings;
mod shared;
mod undoing;
mod walking;
mod writer;
mod writing;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use vault::{Content, SkipReason, Vault, VaultError, VaultOptions, VaultPath, Walk};
use vault_cortex_vault as vault;

/// A vault in a folder of its own, with room beside it for what must not be reached.
struct Fixture {
    folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("vault")).unwrap();
        fs::write(folder.path().join("secret.md"), "secret").unwrap();
        fs::create_dir(folder.path().join("elsewhere")).unwrap();
        fs::write(folder.path().join("elsewhere/secret.md"), "secret").unwrap();
        Self { folder }
    }

    /// A vault with these files, each holding its own path.
    fn with(files: &[&str]) -> Self {
        let fixture = Self::new();
        for file in files {
            fixture.write(file, file);
        }
        fixture
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("vault")
    }

    fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn on_disk(&self, path: impl AsRef<OsStr>) -> PathBuf {
        self.root().join(path.as_ref())
    }

    fn write(&self, path: impl AsRef<OsStr>, content: impl AsRef<[u8]>) {
        let path = self.on_disk(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// A symbolic link at `path` that holds `target`.
    fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.on_disk(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    fn vault(&self) -> Vault {
        Vault::open(&self.root(), VaultOptions::default()).unwrap()
    }

    #[track_caller]
    fn read(&self, path: &str) -> Result<Content, VaultError> {
        let vault = self.vault();
        let path = VaultPath::parse(path).unwrap();
        let content = vault.read(&path);
        // Both ways in follow the same rules.
        let stat = vault.stat(&path);
        assert_eq!(stat.is_ok(), content.is_ok(), "{stat:?} but {content:?}");
        if let (Ok(stat), Ok(content)) = (stat, &content) {
            assert_eq!(stat, content.stat);
        }
        content
    }

    #[track_caller]
    fn reads(&self, path: &str, expected: &str) {
        assert_eq!(self.read(path).unwrap().text().0, expected);
    }

    #[track_caller]
    fn walks(&self, files: &[&str], skipped: &[(&str, SkipReason)]) {
        assert_walk(&self.vault().walk().unwrap(), files, skipped);
    }
}

#[track_caller]
fn assert_walk(walk: &Walk, files: &[&str], skipped: &[(&str, SkipReason)]) {
    let found: Vec<&str> = walk.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(found, files);
    let found: Vec<(&str, SkipReason)> =
        walk.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.reason.clone())).collect();
    assert_eq!(found, skipped);
}

fn bytes(name: &[u8]) -> &OsStr {
    OsStr::from_bytes(name)
}

/// Whether the rest of the test makes sense here. Root may read everything, so a test about permissions
/// runs in a process of its own as somebody else.
#[track_caller]
fn may_be_refused(test: &str) -> bool {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if !is_root {
        return true;
    }
    let mut other = Command::new(std::env::current_exe().unwrap());
    match other.args([test, "--exact", "--nocapture"]).uid(65534).gid(65534).output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.contains("1 passed"), "{said}");
        }
        Err(error) => println!("skipped: root may read everything, and nobody else may run this: {error}"),
    }
    false
}

#[test]
fn every_file_of_this_folder_is_part_of_the_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it");
    let main = include_str!("main.rs");
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || main.contains(&format!("mod {module};")), "{name} is forgotten");
    }
}
