//! What a call costs. Run by hand: `cargo test -p vault-cortex-store --release -- --ignored speed --nocapture`.

use std::time::{Duration, Instant};

use store::{StoreError, params};

use crate::{Fixture, store};

fn per(begun: Instant, times: u32) -> Duration {
    begun.elapsed() / times
}

#[test]
#[ignore = "a measurement"]
fn speed_of_prepared_statements() {
    const TIMES: u32 = 100_000;
    let fixture = Fixture::new();
    let insert = fixture.write(|connection| {
        let begun = Instant::now();
        for number in 0..TIMES {
            connection.execute("INSERT INTO item VALUES (?1, ?2)", params![number, "some text of a row"])?;
        }
        Ok(per(begun, TIMES))
    });
    let point = fixture
        .database
        .read(|connection| {
            let begun = Instant::now();
            for number in 0..TIMES {
                let found = connection.query_one(
                    "SELECT text FROM item WHERE id = ?1",
                    params![(number * 7919) % TIMES],
                    |row| row.get::<String>(0),
                )?;
                assert!(found.is_some());
            }
            Ok::<_, StoreError>(per(begun, TIMES))
        })
        .unwrap();
    let begun = Instant::now();
    for _ in 0..TIMES / 10 {
        fixture
            .database
            .read(|connection| {
                connection.query_one("SELECT text FROM item WHERE id = 5", &[], |row| row.get::<String>(0))
            })
            .unwrap();
    }
    let whole_read = per(begun, TIMES / 10);
    let begun = Instant::now();
    for _ in 0..TIMES / 100 {
        fixture.insert("more");
    }
    let whole_write = per(begun, TIMES / 100);
    let begun = Instant::now();
    let mut bytes = 0;
    fixture
        .database
        .read(|connection| {
            connection.for_each("SELECT text FROM item", &[], |row| {
                bytes += row.str(0)?.len();
                Ok::<_, StoreError>(())
            })
        })
        .unwrap();
    let row = per(begun, TIMES);
    println!(
        "insert {insert:?}, point read {point:?}, row of a scan {row:?}, \
         read with its snapshot {whole_read:?}, write with its commit {whole_write:?} ({bytes} bytes)"
    );
}
