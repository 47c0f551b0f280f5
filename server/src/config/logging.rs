//! What is logged and where, and the time zone of every date the server says.

use std::path::PathBuf;

use jiff::tz::TimeZone;

use super::environment::Environment;
use super::error::ConfigError;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const LOG_LEVEL: Variable = Variable {
    name: "LOG_LEVEL",
    default: DefaultValue::Text("info"),
    accepts: "debug, info, warn or error",
    effect: "The least severe records that are logged.",
    stage: Stage::Effective,
};
const LOG_DIR: Variable = Variable {
    name: "LOG_DIR",
    default: DefaultValue::Unset,
    accepts: "the path of a folder; none switches it off",
    effect: "Also writes the log to files `vault-mcp-YYYY-MM-DD.log` in this folder, a new one at \
             midnight of `TZ`.",
    stage: Stage::Effective,
};
const LOG_RETENTION_DAYS: Variable = Variable {
    name: "LOG_RETENTION_DAYS",
    default: DefaultValue::Text("90"),
    accepts: "a whole number of days from 1 to 36500",
    effect: "Log files older than this are deleted at start and at midnight.",
    stage: Stage::Effective,
};
const TZ: Variable = Variable {
    name: "TZ",
    default: DefaultValue::Text("UTC"),
    accepts: "an IANA time zone, for instance Europe/Berlin",
    effect: "The time zone of dates and times in answers and of the log files' days.",
    stage: Stage::Effective,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup =
    VariableGroup { title: "Log and time zone", variables: &[LOG_LEVEL, LOG_DIR, LOG_RETENTION_DAYS, TZ] };

/// What is logged and where, and the time zone.
#[derive(Debug, Clone)]
pub(crate) struct LoggingConfig {
    /// `LOG_LEVEL`, default info.
    pub(crate) level: tracing::Level,
    /// `LOG_DIR`, default none: a folder for daily log files.
    pub(crate) directory: Option<PathBuf>,
    /// `LOG_RETENTION_DAYS`, default 90.
    pub(crate) retention_days: u32,
    /// `TZ`, default UTC.
    pub(crate) time_zone: TimeZone,
}

impl LoggingConfig {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        let level = environment.choice(
            &LOG_LEVEL,
            &[
                ("debug", tracing::Level::DEBUG),
                ("info", tracing::Level::INFO),
                ("warn", tracing::Level::WARN),
                ("error", tracing::Level::ERROR),
            ],
        )?;
        let directory = environment
            .text(&LOG_DIR)?
            .filter(|value| !value.eq_ignore_ascii_case("none"))
            .map(PathBuf::from);
        let zone = environment.required_text(&TZ)?;
        // POSIX writes a name as ":Europe/Berlin".
        let time_zone =
            TimeZone::get(zone.trim_start_matches(':')).map_err(|_| ConfigError::invalid(&TZ, &zone))?;
        let retention_days = environment.integer(&LOG_RETENTION_DAYS, 1..=36_500)?;
        Ok(Self {
            level,
            directory,
            retention_days: u32::try_from(retention_days).unwrap_or(u32::MAX),
            time_zone,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_zone_comes_from_the_bundled_database() {
        let config =
            LoggingConfig::from_environment(&Environment::of_pairs([("TZ", "Europe/Berlin")])).unwrap();
        assert_eq!(config.time_zone.iana_name(), Some("Europe/Berlin"));
        let config = LoggingConfig::from_environment(&Environment::default()).unwrap();
        assert_eq!(config.time_zone.iana_name(), Some("UTC"));
    }

    #[test]
    fn none_in_any_letter_case_means_no_folder() {
        for value in ["none", "NONE", ""] {
            let config =
                LoggingConfig::from_environment(&Environment::of_pairs([("LOG_DIR", value)])).unwrap();
            assert_eq!(config.directory, None, "{value:?}");
        }
    }

    #[test]
    fn a_level_that_nobody_knows_stops_the_boot_and_says_what_is_allowed() {
        let level = |value| LoggingConfig::from_environment(&Environment::of_pairs([("LOG_LEVEL", value)]));
        let error = level("loud").unwrap_err().to_string();
        assert_eq!(error, "LOG_LEVEL is \"loud\": set it to debug, info, warn or error");
        assert_eq!(level("WARN").unwrap().level, tracing::Level::WARN);
        assert_eq!(level("").unwrap().level, tracing::Level::INFO);
    }

    #[test]
    fn wrong_values_name_their_variable() {
        for (name, value) in [("LOG_RETENTION_DAYS", "0"), ("TZ", "Mars/Olympus_Mons")] {
            let error = LoggingConfig::from_environment(&Environment::of_pairs([(name, value)])).unwrap_err();
            assert!(error.to_string().starts_with(name), "{error}");
        }
    }
}
