//! The OAuth server: where its state lies and how long its tokens live.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::http::Uri;

use super::environment::Environment;
use super::error::ConfigError;
use super::index::real_location;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const OAUTH_DB_PATH: Variable = Variable {
    name: "OAUTH_DB_PATH",
    default: DefaultValue::Found("`oauth.db` in the folder of `INDEX_DB_PATH`"),
    accepts: "the path of a file outside the vault",
    effect: "Where registered clients, consents and limited tokens are kept, with mode 0600. It holds no \
             token that anybody could present. Back it up: without it every client has to be let in again.",
    stage: Stage::Effective,
};
const ACCESS_TOKEN_TTL: Variable = Variable {
    name: "ACCESS_TOKEN_TTL",
    default: DefaultValue::Text("6h"),
    accepts: "a whole number with its unit (s, m, h or d) from 1s to 30d, for instance 6h",
    effect: "How long an access token of OAuth is valid. Clients renew it without the owner; a client that \
             does so badly is helped by a longer time.",
    stage: Stage::Effective,
};
const REFRESH_GRACE: Variable = Variable {
    name: "REFRESH_GRACE",
    default: DefaultValue::Text("30s"),
    accepts: "a whole number with its unit (s, m, h or d) from 0s to 10m, for instance 30s",
    effect: "How long after its use a refresh token gives the current one again, for clients that renew \
             several times at once. Presented later it counts as stolen, and the client has to be let in \
             again.",
    stage: Stage::Effective,
};
const SERVICE_DOCUMENTATION_URL: Variable = Variable {
    name: "SERVICE_DOCUMENTATION_URL",
    default: DefaultValue::Unset,
    accepts: "an http or https URL",
    effect: "Where the OAuth metadata sends readers for documentation.",
    stage: Stage::Effective,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup = VariableGroup {
    title: "OAuth",
    variables: &[OAUTH_DB_PATH, ACCESS_TOKEN_TTL, REFRESH_GRACE, SERVICE_DOCUMENTATION_URL],
};

const DAY: u64 = 24 * 60 * 60;

/// The OAuth server: where its state lies and how long its tokens live.
#[derive(Debug, Clone)]
pub(crate) struct OauthConfig {
    /// `OAUTH_DB_PATH`, default beside the index.
    db_path: Option<PathBuf>,
    /// `ACCESS_TOKEN_TTL`, default 6 hours; whole seconds, at least one.
    pub(crate) access_token_ttl: Duration,
    /// `REFRESH_GRACE`, default 30 seconds; whole seconds.
    pub(crate) refresh_grace: Duration,
    /// `SERVICE_DOCUMENTATION_URL`, default none.
    pub(crate) service_documentation: Option<String>,
}

impl OauthConfig {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        let service_documentation = environment.text(&SERVICE_DOCUMENTATION_URL)?;
        if let Some(url) = &service_documentation
            && !is_web_url(url)
        {
            return Err(ConfigError::invalid(&SERVICE_DOCUMENTATION_URL, url));
        }
        Ok(Self {
            db_path: environment.text(&OAUTH_DB_PATH)?.map(PathBuf::from),
            access_token_ttl: duration(environment, &ACCESS_TOKEN_TTL, 1, 30 * DAY)?,
            refresh_grace: duration(environment, &REFRESH_GRACE, 0, 600)?,
            service_documentation,
        })
    }

    /// The file. `vault` is the vault's canonical root, `index` the index file.
    ///
    /// # Errors
    /// When it would lie inside the vault or is a folder.
    pub(crate) fn db_path_of(&self, vault: &Path, index: &Path) -> Result<PathBuf, ConfigError> {
        let Some(path) = &self.db_path else {
            return Ok(index.parent().map(Path::to_path_buf).unwrap_or_default().join("oauth.db"));
        };
        let refused =
            |reason| Err(ConfigError::invalid_because(&OAUTH_DB_PATH, &path.to_string_lossy(), reason));
        if real_location(path).starts_with(vault) {
            return refused("it lies inside the vault");
        }
        if path.is_dir() {
            return refused("it is a folder");
        }
        Ok(path.clone())
    }
}

/// A whole number and its unit, within a range of seconds.
fn duration(
    environment: &Environment,
    variable: &Variable,
    least: u64,
    most: u64,
) -> Result<Duration, ConfigError> {
    let text = environment.required_text(variable)?;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => DAY,
        _ => return Err(ConfigError::invalid(variable, &text)),
    };
    number
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(unit))
        .filter(|seconds| (least..=most).contains(seconds))
        .map(Duration::from_secs)
        .ok_or_else(|| ConfigError::invalid(variable, &text))
}

fn is_web_url(text: &str) -> bool {
    text.parse::<Uri>()
        .is_ok_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.authority().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(pairs: &[(&str, &str)]) -> Result<OauthConfig, ConfigError> {
        OauthConfig::from_environment(&Environment::of_pairs(pairs.iter().copied()))
    }

    #[track_caller]
    fn ttl(text: &str, seconds: Option<u64>) {
        let found =
            config(&[("ACCESS_TOKEN_TTL", text)]).ok().map(|config| config.access_token_ttl.as_secs());
        assert_eq!(found, seconds, "{text:?}");
    }

    #[test]
    fn times_have_a_unit_and_a_range() {
        ttl("", Some(6 * 3600));
        ttl("90s", Some(90));
        ttl("5 m", Some(300));
        ttl("12H", Some(12 * 3600));
        ttl("1d", Some(DAY));
        for wrong in ["6", "h", "6 hours", "-1h", "1.5h", "0s", "31d", "99999999999999999999h", "6hh", "６h"]
        {
            ttl(wrong, None);
        }
        assert_eq!(config(&[("REFRESH_GRACE", "0s")]).unwrap().refresh_grace, Duration::ZERO);
        assert_eq!(config(&[]).unwrap().refresh_grace, Duration::from_secs(30));
        assert!(config(&[("REFRESH_GRACE", "11m")]).is_err());
    }

    #[test]
    fn the_file_lies_beside_the_index_unless_told_and_never_in_the_vault() {
        let (vault, index) = (Path::new("/vault"), Path::new("/data/index.db"));
        assert_eq!(config(&[]).unwrap().db_path_of(vault, index).unwrap(), Path::new("/data/oauth.db"));
        let elsewhere = config(&[("OAUTH_DB_PATH", "/other/state.db")]).unwrap();
        assert_eq!(elsewhere.db_path_of(vault, index).unwrap(), Path::new("/other/state.db"));
        for refused in ["/vault/oauth.db", "/tmp"] {
            assert!(config(&[("OAUTH_DB_PATH", refused)]).unwrap().db_path_of(vault, index).is_err());
        }
    }
}
