//! Tasks, moment formats, Kanban boards, canvases and memory files.
//!
//! | module | what |
//! |---|---|
//! | `task_rows`, `moment_rows`, `kanban_rows` | rows made by running the plugins: what they really answered |
//! | `vaults` | real vaults |
//! | `task_rules`, `moment_rules`, `task_edits` | each rule on lines of our own |
//! | `properties`, `hostile` | what holds for every text, and for texts nobody writes |
//!
//! Rows and vaults are not part of the repository. Without them their tests say so and pass, unless
//! `REQUIRE_SHARED=1` asks for them.

#![cfg(test)]

#[path = "../cases/shared.rs"]
mod shared;

mod hostile;
mod kanban_rows;
mod moment_rows;
mod moment_rules;
mod properties;
mod rows;
mod task_edits;
mod task_rows;
mod task_rules;
mod vaults;
