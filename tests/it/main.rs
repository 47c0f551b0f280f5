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

mod daily;
mod files;
mod house;
