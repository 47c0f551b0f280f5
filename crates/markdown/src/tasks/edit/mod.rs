//! Editing tasks: one line, or a task with its sub-items in its note.
//!
//! Everything is text in, text out. Only the lines of the task concerned change; every other byte of the
//! note stays, line ends included. A line is written as the plugin writes it.
//!
//! | module | what |
//! |---|---|
//! | `line` | the fields of one line |
//! | `extent` | which lines belong to a task |
//! | `place` | where a task goes under a heading, below a parent, at the end |
//! | `note` | creating and updating a task in a note |
//! | `error` | what can be refused, and why |

mod error;
mod extent;
mod line;
mod note;
mod place;

pub use error::EditError;
pub use extent::extent;
pub use line::{Edit, draft, edit_line};
pub use note::{Context, Difference, Edited, NewTask, Target, Update, create, update};
pub use place::{Place, Position};
