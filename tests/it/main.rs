//! Integration tests: one binary, a module per subject. The harness is the library of this crate.
//!
//! The tests run the real `vault-cortex` beside them in the target folder: `make test` builds it
//! first. Each test has a vault, an index and a server of its own and reaches only loopback.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    reason = "tests: a surprise fails the test that met it"
)]

mod arguments;
mod bad_input;
mod cli;
mod configuration;
mod crash;
mod daily;
mod edge;
mod files;
mod fixtures;
mod freshness;
mod fts_seed;
mod gating;
mod hard_places;
mod house;
mod journal;
mod limited;
mod limits;
mod logs;
mod memory;
mod memory_writing;
mod oauth;
mod pain;
mod prompts;
mod protocol;
mod race;
mod request_order;
mod session;
mod shared_vaults;
mod shutdown;
mod startup;
mod stdio;
mod task_writing;
mod tasks;
mod tools;
mod writing;
