//! One row of an answer.

use std::marker::PhantomData;

use crate::error::StoreError;
use crate::value::FromValue;

/// A row, valid inside the callback that receives it.
#[derive(Debug)]
pub struct Row<'a>(PhantomData<&'a ()>);

impl Row<'_> {
    /// Column `index` (from 0) as `T`, copied out.
    ///
    /// # Errors
    /// [`StoreError::Column`] when the column holds something else or does not exist.
    pub fn get<T: FromValue>(&self, _index: usize) -> Result<T, StoreError> {
        Err(StoreError::Closed)
    }

    /// Text column `index` without a copy.
    ///
    /// # Errors
    /// [`StoreError::Column`] when the column is not text.
    pub fn str(&self, _index: usize) -> Result<&str, StoreError> {
        Err(StoreError::Closed)
    }

    /// Blob column `index`.
    ///
    /// # Errors
    /// [`StoreError::Column`] when the column is not a blob.
    pub fn bytes(&self, index: usize) -> Result<Vec<u8>, StoreError> {
        self.get(index)
    }
}
