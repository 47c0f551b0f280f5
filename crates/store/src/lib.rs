//! Opens libsql files behind a synchronous facade: the only crate that names `libsql`.
//!
//! One [`Database`] owns one writer thread with the only writing connection, and a small pool of
//! reading connections. Every local libsql call blocks although it is declared `async`, so nothing here
//! is: async code calls it from a thread where blocking is allowed.

mod connection;
mod database;
mod error;
mod lock;
mod row;
mod value;

pub use connection::Connection;
pub use database::{Checkpoint, Database, Lane, Options, Pending};
pub use error::{LockError, StoreError};
pub use lock::IndexLock;
pub use row::Row;
pub use value::{FromValue, Value};
