//! Which heading a name means.

use super::SectionError;
use super::error::WayOut;
use crate::edit::Place;
use crate::headings::{Heading, composed, match_key, subpath_steps};
use std::borrow::Cow;

/// The heading with a name: by its exact text; by the text behind the hashes that the name begins with; by
/// the names of headings from above, as `A > B` or `A#B`; by what links compare. Letters that are written
/// alike are alike (NFC). A name that fits several is an error, also when it fits one as text and one as a way
/// from above.
pub(super) fn heading(headings: &[Heading], name: &str, level: Option<u8>) -> Result<usize, SectionError> {
    let names = Names::new(headings);
    let found = names.candidates(name, level);
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(SectionError::NotFound {
            heading: name.to_owned(),
            available: headings.iter().map(shown).collect(),
        }),
        several => {
            let way_out = names.way_out(several);
            let several = several.iter().filter_map(|index| headings.get(*index));
            let place = |heading: &Heading| Place { line: heading.line + 1, excerpt: shown(heading) };
            let places = several.map(place).collect();
            Err(SectionError::Ambiguous { heading: name.to_owned(), places, way_out })
        }
    }
}

/// The headings of a note as names are compared with them.
struct Names<'a> {
    headings: &'a [Heading],
    texts: Vec<Cow<'a, str>>,
    keys: Vec<String>,
}

impl<'a> Names<'a> {
    fn new(headings: &'a [Heading]) -> Self {
        let texts: Vec<Cow<'a, str>> = headings.iter().map(|heading| composed(&heading.text)).collect();
        let keys = texts.iter().map(|text| match_key(text)).collect();
        Self { headings, texts, keys }
    }

    /// All headings that a name can mean.
    fn candidates(&self, name: &str, level: Option<u8>) -> Vec<usize> {
        let wanted = composed(name.trim());
        let bare = wanted.trim_start_matches('#').trim();
        let hashes = u8::try_from(wanted.len() - wanted.trim_start_matches('#').len()).unwrap_or(u8::MAX);
        let by_hashes = level.or((1..=6).contains(&hashes).then_some(hashes));
        let mut found = self.all(level, |index| self.texts.get(index) == Some(&wanted));
        if found.is_empty() {
            found = self.all(by_hashes, |index| self.texts.get(index).is_some_and(|text| text == bare));
        }
        let way = bare.replace(" > ", "#");
        let mut nested = self.nested(&subpath_steps(&way), level);
        let last = way.rsplit('#').next().unwrap_or_default().trim();
        let text = |index: &usize| self.texts.get(*index).map_or("", AsRef::as_ref);
        let folded = last.to_lowercase();
        if nested.iter().any(|index| text(index) == last) {
            nested.retain(|index| text(index) == last);
        } else if nested.iter().any(|index| text(index).to_lowercase() == folded) {
            nested.retain(|index| text(index).to_lowercase() == folded);
        }
        found.extend(nested.into_iter().filter(|index| !found.contains(index)).collect::<Vec<usize>>());
        if found.is_empty() {
            let key = match_key(bare);
            found = self.all(by_hashes, |index| !key.is_empty() && self.keys.get(index) == Some(&key));
        }
        found.sort_unstable();
        found
    }

    fn all(&self, level: Option<u8>, fits: impl Fn(usize) -> bool) -> Vec<usize> {
        let fitting = self.headings.iter().enumerate();
        let fitting = fitting.filter(|(index, heading)| is_of(heading, level) && fits(*index));
        fitting.map(|(index, _)| index).collect()
    }

    /// The headings that a way from above leads to; levels may be skipped.
    fn nested(&self, steps: &[String], level: Option<u8>) -> Vec<usize> {
        let Some((last, above)) = steps.split_last().filter(|(_, above)| !above.is_empty()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        self.walk(|index, parents| {
            let fits = self.keys.get(index) == Some(last)
                && self.headings.get(index).is_some_and(|heading| is_of(heading, level));
            let mut left = above.iter().rev().peekable();
            for parent in parents.iter().rev() {
                left.next_if(|step| self.keys.get(*parent) == Some(*step));
            }
            if fits && left.peek().is_none() {
                found.push(index);
            }
        });
        found
    }

    /// Visits every heading with those it stands below, outermost first.
    fn walk(&self, mut visit: impl FnMut(usize, &[usize])) {
        let level = |index: usize| self.headings.get(index).map_or(0, |heading| heading.level);
        let mut parents: Vec<usize> = Vec::new();
        for index in 0..self.headings.len() {
            while parents.last().is_some_and(|parent| level(*parent) >= level(index)) {
                parents.pop();
            }
            visit(index, &parents);
            parents.push(index);
        }
    }

    /// How one of several headings can be named.
    fn way_out(&self, several: &[usize]) -> WayOut {
        let mut levels: Vec<u8> = several
            .iter()
            .filter_map(|index| self.headings.get(*index))
            .map(|heading| heading.level)
            .collect();
        levels.sort_unstable();
        if levels.windows(2).all(|pair| pair.first() != pair.last()) {
            return WayOut::Level;
        }
        let mut ways: Vec<String> = Vec::new();
        self.walk(|index, parents| {
            if several.contains(&index) && !parents.is_empty() {
                let steps = parents.iter().chain([&index]).filter_map(|step| self.texts.get(*step));
                ways.push(steps.map(AsRef::as_ref).collect::<Vec<&str>>().join(" > "));
            }
        });
        // More than a note is made to have; each way is looked for in all headings.
        const MOST: usize = 100;
        let leads_to_one = |way: &String| self.candidates(way, None).len() == 1;
        if ways.iter().take(MOST).any(leads_to_one) { WayOut::Parent } else { WayOut::Quote }
    }
}

fn is_of(heading: &Heading, level: Option<u8>) -> bool {
    level.is_none_or(|level| level == heading.level)
}

/// A heading as an answer shows it.
pub(super) fn shown(heading: &Heading) -> String {
    let hashes = "#".repeat(usize::from(heading.level));
    let text = if heading.text.is_empty() { "(no text)" } else { &heading.text };
    format!("{hashes} {text}")
}
