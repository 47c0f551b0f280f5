//! Files: modes, damage, locks, read-only opening, copies.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use store::{Database, IndexLock, Lane, LockError, Options, StoreError, params, put_aside};

use crate::{Fixture, store, texts};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_file_and_its_log_are_private_and_so_is_a_folder_made_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made/deep/index.db");
    let database = Database::open(&path, &Options::default()).unwrap();
    let created: Result<(), StoreError> =
        database.write(Lane::Bulk, |connection| connection.batch("CREATE TABLE t (x)"));
    created.unwrap();
    for name in ["index.db", "index.db-wal", "index.db-shm"] {
        assert_eq!(mode(&path.with_file_name(name)), 0o600, "{name}");
    }
    assert_eq!(mode(&folder.path().join("made")), 0o700);
    assert_eq!(mode(&folder.path().join("made/deep")), 0o700);
}

#[test]
fn a_file_that_others_could_read_is_made_private() {
    let fixture = Fixture::new();
    let path = fixture.path();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    drop(fixture.database);
    let database = Database::open(&path, &Options::default()).unwrap();
    assert_eq!(mode(&path), 0o600);
    drop(database);
}

#[test]
fn a_folder_in_the_file_s_place_and_a_path_that_cannot_be_are_open_errors() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "x").unwrap();
    for path in [folder.path().to_owned(), folder.path().join("file/index.db"), "a\0b".into()] {
        let result = Database::open(&path, &Options::default());
        assert!(matches!(result, Err(StoreError::Open { .. })), "{result:?}");
    }
}

/// SQLite would take the name for a URI, and the library for a server's address.
#[test]
fn odd_names_are_only_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["file:odd?mode=memory", "libsql:odd", "ünïcode 日本.db"] {
        let path = folder.path().join(name);
        let database = Database::open(&path, &Options::default()).unwrap();
        let written: Result<(), StoreError> =
            database.write(Lane::Bulk, |connection| connection.batch("CREATE TABLE t (x)"));
        written.unwrap();
        drop(database);
        assert!(std::fs::metadata(&path).unwrap().len() > 0, "{name}");
    }
}

#[test]
fn a_file_that_is_no_database_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.db");
    std::fs::write(&path, "This is not a database. ".repeat(500)).unwrap();
    let error = Database::open(&path, &Options::default()).unwrap_err();
    assert!(error.is_corrupt(), "{error:?}");
}

#[test]
fn a_damaged_page_is_corrupt_and_the_file_can_be_put_aside() {
    let fixture = Fixture::new();
    fixture.write(|connection| {
        for number in 0..2000 {
            connection.execute("INSERT INTO item (text) VALUES (?1)", params![format!("text {number}")])?;
        }
        Ok(())
    });
    let path = fixture.path();
    fixture.database.close();
    let mut bytes = std::fs::read(&path).unwrap();
    assert!(bytes.len() > 5 * 4096);
    bytes[4096..].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let read = Database::open(&path, &Options::default()).and_then(|database| database.read(texts));
    assert!(matches!(&read, Err(error) if error.is_corrupt()), "{read:?}");

    let aside = put_aside(&path).unwrap();
    assert_eq!(aside.file_name().unwrap(), "index.db.bad-1");
    assert_eq!(std::fs::read(&aside).unwrap(), bytes);
    let database = Database::open(&path, &Options::default()).unwrap();
    assert_eq!(database.integrity_check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_truncated_file_is_corrupt() {
    let fixture = Fixture::new();
    fixture.write(|connection| {
        for number in 0..2000 {
            connection.execute("INSERT INTO item (text) VALUES (?1)", params![format!("text {number}")])?;
        }
        Ok(())
    });
    let path = fixture.path();
    fixture.database.close();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let read = Database::open(&path, &Options::default()).and_then(|database| database.read(texts));
    assert!(matches!(&read, Err(error) if error.is_corrupt()), "{read:?}");
}

#[test]
fn only_so_many_bad_files_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.db");
    let mut names = Vec::new();
    for round in 0..5 {
        std::fs::write(&path, format!("bad {round}")).unwrap();
        names.push(put_aside(&path).unwrap().file_name().unwrap().to_str().unwrap().to_owned());
    }
    assert_eq!(
        names,
        ["index.db.bad-1", "index.db.bad-2", "index.db.bad-3", "index.db.bad-3", "index.db.bad-3"]
    );
    assert_eq!(std::fs::read(folder.path().join("index.db.bad-3")).unwrap(), b"bad 4");
    assert!(matches!(put_aside(&path), Err(StoreError::Io(_))));
}

#[test]
fn reading_beside_a_running_server() {
    let fixture = Fixture::new();
    fixture.insert("a");
    let options = Options { read_only: true, ..Options::default() };
    let beside = Database::open(&fixture.path(), &options).unwrap();
    assert_eq!(beside.read(texts).unwrap(), ["a"]);
    fixture.insert("b");
    assert_eq!(beside.read(texts).unwrap(), ["a", "b"]);
    let refused: Result<(), StoreError> =
        beside.write(Lane::Interactive, |connection| connection.batch("DELETE FROM item"));
    assert!(matches!(refused, Err(StoreError::ReadOnly(_))), "{refused:?}");
    assert!(matches!(beside.checkpoint(), Err(StoreError::ReadOnly(_))));
}

#[test]
fn reading_a_file_that_no_server_has_open() {
    let fixture = Fixture::new();
    fixture.insert("a");
    let path = fixture.path();
    fixture.database.close();
    let options = Options { read_only: true, ..Options::default() };
    let database = Database::open(&path, &options).unwrap();
    assert_eq!(database.read(texts).unwrap(), ["a"]);
    let missing = Database::open(&path.with_file_name("missing.db"), &options);
    assert!(matches!(missing, Err(StoreError::Open { .. })), "{missing:?}");
    assert!(!path.with_file_name("missing.db").exists());
}

/// The last connection to go moves the log into the file and removes it. A log that stays would mean that
/// a statement or a clone somewhere keeps its connection open.
#[test]
fn closing_leaves_one_file_and_no_open_connection() {
    let fixture = Fixture::new();
    fixture.insert("a");
    fixture.texts();
    let stopped: Result<(), StoreError> = fixture
        .database
        .read(|connection| connection.for_each("SELECT text FROM item", &[], |_| Err(StoreError::Closed)));
    assert!(stopped.is_err());
    fixture.database.close();
    let left: Vec<_> =
        fixture.folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["index.db"]);
}

