//! What a caller gets from grep instead: one regular expression, matched line by line, results in
//! the order of files, cut off at a number of lines.
//!
//! The strategies are those a caller has: ask for both words on one line, ask for either, ask for
//! each and keep what is in both answers or in any, or cut the endings off and ask again.

use super::error::EvalError;
use super::notes::KnownNote;
use super::searcher::{Answer, Searcher};

/// Matching lines that one call returns.
const MAX_LINES: usize = 20;
/// Lines of context before and after each.
const CONTEXT: usize = 1;
/// Bytes of JSON around a matching line: names of fields, path quoting.
const FRAME: usize = 60;

/// How a caller uses grep for a query of several words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// One call: all words on one line, in any order.
    OneLine,
    /// One call: any of the words.
    AnyWord,
    /// A call for each word; notes that are in every answer.
    Intersect,
    /// A call for each word; notes that are in any answer.
    Unite,
    /// As `OneLine`; when nothing comes back, once more with the endings cut off.
    CutEndings,
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Self; 5] = [Self::OneLine, Self::AnyWord, Self::Intersect, Self::Unite, Self::CutEndings];

    /// How tables call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OneLine => "grep, both words on a line",
            Self::AnyWord => "grep, either word",
            Self::Intersect => "grep for each word, in both answers",
            Self::Unite => "grep for each word, in either answer",
            Self::CutEndings => "grep, again with endings cut off",
        }
    }
}

/// Grep over notes in the order of their paths.
#[derive(Debug)]
pub struct Grep {
    strategy: Strategy,
    files: Vec<File>,
}

#[derive(Debug)]
struct File {
    path: String,
    /// Lines in lower case, with the size of each as it is.
    lines: Vec<(String, usize)>,
    /// Bytes of the properties, which come with every match.
    properties: usize,
}

impl Grep {
    /// Grep over these notes.
    #[must_use]
    pub fn new(strategy: Strategy, notes: &[KnownNote]) -> Self {
        let mut files: Vec<File> = notes
            .iter()
            .map(|note| File {
                path: note.fields.path.clone(),
                lines: note.source.lines().map(|line| (line.to_lowercase(), line.len())).collect(),
                properties: markdown::frontmatter::locate(&note.source).map_or(0, |block| block.yaml.len()),
            })
            .collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Self { strategy, files }
    }

    /// One call: the notes of the first lines that match.
    fn call(&self, answer: &mut Answer, matches: impl Fn(&str) -> bool) -> Vec<String> {
        answer.calls += 1;
        let mut notes: Vec<String> = Vec::new();
        let mut left = MAX_LINES;
        for file in &self.files {
            for (number, (line, _)) in file.lines.iter().enumerate() {
                if left == 0 {
                    return notes;
                }
                if !matches(line) {
                    continue;
                }
                left -= 1;
                let shown = file.lines.iter().skip(number.saturating_sub(CONTEXT)).take(2 * CONTEXT + 1);
                answer.bytes += FRAME + file.path.len() + file.properties;
                answer.bytes += shown.map(|(_, size)| size + 1).sum::<usize>();
                if notes.last() != Some(&file.path) {
                    notes.push(file.path.clone());
                }
            }
        }
        notes
    }
}

impl Searcher for Grep {
    fn answer(&self, query: &str, _limit: usize) -> Result<Answer, EvalError> {
        let lower = query.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let mut answer = Answer::default();
        let on_one_line = |words: &[&str], line: &str| words.iter().all(|word| line.contains(word));
        answer.documents = match self.strategy {
            Strategy::OneLine => self.call(&mut answer, |line| on_one_line(&words, line)),
            Strategy::AnyWord => self.call(&mut answer, |line| words.iter().any(|word| line.contains(word))),
            Strategy::Intersect => {
                let mut lists = words.iter().map(|word| self.call(&mut answer, |line| line.contains(word)));
                let mut both = lists.next().unwrap_or_default();
                for list in lists {
                    both.retain(|path| list.contains(path));
                }
                both
            }
            Strategy::Unite => {
                let mut either: Vec<String> = Vec::new();
                for word in &words {
                    for path in self.call(&mut answer, |line| line.contains(word)) {
                        if !either.contains(&path) {
                            either.push(path);
                        }
                    }
                }
                either
            }
            Strategy::CutEndings => {
                let found = self.call(&mut answer, |line| on_one_line(&words, line));
                if found.is_empty() {
                    let cut: Vec<&str> = words.iter().map(|word| cut_ending(word)).collect();
                    self.call(&mut answer, |line| on_one_line(&cut, line))
                } else {
                    found
                }
            }
        };
        Ok(answer)
    }
}

/// A word without what looks like an ending; at least four letters stay.
fn cut_ending(word: &str) -> &str {
    ["ing", "ies", "en", "ed", "es", "er", "s", "e", "n"]
        .into_iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.chars().count() >= 4))
        .unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes() -> Vec<KnownNote> {
        [
            ("a.md", "e2ee here\n\nand the certificate there\n"),
            ("b.md", "certificates of e2ee on one line\n"),
            ("c.md", "nothing\n"),
        ]
        .map(|(path, source)| KnownNote::read(path, source))
        .to_vec()
    }

    #[track_caller]
    fn finds(strategy: Strategy, query: &str, expected: &[&str], calls: usize) {
        let answer = Grep::new(strategy, &notes()).answer(query, 20).unwrap();
        assert_eq!(answer.documents, expected);
        assert_eq!(answer.calls, calls);
        assert_eq!(answer.bytes > 0, !expected.is_empty());
    }

    #[test]
    fn strategies() {
        finds(Strategy::OneLine, "e2ee certificate", &["b.md"], 1);
        finds(Strategy::AnyWord, "e2ee certificate", &["a.md", "b.md"], 1);
        finds(Strategy::Intersect, "E2EE certificate", &["a.md", "b.md"], 2);
        finds(Strategy::Unite, "nothing certificates", &["c.md", "b.md"], 2);
        finds(Strategy::CutEndings, "e2ee certifying", &[], 2);
        finds(Strategy::CutEndings, "e2ee certificated", &["b.md"], 2);
        finds(Strategy::CutEndings, "e2ee certificate", &["b.md"], 1);
    }

    #[test]
    fn lists_are_cut_off() {
        let many: Vec<KnownNote> =
            (0..30).map(|number| KnownNote::read(&format!("{number:02}.md"), "word\n")).collect();
        let answer = Grep::new(Strategy::AnyWord, &many).answer("word", 50).unwrap();
        assert_eq!(answer.documents.len(), MAX_LINES);
    }
}
