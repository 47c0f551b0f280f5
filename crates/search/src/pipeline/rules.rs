//! Keeping task rows in step with the settings of the Tasks plugin.
//!
//! Whoever looks at files takes the rules that were read last, so that rows and fingerprint always agree
//! and looking at a file costs no look at the settings. That those rules are the ones of this moment is
//! only asked where it matters: before a question about tasks.

use std::sync::{Arc, PoisonError};

use store::params;
use vault::{FileKind, FileStat, FoundFile};

use super::look::Known;
use crate::ask::meta::stored_path;
use crate::core::Core;
use crate::error::SearchError;
use crate::note::tasks::TaskRules;

/// How often settings that change while notes are read anew are followed.
const ROUNDS: usize = 4;

impl Core {
    /// The rules that were read last.
    pub(crate) fn rules(&self) -> Arc<TaskRules> {
        Arc::clone(&self.rules.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the rules as they are now.
    pub(crate) fn read_rules(&self) -> Arc<TaskRules> {
        let rules = Arc::new(TaskRules::read(&self.vault, (self.options.clock)(), &self.options.time_zone));
        *self.rules.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&rules);
        rules
    }

    /// Reads the tasks anew of every note whose rows were made by other rules than those of now. Each
    /// note that is done stays done, whatever comes in between. Waits when somebody else is at it.
    pub(crate) fn follow_rules(self: &Arc<Self>) -> Result<(), SearchError> {
        // Only a writer can; a reader answers from what there is.
        if self.read_only || self.behind_rules()?.is_empty() {
            return Ok(());
        }
        let _only = self.mending.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..ROUNDS {
            let behind = self.behind_rules()?;
            if behind.is_empty() {
                break;
            }
            tracing::info!(notes = behind.len(), "the Tasks settings changed: tasks are read anew");
            self.read_again(behind)?;
        }
        Ok(())
    }

    /// Notes whose tasks were read by other rules than those of now. What was not read yet is no case
    /// of it: whoever reads it takes the rules of then.
    fn behind_rules(&self) -> Result<Vec<(FoundFile, Option<Known>)>, SearchError> {
        let now = self.read_rules().of(FileKind::Note);
        // Two ranges of an index; `<>` would be none.
        let part = |operator: &str| {
            format!(
                "SELECT {} FROM files WHERE kind = 'note' AND rules {operator} ?1 AND state <> 0",
                Known::COLUMNS
            )
        };
        let statement = format!("{} UNION ALL {}", part("<"), part(">"));
        let rows = self.ask(|connection| connection.query(&statement, params![now], Known::read))?;
        rows.into_iter()
            .map(|(path, known)| {
                let (size, modified_ns) = (known.size, known.modified_ns);
                let stat = FileStat { size, modified_ns, identity: (0, 0), links: 1 };
                Ok((FoundFile { path: stored_path(&path)?, stat }, Some(known)))
            })
            .collect()
    }
}