#[test]
fn a_durable_database_brings_every_commit_to_the_disk() {
    // SQLite's numbers: 1 is NORMAL, 2 is FULL.
    for (durable, expected) in [(false, 1), (true, 2)] {
        let fixture = Fixture::with(&Options { durable, ..Options::default() });
        let found = fixture.database.write(Lane::Interactive, |connection| {
            connection.query_one::<i64, StoreError>("PRAGMA synchronous", &[], |row| row.get(0))
        });
        assert_eq!(found.unwrap(), Some(expected));
    }
}

#[test]
fn a_lock_of_another_process_is_waited_for_and_then_told() {
    let options = Options { busy_timeout: Duration::from_millis(300), ..Options::default() };
    let fixture = Fixture::with(&options);
    let script = "import sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute('BEGIN IMMEDIATE')
print('locked', flush=True)
sys.stdin.read()
";
    let mut other = Command::new("python3")
        .args(["-c", script])
        .arg(fixture.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test locks the file from Python");
    let mut said = [0; 6];
    std::io::Read::read_exact(other.stdout.as_mut().unwrap(), &mut said).unwrap();
    assert_eq!(&said, b"locked");

    let begun = Instant::now();
    let result: Result<(), StoreError> = fixture.database.write(Lane::Interactive, |_| Ok(()));
    assert!(matches!(result, Err(StoreError::Busy(_))), "{result:?}");
    assert!(begun.elapsed() >= Duration::from_millis(250), "{:?}", begun.elapsed());
    assert!(fixture.texts().is_empty(), "readers go on");
    drop(other.stdin.take());
    other.wait().unwrap();
    fixture.insert("after");
    assert_eq!(fixture.texts(), ["after"]);
}

#[test]
fn a_copy_is_whole_private_and_never_overwrites() {
    let fixture = Fixture::new();
    fixture.insert("a");
    let target = fixture.folder.path().join("copy.db");
    fixture.database.backup_to(&target).unwrap();
    assert_eq!(mode(&target), 0o600);
    assert!(matches!(fixture.database.backup_to(&target), Err(StoreError::Io(_))));
    fixture.insert("b");
    let copy = Database::open(&target, &Options::default()).unwrap();
    assert_eq!(copy.read(texts).unwrap(), ["a"]);
    assert_eq!(copy.integrity_check().unwrap(), Vec::<String>::new());
    let nowhere = fixture.folder.path().join("missing/copy.db");
    assert!(matches!(fixture.database.backup_to(&nowhere), Err(StoreError::Io(_))));
}

#[test]
fn the_index_lock_is_held_once_and_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/index.db");
    let lock = IndexLock::acquire(&path).unwrap();
    match IndexLock::acquire(&path) {
        Err(LockError::AlreadyLocked { path: told }) => assert_eq!(told, path),
        other => panic!("{other:?}"),
    }
    assert_eq!(mode(&folder.path().join("new/index.db.lock")), 0o600);
    drop(lock);
    IndexLock::acquire(&path).unwrap();
}

#[test]
fn a_lock_file_that_cannot_be_made_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "x").unwrap();
    let result = IndexLock::acquire(&folder.path().join("file/index.db"));
    assert!(matches!(result, Err(LockError::Io { .. })), "{result:?}");
}
