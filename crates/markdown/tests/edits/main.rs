//! Edits of notes: what changes, what stays, what is refused.
//!
//! | module | what |
//! |---|---|
//! | `properties`, `write_note`, `section`, `replace`, `anchor`, `links`, `memory` | each rule on notes of our own |
//! | `rows` | the shared rows about writing: YAML, renames, complaints about other tools |
//! | `hostile` | notes nobody writes, in sizes that show what is not linear |
//! | `random` | what holds for every note, on random ones and on real vaults |
//!
//! Rows and vaults are not part of the repository. Without them their tests say so and pass, unless
//! `REQUIRE_SHARED=1` asks for them.

#![cfg(test)]

#[path = "../cases/shared.rs"]
mod shared;

mod anchor;
mod hostile;
mod links;
mod memory;
mod properties;
mod random;
mod replace;
mod rows;
mod section;
mod write_note;
