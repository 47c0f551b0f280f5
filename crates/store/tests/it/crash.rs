//! kill -9 in the middle of writing.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use store::{Database, Lane, Options, StoreError, params};

use crate::store;

const PATH_VARIABLE: &str = "STORE_CRASH_TEST_PATH";

/// The child process of the test below; by itself it does nothing. Writes until it is killed and says each commit after it is acknowledged. Each transaction
/// writes one row here and three there, and into a full-text table.
#[test]
fn child_writes_until_killed() {
    let Some(path) = std::env::var_os(PATH_VARIABLE) else { return };
    let database = Database::open(path.as_ref(), &Options::default()).unwrap();
    let mut output = std::io::stdout().lock();
    for number in 0_i64.. {
        let committed: Result<(), StoreError> = database.write(Lane::Bulk, move |connection| {
            connection.execute("INSERT INTO one VALUES (?1, ?2)", params![number, vec![7_u8; 2000]])?;
            for part in 0..3 {
                connection.execute("INSERT INTO three VALUES (?1, ?2)", params![number, part])?;
            }
            let words = format!("word{number} common");
            connection.execute("INSERT INTO words (rowid, text) VALUES (?1, ?2)", params![number, words])?;
            Ok(())
        });
        committed.unwrap();
        writeln!(output, "committed {number}").unwrap();
    }
}

#[test]
fn a_killed_process_leaves_an_intact_file_with_every_acknowledged_commit() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..4_u64 {
        let path = folder.path().join(format!("{round}.db"));
        let database = Database::open(&path, &Options::default()).unwrap();
        let made: Result<(), StoreError> = database.write(Lane::Bulk, |connection| {
            connection.batch(
                "CREATE TABLE one (n INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
                 CREATE TABLE three (n INTEGER NOT NULL, part INTEGER NOT NULL) STRICT;
                 CREATE VIRTUAL TABLE words USING fts5 (text);",
            )
        });
        made.unwrap();
        database.close();

        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["crash::child_writes_until_killed", "--exact", "--nocapture"])
            .env(PATH_VARIABLE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let reader = std::thread::spawn(move || {
            let lines = output.lines().map_while(Result::ok);
            lines.filter_map(|line| line.split("committed ").nth(1)?.parse::<i64>().ok()).last()
        });
        // Different moments: before, in and after the first checkpoints.
        std::thread::sleep(Duration::from_millis(250 + 190 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let acknowledged = reader.join().unwrap().expect("the child wrote something");

        let database = Database::open(&path, &Options::default()).unwrap();
        assert_eq!(database.integrity_check().unwrap(), Vec::<String>::new());
        let number = |sql: &'static str| -> i64 {
            database.read(|connection| connection.query_one(sql, &[], |row| row.get(0))).unwrap().unwrap()
        };
        let kept = number("SELECT max(n) FROM one");
        assert!(kept >= acknowledged, "commit {acknowledged} was acknowledged, {kept} is the last one");
        assert_eq!(number("SELECT count(*) FROM one"), kept + 1);
        assert_eq!(number("SELECT count(*) FROM three"), 3 * (kept + 1));
        assert_eq!(number("SELECT count(*) FROM words WHERE words MATCH 'common'"), kept + 1);
    }
}
