//! The HTTP surface. [`router()`] shows all of it on one page; each middleware is one file.

mod accept;
mod access_log;
mod bearer;
mod body;
mod client_address;
mod cors;
mod drain;
mod headers;
mod health;
mod host_check;
mod limits;
mod listener;
mod peers;
mod problem;
mod request_id;
mod router;

pub(crate) use client_address::ClientAddress;
pub(crate) use limits::{Limited, Limiter};
pub(crate) use listener::{Listener, Stop};
pub(crate) use request_id::RequestId;
pub(crate) use router::{HttpSettings, router};
