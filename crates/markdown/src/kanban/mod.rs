//! Boards of the Kanban plugin: reading them, and the text the plugin saves.
//!
//! A board is a note whose properties have `kanban-plugin`. Its lanes are headings, its cards the top-level
//! items of the first list under each. The rules were found by running the plugin on boards and looking at
//! what it wrote; they are the plugin's, not ours: where it loses text on saving, so does [`saved()`], which
//! serves to tell beforehand what a save will do.

mod board;
mod card;
mod lanes;
mod saved;
mod settings;
mod whole;
mod yaml;

pub use board::{Board, KanbanError, Lane, is_board, read};
pub use card::Card;
pub use lanes::{complete_lanes, done_lanes};
pub use saved::{Indent, saved};
pub use settings::SETTING_KEYS;
pub use whole::{Unsaved, unsaved};
