//! A text that never shows in a log, an error or a panic message.

use std::fmt;

/// A secret. `Debug` hides it and there is no `Display`; [`Secret::reveal`] is the only way in,
/// so that every use can be found by its name.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub(crate) fn new(value: String) -> Self {
        Self(value)
    }

    /// The secret itself, to be compared or sent, never to be printed.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn debug_output_hides_the_value() {
        assert_eq!(format!("{:?}", Secret::new("hunter2".to_owned())), "Secret(…)");
    }
}
