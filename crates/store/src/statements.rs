//! Prepared statements, kept by their text.
//!
//! Two traps of the client library are closed here. A statement that is executed again without a reset
//! ignores the new parameters and runs with the old ones, and says that all went well; so every lease
//! ends with a reset, whatever happened in between. And parameters that are missing keep their old values,
//! parameters too many are dropped in silence; so they are counted.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::engine::{ready, store_error};
use crate::error::StoreError;
use crate::value::Value;

/// How many statements a connection keeps. Filters make SQL of many shapes; the rarest go first.
const KEPT: usize = 128;
/// A statement keeps its last parameters; beyond this many bytes of them it is not kept.
const KEPT_PARAMETER_BYTES: usize = 256 * 1024;
/// `SQLITE_MAX_LENGTH`: binding something longer fails, and the library does not say so.
const MAX_VALUE_BYTES: usize = 1_000_000_000;

/// The statements of one connection.
#[derive(Default)]
pub(crate) struct Statements {
    kept: RefCell<HashMap<Box<str>, Kept>>,
    /// Counts leases, to know which statement was used last.
    clock: std::cell::Cell<u64>,
}

struct Kept {
    statement: libsql::Statement,
    parameters: usize,
    used: u64,
}

/// A statement in use. It is out of the cache meanwhile, so that a query inside a query's callback with
/// the same text gets one of its own. Its end resets it.
pub(crate) struct Lease<'a> {
    statements: &'a Statements,
    sql: Option<Box<str>>,
    kept: Option<Kept>,
    keep: bool,
}

impl Statements {
    /// Leases the statement for `sql`, prepared on `connection` when it is not kept, and checks `params`.
    pub(crate) fn lease(
        &self,
        connection: &libsql::Connection,
        sql: &str,
        params: &[Value],
    ) -> Result<(Lease<'_>, Vec<libsql::Value>), StoreError> {
        let known = self.kept.borrow_mut().remove_entry(sql);
        let (text, kept) = match known {
            Some(known) => known,
            None => {
                let statement = ready(connection.prepare(sql)).map_err(|error| store_error(error, sql))?;
                let parameters = statement.parameter_count();
                (Box::from(sql), Kept { statement, parameters, used: 0 })
            }
        };
        let expected = kept.parameters;
        let mut lease = Lease { statements: self, sql: Some(text), kept: Some(kept), keep: true };
        if expected != params.len() {
            return Err(StoreError::Parameters { expected, given: params.len(), sql: sql.to_owned() });
        }
        let mut total = 0;
        let mut values = Vec::with_capacity(params.len());
        for param in params {
            let (value, bytes) = bound(param)?;
            total += bytes;
            values.push(value);
        }
        lease.keep = total <= KEPT_PARAMETER_BYTES;
        Ok((lease, values))
    }

    /// Forgets every statement (before the connection is closed or replaced).
    pub(crate) fn clear(&self) {
        self.kept.borrow_mut().clear();
    }
}

impl Lease<'_> {
    /// The statement, until the lease ends.
    pub(crate) fn statement(&self) -> Result<&libsql::Statement, StoreError> {
        // Always there: it is taken only by `drop`.
        self.kept.as_ref().map(|kept| &kept.statement).ok_or(StoreError::Closed)
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let (Some(mut kept), Some(sql)) = (self.kept.take(), self.sql.take()) else { return };
        kept.statement.reset();
        if !self.keep {
            return;
        }
        let clock = self.statements.clock.get() + 1;
        self.statements.clock.set(clock);
        kept.used = clock;
        let mut all = self.statements.kept.borrow_mut();
        all.insert(sql, kept);
        if all.len() > KEPT {
            let oldest = all.iter().min_by_key(|(_, kept)| kept.used).map(|(sql, _)| sql.clone());
            if let Some(oldest) = oldest {
                all.remove(&oldest);
            }
        }
    }
}

/// The value as the library takes it, and its length in bytes.
fn bound(value: &Value) -> Result<(libsql::Value, usize), StoreError> {
    let bytes = match value {
        Value::Text(text) => text.len(),
        Value::Blob(blob) => blob.len(),
        Value::Null | Value::Integer(_) | Value::Real(_) => 0,
    };
    if bytes > MAX_VALUE_BYTES {
        return Err(StoreError::TooBig { bytes });
    }
    let value = match value {
        Value::Null => libsql::Value::Null,
        Value::Integer(number) => libsql::Value::Integer(*number),
        Value::Real(number) => libsql::Value::Real(*number),
        Value::Text(text) if text.contains('\0') => libsql::Value::Text(text.replace('\0', "\u{fffd}")),
        Value::Text(text) => libsql::Value::Text(text.clone()),
        Value::Blob(blob) => libsql::Value::Blob(blob.clone()),
    };
    Ok((value, bytes))
}
