//! The questions. Each is answered from one snapshot of the tables, and each begins with what the
//! caller may see.
//!
//! | module | what |
//! |---|---|
//! | `scope`, `real` | what a caller sees; what its paths and folders really are |
//! | `condition`, `filters`, `related` | conditions in SQL, and filters as sets of documents |
//! | `search`, `passage` | ranked search and its snippets |
//! | `meta`, `browse`, `tags`, `properties` | rows of notes, and the lists of them |
//! | `links`, `anchors` | the link graph, and the parts of notes that links name |
//! | `overview` | the vault as a whole: counts, folders, broken links, the changes of a day |
//! | `tasks`, `memory`, `status` | tasks, memory entries, how the index is doing |

pub(crate) mod anchors;
pub(crate) mod browse;
pub(crate) mod condition;
pub(crate) mod filters;
pub(crate) mod links;
pub(crate) mod memory;
pub(crate) mod meta;
pub(crate) mod overview;
pub(crate) mod passage;
pub(crate) mod properties;
pub(crate) mod real;
mod related;
pub(crate) mod scope;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod tags;
pub(crate) mod tasks;

pub(crate) use memory::MemoryCorpus;
pub(crate) use status::Tables;
