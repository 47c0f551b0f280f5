//! Where daily notes are and what they are called.
//!
//! Folder and format are found independently: the server's own setting, else `.obsidian/daily-notes.json`,
//! else a fallback. In the file a blank folder means the place where Obsidian makes new notes.

use std::fmt;
use std::sync::Arc;

use jiff::civil::Date;
use markdown::moment::{self, Locale};

use super::app::NewFileLocation;
use super::error::SettingsError;
use super::fields::{self, text};
use super::{Loaded, Settings};
use crate::error::PathError;
use crate::path::VaultPath;

/// The folder when nothing says otherwise.
pub const DEFAULT_DAILY_FOLDER: &str = "Daily Notes";
/// The format when nothing says otherwise; Obsidian's own default.
pub const DEFAULT_DAILY_FORMAT: &str = "YYYY-MM-DD";

/// `daily-notes.json` as it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DailyNotesFile {
    /// `folder`, when it is not blank.
    pub folder: Option<String>,
    /// `format`, when it is not blank.
    pub format: Option<String>,
    /// `template`: the note whose text a new daily note gets, with or without `.md`.
    pub template: Option<String>,
}

impl DailyNotesFile {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, SettingsError> {
        let fields = fields::parse(bytes)?;
        let field = |name| text(&fields, name).map(str::to_owned);
        Ok(Self { folder: field("folder"), format: field("format"), template: field("template") })
    }
}

/// The server's own settings, which go over Obsidian's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DailyNotesOverrides {
    /// `DAILY_NOTES_FOLDER`: a folder of the vault, `/` for the vault itself.
    pub folder: Option<String>,
    /// `DAILY_NOTES_FORMAT`: a moment format.
    pub format: Option<String>,
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DailySource {
    /// The server's own setting.
    Override,
    /// `.obsidian/daily-notes.json`.
    File,
    /// `.obsidian/daily-notes.json` leaves it to where Obsidian makes new notes.
    NewNotes,
    /// Nobody: there is no `daily-notes.json`, or (for the format) it says nothing.
    Fallback,
    /// Nobody: `daily-notes.json` cannot be read.
    Unreadable,
}

/// The folder of the daily notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DailyFolder {
    /// The top of the vault, beside other notes.
    Root,
    /// A folder.
    Folder(VaultPath),
    /// What is set is no path in the vault.
    Invalid {
        /// As it is set.
        raw: String,
        /// The rule it breaks.
        error: PathError,
    },
}

/// Where daily notes are and what they are called, at this moment.
#[derive(Debug, Clone)]
pub struct DailyNotes {
    folder: DailyFolder,
    folder_source: DailySource,
    format: String,
    format_source: DailySource,
    unreadable: Option<Arc<SettingsError>>,
}

/// Why there is no path for a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DailyNoteError {
    /// The folder that is set is no path in the vault.
    #[error("the daily notes folder {raw:?} ({setter}) cannot be used: {error}")]
    Folder {
        /// As it is set.
        raw: String,
        /// Who set it.
        setter: Setter,
        /// The rule it breaks.
        error: PathError,
    },
    /// The format asks for more than a day: a time, a zone.
    #[error(
        "the daily notes format {format:?} ({setter}) cannot be used: {} stand{} for a time of day or a zone, \
         which a date does not have (months are MM, days DD; text goes in [brackets])",
        tokens.join(", "), if tokens.len() == 1 { "s" } else { "" }
    )]
    TimeTokens {
        /// The format.
        format: String,
        /// Who set it.
        setter: Setter,
        /// The tokens, as written.
        tokens: Vec<String>,
    },
    /// What the format makes of the day is no path in the vault.
    #[error("the daily notes format {format:?} ({setter}) gives {name:?}, which cannot be used: {error}")]
    Name {
        /// The format.
        format: String,
        /// Who set it.
        setter: Setter,
        /// What it gives.
        name: String,
        /// The rule it breaks.
        error: PathError,
    },
}

/// Who set something, for people: the variable or the file to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setter {
    /// The server's setting of this name.
    Variable(&'static str),
    /// A file of `.obsidian`.
    File(&'static str),
    /// Nobody.
    Default,
}

impl fmt::Display for Setter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(formatter, "set by {name}"),
            Self::File(name) => write!(formatter, "set in .obsidian/{name}"),
            Self::Default => formatter.write_str("the default"),
        }
    }
}

