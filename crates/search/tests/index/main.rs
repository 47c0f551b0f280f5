//! The index over real vaults on disk.

mod bad_input;
mod dump;
mod facade;
mod harness;
mod links;
mod lifecycle;
mod principals;
mod repair;
mod shared_vaults;
mod watching;
