//! The languages whose word forms are known, and which of them stems which word.
//!
//! Languages in Latin letters are a setting. A word in Cyrillic, Greek, Arabic or Devanagari tells
//! its language by its letters, so these work without being named; naming another language of
//! the same script takes the place of the usual one.

use frostem::Algorithm;

use super::error::UnknownLanguage;

/// A language with a Snowball stemmer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Language(Algorithm);

/// Codes (ISO 639-1) of every language there is a stemmer for.
const CODES: [(&str, Algorithm); 35] = [
    ("ar", Algorithm::Arabic),
    ("ca", Algorithm::Catalan),
    ("cs", Algorithm::Czech),
    ("da", Algorithm::Danish),
    ("de", Algorithm::German),
    ("el", Algorithm::Greek),
    ("en", Algorithm::English),
    ("eo", Algorithm::Esperanto),
    ("es", Algorithm::Spanish),
    ("et", Algorithm::Estonian),
    ("eu", Algorithm::Basque),
    ("fa", Algorithm::Persian),
    ("fi", Algorithm::Finnish),
    ("fr", Algorithm::French),
    ("ga", Algorithm::Irish),
    ("hi", Algorithm::Hindi),
    ("hu", Algorithm::Hungarian),
    ("hy", Algorithm::Armenian),
    ("id", Algorithm::Indonesian),
    ("it", Algorithm::Italian),
    ("lt", Algorithm::Lithuanian),
    ("ne", Algorithm::Nepali),
    ("nl", Algorithm::Dutch),
    ("no", Algorithm::Norwegian),
    ("pl", Algorithm::Polish),
    ("pt", Algorithm::Portuguese),
    ("ro", Algorithm::Romanian),
    ("ru", Algorithm::Russian),
    ("sr", Algorithm::Serbian),
    ("st", Algorithm::Sesotho),
    ("sv", Algorithm::Swedish),
    ("ta", Algorithm::Tamil),
    ("tr", Algorithm::Turkish),
    ("uk", Algorithm::Ukrainian),
    ("yi", Algorithm::Yiddish),
];

impl Language {
    /// English, the default.
    pub const ENGLISH: Self = Self(Algorithm::English);

    /// German.
    pub const GERMAN: Self = Self(Algorithm::German);

    /// The language of a code (`de`) or an English name (`german`), in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim();
        CODES
            .into_iter()
            .find(|(code, algorithm)| {
                name.eq_ignore_ascii_case(code) || name.eq_ignore_ascii_case(algorithm.name())
            })
            .map(|(_, algorithm)| Self(algorithm))
    }

    /// The languages of a setting such as `en,de`. `none` is no language: neither word forms nor
    /// filler words; an empty setting is English.
    ///
    /// # Errors
    /// [`UnknownLanguage`] naming the part that is no language.
    pub fn parse_list(setting: &str) -> Result<Vec<Self>, UnknownLanguage> {
        if setting.trim().eq_ignore_ascii_case("none") {
            return Ok(Vec::new());
        }
        let mut languages = Vec::new();
        for name in setting.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let language = Self::from_name(name).ok_or_else(|| UnknownLanguage { name: name.to_owned() })?;
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        if languages.is_empty() {
            languages.push(Self::ENGLISH);
        }
        Ok(languages)
    }

    /// The English name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The code (ISO 639-1).
    #[must_use]
    pub fn code(self) -> &'static str {
        CODES.into_iter().find(|(_, algorithm)| *algorithm == self.0).map_or("", |(code, _)| code)
    }

    pub(crate) fn algorithm(self) -> Algorithm {
        self.0
    }

    /// Whether words of this script can be of this language.
    pub(crate) fn writes(self, script: Script) -> bool {
        match self.0 {
            Algorithm::Arabic | Algorithm::Persian => script == Script::Arabic,
            Algorithm::Russian | Algorithm::Ukrainian => script == Script::Cyrillic,
            Algorithm::Serbian => matches!(script, Script::Cyrillic | Script::Latin),
            Algorithm::Greek => script == Script::Greek,
            Algorithm::Hindi | Algorithm::Nepali => script == Script::Devanagari,
            Algorithm::Armenian | Algorithm::Tamil | Algorithm::Yiddish => script == Script::Other,
            _ => script == Script::Latin,
        }
    }

    /// The language of a script where none was named.
    fn usual(script: Script) -> Option<Self> {
        match script {
            Script::Arabic => Some(Self(Algorithm::Arabic)),
            Script::Cyrillic => Some(Self(Algorithm::Russian)),
            Script::Greek => Some(Self(Algorithm::Greek)),
            Script::Devanagari => Some(Self(Algorithm::Hindi)),
            Script::Latin | Script::Other => None,
        }
    }
}

/// The named languages and those that a script stands for. No language named is none at all.
pub(crate) fn active(named: &[Language]) -> Vec<Language> {
    let mut languages = named.to_vec();
    if named.is_empty() {
        return languages;
    }
    for script in [Script::Arabic, Script::Cyrillic, Script::Greek, Script::Devanagari] {
        if !named.iter().any(|language| language.writes(script)) {
            languages.extend(Language::usual(script));
        }
    }
    languages
}

/// Scripts as far as stemmers care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Devanagari,
    Other,
}

impl Script {
    /// The script of a folded word: that of its first letter. `None` for numbers and for pieces of
    /// scripts without spaces, which have no forms.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word.chars().next()? {
            'a'..='z' | '\u{80}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Self::Latin,
            '\0'..='\u{7f}' => return None,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{400}'..='\u{52f}' => Self::Cyrillic,
            '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{8a0}'..='\u{8ff}' => Self::Arabic,
            '\u{900}'..='\u{97f}' => Self::Devanagari,
            '\u{530}'..='\u{5ff}' | '\u{b80}'..='\u{bff}' => Self::Other,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn parses(setting: &str, expected: &[&str]) {
        let codes: Vec<_> = Language::parse_list(setting).unwrap().into_iter().map(Language::code).collect();
        assert_eq!(codes, expected);
    }

    #[test]
    fn settings_name_languages_by_code_or_name() {
        parses("", &["en"]);
        parses("en,de", &["en", "de"]);
        parses(" EN , German, de ", &["en", "de"]);
        parses("none", &[]);
        parses("fr,it,ru,hi", &["fr", "it", "ru", "hi"]);
    }

    #[test]
    fn a_name_that_is_no_language_is_named() {
        let error = Language::parse_list("en,klingon").unwrap_err();
        assert!(error.to_string().contains("klingon"), "{error}");
    }

    #[test]
    fn scripts_bring_their_language() {
        let codes =
            |named: &[Language]| -> Vec<_> { active(named).into_iter().map(Language::code).collect() };
        assert_eq!(codes(&[Language::ENGLISH]), ["en", "ar", "ru", "el", "hi"]);
        assert_eq!(codes(&Language::parse_list("en,uk,fa").unwrap()), ["en", "uk", "fa", "el", "hi"]);
        assert!(codes(&[]).is_empty());
    }
}
