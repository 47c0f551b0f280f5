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
//! | `join` | how it is written beside the items that are there |
//! | `create`, `update` | a task in its note |
//! | `answer` | what an edit answers |
//! | `error` | what can be refused, and why |

mod answer;
mod create;
mod error;
mod extent;
mod ground;
mod join;
mod line;
mod place;
mod update;

pub use answer::{Difference, Edited};
pub use create::{NewTask, create};
pub use error::EditError;
pub use extent::extent;
pub use ground::Context;
pub use line::{Edit, draft, edit_line};
pub use place::{Place, Position};
pub use update::{Target, Update, find_task, update};
