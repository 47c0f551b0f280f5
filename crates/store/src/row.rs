//! One row of an answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::StoreError;
use crate::value::{FromValue, Value, convert};

/// A row, valid inside the callback that receives it: a row that lives longer would pin the snapshot
/// and keep the write-ahead log from being emptied.
pub struct Row<'a> {
    raw: &'a libsql::Row,
    columns: usize,
}

impl<'a> Row<'a> {
    pub(crate) fn new(raw: &'a libsql::Row, columns: usize) -> Self {
        Self { raw, columns }
    }

    /// Column `index` (from 0) as `T`, copied out.
    ///
    /// # Errors
    /// [`StoreError::Column`] when the column holds something else or does not exist,
    /// [`StoreError::Corrupt`] when text is not UTF-8 (it only ever goes in as UTF-8).
    pub fn get<T: FromValue>(&self, index: usize) -> Result<T, StoreError> {
        let column = self.column(index, T::WANTED)?;
        let value = checked(|| self.raw.get_value(column))?;
        let value = match value {
            libsql::Value::Null => Value::Null,
            libsql::Value::Integer(number) => Value::Integer(number),
            libsql::Value::Real(number) => Value::Real(number),
            libsql::Value::Text(text) => Value::Text(text),
            libsql::Value::Blob(bytes) => Value::Blob(bytes),
        };
        convert(index, value)
    }

    /// Text column `index` without a copy.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn str(&self, index: usize) -> Result<&str, StoreError> {
        let column = self.column(index, String::WANTED)?;
        // Asked first: the engine would turn a number into text in place.
        match self.raw.column_type(column) {
            Ok(libsql::ValueType::Text) => checked(|| self.raw.get_str(column)),
            _ => self.get::<String>(index).map(|_| ""),
        }
    }

    /// Blob column `index`, copied out.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub fn bytes(&self, index: usize) -> Result<Vec<u8>, StoreError> {
        self.get(index)
    }

    /// The column number the library takes. Asking it for a column that is not there gives NULL, which
    /// would hide a mistake in a statement.
    fn column(&self, index: usize, wanted: &'static str) -> Result<i32, StoreError> {
        match i32::try_from(index) {
            Ok(column) if index < self.columns => Ok(column),
            _ => Err(StoreError::Column { index, wanted, found: "nothing: there is no such column" }),
        }
    }
}

impl std::fmt::Debug for Row<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Row").field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// Reads a column. The library panics on text that is not UTF-8; only a damaged file holds any.
fn checked<T>(read: impl FnOnce() -> libsql::Result<T>) -> Result<T, StoreError> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(crate::engine::store_error(error, "")),
        Err(_) => Err(StoreError::Corrupt("a text is not UTF-8".to_owned())),
    }
}
