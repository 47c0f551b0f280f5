//! Symbolic links and hard links: what is followed, what is refused, and who wins a race.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use vault::{SkipReason, Vault, VaultError, VaultOptions, VaultPath};

use crate::{Fixture, assert_walk, bytes, vault};

#[track_caller]
fn refused(fixture: &Fixture, path: &str, rule: &str) {
    let error = fixture.read(path).unwrap_err();
    assert!(format!("{error:?}").starts_with(rule), "{path} is {error:?}, not {rule}");
    // Nothing of this machine is named but what was asked for.
    let folder = fixture.folder.path().to_str().unwrap();
    assert!(!error.to_string().contains(folder), "{error}");
}

#[test]
fn a_link_inside_the_vault_is_followed_when_its_target_stays_inside() {
    let fixture = Fixture::with(&["real/note.md"]);
    fixture.link("link.md", "real/note.md");
    fixture.link("linked", "real");
    fixture.link("absolute", fixture.on_disk("real"));
    fixture.link("deep/up", "../real");
    fixture.link("chain.md", "link.md");
    for path in ["link.md", "linked/note.md", "absolute/note.md", "deep/up/note.md", "chain.md"] {
        fixture.reads(path, "real/note.md");
        let content = fixture.read(path).unwrap();
        assert_eq!(content.path.as_str(), "real/note.md", "{path}");
        let asked = VaultPath::parse(path).unwrap();
        assert_eq!(fixture.vault().real_path(&asked).unwrap(), content.path);
    }
    assert_eq!(fixture.read("real/note.md").unwrap().path.as_str(), "real/note.md");
}

#[test]
fn a_file_is_walked_once_under_its_real_path() {
    let fixture = Fixture::with(&["real/note.md"]);
    fixture.link("link.md", "real/note.md");
    fixture.link("linked", "real");
    fixture.link("real/myself", "..");
    fixture.link("aaa", ".");
    fixture.walks(
        &["real/note.md"],
        &[
            ("aaa", SkipReason::LinkCycle),
            ("link.md", SkipReason::LinkCycle),
            ("linked", SkipReason::LinkCycle),
            ("real/myself", SkipReason::LinkCycle),
        ],
    );
    // Reading through a circle is no harm: the path ends.
    fixture.reads("real/myself/aaa/real/note.md", "real/note.md");
}

#[test]
fn a_link_that_leaves_the_vault_is_refused_and_reported() {
    let fixture = Fixture::with(&["a.md"]);
    fixture.link("file.md", fixture.outside("secret.md"));
    fixture.link("relative.md", "../secret.md");
    fixture.link("folder", fixture.outside("elsewhere"));
    fixture.link("parent", "..");
    fixture.link("etc", "/etc");
    fixture.link("chain.md", "file.md");
    for path in [
        "file.md",
        "relative.md",
        "folder/secret.md",
        "folder/missing.md",
        "parent/secret.md",
        "etc/passwd",
        "chain.md",
    ] {
        refused(&fixture, path, "LeavesVault");
    }
    let leaves = |path| (path, SkipReason::LeavesVault);
    fixture.walks(
        &["a.md"],
        &[
            leaves("chain.md"),
            leaves("etc"),
            leaves("file.md"),
            leaves("folder"),
            leaves("parent"),
            leaves("relative.md"),
        ],
    );
}

/// A name that only begins like the vault's is not the vault.
#[test]
fn a_link_to_a_folder_beside_with_the_same_beginning_leaves() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.outside("vault-private")).unwrap();
    fs::write(fixture.outside("vault-private/a.md"), "secret").unwrap();
    fixture.link("link", fixture.outside("vault-private"));
    refused(&fixture, "link/a.md", "LeavesVault");
}

/// Plugins keep keys in their settings; a link would show them.
#[test]
fn a_link_to_something_hidden_is_refused() {
    let fixture = Fixture::with(&["a.md"]);
    fixture.write(".obsidian/plugins/x/data.json", "key");
    fixture.link("settings", ".obsidian");
    fixture.link("key.md", ".obsidian/plugins/x/data.json");
    refused(&fixture, "key.md", "LeadsToHidden");
    refused(&fixture, "settings/plugins/x/data.json", "LeadsToHidden");
    fixture
        .walks(&["a.md"], &[("key.md", SkipReason::LeadsToHidden), ("settings", SkipReason::LeadsToHidden)]);
}

