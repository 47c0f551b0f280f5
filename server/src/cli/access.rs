//! What `token` and `client` share: the file of the OAuth server, and limits in words.

use anyhow::Context as _;
use jiff::Timestamp;
use token::{Limits, Right};

use super::location::Location;
use crate::app::now;
use crate::changes::show_time;
use crate::config::{AccessConfig, Environment, OauthConfig};
use crate::oauth::OauthStore;

/// The OAuth server's state, beside a server that may be running on it.
pub(super) fn open(location: &Location, environment: &Environment) -> anyhow::Result<OauthStore> {
    let access = AccessConfig::from_environment(environment)?;
    let config = OauthConfig::from_environment(environment)?;
    let path = config.db_path_of(location.vault.root(), &location.options.db_path)?;
    OauthStore::open(&path, &access.token, now).context("OAUTH_DB_PATH")
}

/// A time as answers show it.
pub(super) fn shown(seconds: i64, location: &Location) -> String {
    show_time(Timestamp::from_second(seconds).unwrap_or_default(), &location.options.time_zone)
}

/// What the limits allow, each right by its name.
pub(super) fn names_of(rights: &[Right]) -> Vec<&'static str> {
    let name = |right: &Right| match right {
        Right::Read => "read",
        Right::Write => "write",
        Right::Delete => "delete",
    };
    rights.iter().map(name).collect()
}

/// The rights that the limits leave; all of them when they name none.
pub(super) fn rights_of(limits: &Limits) -> Vec<Right> {
    limits.rights.clone().unwrap_or_else(|| vec![Right::Read, Right::Write, Right::Delete])
}

/// The folders that the limits leave.
pub(super) fn folders_in_words(limits: &Limits) -> String {
    limits.folders.as_ref().map_or("the whole vault".to_owned(), |folders| folders.join(", "))
}
