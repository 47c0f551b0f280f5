//! Readers: snapshots, time limits, the pool.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use store::{Lane, Options, StoreError, params};

use crate::{ENDLESS, Fixture, store, texts};

fn count(connection: &store::Connection) -> Result<i64, StoreError> {
    Ok(connection.query_one("SELECT count(*) FROM item", &[], |row| row.get(0))?.unwrap_or(-1))
}

#[test]
fn a_read_sees_one_state_while_others_write() {
    let fixture = Fixture::new();
    fixture.insert("a");
    let (before, after) = fixture
        .database
        .read(|connection| {
            let before = count(connection)?;
            fixture.insert("b");
            Ok::<_, StoreError>((before, count(connection)?))
        })
        .unwrap();
    assert_eq!((before, after), (1, 1));
    assert_eq!(fixture.texts(), ["a", "b"]);
}

#[test]
fn a_write_is_seen_by_the_next_read() {
    let fixture = Fixture::new();
    for number in 1..=200 {
        fixture.insert("x");
        assert_eq!(fixture.database.read(count).unwrap(), number);
    }
}

/// Each write keeps the sum of two rows at zero; no reader may ever see half of one.
#[test]
fn readers_beside_a_busy_writer_see_whole_transactions() {
    let fixture = Fixture::new();
    fixture.write(|connection| {
        connection.batch("CREATE TABLE pair (id INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT")?;
        connection.batch("INSERT INTO pair VALUES (1, 0), (2, 0)")
    });
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(|| {
                    let mut reads = 0;
                    while !done.load(Ordering::Relaxed) {
                        let sum: Option<i64> = fixture
                            .database
                            .read(|connection| {
                                connection.query_one("SELECT sum(n) FROM pair", &[], |row| row.get(0))
                            })
                            .unwrap();
                        assert_eq!(sum, Some(0));
                        reads += 1;
                    }
                    reads
                })
            })
            .collect();
        for number in 0..300_i64 {
            fixture.write(move |connection| {
                connection.execute("UPDATE pair SET n = ?1 WHERE id = 1", params![number])?;
                connection.execute("UPDATE pair SET n = ?1 WHERE id = 2", params![-number]).map(|_| ())
            });
        }
        done.store(true, Ordering::Relaxed);
        for reader in readers {
            assert!(reader.join().unwrap() > 0);
        }
    });
}

#[test]
fn a_read_that_takes_too_long_is_stopped() {
    let timeout = Duration::from_millis(100);
    let fixture = Fixture::with(&Options { readers: 1, read_timeout: timeout, ..Options::default() });
    let begun = Instant::now();
    let result = fixture.database.read(|connection| connection.query(ENDLESS, &[], |row| row.get::<i64>(0)));
    assert!(matches!(result, Err(StoreError::TimedOut)), "{result:?}");
    assert!(begun.elapsed() < Duration::from_secs(5));
    // The same connection serves the next read.
    assert!(fixture.texts().is_empty());
}

/// An interrupt that falls between two statements is forgotten by SQLite.
#[test]
fn a_read_whose_time_ends_between_two_statements_is_stopped_at_the_next() {
    let timeout = Duration::from_millis(100);
    let fixture = Fixture::with(&Options { read_timeout: timeout, ..Options::default() });
    let result: Result<(), StoreError> = fixture.database.read(|connection| {
        connection.query("SELECT 1", &[], |row| row.get::<i64>(0))?;
        std::thread::sleep(4 * timeout);
        connection.query("SELECT 1", &[], |row| row.get::<i64>(0)).map(|_| ())
    });
    assert!(matches!(result, Err(StoreError::TimedOut)), "{result:?}");
}

#[test]
fn a_read_that_waits_too_long_for_a_reader_gives_up() {
    let timeout = Duration::from_millis(150);
    let fixture = Fixture::with(&Options { readers: 1, read_timeout: timeout, ..Options::default() });
    let (held, holding) = mpsc::channel::<()>();
    let (release, gate) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let database = &fixture.database;
        scope.spawn(move || {
            let result: Result<(), StoreError> = database.read(|_| {
                held.send(()).unwrap();
                gate.recv().unwrap();
                Ok(())
            });
            result.unwrap();
        });
        holding.recv().unwrap();
        assert!(matches!(fixture.database.read(texts), Err(StoreError::TimedOut)));
        release.send(()).unwrap();
    });
    assert!(fixture.texts().is_empty());
}

#[test]
fn a_panic_gives_the_reader_back() {
    let fixture = Fixture::with(&Options { readers: 1, ..Options::default() });
    fixture.insert("a");
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        fixture.database.read(|connection| -> Result<(), StoreError> {
            connection.for_each("SELECT text FROM item", &[], |_| panic!("on purpose"))
        })
    }));
    assert!(panic.is_err());
    assert_eq!(fixture.texts(), ["a"]);
}

/// A row or statement that is still open pins the write-ahead log, and a later write on its connection
/// fails for good.
#[test]
fn a_read_left_in_the_middle_does_not_pin_the_snapshot() {
    let fixture = Fixture::with(&Options { readers: 1, ..Options::default() });
    for text in ["a", "b", "c"] {
        fixture.insert(text);
    }
    let stopped: Result<(), StoreError> = fixture
        .database
        .read(|connection| connection.for_each("SELECT text FROM item", &[], |_| Err(StoreError::Closed)));
    assert!(stopped.is_err());
    let first: Option<String> = fixture
        .database
        .read(|connection| connection.query_one("SELECT text FROM item", &[], |row| row.get::<String>(0)))
        .unwrap();
    assert_eq!(first.as_deref(), Some("a"));
    let done = fixture.database.checkpoint().unwrap();
    assert!(!done.busy, "{done:?}");
    let log = fixture.path().with_file_name("index.db-wal");
    assert_eq!(std::fs::metadata(log).unwrap().len(), 0);
    fixture.insert("d");
    assert_eq!(fixture.texts(), ["a", "b", "c", "d"]);
}

#[test]
fn a_checkpoint_says_when_a_reader_is_in_the_way() {
    let fixture = Fixture::new();
    fixture.insert("a");
    let busy = fixture
        .database
        .read(|connection| {
            count(connection)?;
            fixture.insert("b");
            fixture.database.checkpoint()
        })
        .unwrap();
    assert!(busy.busy, "{busy:?}");
    assert!(!fixture.database.checkpoint().unwrap().busy);
}

#[test]
fn a_writer_s_own_job_reads_what_it_wrote() {
    let fixture = Fixture::new();
    let texts = fixture.database.write(Lane::Interactive, |connection| {
        connection.execute("INSERT INTO item (text) VALUES ('a')", &[])?;
        assert_eq!(connection.last_insert_rowid(), 1);
        texts(connection)
    });
    assert_eq!(texts.unwrap(), ["a"]);
}
