//! Which heading a name means.

use super::SectionError;
use crate::edit::Place;
use crate::headings::{Heading, match_key, resolve_subpath};

/// The heading with a name: by its exact text; by the text behind the hashes that the name begins with; by
/// what links compare; by the names of headings from above, as `A > B` or `A#B`.
pub(super) fn heading(headings: &[Heading], name: &str, level: Option<u8>) -> Result<usize, SectionError> {
    let wanted = name.trim();
    let bare = wanted.trim_start_matches('#').trim();
    let hashes = u8::try_from(wanted.len() - wanted.trim_start_matches('#').len()).unwrap_or(u8::MAX);
    let of_level = |heading: &Heading, level: Option<u8>| level.is_none_or(|level| level == heading.level);
    let all = |level: Option<u8>, fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let fitting = headings.iter().enumerate();
        let fitting = fitting.filter(|(_, heading)| of_level(heading, level) && fits(&heading.text));
        fitting.map(|(index, _)| index).collect()
    };
    let mut found = all(level, &|text| text == wanted);
    let by_hashes = level.or((1..=6).contains(&hashes).then_some(hashes));
    if found.is_empty() {
        found = all(by_hashes, &|text| text == bare);
    }
    let key = match_key(bare);
    if found.is_empty() && !key.is_empty() {
        found = all(by_hashes, &|text| match_key(text) == key);
    }
    if found.is_empty() {
        let steps = bare.replace(" > ", "#");
        let is_path = steps.contains('#');
        let meant = is_path.then(|| resolve_subpath(headings, &format!("#{steps}"))).flatten();
        found.extend(
            meant.filter(|index| headings.get(*index).is_some_and(|heading| of_level(heading, level))),
        );
    }
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(SectionError::NotFound {
            heading: name.to_owned(),
            available: headings.iter().map(shown).collect(),
        }),
        several => {
            let several: Vec<&Heading> = several.iter().filter_map(|index| headings.get(*index)).collect();
            let mut levels: Vec<u8> = several.iter().map(|heading| heading.level).collect();
            levels.sort_unstable();
            let by_level = levels.windows(2).all(|pair| pair.first() != pair.last());
            let place = |heading: &&Heading| Place { line: heading.line + 1, excerpt: shown(heading) };
            let places = several.iter().map(place).collect();
            Err(SectionError::Ambiguous { heading: name.to_owned(), places, by_level })
        }
    }
}

/// A heading as an answer shows it.
pub(super) fn shown(heading: &Heading) -> String {
    let hashes = "#".repeat(usize::from(heading.level));
    let text = if heading.text.is_empty() { "(no text)" } else { &heading.text };
    format!("{hashes} {text}")
}
