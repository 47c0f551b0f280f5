//! The seam to `libsql`: its errors become ours, its futures are driven here.

use std::path::Path;
use std::task::{Context, Poll, Waker};

use crate::error::StoreError;

/// Primary result codes of SQLite that have a variant of their own.
mod code {
    pub(super) const BUSY: i32 = 5;
    pub(super) const LOCKED: i32 = 6;
    pub(super) const READONLY: i32 = 8;
    pub(super) const INTERRUPT: i32 = 9;
    pub(super) const IOERR: i32 = 10;
    pub(super) const CORRUPT: i32 = 11;
    pub(super) const FULL: i32 = 13;
    pub(super) const CANTOPEN: i32 = 14;
    pub(super) const NOTADB: i32 = 26;
}

/// Drives a future of a local libsql call. Those are `async` in name only: they block and are ready on
/// the first poll. One that is not would need a runtime that is not here, so it is an error, not a wait.
pub(crate) fn ready<T>(future: impl Future<Output = libsql::Result<T>>) -> libsql::Result<T> {
    let future = std::pin::pin!(future);
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(libsql::Error::Misuse("a local call did not finish at once".to_owned())),
    }
}

/// Sorts an error of the client library by what a caller can do about it.
pub(crate) fn store_error(error: libsql::Error, sql: &str) -> StoreError {
    match error {
        libsql::Error::SqliteFailure(code, message) => from_code(code, message, sql),
        other => StoreError::Sql { code: 0, message: other.to_string(), sql: sql.to_owned() },
    }
}

/// As [`store_error`] for a failure to open `path`, whose code the library gives only in its text.
pub(crate) fn open_error(error: libsql::Error, path: &Path) -> StoreError {
    let error = match error {
        libsql::Error::ConnectionFailed(message) => {
            let code = message.rsplit(' ').next().and_then(|last| last.parse().ok());
            from_code(code.unwrap_or(code::CANTOPEN), message, "")
        }
        other => store_error(other, ""),
    };
    match error {
        StoreError::Sql { code, message, .. } if code & 0xff == code::CANTOPEN || code == 0 => {
            StoreError::Open { path: path.to_owned(), reason: message }
        }
        other => other,
    }
}

fn from_code(code: i32, message: String, sql: &str) -> StoreError {
    match code & 0xff {
        code::BUSY | code::LOCKED => StoreError::Busy(message),
        code::READONLY => StoreError::ReadOnly(message),
        code::INTERRUPT => StoreError::TimedOut,
        code::IOERR => StoreError::Io(format!("{message} ({code})")),
        code::CORRUPT | code::NOTADB => StoreError::Corrupt(message),
        code::FULL => StoreError::Full(message),
        _ => StoreError::Sql { code, message, sql: sql.to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_future_that_waits_is_an_error_and_not_a_spin() {
        let result = ready(std::future::pending::<libsql::Result<()>>());
        assert!(matches!(result, Err(libsql::Error::Misuse(_))));
    }

    #[track_caller]
    fn sorted(code: i32, expected: &str) {
        let error = store_error(libsql::Error::SqliteFailure(code, "said".to_owned()), "SELECT 1");
        assert!(format!("{error:?}").starts_with(expected), "{error:?} is not {expected}");
    }

    #[test]
    fn result_codes_are_sorted_by_what_can_be_done() {
        sorted(5, "Busy");
        sorted(517, "Busy"); // SQLITE_BUSY_SNAPSHOT
        sorted(6, "Busy");
        sorted(8, "ReadOnly");
        sorted(9, "TimedOut");
        sorted(778, "Io"); // SQLITE_IOERR_WRITE
        sorted(11, "Corrupt");
        sorted(267, "Corrupt"); // SQLITE_CORRUPT_VTAB, a damaged full-text index
        sorted(26, "Corrupt");
        sorted(13, "Full");
        sorted(2067, "Sql"); // SQLITE_CONSTRAINT_UNIQUE
    }
}
