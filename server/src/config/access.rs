//! Who may call the server.

use token::Secret;

use super::environment::Environment;
use super::error::ConfigError;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const MCP_AUTH_TOKEN: Variable = Variable {
    name: "MCP_AUTH_TOKEN",
    default: DefaultValue::Required,
    accepts: "a secret of letters, digits and -._~+/ (RFC 6750), for instance the output of `openssl rand -hex 32`",
    effect: "The static bearer token that clients send. Required by `serve`; `serve --stdio` needs \
             none, since only the process that started it can speak to it.",
    stage: Stage::Effective,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup = VariableGroup { title: "Access", variables: &[MCP_AUTH_TOKEN] };

/// Who may call the server over HTTP.
#[derive(Debug, Clone)]
pub(crate) struct AccessConfig {
    /// `MCP_AUTH_TOKEN`, required: the static bearer token.
    pub(crate) token: Secret,
}

/// A shorter secret can be guessed by whoever has something that was signed with it.
const FEWEST_CHARACTERS: usize = 24;

impl AccessConfig {
    /// Whether the token can be guessed, offline and with patience, by whoever holds a token signed with it.
    pub(crate) fn is_short(&self) -> bool {
        self.token.expose().len() < FEWEST_CHARACTERS
    }

    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        let token = environment.required_text(&MCP_AUTH_TOKEN)?;
        // Anything else could be configured here but never arrive in a header.
        if !token::is_token(&token) {
            return Err(ConfigError::InvalidSecret {
                name: MCP_AUTH_TOKEN.name,
                accepts: MCP_AUTH_TOKEN.accepts,
            });
        }
        Ok(Self { token: Secret::new(token) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_required_trimmed_and_never_shown() {
        assert!(AccessConfig::from_environment(&Environment::default()).is_err());
        let environment = Environment::of_pairs([("MCP_AUTH_TOKEN", " abc\n")]);
        assert_eq!(AccessConfig::from_environment(&environment).unwrap().token.expose(), "abc");
        for bad in ["two words", "müller", "a\tb"] {
            let environment = Environment::of_pairs([("MCP_AUTH_TOKEN", bad)]);
            let error = AccessConfig::from_environment(&environment).unwrap_err().to_string();
            assert!(error.starts_with("MCP_AUTH_TOKEN is not usable"), "{error}");
            assert!(!error.contains(bad), "{error}");
        }
    }
}
