//! Tasks: reading, writing, toggling and listing the task lines of the Tasks plugin.
//!
//! Everything here follows the Tasks plugin 8.3.0 and rrule 2.8.1, which it carries. No clock is read:
//! "today" is always an argument.
//!
//! | module | what |
//! |---|---|
//! | `line` | the shape of a task line |
//! | `fields` | the fields at its end, emoji and Dataview |
//! | `task` | a task as a value, and its canonical line |
//! | `status` | what the character in the box means |
//! | `settings` | the plugin's settings file |
//! | `recurrence` | repeat rules |
//! | `toggle` | status changes and what follows from them |
//! | `filename` | dates taken from file names |
//! | `dependencies` | blocked tasks and new ids |
//! | `note` | the tasks of a whole note |
//! | `edit` | changing a line, creating and moving tasks in a note |

mod date;
mod dependencies;
pub mod edit;
mod fields;
mod filename;
mod kinds;
mod line;
mod note;
pub mod recurrence;
mod settings;
mod status;
mod tags;
mod task;
mod text;
mod toggle;

pub use date::TaskDate;
pub use dependencies::Dependencies;
pub use dependencies::is_task_id;
pub use filename::date_in_path;
pub use kinds::Dropped;
pub use kinds::Field;
pub use kinds::Format;
pub use kinds::OnCompletion;
pub use kinds::Priority;
pub use kinds::Reading;
pub use line::Parts;
pub use line::marker_length;
pub use line::split;
pub use note::NoteTask;
pub use note::in_note;
pub use recurrence::Recurrence;
pub use settings::Settings;
pub use settings::SettingsError;
pub use status::Status;
pub use status::StatusRegistry;
pub use status::StatusType;
pub use tags::tags;
pub use task::Task;
pub use toggle::Change;
pub use toggle::set_status;
pub use toggle::toggle;
