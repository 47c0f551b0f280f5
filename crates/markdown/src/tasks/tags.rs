//! Tags as the Tasks plugin reads them, which is not how Obsidian reads them: `#123` is a tag here.
//!
//! A tag starts at the start of the text or after white space; it is `#` and then any run without space
//! and without ``! @ # $ % ^ & * ( ) , . ? " : { } | < >``.

use super::text::{is_space, tail_start};

/// May stand in a tag after `#`.
const fn is_tag_character(character: char) -> bool {
    !matches!(
        character,
        ' ' | '!'
            | '@'
            | '#'
            | '$'
            | '%'
            | '^'
            | '&'
            | '*'
            | '('
            | ')'
            | ','
            | '.'
            | '?'
            | '"'
            | ':'
            | '{'
            | '}'
            | '|'
            | '<'
            | '>'
    )
}

/// All tags of a task's text, with `#`, in order and with repeats.
pub fn tags(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(offset) = text.get(from..).and_then(|rest| rest.find('#')) {
        let hash = from + offset;
        let name_start = hash + 1;
        let rest = text.get(name_start..).unwrap_or_default();
        let name_length = rest.find(|c| !is_tag_character(c)).unwrap_or(rest.len());
        let free = text.get(..hash).is_none_or(|before| before.chars().next_back().is_none_or(is_space));
        if free && name_length > 0 {
            let tag = text.get(hash..name_start + name_length).unwrap_or_default();
            found.push(super::text::trim(tag).to_owned());
        }
        from = name_start + name_length;
    }
    found
}

/// The tag that ends the text: where its match starts (white space before it included) and the tag.
pub(super) fn tag_at_end(text: &str) -> Option<(usize, &str)> {
    let name_start = tail_start(text, is_tag_character);
    if name_start == text.len() {
        return None;
    }
    let before = text.get(..name_start)?.strip_suffix('#')?;
    let start = match before.chars().next_back() {
        None => 0,
        Some(space) if is_space(space) => before.len() - space.len_utf8(),
        Some(_) => return None,
    };
    Some((start, super::text::trim(text.get(start..)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(tags(text), expected, "{text:?}");
    }

    #[test]
    fn tags_of_a_text() {
        check("#one b #two/x c", &["#one", "#two/x"]);
        check("job #123 #a.b #c,d (#e) f#g `#h` \\#i", &["#123", "#a", "#c"]);
        check("#a;b #x~y #[z]", &["#a;b", "#x~y", "#[z]"]);
        check("##a # #", &[]);
    }

    #[test]
    fn the_tag_at_the_end() {
        assert_eq!(tag_at_end("job #a"), Some((3, "#a")));
        assert_eq!(tag_at_end("#a"), Some((0, "#a")));
        assert_eq!(tag_at_end("job x#a"), None);
        assert_eq!(tag_at_end("job #"), None);
    }
}
