//! The only crate that touches vault files.
