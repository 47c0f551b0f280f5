//! The only crate that touches vault files: sandboxed paths, the walker, reading, Obsidian's own
//! settings, and the two traits through which the index hears of changes and is asked for backlinks.

mod decode;
mod error;
mod folder;
mod hard_links;
mod hash;
mod journal;
mod locate;
mod memory;
mod path;
mod principal;
mod read;
mod settings;
mod traits;
mod trash;
mod walk;
mod walker;
mod write;

pub use decode::Decoding;
pub use error::{PathError, VaultError};
pub use folder::FileStat;
pub use hash::{ContentHash, InvalidHash};
pub use journal::{
    ChangeId, ChangeKind, ChangeRecord, ChangeState, HistoryFilter, HistoryPage, Journal, JournalError,
    JournalOptions,
};
pub use memory::{MemoryFolder, MemoryNameError};
pub use path::{FileKind, VaultPath};
pub use principal::{FolderScope, Principal, Rights};
pub use read::{Content, MAX_FILE_BYTES, Vault, VaultOptions};
pub use settings::{
    AppFile, AttachmentFolder, DEFAULT_DAILY_FOLDER, DEFAULT_DAILY_FORMAT, DailyFolder, DailyNoteError,
    DailyNotes, DailyNotesFile, DailyNotesOverrides, DailySource, IgnoreFilter, Loaded, NewFileLocation,
    NewLinkFormat, PropertyType, PropertyTypes, Setter, Settings, SettingsError, TrashOption, time_tokens,
};
pub use traits::{Change, ChangeListener, LinkSource, ListenerError};
pub use walk::{FoundFile, SkipReason, Skipped, Walk};
pub use write::{
    Caller, Deleted, EditRefused, Faults, Lock, Moved, Protection, Step, Undo, UndoOptions, Undone,
    WriteError, WriteOptions, Writer, WriterClock, WriterOptions, Written,
};
