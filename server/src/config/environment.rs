//! The one place that reads the process environment, and the readers that the concerns share.
//!
//! Tests pass a map instead of the process environment, so that they run side by side.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::RangeInclusive;
#[cfg(test)]
use std::sync::{Arc, Mutex};

use super::error::ConfigError;
use super::variable::{DefaultValue, Variable};

/// The environment as it was when the process started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    values: BTreeMap<OsString, OsString>,
    /// The names that were asked for: a test holds the reference page against them.
    #[cfg(test)]
    asked: Arc<Mutex<Vec<&'static str>>>,
}

impl Environment {
    /// The environment of this process.
    pub(crate) fn of_process() -> Self {
        Self::of_pairs(std::env::vars_os())
    }

    /// An environment of these pairs.
    pub(crate) fn of_pairs<K: Into<OsString>, V: Into<OsString>>(
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let values = pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self {
            values,
            #[cfg(test)]
            asked: Arc::default(),
        }
    }

    /// The names asked for so far.
    #[cfg(test)]
    pub(crate) fn asked(&self) -> Vec<&'static str> {
        self.asked.lock().expect("no reader panics").clone()
    }

    /// The trimmed value, or the default; `None` when there is neither.
    pub(crate) fn text(&self, variable: &Variable) -> Result<Option<String>, ConfigError> {
        #[cfg(test)]
        self.asked.lock().expect("no reader panics").push(variable.name);
        let set = match self.values.get(std::ffi::OsStr::new(variable.name)) {
            None => None,
            Some(value) => match value.to_str() {
                Some(value) => Some(value.trim()).filter(|value| !value.is_empty()),
                None => {
                    return Err(ConfigError::NotUnicode { name: variable.name, accepts: variable.accepts });
                }
            },
        };
        match (set, variable.default) {
            (Some(value), _) => Ok(Some(value.to_owned())),
            (None, DefaultValue::Text(value)) => Ok(Some(value.to_owned())),
            (None, DefaultValue::Required) => Err(ConfigError::missing(variable)),
            (None, DefaultValue::Found(_) | DefaultValue::Unset) => Ok(None),
        }
    }

    /// The value of a variable that always has one: required, or with a default text.
    pub(crate) fn required_text(&self, variable: &Variable) -> Result<String, ConfigError> {
        self.text(variable)?.ok_or_else(|| ConfigError::missing(variable))
    }

    /// A switch: `true` or `false` in any letter case, `1` or `0`.
    pub(crate) fn boolean(&self, variable: &Variable) -> Result<bool, ConfigError> {
        let value = self.required_text(variable)?;
        match value.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(ConfigError::invalid(variable, &value)),
        }
    }

    /// A whole number within a range.
    pub(crate) fn integer(
        &self,
        variable: &Variable,
        range: RangeInclusive<u64>,
    ) -> Result<u64, ConfigError> {
        let value = self.required_text(variable)?;
        match value.parse::<u64>() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => Err(ConfigError::invalid(variable, &value)),
        }
    }

    /// One of some names, without regard to letter case.
    pub(crate) fn choice<T: Copy>(
        &self,
        variable: &Variable,
        choices: &[(&str, T)],
    ) -> Result<T, ConfigError> {
        let value = self.required_text(variable)?;
        choices
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(&value))
            .map(|(_, choice)| *choice)
            .ok_or_else(|| ConfigError::invalid(variable, &value))
    }

    /// A list separated by commas; empty entries are dropped. `None` when the variable is unset.
    pub(crate) fn list(&self, variable: &Variable) -> Result<Option<Vec<String>>, ConfigError> {
        Ok(self.text(variable)?.map(|value| {
            value.split(',').map(str::trim).filter(|entry| !entry.is_empty()).map(str::to_owned).collect()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::variable::Stage;
    use super::*;

    const SWITCH: Variable = Variable {
        name: "SWITCH",
        default: DefaultValue::Text("false"),
        accepts: "true, false, 1 or 0",
        effect: "",
        stage: Stage::Effective,
    };
    const COUNT: Variable = Variable { name: "COUNT", default: DefaultValue::Text("7"), ..SWITCH };
    const NEEDED: Variable = Variable { name: "NEEDED", default: DefaultValue::Required, ..SWITCH };
    const OPEN: Variable = Variable { name: "OPEN", default: DefaultValue::Unset, ..SWITCH };

    #[track_caller]
    fn boolean(value: &str, expected: Option<bool>) {
        let environment = Environment::of_pairs([("SWITCH", value)]);
        assert_eq!(environment.boolean(&SWITCH).ok(), expected, "{value:?}");
    }

    #[test]
    fn switches_take_the_six_spellings_and_nothing_else() {
        for value in ["true", "TRUE", "1", " true "] {
            boolean(value, Some(true));
        }
        for value in ["false", "FALSE", "0", "", "  "] {
            boolean(value, Some(false));
        }
        for value in ["yes", "on", "2", "tru", "true,"] {
            boolean(value, None);
        }
    }

    #[test]
    fn numbers_outside_the_range_name_the_variable_and_what_is_allowed() {
        let environment = Environment::of_pairs([("COUNT", "70000")]);
        let error = environment.integer(&COUNT, 0..=65_535).unwrap_err();
        assert_eq!(error.to_string(), "COUNT is \"70000\": set it to true, false, 1 or 0");
        for value in ["-1", "1.5", "1e3", "abc", "99999999999999999999999"] {
            let environment = Environment::of_pairs([("COUNT", value)]);
            assert!(environment.integer(&COUNT, 0..=65_535).is_err(), "{value}");
        }
        assert_eq!(Environment::default().integer(&COUNT, 0..=65_535), Ok(7));
    }

    #[test]
    fn an_empty_value_counts_as_unset() {
        let environment = Environment::of_pairs([("NEEDED", " "), ("OPEN", "")]);
        assert_eq!(
            environment.required_text(&NEEDED),
            Err(ConfigError::Missing { name: "NEEDED", accepts: SWITCH.accepts })
        );
        assert_eq!(environment.text(&OPEN), Ok(None));
        assert_eq!(environment.list(&OPEN), Ok(None));
    }

    #[test]
    fn lists_lose_blanks_and_empty_entries() {
        let environment = Environment::of_pairs([("OPEN", " a, ,b ,")]);
        assert_eq!(environment.list(&OPEN), Ok(Some(vec!["a".to_owned(), "b".to_owned()])));
    }

    #[cfg(unix)]
    #[test]
    fn a_value_that_is_not_unicode_is_an_error() {
        use std::os::unix::ffi::OsStringExt;
        let environment = Environment::of_pairs([("OPEN", OsString::from_vec(vec![0xff]))]);
        assert!(matches!(environment.text(&OPEN), Err(ConfigError::NotUnicode { .. })));
    }
}
