//! Queries made from a vault itself: a note is known, and the search has to find it.
//!
//! No labels are needed, so anybody can measure on their own vault. Three kinds:
//! - *topic*: two words of the title, or of aliases and description where the title has fewer. Is
//!   the note that is about it among the first?
//! - *body*: two words from different lines of a note, each in 3 to 40 notes and in neither title,
//!   path, aliases nor description, so that field weights cannot help.
//! - *form*: a topic query with its words in other forms, which the note does not have.
//!
//! The words are the note's own, so a match exists by construction: nothing here is about
//! paraphrases.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::dataset::Query;
use super::notes::KnownNote;
use super::random::Random;
use crate::text::{Language, WordForms, tokens};

/// Shortest word that a query is made of, in letters.
const SHORTEST: usize = 4;
/// A topic that more notes than these share is no look-up of one note.
const MOST_ALIKE: usize = 5;
/// Notes that a word of the body is in.
const BODY_WORD: std::ops::RangeInclusive<usize> = 3..=40;
/// Words that say nothing, beside the engine's filler words: nobody looks a note up by them.
const DULL: &[&str] = &[
    "about", "after", "also", "because", "been", "before", "between", "both", "could", "does", "done",
    "each", "every", "first", "from", "have", "here", "into", "just", "like", "made", "make", "many", "more",
    "most", "much", "need", "note", "notes", "only", "other", "over", "same", "should", "some", "such",
    "than", "that", "their", "them", "then", "there", "these", "they", "this", "those", "used", "using",
    "very", "want", "well", "were", "what", "when", "where", "which", "while", "will", "with", "without",
    "would", "your",
];

/// What kinds of query are made, by their label.
pub const KINDS: [&str; 3] = ["topic", "body", "form"];

/// The label that says a query's kind.
pub const KIND: &str = "kind";

/// How queries are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownItemOptions {
    /// Most queries of each kind.
    pub per_kind: usize,
    /// Where chance begins; the same seed and vault give the same queries.
    pub seed: u64,
    /// Languages whose word forms are known.
    pub languages: Vec<Language>,
    /// Notes that are no targets, by path with `*` for anything: hub pages, templates. They stay
    /// searchable.
    pub skip: Vec<String>,
}

impl Default for KnownItemOptions {
    fn default() -> Self {
        Self { per_kind: 100, seed: 7, languages: vec![Language::ENGLISH], skip: Vec::new() }
    }
}

/// Words of a note, folded, each once.
struct Words<'a> {
    note: &'a KnownNote,
    /// Of the title, and of aliases and description after it; in order.
    topic: Vec<String>,
    /// Of everything in the file and its path.
    all: HashSet<String>,
}

/// Makes queries; each says its kind and the notes that are right.
#[must_use]
pub fn known_item_queries(notes: &[KnownNote], options: &KnownItemOptions) -> Vec<Query> {
    let words: Vec<Words<'_>> = notes.iter().map(Words::of).collect();
    let mut frequency: HashMap<&str, usize> = HashMap::new();
    let mut topic_frequency: HashMap<&str, usize> = HashMap::new();
    for words in &words {
        for word in &words.all {
            *frequency.entry(word).or_default() += 1;
        }
        for word in words.topic.iter().collect::<HashSet<_>>() {
            *topic_frequency.entry(word).or_default() += 1;
        }
    }
    let mut vocabulary: Vec<&str> = frequency.keys().copied().collect();
    vocabulary.sort_unstable();
    let forms = WordForms::new(&options.languages, &vocabulary);

    let mut random = Random::new(options.seed);
    let mut order: Vec<&Words<'_>> = words.iter().collect();
    order.sort_by(|one, other| one.note.fields.path.cmp(&other.note.fields.path));
    random.shuffle(&mut order);
    let mut made: [Vec<(String, Vec<String>)>; 3] = Default::default();
    for target in order {
        if options.skip.iter().any(|pattern| matches(pattern, &target.note.fields.path)) {
            continue;
        }
        let [topic, body, form] = &mut made;
        if let Some((pair, alike)) = target.topic_pair(&words, &topic_frequency) {
            topic.push((pair.join(" "), alike.clone()));
            if let Some(changed) = target.other_forms(&pair, &forms) {
                form.push((changed.join(" "), alike));
            }
        }
        if let Some(pair) = target.body_pair(&frequency, &mut random) {
            body.push((pair, vec![target.note.fields.path.clone()]));
        }
    }
    let mut queries = Vec::new();
    for (kind, made) in KINDS.into_iter().zip(made) {
        for (number, (text, right)) in (1..).zip(made).take(options.per_kind) {
            queries.push(Query {
                id: format!("{kind}-{number}"),
                text,
                labels: [(KIND.to_owned(), kind.to_owned())].into(),
                relevant: right.into_iter().map(|path| (path, 1.0)).collect(),
            });
        }
    }
    queries
}