impl DailyNotes {
    pub(super) fn resolve(settings: Settings<'_>, overrides: &DailyNotesOverrides) -> Self {
        // With both set the file decides nothing, and is not read.
        let file = match overrides {
            DailyNotesOverrides { folder: Some(_), format: Some(_) } => Loaded::Missing,
            _ => settings.daily_notes_file(),
        };
        let (folder, folder_source) = match (&overrides.folder, &file) {
            (Some(folder), _) => (DailyFolder::named(folder), DailySource::Override),
            (None, Loaded::Read(file)) => match &file.folder {
                Some(folder) => (DailyFolder::named(folder), DailySource::File),
                None => (DailyFolder::of_new_notes(settings), DailySource::NewNotes),
            },
            (None, Loaded::Missing) => (DailyFolder::named(DEFAULT_DAILY_FOLDER), DailySource::Fallback),
            (None, Loaded::Unreadable(_)) => {
                (DailyFolder::named(DEFAULT_DAILY_FOLDER), DailySource::Unreadable)
            }
        };
        let (format, format_source) = match (&overrides.format, &file) {
            (Some(format), _) => (format.as_str(), DailySource::Override),
            (None, Loaded::Read(file)) => file
                .format
                .as_deref()
                .map_or((DEFAULT_DAILY_FORMAT, DailySource::Fallback), |format| (format, DailySource::File)),
            (None, Loaded::Missing) => (DEFAULT_DAILY_FORMAT, DailySource::Fallback),
            (None, Loaded::Unreadable(_)) => (DEFAULT_DAILY_FORMAT, DailySource::Unreadable),
        };
        let format = format.to_owned();
        let unreadable = match file {
            Loaded::Unreadable(error) => Some(error),
            _ => None,
        };
        Self { folder, folder_source, format, format_source, unreadable }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &DailyFolder {
        &self.folder
    }

    /// Who decided on the folder.
    #[must_use]
    pub fn folder_source(&self) -> DailySource {
        self.folder_source
    }

    /// The moment format of the names, folders included.
    #[must_use]
    pub fn format(&self) -> &str {
        &self.format
    }

    /// Who decided on the format.
    #[must_use]
    pub fn format_source(&self) -> DailySource {
        self.format_source
    }

    /// Why `daily-notes.json` could not be read where it would have decided.
    #[must_use]
    pub fn unreadable(&self) -> Option<&SettingsError> {
        self.unreadable.as_deref()
    }

    /// The folder that holds daily notes and nothing else; `None` when they lie beside other notes, where
    /// a folder tells nothing. This is the folder to protect, to leave out and to expect notes in.
    #[must_use]
    pub fn own_folder(&self) -> Option<&VaultPath> {
        match &self.folder {
            DailyFolder::Folder(folder) => Some(folder),
            DailyFolder::Root | DailyFolder::Invalid { .. } => None,
        }
    }

    /// Whether a path, or a link's text, leads into [`Self::own_folder`]. Letter case does not matter.
    #[must_use]
    pub fn holds(&self, path: &str) -> bool {
        self.own_folder().is_some_and(|folder| {
            VaultPath::fold(path)
                .strip_prefix(folder.key().as_str())
                .is_some_and(|rest| rest.starts_with('/'))
        })
    }

    /// The path of a day's note, whether or not there is one.
    ///
    /// # Errors
    /// When folder or format cannot be used; the text says which, who set it and why.
    pub fn path_of(&self, date: Date) -> Result<VaultPath, DailyNoteError> {
        let setter = self.format_setter();
        let tokens = time_tokens(&self.format);
        if !tokens.is_empty() {
            return Err(DailyNoteError::TimeTokens { format: self.format.clone(), setter, tokens });
        }
        let folder = match &self.folder {
            DailyFolder::Root => "",
            DailyFolder::Folder(folder) => folder.as_str(),
            DailyFolder::Invalid { raw, error } => {
                return Err(DailyNoteError::Folder {
                    raw: raw.clone(),
                    setter: self.folder_setter(),
                    error: error.clone(),
                });
            }
        };
        let name = moment::format(date, &self.format, Locale::english());
        let refused =
            |error| DailyNoteError::Name { format: self.format.clone(), setter, name: name.clone(), error };
        let below = name.trim_start_matches(['/', '\\']);
        // A name of its own, before the folder is put in front: the format may not climb out of the folder.
        let path = VaultPath::parse(below).map_err(refused)?;
        let extension = if path.as_str().ends_with(".md") { "" } else { ".md" };
        let separator = if folder.is_empty() { "" } else { "/" };
        VaultPath::parse(&format!("{folder}{separator}{path}{extension}")).map_err(refused)
    }

    fn folder_setter(&self) -> Setter {
        match self.folder_source {
            DailySource::Override => Setter::Variable("DAILY_NOTES_FOLDER"),
            DailySource::File => Setter::File("daily-notes.json"),
            DailySource::NewNotes => Setter::File("app.json"),
            DailySource::Fallback | DailySource::Unreadable => Setter::Default,
        }
    }

    fn format_setter(&self) -> Setter {
        match self.format_source {
            DailySource::Override => Setter::Variable("DAILY_NOTES_FORMAT"),
            DailySource::File => Setter::File("daily-notes.json"),
            DailySource::NewNotes | DailySource::Fallback | DailySource::Unreadable => Setter::Default,
        }
    }
}

/// The tokens of a format that a date alone does not settle.
#[must_use]
pub fn time_tokens(format: &str) -> Vec<String> {
    moment::time_tokens(format, Locale::english())
}

impl DailyFolder {
    fn named(raw: &str) -> Self {
        match fields::folder(raw) {
            Ok(Some(folder)) => Self::Folder(folder),
            Ok(None) => Self::Root,
            Err(error) => Self::Invalid { raw: raw.to_owned(), error },
        }
    }

    /// Where new notes go when no note is open.
    fn of_new_notes(settings: Settings<'_>) -> Self {
        match &settings.app().or_default().new_file_location {
            NewFileLocation::Folder(Some(folder)) => Self::Folder(folder.clone()),
            NewFileLocation::Invalid(raw) => Self::named(raw),
            NewFileLocation::Folder(None) | NewFileLocation::Root | NewFileLocation::Current => Self::Root,
        }
    }
}
