//! Obsidian's own settings, `.obsidian/*.json`, as they are at this moment.
//!
//! Every question looks at the file's state and reads it again only when that changed, so that a change in
//! Obsidian holds for the next call and asking costs a few microseconds. A file that cannot be read is an
//! outcome of its own: whoever asks takes the defaults, and the log says so once per change.

mod app;
mod cache;
mod daily;
mod error;
mod fields;
mod types;

use markdown::tasks;

pub use app::{AppFile, AttachmentFolder, IgnoreFilter, NewFileLocation, NewLinkFormat, TrashOption};
pub use cache::Loaded;
pub(crate) use cache::SettingsCache;
pub use daily::{
    DEFAULT_DAILY_FOLDER, DEFAULT_DAILY_FORMAT, DailyFolder, DailyNoteError, DailyNotes, DailyNotesFile,
    DailyNotesOverrides, DailySource, Setter, time_tokens,
};
pub use error::SettingsError;
pub use types::{PropertyType, PropertyTypes};

use crate::read::Vault;

/// The settings of a vault, read when asked for.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    vault: &'a Vault,
}

impl<'a> Settings<'a> {
    pub(crate) fn of(vault: &'a Vault) -> Self {
        Self { vault }
    }

    /// `app.json`: where new files go, how links are written, what deleting means.
    #[must_use]
    pub fn app(self) -> Loaded<AppFile> {
        self.cache().app.load(self.vault, "app.json", AppFile::read)
    }

    /// `daily-notes.json` as it stands; [`Self::daily_notes`] says what follows from it.
    #[must_use]
    pub fn daily_notes_file(self) -> Loaded<DailyNotesFile> {
        self.cache().daily_notes.load(self.vault, "daily-notes.json", DailyNotesFile::read)
    }

    /// Where daily notes are and what they are called; the server's own settings go over Obsidian's.
    #[must_use]
    pub fn daily_notes(self, overrides: &DailyNotesOverrides) -> DailyNotes {
        DailyNotes::resolve(self, overrides)
    }

    /// `types.json`: the types that properties have in the property editor.
    #[must_use]
    pub fn types(self) -> Loaded<PropertyTypes> {
        self.cache().types.load(self.vault, "types.json", PropertyTypes::read)
    }

    /// `plugins/obsidian-tasks-plugin/data.json`: how the Tasks plugin reads and writes tasks, and its
    /// status registry.
    #[must_use]
    pub fn tasks(self) -> Loaded<tasks::Settings> {
        self.cache().tasks.load(self.vault, "plugins/obsidian-tasks-plugin/data.json", |bytes| {
            Ok(tasks::Settings::from_value(&fields::parse(bytes)?.into()))
        })
    }

    fn cache(self) -> &'a SettingsCache {
        self.vault.settings_cache()
    }
}
