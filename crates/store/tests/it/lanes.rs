//! The writer: order, transactions, panics, errors, room.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, mpsc};

use store::{Database, Lane, Options, Pending, StoreError, params};

use crate::{Fixture, store, texts};

#[test]
fn interactive_writes_overtake_bulk_ones() {
    let fixture = Fixture::new();
    let (release, gate) = mpsc::channel::<()>();
    let (started, running) = mpsc::channel::<()>();
    let blocker: Pending<(), StoreError> = fixture.database.submit(Lane::Bulk, move |_| {
        started.send(()).unwrap();
        gate.recv().unwrap();
        Ok(())
    });
    running.recv().unwrap();
    let submit = |lane, text: &'static str| -> Pending<(), StoreError> {
        fixture.database.submit(lane, move |connection| {
            connection.execute("INSERT INTO item (text) VALUES (?1)", params![text]).map(|_| ())
        })
    };
    let waiting = [
        submit(Lane::Bulk, "bulk 1"),
        submit(Lane::Bulk, "bulk 2"),
        submit(Lane::Interactive, "first"),
        submit(Lane::Interactive, "second"),
    ];
    release.send(()).unwrap();
    blocker.wait().unwrap();
    for pending in waiting {
        pending.wait().unwrap();
    }
    assert_eq!(fixture.texts(), ["first", "second", "bulk 1", "bulk 2"]);
}

#[test]
fn an_error_rolls_back() {
    let fixture = Fixture::new();
    let result: Result<(), StoreError> = fixture.database.write(Lane::Interactive, |connection| {
        connection.execute("INSERT INTO item (text) VALUES ('lost')", &[])?;
        connection.execute("INSERT INTO nowhere VALUES (1)", &[]).map(|_| ())
    });
    assert!(matches!(result, Err(StoreError::Sql { .. })), "{result:?}");
    assert!(fixture.texts().is_empty());
}

#[test]
fn a_panic_rolls_back_and_the_writer_goes_on() {
    let fixture = Fixture::new();
    let result: Result<(), StoreError> = fixture.database.write(Lane::Interactive, |connection| {
        connection.execute("INSERT INTO item (text) VALUES ('lost')", &[])?;
        panic!("on purpose")
    });
    assert!(matches!(&result, Err(StoreError::Panicked(text)) if text == "on purpose"), "{result:?}");
    fixture.insert("kept");
    assert_eq!(fixture.texts(), ["kept"]);
}

#[test]
fn a_panic_in_the_middle_of_a_query_rolls_back_too() {
    let fixture = Fixture::new();
    fixture.insert("kept");
    let result: Result<(), StoreError> = fixture.database.write(Lane::Interactive, |connection| {
        connection.execute("INSERT INTO item (text) VALUES ('lost')", &[])?;
        connection.for_each("SELECT text FROM item", &[], |_| panic!("on purpose"))
    });
    assert!(matches!(result, Err(StoreError::Panicked(_))), "{result:?}");
    fixture.insert("after");
    assert_eq!(fixture.texts(), ["kept", "after"]);
}

#[test]
fn a_job_that_ends_the_transaction_itself_is_told_so() {
    let fixture = Fixture::new();
    let result: Result<(), StoreError> =
        fixture.database.write(Lane::Interactive, |connection| connection.batch("ROLLBACK"));
    assert!(matches!(result, Err(StoreError::Sql { .. })), "{result:?}");
    fixture.insert("after");
    assert_eq!(fixture.texts(), ["after"]);
}

#[test]
fn a_write_inside_a_write_is_an_error_and_not_a_deadlock() {
    let fixture = Fixture::new();
    let database = fixture.database.clone();
    let result: Result<(), StoreError> = fixture.database.write(Lane::Interactive, move |_| {
        let inner: Result<(), StoreError> = database.write(Lane::Bulk, |_| Ok(()));
        assert!(matches!(inner, Err(StoreError::Reentrant)), "{inner:?}");
        let inner: Pending<(), StoreError> = database.submit(Lane::Bulk, |_| Ok(()));
        inner.wait()
    });
    assert!(matches!(result, Err(StoreError::Reentrant)), "{result:?}");
}

#[test]
fn a_full_disk_is_told_and_what_was_there_stays() {
    let fixture = Fixture::new();
    fixture.insert("before");
    let fill = |connection: &store::Connection| {
        connection.query_one("PRAGMA max_page_count = 10", &[], |row| row.get::<i64>(0))?;
        for _ in 0..100 {
            connection.execute("INSERT INTO item (text) VALUES (?1)", params!["x".repeat(4000)])?;
        }
        Ok(())
    };
    let result: Result<(), StoreError> = fixture.database.write(Lane::Interactive, fill);
    assert!(matches!(result, Err(StoreError::Full(_))), "{result:?}");
    assert_eq!(fixture.texts(), ["before"]);
    fixture.write(|connection| {
        connection.query_one("PRAGMA max_page_count = 1000000", &[], |row| row.get::<i64>(0)).map(|_| ())
    });
    fixture.insert("after");
    assert_eq!(fixture.texts(), ["before", "after"]);
    assert_eq!(fixture.database.integrity_check().unwrap(), Vec::<String>::new());
}

