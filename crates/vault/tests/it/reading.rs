//! Reading files: names, kinds, what is not read.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use vault::{ContentHash, Decoding, Vault, VaultError, VaultOptions, VaultPath};

use crate::{Fixture, bytes, may_be_refused, vault};

#[test]
fn a_file_is_read_with_its_state_and_hash() {
    let fixture = Fixture::with(&["a/b.md"]);
    let time = SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789);
    fs::File::options().write(true).open(fixture.on_disk("a/b.md")).unwrap().set_modified(time).unwrap();
    let content = fixture.read("a/b.md").unwrap();
    assert_eq!(content.bytes, b"a/b.md");
    assert_eq!(content.path.as_str(), "a/b.md");
    assert_eq!((content.stat.size, content.stat.links), (6, 1));
    assert_eq!(content.stat.modified_ns, 1_700_000_000_123_456_789);
    assert_eq!(content.hash(), ContentHash::of(b"a/b.md"));
}

#[test]
fn a_time_before_1970_is_negative() {
    let fixture = Fixture::with(&["old.md"]);
    let time = SystemTime::UNIX_EPOCH - Duration::from_millis(1500);
    fs::File::options().write(true).open(fixture.on_disk("old.md")).unwrap().set_modified(time).unwrap();
    assert_eq!(fixture.read("old.md").unwrap().stat.modified_ns, -1_500_000_000);
}

#[test]
fn every_kind_of_text_is_told_apart() {
    let fixture = Fixture::new();
    fixture.write("latin.md", b"caf\xe9");
    fixture.write("bom.md", "\u{feff}# A\r\n");
    fixture.write("empty.md", "");
    fixture.write("binary.png", b"\x89PNG\0");
    let read = |path: &str| {
        let content = fixture.read(path).unwrap();
        let (text, decoding) = content.text();
        (text.into_owned(), decoding)
    };
    assert_eq!(read("latin.md"), ("café".to_owned(), Decoding::Latin1));
    assert_eq!(read("bom.md"), ("# A\r\n".to_owned(), Decoding::Utf8Bom));
    assert_eq!(read("empty.md"), (String::new(), Decoding::Utf8));
    assert_eq!(read("binary.png"), (String::new(), Decoding::Binary));
}

#[test]
fn ten_megabytes_are_read_whole() {
    let fixture = Fixture::new();
    fixture.write("big.md", "0123456789".repeat(1_048_576));
    assert_eq!(fixture.read("big.md").unwrap().bytes.len(), 10_485_760);
}

#[track_caller]
fn not_found(fixture: &Fixture, path: &str) {
    let error = fixture.read(path).unwrap_err();
    assert!(error.is_not_found(), "{path}: {error:?}");
    assert_eq!(error.to_string(), format!("not found: {path:?} does not exist in the vault"));
}

#[test]
fn what_is_not_there_is_not_found() {
    let fixture = Fixture::with(&["a.md", "folder/b.md"]);
    for path in ["b.md", "folder/c.md", "missing/a.md", "a.md/x", "a.md/x/y", "A.md", "ä b.md"] {
        not_found(&fixture, path);
    }
    // Longer than the file system takes once it is spelt on disk, but a path all the same.
    not_found(&fixture, &"é".repeat(127));
}

#[test]
fn names_that_differ_in_case_are_two_files() {
    let fixture = Fixture::with(&["Note.md", "note.md"]);
    fixture.reads("Note.md", "Note.md");
    fixture.reads("note.md", "note.md");
    not_found(&fixture, "NOTE.md");
}

#[test]
fn a_folder_is_no_file() {
    let fixture = Fixture::with(&["folder/b.md"]);
    assert!(matches!(fixture.read("folder"), Err(VaultError::NotAFile { .. })));
}

#[test]
fn a_name_spelt_otherwise_on_disk_is_found() {
    let fixture = Fixture::new();
    fixture.write("Cafe\u{301}/U\u{308}ber\u{a0}uns.md", "decomposed");
    fixture.write("narrow\u{202f}space.md", "narrow");
    fixture.reads("Café/Über uns.md", "decomposed");
    fixture.reads("Cafe\u{301}/U\u{308}ber\u{a0}uns.md", "decomposed");
    fixture.reads("narrow space.md", "narrow");
    assert_eq!(fixture.read("Café/Über uns.md").unwrap().path.as_str(), "Café/Über uns.md");
}

