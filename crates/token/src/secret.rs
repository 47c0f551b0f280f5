//! A text that does not get into a log.

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// A token or key. It prints as `[redacted]`, whatever prints it, it cannot be serialised, and it is
/// compared in a time that says nothing about it. There is no `==` on purpose.
#[derive(Clone)]
pub struct Secret {
    text: Box<str>,
    /// What is compared instead of the text: of one length whatever the text's, and a guess that is nearly
    /// right looks like any other.
    digest: [u8; 32],
}

impl Secret {
    /// Takes a text in.
    #[must_use]
    pub fn new(text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        let digest = Sha256::digest(text.as_bytes()).into();
        Self { text, digest }
    }

    /// The text, for the few places that need it: signing, sending.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// Whether both are the same text. Takes the same time for all secrets and all guesses.
    #[must_use]
    pub fn matches(&self, guess: &Self) -> bool {
        self.digest.ct_eq(&guess.digest).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[redacted]")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug)]
    struct Settings {
        #[expect(dead_code, reason = "printed, or rather not")]
        token: Option<Secret>,
    }

    #[test]
    fn it_is_printed_by_nothing() {
        let secret = Secret::new("hunter2");
        assert_eq!(format!("{secret}"), "[redacted]");
        assert_eq!(format!("{secret:?}"), "[redacted]");
        assert_eq!(format!("{secret:#?}"), "[redacted]");
        assert_eq!(format!("{secret:>3.2}"), "[redacted]");
        let settings = Settings { token: Some(secret) };
        assert!(!format!("{settings:?} {settings:#?}").contains("hunter2"));
    }

    #[test]
    fn near_misses_do_not_match() {
        let secret = Secret::new("hunter2");
        for guess in ["", "hunter", "hunter22", "Hunter2", "hunter2 ", "hunter2\0"] {
            assert!(!secret.matches(&Secret::new(guess)), "{guess:?}");
        }
        assert!(secret.matches(&Secret::new("hunter2")));
    }

    proptest! {
        #[test]
        fn it_matches_what_is_equal_and_nothing_else(one in "\\PC{0,40}", other in "\\PC{0,40}") {
            let (a, b) = (Secret::new(one.as_str()), Secret::new(other.as_str()));
            prop_assert!(a.matches(&a.clone()));
            prop_assert_eq!(a.matches(&b), one == other);
            prop_assert_eq!(a.expose(), one.as_str());
            if one.len() > 4 && !"[redacted]".contains(one.as_str()) {
                let printed = format!("{a} {a:?}");
                prop_assert!(!printed.contains(one.as_str()));
            }
        }
    }
}
