//! Keeping the index equal to the vault: what looks at the disk, and in which order what it saw is
//! written.

pub(crate) mod backlog;
pub(crate) mod generations;
mod kept_out;
mod leads;
pub(crate) mod look;
pub(crate) mod reconcile;
pub(crate) mod refresh;
pub(crate) mod rules;
pub(crate) mod skipped;
pub(crate) mod turns;
