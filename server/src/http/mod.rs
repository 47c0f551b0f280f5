//! The HTTP surface. [`router()`] shows all of it on one page; each middleware is one file.

mod accept;
mod access_log;
mod bearer;
mod body;
mod cors;
mod health;
mod host_check;
#[allow(dead_code, reason = "the endpoints that are limited follow")]
mod limits;
mod listener;
mod problem;
mod request_id;
mod router;

#[allow(unused_imports, reason = "the endpoints that are limited follow")]
pub(crate) use limits::{Limited, Limiter};
pub(crate) use listener::{Listener, Stop};
pub(crate) use request_id::RequestId;
pub(crate) use router::{HttpSettings, router};
