//! Statements, parameters, columns.

use store::{FromValue, StoreError, Value, params};

use crate::{Fixture, store};

/// libsql runs a prepared statement that was not reset with its old parameters and reports success:
/// "a" would be there twice and "b" lost (tursodatabase/libsql issue 2135).
#[test]
fn a_prepared_statement_used_again_takes_its_new_parameters() {
    let fixture = Fixture::new();
    fixture.write(|connection| {
        for text in ["a", "b", "c"] {
            connection.execute("INSERT INTO item (text) VALUES (?1)", params![text])?;
        }
        Ok(())
    });
    assert_eq!(fixture.texts(), ["a", "b", "c"]);
}

/// The fault itself, in the library as it is: when this fails, the trap is gone and the note about it can
/// go too.
#[test]
fn the_library_still_loses_a_write_without_a_reset() {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    fn now<T>(future: impl Future<Output = T>) -> T {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("a local call waited"),
        }
    }
    let database = now(libsql::Builder::new_local(":memory:").build()).unwrap();
    let connection = database.connect().unwrap();
    now(connection.execute("CREATE TABLE item (text)", ())).unwrap();
    let statement = now(connection.prepare("INSERT INTO item VALUES (?1)")).unwrap();
    now(statement.execute(["a"])).unwrap();
    now(statement.execute(["b"])).unwrap();
    let mut rows = now(connection.query("SELECT group_concat(text) FROM item", ())).unwrap();
    assert_eq!(now(rows.next()).unwrap().unwrap().get_str(0).unwrap(), "a,a");
}

#[test]
fn a_statement_that_failed_can_be_used_again() {
    let fixture = Fixture::new();
    fixture.write(|connection| {
        let insert = "INSERT INTO item (id, text) VALUES (?1, ?2)";
        connection.execute(insert, params![1, "a"])?;
        let error = connection.execute(insert, params![1, "again"]).unwrap_err();
        assert!(error.is_constraint(), "{error:?}");
        connection.execute(insert, params![2, "b"]).map(|_| ())
    });
    assert_eq!(fixture.texts(), ["a", "b"]);
}

#[test]
fn a_statement_left_in_the_middle_can_be_used_again() {
    let fixture = Fixture::new();
    fixture.write(|connection| {
        connection.batch("INSERT INTO item (text) VALUES ('a'), ('b'), ('c')")?;
        let select = "SELECT text FROM item WHERE id >= ?1 ORDER BY id";
        let first = |id: i64| connection.query_one(select, params![id], |row| row.get::<String>(0));
        assert_eq!(first(2)?.as_deref(), Some("b"));
        assert_eq!(first(1)?.as_deref(), Some("a"));
        assert_eq!(first(4)?, None);
        Ok(())
    });
}

#[test]
fn a_query_inside_the_same_query_has_a_statement_of_its_own() {
    let fixture = Fixture::new();
    fixture.write(|connection| {
        connection.batch("INSERT INTO item (text) VALUES ('a'), ('b')")?;
        let select = "SELECT text FROM item ORDER BY id";
        let pairs: Vec<String> = connection.query(select, &[], |outer| {
            let outer: String = outer.get(0)?;
            let inner: Vec<String> = connection.query(select, &[], |row| row.get::<String>(0))?;
            Ok::<_, StoreError>(format!("{outer}{}", inner.concat()))
        })?;
        assert_eq!(pairs, ["aab", "bab"]);
        Ok(())
    });
}

#[test]
fn missing_and_surplus_parameters_are_errors() {
    let fixture = Fixture::new();
    let error = fixture
        .database
        .read(|connection| connection.query("SELECT ?1, ?2", params![1], |row| row.get::<i64>(0)));
    assert!(matches!(error, Err(StoreError::Parameters { expected: 2, given: 1, .. })), "{error:?}");
    let error =
        fixture.database.read(|connection| connection.query("SELECT 1", params![1], |row| row.get::<i64>(0)));
    assert!(matches!(error, Err(StoreError::Parameters { expected: 0, given: 1, .. })), "{error:?}");
}

#[test]
fn more_statements_than_are_kept_all_work() {
    let fixture = Fixture::new();
    for round in 0..2 {
        let sum = fixture.database.read(|connection| {
            let mut sum = 0;
            for number in 0..300 {
                let sql = format!("SELECT {number} + ?1");
                sum += connection.query_one(&sql, params![round], |row| row.get::<i64>(0))?.unwrap_or(0);
            }
            Ok::<_, StoreError>(sum)
        });
        assert_eq!(sum.unwrap(), 299 * 300 / 2 + 300 * round);
    }
}

#[test]
fn executing_a_query_is_an_error() {
    let fixture = Fixture::new();
    let error = fixture.database.read(|connection| connection.execute("SELECT 1", &[]));
    assert!(matches!(error, Err(StoreError::Sql { .. })), "{error:?}");
}

