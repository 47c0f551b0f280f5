//! The only crate that touches vault files: sandboxed paths, the walker, reading, Obsidian's own
//! settings, and the two traits through which the index hears of changes and is asked for backlinks.
//!
//! | module | what |
//! |---|---|
//! | `path`, `principal` | vault paths, and who may see and do what |
//! | `locate`, `folder`, `hard_links` | from a path to a file, link by link, without leaving the vault |
//! | `read`, `walk`, `walker`, `decode`, `hash` | reading files and finding all of them |
//! | `settings`, `memory` | `.obsidian` as it is now; the folder of memory files |
//! | `write` | the one way to change a file: locks, atomic writes, moves, undo, repair |
//! | `journal`, `trash` | what was changed by whom, with the contents; where deleted notes go |

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
    JournalOptions, JournalStatus,
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
