//! The index over real vaults on disk.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests make vaults on disk, and a failure is a panic"
)]

// The short name the rest of the workspace uses.
extern crate vault_cortex_search as search;

mod accounting;
mod anchors;
mod bad_input;
mod browse;
mod dump;
mod facade;
mod files;
mod filters;
mod harness;
mod lifecycle;
mod links;
mod memory;
mod moving;
mod overview;
mod principals;
mod properties;
mod repair;
mod shared_vaults;
mod skipped;
mod tasks;
mod through_links;
mod watching;
mod writer;
mod writing;