#[test]
fn a_malformed_statement_names_itself() {
    let fixture = Fixture::new();
    match fixture.database.read(|connection| connection.execute("SELEKT 1", &[])) {
        Err(StoreError::Sql { message, sql, .. }) => {
            assert!(message.contains("syntax error"), "{message}");
            assert_eq!(sql, "SELEKT 1");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reader_cannot_write() {
    let fixture = Fixture::new();
    let error = fixture.database.read(|connection| connection.execute("DELETE FROM item", &[]));
    assert!(matches!(error, Err(StoreError::ReadOnly(_))), "{error:?}");
}

#[track_caller]
fn round_trip<T: FromValue + Into<Value> + Clone + PartialEq + std::fmt::Debug>(value: T) {
    let fixture = Fixture::new();
    let parameter: Value = value.clone().into();
    let back: Option<T> = fixture
        .database
        .read(|connection| connection.query_one("SELECT ?1", &[parameter], |row| row.get::<T>(0)))
        .unwrap();
    assert_eq!(back, Some(value));
}

#[test]
fn values_come_back_as_they_went_in() {
    round_trip(i64::MIN);
    round_trip(u32::MAX);
    round_trip(true);
    round_trip(0.1_f64);
    round_trip(String::new());
    round_trip("Grüße 日本 🦀".to_owned());
    round_trip(vec![0_u8, 255, 0]);
    round_trip(Vec::<u8>::new());
    round_trip(None::<String>);
    round_trip(Some(7_i64));
    round_trip("x".repeat(3_000_000));
}

/// The library reads text only to its first NUL.
#[test]
fn a_nul_in_text_becomes_a_replacement_character_and_never_a_cut() {
    let fixture = Fixture::new();
    fixture.insert("a\0b");
    assert_eq!(fixture.texts(), ["a\u{fffd}b"]);
}

/// The library panics on it.
#[test]
fn text_that_is_not_utf8_is_a_damaged_file() {
    let fixture = Fixture::new();
    let error = fixture
        .database
        .read(|connection| connection.query("SELECT CAST(x'ff' AS TEXT)", &[], |row| row.get::<String>(0)));
    assert!(matches!(&error, Err(error) if error.is_corrupt()), "{error:?}");
    let error = fixture.database.read(|connection| {
        connection.query("SELECT CAST(x'ff' AS TEXT)", &[], |row| row.str(0).map(str::len))
    });
    assert!(matches!(&error, Err(error) if error.is_corrupt()), "{error:?}");
}

#[track_caller]
fn refused<T: FromValue + std::fmt::Debug>(sql: &str) {
    let fixture = Fixture::new();
    let result = fixture.database.read(|connection| connection.query(sql, &[], |row| row.get::<T>(0)));
    assert!(matches!(result, Err(StoreError::Column { index: 0, .. })), "{result:?}");
}

#[test]
fn a_column_of_another_type_is_an_error_and_not_a_guess() {
    refused::<i64>("SELECT 'text'");
    refused::<i64>("SELECT 1.5");
    refused::<i64>("SELECT NULL");
    refused::<u32>("SELECT -1");
    refused::<u32>("SELECT 4294967296");
    refused::<bool>("SELECT 2");
    refused::<String>("SELECT 1");
    refused::<Vec<u8>>("SELECT 'text'");
}

#[test]
fn a_column_that_is_not_there_is_an_error() {
    let fixture = Fixture::new();
    let result = fixture
        .database
        .read(|connection| connection.query("SELECT 1", &[], |row| row.get::<Option<i64>>(1)));
    assert!(matches!(result, Err(StoreError::Column { index: 1, .. })), "{result:?}");
}

#[test]
fn text_is_read_without_a_copy_and_only_text() {
    let fixture = Fixture::new();
    let lengths: Vec<usize> = fixture
        .database
        .read(|connection| connection.query("SELECT 'four'", &[], |row| row.str(0).map(str::len)))
        .unwrap();
    assert_eq!(lengths, [4]);
    for sql in ["SELECT 1", "SELECT NULL", "SELECT x'00'"] {
        let result =
            fixture.database.read(|connection| connection.query(sql, &[], |row| row.str(0).map(str::len)));
        assert!(matches!(result, Err(StoreError::Column { .. })), "{sql}: {result:?}");
    }
}

#[test]
fn the_caller_s_own_error_comes_through() {
    #[derive(Debug)]
    enum Own {
        Mine,
        Store,
    }
    impl From<StoreError> for Own {
        fn from(_: StoreError) -> Self {
            Self::Store
        }
    }
    let fixture = Fixture::new();
    fixture.insert("a");
    let read = |sql: &'static str| {
        fixture.database.read(|connection| connection.for_each(sql, &[], |_| Err(Own::Mine)))
    };
    assert!(matches!(read("SELECT 1"), Err(Own::Mine)));
    assert!(matches!(read("SELEKT 1"), Err(Own::Store)));
}
