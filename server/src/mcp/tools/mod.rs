//! The tools, one file each: arguments, answer, text, handler. Which of them are served, and what
//! they are called, stands in [`super::registry`].

mod find_orphans;
mod folder;
mod fts_search;
mod get_backlinks;
mod get_daily_note;
mod get_memory;
mod get_outgoing_links;
mod index_status;
mod journal;
mod lines;
mod links;
mod list_files;
mod list_memory_files;
mod list_notes;
mod list_property_keys;
mod list_property_values;
mod list_tags;
mod list_tasks;
mod memory_files;
mod memory_recall;
mod note_list;
mod note_row;
mod read_file;
mod read_note;
mod recent_notes;
mod search;
mod search_by_folder;
mod search_by_property;
mod search_by_tag;
mod support;
#[cfg(test)]
mod tests;
mod write;

// What prompts use as well.
pub(super) use get_daily_note::{parse_date, settings_problem as daily_settings_problem};
pub(super) use memory_files::entry_policy;
pub(super) use note_row::shorten_text;
pub(super) use support::encoding;

pub(crate) use find_orphans::FindOrphans;
pub(crate) use fts_search::FtsSearch;
pub(crate) use get_backlinks::GetBacklinks;
pub(crate) use get_daily_note::GetDailyNote;
pub(crate) use get_memory::GetMemory;
pub(crate) use get_outgoing_links::GetOutgoingLinks;
pub(crate) use index_status::IndexStatus;
pub(crate) use journal::{Diff, History, Undo};
pub(crate) use list_files::ListFiles;
pub(crate) use list_memory_files::ListMemoryFiles;
pub(crate) use list_notes::ListNotes;
pub(crate) use list_property_keys::ListPropertyKeys;
pub(crate) use list_property_values::ListPropertyValues;
pub(crate) use list_tags::ListTags;
pub(crate) use list_tasks::ListTasks;
pub(crate) use memory_recall::MemoryRecall;
pub(crate) use read_file::ReadFile;
pub(crate) use read_note::ReadNote;
pub(crate) use recent_notes::RecentNotes;
pub(crate) use search::Search;
pub(crate) use search_by_folder::SearchByFolder;
pub(crate) use search_by_property::SearchByProperty;
pub(crate) use search_by_tag::SearchByTag;
pub(crate) use write::{
    CreateTask, DeleteMemory, DeleteNote, DeleteSpan, InsertAtAnchor, MoveNote, PatchNote, ReplaceInNote,
    ReplaceSpan, UpdateMemory, UpdateProperties, UpdateTask, WriteNote,
};
