//! What a word of a query stands for: itself, its forms, and where it is unknown the words it may
//! mean.

use super::corpus::Corpus;
use super::distance::distance;
use super::docset::Scope;
use super::fold::Class;
use super::language::Script;
use super::query::Term;

/// Most words that a prefix or a single sign stands for.
const MAX_EXPANSION: usize = 30;

/// Factor on the weight of a word that was only guessed.
const GUESS: f64 = 0.8;

/// A word of the query with everything it stands for. Whatever matches counts as one word: its
/// documents are those of all of them together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    /// As typed.
    pub(crate) typed: String,
    /// The word itself, where some document has it.
    pub(crate) exact: Option<u32>,
    /// The other words it stands for, in alphabetical order.
    pub(crate) others: Vec<u32>,
    /// The other words count as typed: whoever asks for a prefix means all of them.
    pub(crate) others_exact: bool,
    /// Factor on the group's weight.
    pub(crate) weight: f64,
    /// How often the query says it.
    pub(crate) count: u32,
}

impl Group {
    /// Every word of the group, the one typed first.
    pub(crate) fn words(&self) -> impl Iterator<Item = u32> + '_ {
        self.exact.into_iter().chain(self.others.iter().copied())
    }
}

/// How far a word is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Widening {
    /// The word as it is written.
    None,
    /// Its forms.
    Forms,
    /// Its forms; and for a word without any, longer words and similar ones.
    Guesses,
}

/// The group of a term among the documents of the scope. Words that only other documents have
/// are unknown.
pub(crate) fn resolve(corpus: &Corpus, term: &Term, widening: Widening, scope: &Scope) -> Group {
    let exact = corpus.words.find(&term.text).filter(|word| corpus.occurs(*word, scope));
    let mut group = Group {
        typed: term.typed.clone(),
        exact,
        others: Vec::new(),
        others_exact: false,
        weight: 1.0,
        count: term.count,
    };
    if widening == Widening::None {
        return group;
    }
    group.others = corpus.stems.forms(&term.text);
    if let Some(sign) = single_sign(&term.text) {
        group.others.extend(holding_sign(corpus, sign, scope));
    }
    group.others.retain(|word| Some(*word) != exact && corpus.occurs(*word, scope));
    if widening == Widening::Guesses && exact.is_none() && group.others.is_empty() {
        group.others = beginning_with(corpus, &term.text, 4, scope);
        if group.others.is_empty() {
            group.others = similar(corpus, &term.text, scope);
            group.weight = GUESS;
        }
    }
    alphabetical(corpus, &mut group.others);
    group
}

/// The group of everything that begins with a prefix, which counts as typed.
pub(crate) fn prefix_group(corpus: &Corpus, term: &Term, scope: &Scope) -> Group {
    let mut others: Vec<u32> = corpus
        .words
        .iter()
        .filter(|(number, word)| word.starts_with(&term.text) && corpus.occurs(*number, scope))
        .map(|(number, _)| number)
        .collect();
    alphabetical(corpus, &mut others);
    let exact = corpus.words.find(&term.text).filter(|word| corpus.occurs(*word, scope));
    others.retain(|word| Some(*word) != exact);
    Group { typed: term.typed.clone(), exact, others, others_exact: true, weight: 1.0, count: term.count }
}

/// Sums are taken in this order, so that equal documents score equal however they came.
fn alphabetical(corpus: &Corpus, words: &mut [u32]) {
    words.sort_by(|one, other| corpus.words.get(*one).cmp(corpus.words.get(*other)));
}

/// The sign of a word that is a single piece of a script without spaces.
fn single_sign(word: &str) -> Option<char> {
    let mut chars = word.chars();
    let sign = chars.next()?;
    (chars.next().is_none() && matches!(Class::of(sign), Class::Ideograph | Class::Hangul)).then_some(sign)
}

/// The pairs that hold a sign: text has it alone only where it stands alone.
fn holding_sign(corpus: &Corpus, sign: char, scope: &Scope) -> Vec<u32> {
    let mut buffer = [0; 4];
    let sign: &str = sign.encode_utf8(&mut buffer);
    let pairs = corpus.words.iter().filter(|(_, word)| word.len() > sign.len() && word.contains(sign));
    most_frequent(corpus, pairs.map(|(number, _)| number), scope)
}

/// The most frequent words that begin with one of at least `least` letters.
fn beginning_with(corpus: &Corpus, start: &str, least: usize, scope: &Scope) -> Vec<u32> {
    if start.chars().count() < least {
        return Vec::new();
    }
    let longer = corpus.words.iter().filter(|(_, word)| word.len() > start.len() && word.starts_with(start));
    most_frequent(corpus, longer.map(|(number, _)| number), scope)
}

fn most_frequent(corpus: &Corpus, words: impl Iterator<Item = u32>, scope: &Scope) -> Vec<u32> {
    let mut found: Vec<(usize, u32)> = words
        .map(|word| (corpus.frequency(word, scope), word))
        .filter(|(frequency, _)| *frequency > 0)
        .collect();
    found.sort_by(|one, other| {
        other.0.cmp(&one.0).then_with(|| corpus.words.get(one.1).cmp(corpus.words.get(other.1)))
    });
    found.truncate(MAX_EXPANSION);
    found.into_iter().map(|(_, word)| word).collect()
}

/// The words of the vocabulary nearest to an unknown one: one letter apart from 4 letters on, two
/// from 8 on. Numbers are never guessed.
fn similar(corpus: &Corpus, unknown: &str, scope: &Scope) -> Vec<u32> {
    let letters: Vec<char> = unknown.chars().collect();
    let mut limit = match letters.len() {
        0..4 => return Vec::new(),
        4..8 => 1,
        _ => 2,
    };
    if Script::of(unknown).is_none() || letters.iter().any(|letter| letter.is_numeric()) {
        return Vec::new();
    }
    let wanted = letter_set(unknown);
    let mut nearest: Vec<u32> = Vec::new();
    for (number, word) in corpus.words.iter() {
        // A letter changed takes one out of the set and puts one in.
        if (letter_set(word) ^ wanted).count_ones() as usize > 2 * limit
            || word.len().abs_diff(unknown.len()) > 4 * limit
        {
            continue;
        }
        let candidate: Vec<char> = word.chars().collect();
        let Some(found) = distance(&letters, &candidate, limit) else { continue };
        if !corpus.occurs(number, scope) || word.chars().any(char::is_numeric) {
            continue;
        }
        if found < limit {
            limit = found;
            nearest.clear();
        }
        nearest.push(number);
    }
    most_frequent(corpus, nearest.into_iter(), scope)
}

/// Which letters a word has, roughly: a bit for each of 64 remainders.
fn letter_set(word: &str) -> u64 {
    if word.is_ascii() {
        return word.bytes().fold(0, |set, byte| set | 1 << (byte % 64));
    }
    word.chars().fold(0, |set, letter| set | 1 << (u32::from(letter) % 64))
}