#[test]
fn of_two_spellings_the_exact_one_is_read() {
    let fixture = Fixture::new();
    fixture.write("Cafe\u{301}.md", "decomposed");
    fixture.write("Café.md", "composed");
    fixture.reads("Café.md", "composed");
    fixture.reads("Cafe\u{301}.md", "composed");
}

#[test]
fn names_that_are_not_utf8_are_in_nobody_s_way() {
    let fixture = Fixture::with(&["ä b.md"]);
    fixture.write(bytes(b"\xff \xfe.md"), "x");
    not_found(&fixture, "ö x.md");
    fixture.reads("ä b.md", "ä b.md");
}

/// Opening a FIFO waits until somebody writes into it: for ever.
#[test]
fn a_fifo_is_not_opened() {
    let fixture = Fixture::with(&["a.md"]);
    let made = Command::new("mkfifo").arg(fixture.on_disk("pipe.md")).status().unwrap();
    assert!(made.success());
    let begun = Instant::now();
    assert!(matches!(fixture.read("pipe.md"), Err(VaultError::NotRegular { .. })));
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn sockets_and_devices_are_not_opened() {
    let fixture = Fixture::new();
    let _socket = UnixListener::bind(fixture.on_disk("socket.md")).unwrap();
    assert!(matches!(fixture.read("socket.md"), Err(VaultError::NotRegular { .. })));
    let made = Command::new("mknod").arg(fixture.on_disk("zero.md")).args(["c", "1", "5"]).output();
    if made.is_ok_and(|made| made.status.success()) {
        assert!(matches!(fixture.read("zero.md"), Err(VaultError::NotRegular { .. })));
    } else {
        println!("skipped: making a device needs root");
    }
}

#[test]
fn a_file_that_may_not_be_read_is_told() {
    if !may_be_refused("reading::a_file_that_may_not_be_read_is_told") {
        return;
    }
    let fixture = Fixture::with(&["locked.md", "locked/a.md"]);
    fs::set_permissions(fixture.on_disk("locked.md"), Permissions::from_mode(0o0)).unwrap();
    fs::set_permissions(fixture.on_disk("locked"), Permissions::from_mode(0o0)).unwrap();
    let vault = fixture.vault();
    for path in ["locked.md", "locked/a.md"] {
        let error = vault.read(&VaultPath::parse(path).unwrap()).unwrap_err();
        assert!(matches!(error, VaultError::Unreadable { .. }), "{error:?}");
    }
    fs::set_permissions(fixture.on_disk("locked"), Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn a_file_too_large_to_hold_is_refused() {
    let fixture = Fixture::new();
    let file = fs::File::create(fixture.on_disk("huge.mp4")).unwrap();
    file.set_len(vault::MAX_FILE_BYTES + 1).unwrap();
    let path = VaultPath::parse("huge.mp4").unwrap();
    assert!(matches!(fixture.vault().read(&path), Err(VaultError::TooLarge { .. })));
    assert_eq!(fixture.vault().stat(&path).unwrap().size, vault::MAX_FILE_BYTES + 1);
}

#[test]
fn a_vault_must_be_a_folder_that_is_there() {
    let fixture = Fixture::new();
    for root in [fixture.outside("missing"), fixture.outside("secret.md")] {
        let result = Vault::open(&root, VaultOptions::default());
        assert!(matches!(result, Err(VaultError::Root { .. })), "{result:?}");
    }
}

#[test]
fn a_vault_may_be_reached_by_a_link_and_may_be_hidden_itself() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.outside(".vault")).unwrap();
    fs::write(fixture.outside(".vault/a.md"), "a").unwrap();
    std::os::unix::fs::symlink(".vault", fixture.outside("link")).unwrap();
    let vault = Vault::open(&fixture.outside("link"), VaultOptions::default()).unwrap();
    assert_eq!(vault.root(), fixture.outside(".vault").canonicalize().unwrap());
    assert_eq!(vault.walk().unwrap().files.len(), 1);
    assert_eq!(vault.read(&VaultPath::parse("a.md").unwrap()).unwrap().bytes, b"a");
}

#[test]
fn settings_are_read_past_the_hidden_rule_and_nothing_else_is() {
    let fixture = Fixture::with(&["a.md"]);
    fixture.write(".obsidian/app.json", "{}");
    fixture.write(".obsidian/plugins/x/data.json", "[]");
    fixture.write(".git/config", "secret");
    let vault = fixture.vault();
    assert_eq!(vault.read_config("app.json").unwrap().as_deref(), Some(&b"{}"[..]));
    assert_eq!(vault.read_config("plugins/x/data.json").unwrap().as_deref(), Some(&b"[]"[..]));
    assert_eq!(vault.read_config("types.json").unwrap(), None);
    assert_eq!(vault.read_config("plugins/y/data.json").unwrap(), None);
    for escape in ["../a.md", "../.git/config", "/etc/passwd", "plugins/../../a.md", ""] {
        assert!(matches!(vault.read_config(escape), Err(VaultError::Path(_))), "{escape}");
    }
    assert!(matches!(vault.read_config("plugins"), Err(VaultError::NotAFile { .. })));
    fixture.link(".obsidian/daily-notes.json", fixture.outside("secret.md"));
    assert!(matches!(vault.read_config("daily-notes.json"), Err(VaultError::LeavesVault { .. })));
    assert_eq!(Fixture::new().vault().read_config("app.json").unwrap(), None);
}

#[test]
fn absolute_paths_of_the_watcher_become_vault_paths() {
    let fixture = Fixture::new();
    let vault = fixture.vault();
    let path = |relative: &str| {
        vault.to_vault_path(&vault.root().join(relative)).map(|path| path.as_str().to_owned())
    };
    assert_eq!(path("a/b.md").as_deref(), Some("a/b.md"));
    assert_eq!(path("Cafe\u{301}\u{a0}x.md").as_deref(), Some("Café x.md"));
    assert_eq!(path(".obsidian/app.json"), None);
    assert_eq!(path("a/.b/c.md"), None);
    assert_eq!(path("a\\b.md"), None);
    assert_eq!(path("a\nb.md"), None);
    assert_eq!(path("../a.md"), None);
    assert_eq!(path("a/../../b.md"), None);
    assert_eq!(path(""), None);
    assert_eq!(vault.to_vault_path(&fixture.outside("secret.md")), None);
    assert_eq!(vault.to_vault_path(&vault.root().join(bytes(b"\xff.md"))), None);
    // A folder whose name only begins like the vault's.
    let beside = fixture.outside("vault-2").join("a.md");
    assert_eq!(vault.to_vault_path(&beside), None);
}

/// What a caller reads while somebody saves by renaming is one of the two contents, whole.
#[test]
fn a_file_replaced_while_it_is_read_is_read_whole() {
    let fixture = Fixture::new();
    let contents = ["a".repeat(200_000), "b".repeat(300_000)];
    fixture.write("note.md", &contents[0]);
    let vault = fixture.vault();
    let path = VaultPath::parse("note.md").unwrap();
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..200 {
                fs::write(fixture.on_disk(".new"), &contents[round % 2]).unwrap();
                fs::rename(fixture.on_disk(".new"), fixture.on_disk("note.md")).unwrap();
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        while !done.load(std::sync::atomic::Ordering::Relaxed) {
            let content = vault.read(&path).unwrap();
            assert!(contents.iter().any(|whole| whole.as_bytes() == content.bytes));
            assert_eq!(content.stat.size, content.bytes.len() as u64);
        }
    });
}

