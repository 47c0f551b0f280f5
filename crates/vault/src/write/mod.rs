//! The write path: everything that changes the vault.

#![allow(dead_code, reason = "built up step by step")]

mod error;
mod leftovers;
mod locks;
mod names;
mod steps;
mod temporary;

pub use error::{EditRefused, WriteError};
pub use locks::Lock;
pub use steps::{Faults, Step};
