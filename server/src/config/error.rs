//! Error policy: a wrong setting stops the boot. The message names the variable, what it got
//! (never a secret) and what is allowed. All wrong settings are reported at once, so that an
//! operator does not restart once per mistake.

use std::fmt;

use super::variable::Variable;

/// One wrong setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConfigError {
    /// A required variable is unset or empty.
    #[error("{name} is not set: set it to {accepts}")]
    Missing {
        /// The variable.
        name: &'static str,
        /// What it may be set to.
        accepts: &'static str,
    },
    /// A value that is not allowed.
    #[error("{name} is {got:?}: set it to {accepts}{detail}")]
    Invalid {
        /// The variable.
        name: &'static str,
        /// The value found.
        got: String,
        /// What it may be set to.
        accepts: &'static str,
        /// What is wrong in particular, with its separator; may be empty.
        detail: String,
    },
    /// A secret that is not allowed. Its value is not shown.
    #[error("{name} is not usable: set it to {accepts}")]
    InvalidSecret {
        /// The variable.
        name: &'static str,
        /// What it may be set to.
        accepts: &'static str,
    },
    /// A value that is not valid Unicode.
    #[error("{name} is not valid UTF-8: set it to {accepts}")]
    NotUnicode {
        /// The variable.
        name: &'static str,
        /// What it may be set to.
        accepts: &'static str,
    },
}

impl ConfigError {
    /// A value that is not allowed.
    pub(crate) fn invalid(variable: &Variable, got: &str) -> Self {
        Self::Invalid {
            name: variable.name,
            got: shorten(got),
            accepts: variable.accepts,
            detail: String::new(),
        }
    }

    /// A value that is not allowed, with the reason in particular.
    pub(crate) fn invalid_because(variable: &Variable, got: &str, reason: impl fmt::Display) -> Self {
        Self::Invalid {
            name: variable.name,
            got: shorten(got),
            accepts: variable.accepts,
            detail: format!(" ({reason})"),
        }
    }

    /// A required variable without a value.
    pub(crate) fn missing(variable: &Variable) -> Self {
        Self::Missing { name: variable.name, accepts: variable.accepts }
    }
}

/// Values are quoted in one line of log: a pasted file must not fill it.
fn shorten(value: &str) -> String {
    const MOST: usize = 120;
    if value.chars().count() <= MOST {
        return value.to_owned();
    }
    value.chars().take(MOST).chain("…".chars()).collect()
}

/// All wrong settings of one boot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigErrors(pub(crate) Vec<ConfigError>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            write!(formatter, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}

impl From<ConfigError> for ConfigErrors {
    fn from(error: ConfigError) -> Self {
        Self(vec![error])
    }
}
