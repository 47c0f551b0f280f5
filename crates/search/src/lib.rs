//! The index over a vault: full text, links, tags and properties in one database beside the vault,
//! kept equal to what lies on disk.
//!
//! [`Index`] is the door. It is opened on a [`vault::Vault`], reconciled with it, told of changes by
//! the vault's own writes ([`vault::ChangeListener`]) and by the watcher, and asked by the server.
//! Everything here blocks; async code calls it from a blocking thread.

mod answer;
mod ask;
mod core;
mod error;
pub mod eval;
mod index;
mod note;
mod open;
mod options;
mod pipeline;
mod query;
mod schema;
mod status;
mod tasks;
pub mod text;
mod watch;
mod write;

pub use answer::{
    Backlink, BrokenLinks, FolderCount, FtsAnswer, FtsHit, Kind, LeadingCallout, LineRange, NoteMeta,
    OutgoingLink, Page, PropertyKey, PropertyValue, RecallAnswer, RecalledEntry, SearchAnswer, SearchHit,
    TagCount, VaultStats,
};
pub use error::SearchError;
pub use index::Index;
pub use options::{Clock, IndexOptions};
pub use query::{DateRange, Filters, FtsQuery, Part, RecallQuery, SearchQuery, SortBy};
pub use status::{
    Problem, ProblemKind, Progress, Rebuilt, ReconcileSummary, SkippedFile, Status, WatcherState,
};
pub use tasks::{DateField, Direction, StatusFilter, Subtasks, TaskItem, TaskQuery, TaskSort};
pub use watch::WatchHandle;
