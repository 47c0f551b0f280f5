//! The OAuth server over HTTP: what clients discover, how they are let in, and who is not.

mod abuse;
mod authorization;
mod client;
mod consent;
mod discovery;
mod documents;
mod flow;
mod page;
mod refresh;
mod registration;
mod revocation;