#[test]
fn closing_finishes_what_was_submitted() {
    let fixture = Fixture::new();
    let other = fixture.database.clone();
    let mut pending: Vec<Pending<(), StoreError>> = Vec::new();
    for number in 0..50 {
        pending.push(fixture.database.submit(Lane::Bulk, move |connection| {
            connection.execute("INSERT INTO item (id, text) VALUES (?1, 'x')", params![number]).map(|_| ())
        }));
    }
    let path = fixture.path();
    fixture.database.clone().close();
    let refused: Result<(), StoreError> = other.write(Lane::Interactive, |_| Ok(()));
    assert!(matches!(refused, Err(StoreError::Closed)), "{refused:?}");
    assert!(matches!(other.read(texts), Err(StoreError::Closed)));
    for pending in pending {
        pending.wait().unwrap();
    }
    let reopened = Database::open(&path, &Options::default()).unwrap();
    assert_eq!(reopened.read(texts).unwrap().len(), 50);
}

/// The handle is dropped on the writer thread, which cannot wait for its own end.
#[test]
fn a_job_may_own_the_last_handle() {
    let Fixture { folder, database } = Fixture::new();
    let (release, gate) = mpsc::channel::<()>();
    let last = database.clone();
    let pending: Pending<(), StoreError> = database.submit(Lane::Bulk, move |connection| {
        gate.recv().unwrap();
        connection.execute("INSERT INTO item (text) VALUES ('done')", &[])?;
        drop(last);
        Ok(())
    });
    drop(database);
    release.send(()).unwrap();
    pending.wait().unwrap();
    let reopened = Database::open(&folder.path().join("index.db"), &Options::default()).unwrap();
    assert_eq!(reopened.read(texts).unwrap(), ["done"]);
}

#[test]
fn foreign_keys_hold() {
    let fixture = Fixture::new();
    fixture.write(|connection| {
        connection.batch("CREATE TABLE child (item INTEGER NOT NULL REFERENCES item) STRICT")?;
        let error = connection.execute("INSERT INTO child VALUES (99)", &[]).unwrap_err();
        assert!(error.is_constraint(), "{error:?}");
        Ok(())
    });
}

/// Counts so far that nobody would wait for it.
const ENDLESS: &str = "INSERT INTO item (text)
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000000000)
    SELECT 'slow' FROM number WHERE n < 0";

#[test]
fn long_work_gives_way_to_a_caller_and_leaves_nothing() {
    let fixture = Fixture::new();
    let slow = Arc::new(AtomicBool::new(true));
    let begun = Arc::new(AtomicU32::new(0));
    let work = std::thread::spawn({
        let (database, slow, begun) = (fixture.database.clone(), Arc::clone(&slow), Arc::clone(&begun));
        move || {
            database.write_giving_way(move |connection| {
                begun.fetch_add(1, Ordering::SeqCst);
                connection.execute("INSERT INTO item (text) VALUES ('work')", &[])?;
                if slow.load(Ordering::SeqCst) {
                    connection.execute(ENDLESS, &[])?;
                }
                Ok::<_, StoreError>(())
            })
        }
    });
    while begun.load(Ordering::SeqCst) == 0 {
        std::thread::yield_now();
    }
    // Each of these would wait for ever behind work that does not give way.
    for text in ["one", "two", "three"] {
        fixture.insert(text);
    }
    assert_eq!(fixture.texts(), ["one", "two", "three"], "what was stopped left nothing behind");
    slow.store(false, Ordering::SeqCst);
    fixture.insert("four");
    work.join().unwrap().unwrap();
    let mut texts = fixture.texts();
    assert_eq!(texts.pop().as_deref(), Some("work"), "{texts:?}");
    assert!(begun.load(Ordering::SeqCst) >= 2, "it was begun anew");
}

#[test]
fn work_that_gives_way_still_fails_and_panics_as_other_work_does() {
    let fixture = Fixture::new();
    let failed: Result<(), StoreError> = fixture
        .database
        .write_giving_way(|connection| connection.execute("INSERT INTO nowhere VALUES (1)", &[]).map(|_| ()));
    assert!(matches!(failed, Err(StoreError::Sql { .. })), "{failed:?}");
    let panicked: Result<(), StoreError> = fixture.database.write_giving_way(|_| panic!("on purpose"));
    assert!(matches!(panicked, Err(StoreError::Panicked(_))), "{panicked:?}");
    fixture.insert("kept");
    assert_eq!(fixture.texts(), ["kept"]);
}