#[test]
fn broken_and_circular_links_are_told() {
    let fixture = Fixture::with(&["a.md"]);
    fixture.link("broken.md", "missing.md");
    fixture.link("one.md", "two.md");
    fixture.link("two.md", "one.md");
    fixture.link("through.md", "a.md/x");
    for path in ["broken.md", "one.md", "through.md"] {
        refused(&fixture, path, "BrokenLink");
    }
    fixture.walks(
        &["a.md"],
        &[
            ("broken.md", SkipReason::BrokenLink),
            ("one.md", SkipReason::BrokenLink),
            ("through.md", SkipReason::BrokenLink),
            ("two.md", SkipReason::BrokenLink),
        ],
    );
}

#[test]
fn a_link_to_a_device_is_not_opened() {
    let fixture = Fixture::new();
    fixture.link("null.md", "/dev/zero");
    refused(&fixture, "null.md", "LeavesVault");
}

/// The only way to show a file whose name no path can spell.
#[test]
fn a_link_to_a_name_that_cannot_be_spelt_is_followed_once() {
    let fixture = Fixture::new();
    fixture.write("odd\nfolder/a.md", "a");
    fixture.write("odd\nfolder/sub/b.md", "b");
    fixture.write("odd\nfolder/sub/again.md", "again");
    fixture.write("odd\nfile.md", "file");
    fixture.link("folder", "odd\nfolder");
    fixture.link("second", "odd\nfolder");
    fixture.link("part", "odd\nfolder/sub");
    fixture.link("odd\nfolder/sub/back", "..");
    fixture.link("file.md", "odd\nfile.md");
    fixture.link("other.md", "odd\nfile.md");
    fixture.walks(
        &["file.md", "folder/a.md", "folder/sub/again.md", "folder/sub/b.md"],
        &[
            ("odd\nfile.md", SkipReason::BadName),
            ("odd\nfolder", SkipReason::BadName),
            ("odd\nfolder/sub/back", SkipReason::LinkCycle),
            ("other.md", SkipReason::LinkCycle),
            ("part", SkipReason::LinkCycle),
            ("second", SkipReason::LinkCycle),
        ],
    );
    fixture.reads("folder/sub/b.md", "b");
    fixture.reads("file.md", "file");
}

#[test]
fn a_linked_folder_is_listed_under_its_own_path_only() {
    let fixture = Fixture::with(&["real/note.md"]);
    fixture.link("linked", "real");
    fixture.link("vault", ".");
    fixture.link("away", fixture.outside("elsewhere"));
    let vault = fixture.vault();
    assert_walk(&vault.walk_folder("linked").unwrap(), &[], &[("linked", SkipReason::LinkCycle)]);
    assert_walk(&vault.walk_folder("vault").unwrap(), &[], &[("vault", SkipReason::LinkCycle)]);
    assert!(matches!(vault.walk_folder("away"), Err(VaultError::LeavesVault { .. })));
}

#[test]
fn a_hard_link_outside_the_vault_is_refused() {
    let fixture = Fixture::with(&["a.md"]);
    fs::hard_link(fixture.outside("secret.md"), fixture.on_disk("stolen.md")).unwrap();
    refused(&fixture, "stolen.md", "HardLinked");
    fixture.walks(&["a.md"], &[("stolen.md", SkipReason::HardLinked { links: 2, seen: 1 })]);
}

#[test]
fn hard_links_that_are_all_in_the_vault_are_read() {
    let fixture = Fixture::with(&["a/one.md"]);
    fs::hard_link(fixture.on_disk("a/one.md"), fixture.on_disk("two.md")).unwrap();
    fixture.reads("a/one.md", "a/one.md");
    fixture.reads("two.md", "a/one.md");
    fixture.walks(&["a/one.md", "two.md"], &[]);
    let folder = fixture.vault().walk_folder("a").unwrap();
    assert_walk(&folder, &["a/one.md"], &[]);

    fs::hard_link(fixture.on_disk("two.md"), fixture.outside("three.md")).unwrap();
    refused(&fixture, "two.md", "HardLinked");
    let refused = SkipReason::HardLinked { links: 3, seen: 2 };
    fixture.walks(&[], &[("a/one.md", refused.clone()), ("two.md", refused.clone())]);
    assert_walk(&fixture.vault().walk_folder("a").unwrap(), &[], &[("a/one.md", refused)]);
}

