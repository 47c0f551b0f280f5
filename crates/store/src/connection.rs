//! A connection inside a read or a write.

use crate::error::StoreError;
use crate::row::Row;
use crate::value::Value;

/// A connection inside the read or write job that was given it.
#[derive(Debug)]
pub struct Connection(());

impl Connection {
    /// Runs one statement that returns no rows; answers how many rows it changed.
    ///
    /// # Errors
    /// Whatever the engine says, by kind.
    pub fn execute(&self, _sql: &str, _params: &[Value]) -> Result<usize, StoreError> {
        Err(StoreError::Closed)
    }

    /// Runs several statements separated by `;`, without parameters; rows are dropped.
    ///
    /// # Errors
    /// Whatever the engine says, by kind; statements before the failing one have run.
    pub fn batch(&self, _sql: &str) -> Result<(), StoreError> {
        Err(StoreError::Closed)
    }

    /// Every row, made into `T` by `each`.
    ///
    /// # Errors
    /// The engine's or `each`'s, whichever comes first.
    pub fn query<T, E: From<StoreError>>(
        &self,
        sql: &str,
        params: &[Value],
        mut each: impl FnMut(&Row<'_>) -> Result<T, E>,
    ) -> Result<Vec<T>, E> {
        let mut all = Vec::new();
        self.for_each(sql, params, |row| {
            all.push(each(row)?);
            Ok::<(), E>(())
        })?;
        Ok(all)
    }

    /// The first row made into `T`, or `None` when there is none.
    ///
    /// # Errors
    /// The engine's or `each`'s.
    pub fn query_one<T, E: From<StoreError>>(
        &self,
        _sql: &str,
        _params: &[Value],
        _each: impl FnOnce(&Row<'_>) -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        Err(StoreError::Closed.into())
    }

    /// Streams every row through `each`.
    ///
    /// # Errors
    /// The engine's or `each`'s, whichever comes first.
    pub fn for_each<E: From<StoreError>>(
        &self,
        _sql: &str,
        _params: &[Value],
        _each: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        Err(StoreError::Closed.into())
    }

    /// The row id of the last insert on this connection.
    #[must_use]
    pub fn last_insert_rowid(&self) -> i64 {
        0
    }
}
