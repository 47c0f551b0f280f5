//! Opens libsql files behind a synchronous facade: the only crate that names `libsql`.
//!
//! One [`Database`] owns one writer thread with the only writing connection, and a small pool of
//! reading connections. Every local libsql call blocks although it is declared `async`, so nothing here
//! is: async code calls it from a thread where blocking is allowed.
//!
//! ```
//! # use vault_cortex_store as store;
//! use store::{Database, Lane, Options, StoreError, params};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("index.db");
//! let database = Database::open(&path, &Options::default())?;
//! database.write(Lane::Interactive, |connection| {
//!     connection.batch("CREATE TABLE note (path TEXT NOT NULL, size INTEGER NOT NULL) STRICT")?;
//!     connection.execute("INSERT INTO note VALUES (?1, ?2)", params!["A.md", 12])?;
//!     Ok::<_, StoreError>(())
//! })?;
//! let sizes: Vec<i64> = database.read(|connection| {
//!     connection.query("SELECT size FROM note WHERE path = ?1", params!["A.md"], |row| row.get(0))
//! })?;
//! assert_eq!(sizes, [12]);
//! # Ok(())
//! # }
//! ```

mod connection;
mod database;
mod engine;
mod error;
mod files;
mod lock;
mod readers;
mod row;
mod statements;
mod value;
mod watchdog;
mod writer;

pub use connection::Connection;
pub use database::{Checkpoint, Database, Lane, Options, Pending};
pub use error::{LockError, StoreError};
pub use files::put_aside;
pub use lock::{IndexLock, KeyGuard, KeyLocks, SharedLock};
pub use row::Row;
pub use value::{FromValue, Value};
