//! The tools over the journal of changes.

mod diff;
mod history;
#[cfg(test)]
mod tests;
mod undo;

use jiff::Timestamp;
use vault::{Journal, JournalError};

use crate::changes::{TIMES, parse_time};
use crate::mcp::error::ToolError;
use crate::mcp::tool::Call;

pub(crate) use diff::Diff;
pub(crate) use history::History;
pub(crate) use undo::Undo;

impl Call<'_> {
    /// The journal; `None` while nothing was ever written down. A read-only server looks into the one that
    /// another left.
    fn journal(&self) -> Result<Option<Journal>, ToolError> {
        if self.app.writes.is_some() {
            return Ok(Some(self.writer()?.journal().clone()));
        }
        if !self.app.journal.is_file() {
            return Ok(None);
        }
        let journal = Journal::open_read_only(&self.app.journal);
        journal.map(Some).map_err(|error| journal_error(self, error))
    }

    /// A moment as a caller wrote it.
    fn time(&self, name: &str, text: Option<&str>) -> Result<Option<Timestamp>, ToolError> {
        let Some(text) = text else { return Ok(None) };
        let time = parse_time(text, &self.app.time_zone);
        time.map(Some).ok_or_else(|| ToolError::argument(name, TIMES, &text.into()))
    }
}

/// An error of the journal as callers see it.
fn journal_error(call: &Call<'_>, error: JournalError) -> ToolError {
    let hint = match &error {
        JournalError::NoSuchChange(_) if call.app.tools.serves("vault_history") => {
            ": vault_history lists the changes that are"
        }
        _ => "",
    };
    ToolError::Write { error: Box::new(error.into()), hint: hint.to_owned() }
}
