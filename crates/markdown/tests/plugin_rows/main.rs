//! Rows made by running the plugins: what Tasks, moment and Kanban really answered; and real vaults.
//!
//! The rows are not part of the repository. Without them these tests say so and pass, unless
//! `REQUIRE_SHARED=1` asks for them.

#[cfg(test)]
mod kanban;
#[cfg(test)]
mod moment;
#[cfg(test)]
mod rows;
#[cfg(test)]
mod tasks;
#[cfg(test)]
mod vaults;
