//! The decision, row by row: once against the library, once against the built process behind a stand-in for
//! the Lambda Runtime API.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

mod any_event;
mod process;
mod rows;
mod runtime_api;
mod signing;
