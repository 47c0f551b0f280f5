//! Keeping the index equal to the vault: what looks at the disk, and in which order what it saw is
//! written.
//!
//! | module | what |
//! |---|---|
//! | `reconcile`, `refresh` | the whole vault or a folder; single paths |
//! | `look` | one file: what lies there, and what the index keeps of it |
//! | `rules` | task rows that follow the settings of the Tasks plugin |
//! | `skipped`, with `kept_out` and `leads` | what is not indexed and why: judged again, held in memory, where links lead |
//! | `unread` | whose links the index does not know, for moves |
//! | `generations`, `turns`, `backlog` | older work never overwrites newer; one write at a time; how much is read ahead |

pub(crate) mod backlog;
pub(crate) mod generations;
mod kept_out;
mod leads;
pub(crate) mod look;
pub(crate) mod reconcile;
pub(crate) mod refresh;
pub(crate) mod rules;
pub(crate) mod skipped;
pub(crate) mod turns;
mod unread;