impl<'a> Words<'a> {
    fn of(note: &'a KnownNote) -> Self {
        let fields = &note.fields;
        let mut topic = content_words(&fields.title);
        if topic.iter().collect::<HashSet<_>>().len() < 2 {
            for text in fields.aliases.iter().chain([&fields.description]) {
                topic.extend(content_words(text));
            }
        }
        let all = content_words(&fields.path).into_iter().chain(content_words(&note.source));
        Self { note, all: all.chain(topic.iter().cloned()).collect(), topic }
    }

    /// The two rarest words of the topic, and the notes that are about them.
    fn topic_pair(
        &self,
        all: &[Words<'_>],
        frequency: &HashMap<&str, usize>,
    ) -> Option<([String; 2], Vec<String>)> {
        let distinct: BTreeSet<&String> = self.topic.iter().collect();
        let mut rarest: Vec<&String> = distinct.into_iter().collect();
        rarest.sort_by_key(|word| frequency.get(word.as_str()).copied().unwrap_or(0));
        let (first, second) = (*rarest.first()?, *rarest.get(1)?);
        let alike: Vec<String> = all
            .iter()
            .filter(|other| other.topic.contains(first) && other.topic.contains(second))
            .map(|other| other.note.fields.path.clone())
            .collect();
        (alike.len() <= MOST_ALIKE).then(|| ([first.clone(), second.clone()], alike))
    }

    /// Two words of different lines that only the body can have.
    fn body_pair(&self, frequency: &HashMap<&str, usize>, random: &mut Random) -> Option<String> {
        let fields = &self.note.fields;
        let named: HashSet<String> = fields
            .aliases
            .iter()
            .chain([&fields.title, &fields.path, &fields.description])
            .flat_map(|text| content_words(text))
            .collect();
        let fitting = |word: &String| {
            !named.contains(word)
                && frequency.get(word.as_str()).is_some_and(|notes| BODY_WORD.contains(notes))
        };
        let lines: Vec<Vec<String>> = fields
            .body
            .lines()
            .map(|line| content_words(line).into_iter().filter(fitting).collect())
            .filter(|words: &Vec<String>| !words.is_empty())
            .collect();
        if lines.len() < 2 {
            return None;
        }
        let one = random.below(lines.len());
        let other = (one + 1 + random.below(lines.len() - 1)) % lines.len();
        let (first, second) = (random.pick(lines.get(one)?)?, random.pick(lines.get(other)?)?);
        (first != second).then(|| format!("{first} {second}"))
    }

    /// The words in other forms that the note does not have: those that the vault knows, else a
    /// changed English ending.
    fn other_forms(&self, pair: &[String; 2], forms: &WordForms) -> Option<[String; 2]> {
        let changed = pair.clone().map(|word| {
            let known = forms.of(&word).into_iter().find(|form| *form != word && !self.all.contains(*form));
            known.map_or_else(|| other_ending(&word), str::to_owned)
        });
        (!changed.iter().any(|word| self.all.contains(word))).then_some(changed)
    }
}

/// The words of a text that a query may be made of, folded.
fn content_words(text: &str) -> Vec<String> {
    tokens(text)
        .map(|token| token.text)
        .filter(|word| {
            word.chars().count() >= SHORTEST
                && word.chars().all(char::is_alphabetic)
                && !DULL.contains(&word.as_ref())
        })
        .map(std::borrow::Cow::into_owned)
        .collect()
}

/// Singular for plural and the other way round, `-ed` for `-ing` and the other way round.
fn other_ending(word: &str) -> String {
    let stem = |ending: &str, least: usize| word.strip_suffix(ending).filter(|stem| stem.len() >= least);
    if let Some(stem) = stem("ies", 3) {
        return format!("{stem}y");
    }
    if let Some(stem) = stem("ing", 4) {
        return format!("{stem}ed");
    }
    if let Some(stem) = stem("ed", 4) {
        return format!("{stem}ing");
    }
    match stem("s", 4).filter(|stem| !stem.ends_with('s')) {
        Some(stem) => stem.to_owned(),
        None => format!("{word}s"),
    }
}

/// Whether a path fits a pattern, `*` standing for anything.
fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault() -> Vec<KnownNote> {
        let mut notes: Vec<KnownNote> = (0..6)
            .map(|number| {
                KnownNote::read(
                    &format!("notes/filler {number}.md"),
                    "Wandering lanterns\n\nQuiet harbours and lanterns\n",
                )
            })
            .collect();
        notes.push(KnownNote::read(
            "howto/Renew wildcard certificate.md",
            "---\naliases: [TLS]\n---\nLanterns are lit.\n\nThe harbours sleep.\n",
        ));
        notes.push(KnownNote::read("templates/Daily template.md", "Nothing yet.\n"));
        notes
    }

