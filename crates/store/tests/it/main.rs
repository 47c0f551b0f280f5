//! The store against real files.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by a panic, and makes the files it tests with"
)]

mod crash;
mod files;
mod lanes;
mod reads;
mod statements;

use std::path::PathBuf;

use store::{Connection, Database, Lane, Options, StoreError, params};
use tempfile::TempDir;
use vault_cortex_store as store;

/// A database in a folder of its own, with a table `item (id, text)`.
struct Fixture {
    folder: TempDir,
    database: Database,
}

impl Fixture {
    fn new() -> Self {
        Self::with(&Options::default())
    }

    fn with(options: &Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("index.db"), options).unwrap();
        let fixture = Self { folder, database };
        fixture.write(|connection| {
            connection.batch("CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
        });
        fixture
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("index.db")
    }

    #[track_caller]
    fn write<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.database.write(Lane::Interactive, job).unwrap()
    }

    #[track_caller]
    fn insert(&self, text: &str) {
        let text = text.to_owned();
        self.write(move |connection| {
            connection.execute("INSERT INTO item (text) VALUES (?1)", params![text]).map(|_| ())
        });
    }

    #[track_caller]
    fn texts(&self) -> Vec<String> {
        self.database.read(texts).unwrap()
    }
}

fn texts(connection: &Connection) -> Result<Vec<String>, StoreError> {
    connection.query("SELECT text FROM item ORDER BY id", &[], |row| row.get(0))
}

/// A query that takes minutes unless it is interrupted.
const ENDLESS: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000000)
     SELECT count(*) FROM n";

#[test]
fn every_file_of_this_folder_is_part_of_the_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it");
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || main.contains(&format!("mod {module};")), "{name} is forgotten");
    }
}
