//! What a call into the store costs: `cargo run --release -p vault-cortex-store --example store_speed`.

#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use std::time::{Duration, Instant};

use store::{Database, Lane, Options, StoreError, params};
use vault_cortex_store as store;

const TIMES: u32 = 100_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let database = Database::open(&folder.path().join("speed.db"), &Options::default())?;
    let insert: Duration = database.write(Lane::Bulk, |connection| {
        connection.batch("CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")?;
        each(TIMES, |number| {
            connection
                .execute("INSERT INTO item VALUES (?1, ?2)", params![number, "some text of a row"])
                .map(drop)
        })
    })?;
    println!("insert, prepared, inside a transaction   {insert:>10.2?}");

    let point = "SELECT text FROM item WHERE id = ?1";
    let read: Duration = database.read(|connection| {
        each(TIMES, |number| {
            let id = (u64::from(number) * 7919 % u64::from(TIMES)).cast_signed();
            connection.query_one(point, params![id], |row| row.get::<String>(0)).map(drop)
        })
    })?;
    println!("point read, prepared, inside a snapshot  {read:>10.2?}");

    let begun = Instant::now();
    let mut bytes = 0;
    database.read(|connection| {
        connection.for_each("SELECT text FROM item", &[], |row| {
            bytes += row.str(0)?.len();
            Ok::<_, StoreError>(())
        })
    })?;
    println!("row of a scan ({bytes} bytes in all)      {:>10.2?}", begun.elapsed() / TIMES);

    let whole: Duration = each(TIMES / 10, |_| {
        database
            .read(|connection| connection.query_one(point, params![5], |row| row.get::<String>(0)))
            .map(drop)
    })?;
    println!("point read with its snapshot             {whole:>10.2?}");

    let whole: Duration = each(TIMES / 100, |_| {
        database.write(Lane::Interactive, |connection| {
            connection.execute("INSERT INTO item (text) VALUES ('more')", &[]).map(drop)
        })
    })?;
    println!("write with its commit                    {whole:>10.2?}");
    Ok(())
}

/// How long one of `times` calls takes.
fn each(times: u32, mut call: impl FnMut(u32) -> Result<(), StoreError>) -> Result<Duration, StoreError> {
    let begun = Instant::now();
    (0..times).try_for_each(&mut call)?;
    Ok(begun.elapsed() / times)
}