    fn texts(queries: &[Query], kind: &str) -> Vec<String> {
        queries.iter().filter(|query| query.labels[KIND] == kind).map(|query| query.text.clone()).collect()
    }

    #[test]
    fn topic_and_form_queries_come_from_the_title() {
        let queries = known_item_queries(&vault(), &KnownItemOptions::default());
        let topics = texts(&queries, "topic");
        assert!(topics.contains(&"certificate renew".to_owned()), "{topics:?}");
        assert!(texts(&queries, "form").contains(&"certificates renews".to_owned()));
    }

    #[test]
    fn body_queries_avoid_what_names_the_note() {
        let queries = known_item_queries(&vault(), &KnownItemOptions::default());
        let body = queries.iter().find(|query| {
            query.labels[KIND] == "body" && query.relevant.contains_key("howto/Renew wildcard certificate.md")
        });
        let mut words: Vec<_> = body.unwrap().text.split(' ').collect();
        words.sort_unstable();
        assert_eq!(words, ["harbours", "lanterns"]);
    }

    #[test]
    fn skipped_notes_are_no_targets_and_the_seed_decides() {
        let options = KnownItemOptions { skip: vec!["templates/*".into()], ..KnownItemOptions::default() };
        let queries = known_item_queries(&vault(), &options);
        assert!(queries.iter().all(|query| !query.relevant.contains_key("templates/Daily template.md")));
        assert_eq!(queries, known_item_queries(&vault(), &options));
        let few = KnownItemOptions { per_kind: 1, ..options };
        assert!(known_item_queries(&vault(), &few).len() <= 3);
    }

    #[test]
    fn endings() {
        for (word, expected) in [
            ("certificates", "certificate"),
            ("certificate", "certificates"),
            ("indexing", "indexed"),
            ("indexed", "indexing"),
            ("queries", "query"),
            ("process", "processs"),
        ] {
            assert_eq!(other_ending(word), expected);
        }
    }

    #[test]
    fn patterns() {
        for (pattern, path, expected) in [
            ("*index.md", "a/index.md", true),
            ("templates/*", "templates/a/b.md", true),
            ("templates/*", "x/templates/a.md", false),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "a1c2b", false),
            ("a.md", "a.md", true),
            ("a.md", "a.md2", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }
}
