//! Tests of the engine over a real database.

mod harness;
mod incremental;
mod ranking;
mod scopes;
mod seed;
mod syntax;
