//! Generated vaults: realistic enough that what is measured on them holds for real ones.
//!
//! Every note is a function of the seed and its number alone, so the benchmark knows what a note
//! holds without reading it back, and a larger vault is a smaller one with notes added.

mod memory;
mod note;
mod random;
mod tasks;
mod words;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context, ensure};

pub(crate) use memory::{FILES as MEMORY_FILES, MemoryFile};
pub(crate) use note::{Note, STATUSES, TAGS};
pub(crate) use random::Random;
pub(crate) use tasks::day;
use words::Vocabulary;

/// Modification times lie in the years after this moment (2023-01-01T00:00:00Z).
const FIRST_MODIFIED: u64 = 1_672_531_200;

/// Makes the notes of one vault.
pub(crate) struct Generator {
    notes: u32,
    seed: u64,
    vocabulary: Vocabulary,
}

impl Generator {
    pub(crate) fn new(notes: u32, seed: u64) -> Self {
        Self { notes, seed, vocabulary: Vocabulary::new(seed) }
    }

    /// How many notes there are.
    pub(crate) fn len(&self) -> u32 {
        self.notes
    }

    /// What names this vault's content: a changed generator gives another text.
    pub(crate) fn identity(&self) -> String {
        let last = self.note(self.notes.saturating_sub(1));
        let memory = self.memory_files().pop().map(|file| file.text).unwrap_or_default();
        format!(
            "{} notes, seed {}, the last one:\n{}\n{}\n{memory}",
            self.notes, self.seed, last.path, last.text
        )
    }

    /// The note of that number, from 0.
    pub(crate) fn note(&self, number: u32) -> Note {
        note::make(self, number)
    }

    /// The memory files, which stand beside the notes.
    pub(crate) fn memory_files(&self) -> Vec<MemoryFile> {
        memory::files(self)
    }

    /// Whether a word carries a subject, as opposed to "the" and "of".
    pub(crate) fn is_subject(&self, word: &str) -> bool {
        self.vocabulary.is_subject(word)
    }

    /// Writes the vault and gives its size in bytes.
    pub(crate) fn write_to(&self, directory: &Path) -> anyhow::Result<u64> {
        fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
        let empty = fs::read_dir(directory)?.next().is_none();
        ensure!(empty, "{} is not empty: a generated vault gets a folder of its own", directory.display());
        let mut bytes = 0;
        let mut write = |path: &str, text: &str, number: u32| -> anyhow::Result<()> {
            let path = directory.join(path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&path, text)?;
            let age = Duration::from_secs(FIRST_MODIFIED + u64::from(number) * 600);
            fs::File::options().write(true).open(&path)?.set_modified(SystemTime::UNIX_EPOCH + age)?;
            bytes += text.len() as u64;
            Ok(())
        };
        for number in 0..self.notes {
            let note = self.note(number);
            write(&note.path, &note.text, number)?;
        }
        for file in self.memory_files() {
            write(&file.path, &file.text, self.notes)?;
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_vault() {
        let (first, second) = (Generator::new(50, 1), Generator::new(50, 1));
        for number in 0..50 {
            let (one, other) = (first.note(number), second.note(number));
            assert_eq!((one.path, one.text), (other.path, other.text));
        }
    }

    #[test]
    fn memory_holds_a_fifth_as_many_entries_as_there_are_notes_up_to_2_000() {
        for (notes, entries) in [(1_000, 200), (10_000, 2_000), (40_000, 2_000)] {
            let files = Generator::new(notes, 1).memory_files();
            assert_eq!(files.iter().map(|file| file.entries.len()).sum::<usize>(), entries);
            assert_eq!(
                files.iter().map(|file| file.text.matches("\n- **20").count()).sum::<usize>(),
                entries
            );
        }
    }

    #[test]
    fn another_seed_gives_another_vault() {
        assert_ne!(Generator::new(50, 1).note(3).text, Generator::new(50, 2).note(3).text);
    }

    #[test]
    fn a_note_has_two_tasks_in_the_mean_and_some_notes_are_boards() {
        let generator = Generator::new(2_000, 1);
        let texts: Vec<String> = (0..2_000).map(|number| generator.note(number).text).collect();
        let lines = || texts.iter().flat_map(|text| text.lines());
        let tasks = lines().filter(|line| line.trim_start().starts_with("- [")).count();
        assert!((1.6..2.4).contains(&(tasks as f64 / 2_000.0)), "{tasks} tasks in 2,000 notes");
        for sign in ["📅", "[due:: "] {
            assert!(lines().filter(|line| line.contains(sign)).count() > 100, "{sign}");
        }
        let boards = texts.iter().filter(|text| text.starts_with("---\nkanban-plugin: board\n")).count();
        assert!((8..40).contains(&boards), "{boards} boards");
    }

    #[test]
    fn names_are_unique_and_notes_about_a_kilobyte() {
        let generator = Generator::new(2_000, 1);
        let notes: Vec<Note> = (0..2_000).map(|number| generator.note(number)).collect();
        let names: std::collections::BTreeSet<_> = notes.iter().map(|note| &note.path).collect();
        assert_eq!(names.len(), notes.len());
        let mean = notes.iter().map(|note| note.text.len()).sum::<usize>() / notes.len();
        assert!((800..1_300).contains(&mean), "{mean} bytes a note");
    }

    #[test]
    fn a_few_words_make_half_of_the_text_and_most_words_are_rare() {
        let generator = Generator::new(1_000, 1);
        let mut counts = std::collections::HashMap::<String, usize>::new();
        for number in 0..1_000 {
            for word in generator.note(number).words {
                *counts.entry(word).or_default() += 1;
            }
        }
        let mut counts: Vec<usize> = counts.into_values().collect();
        counts.sort_unstable_by(|one, other| other.cmp(one));
        let (total, head): (usize, usize) = (counts.iter().sum(), counts.iter().take(100).sum());
        assert!(head * 10 > total * 4, "the 100 most frequent words make {head} of {total}");
        let once = counts.iter().filter(|count| **count == 1).count();
        assert!(once * 3 > counts.len(), "{once} of {} words occur once", counts.len());
    }
}
