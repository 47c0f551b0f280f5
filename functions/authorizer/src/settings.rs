//! What the function is configured with. Read once; it fails closed.

use token::{KeyError, OriginError, PublicOrigin, Secret};

/// Why the function does not start. Names the variable, never its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// A variable is missing or empty.
    #[error("{0} is not set")]
    Missing(&'static str),
    /// `MCP_AUTH_TOKEN` holds characters that no bearer token has, so that nobody could present it.
    #[error("MCP_AUTH_TOKEN must be made of letters, digits and -._~+/")]
    Token,
    /// `PUBLIC_URL` is no origin.
    #[error("PUBLIC_URL is not usable: {0}")]
    PublicUrl(#[from] OriginError),
    /// No key can be made of `MCP_AUTH_TOKEN`.
    #[error("MCP_AUTH_TOKEN is not usable: {0}")]
    Key(#[from] KeyError),
}

/// The secret and the deployment it is for: the same two values as the host's.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `MCP_AUTH_TOKEN`, required: the static token, and the key of signed ones.
    pub auth_token: Secret,
    /// `PUBLIC_URL`, required: what signed tokens must be bound to.
    pub origin: PublicOrigin,
}

impl Settings {
    /// Checks the values of the variables, as the host does: space around them is none of them.
    ///
    /// # Errors
    /// One [`SettingsError`] per rule.
    pub fn new(auth_token: Option<&str>, public_url: Option<&str>) -> Result<Self, SettingsError> {
        let auth_token = required("MCP_AUTH_TOKEN", auth_token)?;
        let public_url = required("PUBLIC_URL", public_url)?;
        if !token::is_token(auth_token) {
            return Err(SettingsError::Token);
        }
        Ok(Self { auth_token: Secret::new(auth_token), origin: PublicOrigin::parse(public_url)? })
    }
}

fn required<'a>(name: &'static str, value: Option<&'a str>) -> Result<&'a str, SettingsError> {
    value.map(str::trim).filter(|value| !value.is_empty()).ok_or(SettingsError::Missing(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_starts_only_with_both_variables() {
        let settings = Settings::new(Some(" s3cret\n"), Some("https://vault.example.com/ ")).unwrap();
        assert_eq!(settings.auth_token.expose(), "s3cret");
        assert_eq!(settings.origin.as_str(), "https://vault.example.com");
        for (token, url, error) in [
            (None, Some("https://a.b"), SettingsError::Missing("MCP_AUTH_TOKEN")),
            (Some("  "), Some("https://a.b"), SettingsError::Missing("MCP_AUTH_TOKEN")),
            (Some("t"), None, SettingsError::Missing("PUBLIC_URL")),
            (Some("t"), Some(""), SettingsError::Missing("PUBLIC_URL")),
            (Some("two words"), Some("https://a.b"), SettingsError::Token),
            (Some("t"), Some("https://a.b/path"), SettingsError::PublicUrl(OriginError::Path)),
            (Some("t"), Some("a.b"), SettingsError::PublicUrl(OriginError::Scheme)),
        ] {
            assert_eq!(Settings::new(token, url).unwrap_err(), error);
        }
    }

    #[test]
    fn no_error_shows_the_secret() {
        let error = Settings::new(Some("hunter2 oops"), Some("https://a.b")).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }
}
