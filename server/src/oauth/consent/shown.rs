//! Words that a client wrote, made fit to stand among ours.

/// The longest name that is shown, in characters.
const LONGEST: usize = 60;

/// A client's text as it is shown: one line, without characters that are invisible or that turn the writing
/// direction (with those a name could rewrite the sentence around it), cut at [`LONGEST`] characters. `None`
/// when nothing is left.
pub(super) fn shown(text: &str) -> Option<String> {
    let mut words = String::new();
    for character in text.chars() {
        if character.is_whitespace() {
            if !words.ends_with(' ') {
                words.push(' ');
            }
        } else if !is_hidden(character) {
            words.push(character);
        }
    }
    let words = words.trim();
    if words.is_empty() {
        return None;
    }
    let mut cut: String = words.chars().take(LONGEST).collect();
    if cut.len() < words.len() {
        cut.push('…');
    }
    Some(cut)
}

/// Controls, zero-width characters, marks and overrides of direction, tags and private use: none of them is
/// part of a name, each of them can make one name look like another.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn shows(text: &str, expected: Option<&str>) {
        assert_eq!(shown(text).as_deref(), expected, "{text:?}");
    }

    #[test]
    fn a_name_is_one_line_without_hidden_characters() {
        shows("Claude", Some("Claude"));
        shows("  Claude\n\tCode ", Some("Claude Code"));
        shows("evil\u{202e}edualC", Some("eviledualC"));
        shows("Cla\u{200b}ude", Some("Claude"));
        shows("Кот 猫 🐱", Some("Кот 猫 🐱"));
        shows("\u{2066}\u{2069}\u{feff} \n", None);
        shows("", None);
    }

    #[test]
    fn a_long_name_is_cut_where_a_character_ends() {
        let shown = shown(&"猫".repeat(500)).unwrap();
        assert_eq!(shown.chars().count(), LONGEST + 1);
        assert!(shown.ends_with('…'));
    }
}
