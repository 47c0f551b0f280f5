//! Error policy: a settings file that cannot be used is never fatal here. The error travels inside
//! [`super::Loaded`], so that each caller decides: most take the defaults, a caller for whom the setting is
//! a guard refuses. Texts name the file relative to the vault and quote nothing of what it holds.

/// Why a settings file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The system or the sandbox refused; the text names the file.
    #[error("{0}")]
    Unreadable(String),
    /// The file is longer than any settings are.
    #[error("it has {bytes} bytes, at most {limit} are read")]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The most that is read.
        limit: u64,
    },
    /// It is no JSON; the text has line and column.
    #[error("it is no valid JSON: {0}")]
    NotJson(String),
    /// It is JSON, but not an object.
    #[error("it is JSON, but not an object")]
    NotAnObject,
}
