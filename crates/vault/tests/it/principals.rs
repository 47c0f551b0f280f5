//! Who sees what.

use vault::{FolderScope, Principal, Rights, VaultPath};

use crate::vault;

#[track_caller]
fn sees(folders: &[&str], path: &str, expected: bool) {
    let mut principal = Principal::owner("test");
    principal.folders = FolderScope::Only(folders.iter().map(|&folder| folder.to_owned()).collect());
    assert_eq!(principal.sees(&VaultPath::parse(path).unwrap()), expected, "{folders:?} {path}");
}

#[test]
fn a_caller_sees_its_folders_and_what_is_below() {
    sees(&["Projects"], "Projects/a.md", true);
    sees(&["Projects"], "Projects/x/y/a.md", true);
    sees(&["Projects"], "projects/a.md", true);
    sees(&["projects/Ä"], "Projects/a\u{308}/a.md", true);
    sees(&["Projects", "Daily"], "Daily/2026.md", true);
}

#[test]
fn a_caller_sees_nothing_else() {
    sees(&["Projects"], "a.md", false);
    sees(&["Projects"], "Projects.md", false);
    sees(&["Projects"], "Projects", false);
    sees(&["Projects"], "Projects-private/a.md", false);
    sees(&["Projects/x"], "Projects/a.md", false);
    sees(&["Projects"], "Other/Projects/a.md", false);
    sees(&[], "a.md", false);
}

#[test]
fn no_right_to_read_is_no_sight() {
    let mut principal = Principal::owner("test");
    let path = VaultPath::parse("a.md").unwrap();
    assert!(principal.sees(&path));
    principal.rights = Rights { read: false, write: true, delete: true };
    assert!(!principal.sees(&path));
}