/// What a walk has learnt is not believed for ever: the number of links stays the same here.
#[test]
fn a_name_that_moved_out_of_the_vault_no_longer_counts() {
    let fixture = Fixture::with(&["one.md"]);
    fs::hard_link(fixture.on_disk("one.md"), fixture.on_disk("two.md")).unwrap();
    let vault = fixture.vault();
    vault.walk().unwrap();
    let path = VaultPath::parse("one.md").unwrap();
    vault.read(&path).unwrap();
    fs::rename(fixture.on_disk("two.md"), fixture.outside("two.md")).unwrap();
    // A name put where the old one was, but of another file, is none.
    fixture.write("two.md", "other");
    assert!(matches!(vault.read(&path), Err(VaultError::HardLinked { links: 2, seen: 1, .. })));
    assert!(matches!(vault.stat(&path), Err(VaultError::HardLinked { links: 2, seen: 1, .. })));
    fs::rename(fixture.outside("two.md"), fixture.on_disk("back.md")).unwrap();
    vault.read(&path).unwrap();
}

#[test]
fn a_second_name_in_a_hidden_folder_is_foreign() {
    let fixture = Fixture::new();
    fixture.write(".obsidian/keys.json", "key");
    fs::hard_link(fixture.on_disk(".obsidian/keys.json"), fixture.on_disk("keys.md")).unwrap();
    refused(&fixture, "keys.md", "HardLinked");
}

#[test]
fn a_second_name_that_no_path_spells_is_still_in_the_vault() {
    let fixture = Fixture::with(&["a.md"]);
    fs::hard_link(fixture.on_disk("a.md"), fixture.on_disk(bytes(b"\xff.md"))).unwrap();
    fixture.reads("a.md", "a.md");
    assert_eq!(fixture.vault().walk().unwrap().files.len(), 1);
}

#[test]
fn hard_links_can_be_allowed() {
    let fixture = Fixture::new();
    fs::hard_link(fixture.outside("secret.md"), fixture.on_disk("backed-up.md")).unwrap();
    let vault = Vault::open(&fixture.root(), VaultOptions { allow_hard_links: true }).unwrap();
    assert_eq!(vault.read(&VaultPath::parse("backed-up.md").unwrap()).unwrap().bytes, b"secret");
    assert_walk(&vault.walk().unwrap(), &["backed-up.md"], &[]);
    // Symbolic links are another matter.
    fixture.link("link.md", fixture.outside("secret.md"));
    let link = vault.read(&VaultPath::parse("link.md").unwrap());
    assert!(matches!(link, Err(VaultError::LeavesVault { .. })), "{link:?}");
}

/// Somebody swaps a folder, a file and a link for links to the outside, as fast as the disk allows.
/// Whatever the reader sees, it is never the secret.
#[test]
fn no_race_leads_out_of_the_vault() {
    let fixture = Fixture::with(&["folder/secret.md", "secret.md", "real/secret.md"]);
    fixture.link("inside", "real");
    fixture.link("out", fixture.outside("elsewhere"));
    fixture.link("out.md", fixture.outside("secret.md"));
    let vault = fixture.vault();
    let done = AtomicBool::new(false);
    let swap = |one: &str, other: &str| {
        let [one, other, hold] = [fixture.on_disk(one), fixture.on_disk(other), fixture.on_disk(".hold")];
        fs::rename(&one, &hold).unwrap();
        fs::rename(&other, &one).unwrap();
        fs::rename(&hold, &other).unwrap();
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..6000 {
                match round % 3 {
                    0 => swap("folder", "out"),
                    1 => swap("secret.md", "out.md"),
                    _ => swap("inside", "out"),
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        let paths = ["folder/secret.md", "secret.md", "inside/secret.md", "out/secret.md", "out.md"];
        let paths = paths.map(|path| VaultPath::parse(path).unwrap());
        let (mut read, mut refused) = (0, 0);
        while !done.load(Ordering::Relaxed) {
            for path in &paths {
                match vault.read(path) {
                    Ok(content) => {
                        assert_ne!(content.bytes, b"secret", "{path}");
                        read += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
    });
}
