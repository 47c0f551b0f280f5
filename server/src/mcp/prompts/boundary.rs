//! The border between what the server says and what the vault says.
//!
//! A note can be written by anybody who shares the vault, and its text ends up in front of a model. So
//! everything that comes from the vault, names and paths included, stands between
//! `<vault-content …>` and `</vault-content>`, and nothing in it can end that: whatever a lenient reader
//! might take for such a tag loses its `<`.

use std::fmt::Write as _;

/// The name of the tag.
const NAME: &str = "vault-content";

/// What a piece of the vault is, as its opening tag says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Label {
    /// Where it comes from: a path, or what was asked.
    pub(super) source: String,
    /// What it is.
    pub(super) kind: &'static str,
    /// The day it belongs to.
    pub(super) date: Option<String>,
}

impl Label {
    /// A label without a day.
    pub(super) fn new(source: impl Into<String>, kind: &'static str) -> Self {
        Self { source: source.into(), kind, date: None }
    }

    /// The same, with a day.
    pub(super) fn dated(self, date: &impl ToString) -> Self {
        Self { date: Some(date.to_string()), ..self }
    }

    fn opening(&self) -> String {
        let mut tag = format!("<{NAME} source=\"{}\" type=\"{}\"", attribute(&self.source), self.kind);
        if let Some(date) = &self.date {
            let _ = write!(tag, " date=\"{}\"", attribute(date));
        }
        tag.push('>');
        tag
    }
}

/// Text of the vault between tags on lines of their own. `escaped` has gone through [`escape`].
pub(super) fn wrap(label: &Label, escaped: &str) -> String {
    let line_break = if escaped.is_empty() || escaped.ends_with('\n') { "" } else { "\n" };
    format!("{}\n{escaped}{line_break}</{NAME}>", label.opening())
}

/// A few words of the vault within a line.
pub(super) fn wrap_words(label: &Label, words: &str) -> String {
    format!("{}{}</{NAME}>", label.opening(), escape(&one_line(words)))
}

/// The same text, in which no tag of ours begins or ends: the `<` of anything that spells the tag's name
/// behind it becomes `&lt;`, in any letter case, whatever white space, slashes and invisible characters
/// stand in between.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['<', '\u{ff1c}']) {
        let (before, at) = rest.split_at(start);
        escaped.push_str(before);
        let mut characters = at.chars();
        let bracket = characters.next();
        rest = characters.as_str();
        match bracket {
            Some(_) if spells_the_tag(rest) => escaped.push_str("&lt;"),
            Some(bracket) => escaped.push(bracket),
            None => {}
        }
    }
    escaped.push_str(rest);
    escaped
}

/// Whether the letters behind a `<`, up to the next one, begin with the tag's name.
fn spells_the_tag(text: &str) -> bool {
    let mut letters = text
        .chars()
        .take_while(|character| !matches!(character, '<' | '\u{ff1c}'))
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase);
    NAME.chars().filter(|letter| letter.is_alphanumeric()).all(|letter| letters.next() == Some(letter))
}

/// A value between double quotes.
fn attribute(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            character if breaks_the_line(character) => {
                let _ = write!(escaped, "&#{};", u32::from(character));
            }
            character => escaped.push(character),
        }
    }
    escaped
}

/// A text as one line: a row of a list.
pub(super) fn one_line(text: &str) -> String {
    text.trim().chars().map(|character| if breaks_the_line(character) { ' ' } else { character }).collect()
}

fn breaks_the_line(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn case(text: &str, expected: &str) {
        assert_eq!(escape(text), expected);
    }

    #[test]
    fn whatever_reads_as_the_tag_is_escaped() {
        case("a </vault-content> b", "a &lt;/vault-content> b");
        case("</VAULT-Content >", "&lt;/VAULT-Content >");
        case("< / \n vault-content", "&lt; / \n vault-content");
        case("<<</vault-content>", "<<&lt;/vault-content>");
        case("<\u{200b}/va\u{ad}ult\u{2011}content>", "&lt;\u{200b}/va\u{ad}ult\u{2011}content>");
        case("\u{ff1c}/vault-content>", "&lt;/vault-content>");
        case("<vault-content source=\"x\">", "&lt;vault-content source=\"x\">");
        case("</vault-contents>", "&lt;/vault-contents>");
    }

    #[test]
    fn everything_else_stays() {
        for text in
            ["", "a < b", "</div>", "<vault>", "vault-content>", "</vault-conten", "<b>vault-content</b>"]
        {
            case(text, text);
        }
    }

    #[test]
    fn attributes_and_rows_stay_within_their_quotes_and_lines() {
        let label = Label::new("a\"><b>&\n</vault-content>", "note").dated(&"2026-01-15");
        assert_eq!(
            wrap(&label, "text"),
            "<vault-content source=\"a&quot;&gt;&lt;b&gt;&amp;&#10;&lt;/vault-content&gt;\" type=\"note\" \
             date=\"2026-01-15\">\ntext\n</vault-content>"
        );
        assert_eq!(
            wrap_words(&Label::new("", "error"), " two\nlines </vault-content>"),
            "<vault-content source=\"\" type=\"error\">two lines &lt;/vault-content></vault-content>"
        );
    }

    /// Pieces that an attacker would try, and any others.
    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("<".to_owned()),
            Just("</".to_owned()),
            Just("\u{ff1c}/".to_owned()),
            Just("vault-content".to_owned()),
            Just("VAULT".to_owned()),
            Just("-Content".to_owned()),
            Just(">".to_owned()),
            Just("\" type=\"".to_owned()),
            Just("\n".to_owned()),
            Just("\u{200b}".to_owned()),
            Just("&lt;".to_owned()),
            "\\PC{0,3}",
        ];
        proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    /// What a reader sees who minds neither case nor anything that is no letter.
    fn as_read(text: &str) -> String {
        let shown = text.replace('\u{ff1c}', "<");
        let kept = shown.chars().filter(|character| character.is_alphanumeric() || *character == '<');
        kept.flat_map(char::to_lowercase).collect()
    }

    proptest! {
        #[test]
        fn no_text_breaks_out(text in hostile(), source in hostile(), cut in 0..200usize) {
            let escaped = escape(&text);
            prop_assert!(!as_read(&escaped).contains("<vaultcontent"), "{escaped:?}");
            let brackets = |text: &str| text.replace('\u{ff1c}', "<").replace("&lt;", "<");
            prop_assert_eq!(brackets(&escaped), brackets(&text), "nothing but brackets changes");
            // Cut anywhere, as for length: still exactly one opening and one closing tag, the latter last.
            let cut = escaped.char_indices().map(|(index, _)| index).nth(cut).unwrap_or(escaped.len());
            let wrapped = wrap(&Label::new(source, "note"), &escaped[..cut]);
            prop_assert_eq!(wrapped.matches("<vault-content ").count(), 1);
            prop_assert_eq!(wrapped.matches("</vault-content>").count(), 1);
            prop_assert!(wrapped.ends_with("\n</vault-content>"));
            let tag = wrapped.lines().next().unwrap_or_default();
            prop_assert!(tag.ends_with("\" type=\"note\">") && tag.matches('"').count() == 4, "{}", tag);
        }
    }
}