#[test]
fn what_is_passed_on_whole_has_a_limit_that_is_known_before_it_is_read() {
    let fixture = Fixture::new();
    fixture.write("a.txt", "12345");
    let vault = fixture.vault();
    let read = |path: &str, limit| vault.read_whole(&VaultPath::parse(path).unwrap(), limit);
    assert_eq!(read("a.txt", 5).unwrap().bytes, b"12345");
    assert_eq!(read("a.txt", 5).unwrap().stat, vault.stat(&VaultPath::parse("a.txt").unwrap()).unwrap());
    assert!(matches!(read("a.txt", 4), Err(VaultError::TooLarge { bytes: 5, limit: 4, .. })));
    // More than a machine has: were it read first, this would not end well.
    let huge = fs::File::create(fixture.on_disk("huge.log")).unwrap();
    huge.set_len(1 << 40).unwrap();
    let error = read("huge.log", u64::MAX).unwrap_err();
    assert!(matches!(error, VaultError::TooLarge { limit: vault::MAX_FILE_BYTES, .. }), "{error}");
    fixture.write("empty.txt", "");
    assert_eq!(read("empty.txt", 0).unwrap().bytes, b"");
    fixture.link("out.txt", fixture.outside("secret.md"));
    assert!(matches!(read("out.txt", 100), Err(VaultError::LeavesVault { .. })));
    assert!(matches!(read("none.txt", 100), Err(VaultError::NotFound { .. })));
}
