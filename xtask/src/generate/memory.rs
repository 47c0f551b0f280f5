//! Memory files: dated entries in sections, a fifth as many as there are notes.

use std::fmt::Write;

use super::Generator;
use super::random::Random;

/// The folder of the memory files, as the server has it by default.
const FOLDER: &str = "About Me";

/// Names of the memory files.
pub(crate) const FILES: [&str; 5] = ["Agents", "Me", "Opinions", "Principles", "Routines"];

/// Most entries of all files together: nobody remembers more by hand.
const MOST_ENTRIES: u32 = 2_000;

/// Entries of a section.
const SECTION: u32 = 25;

/// A memory file as it is written.
pub(crate) struct MemoryFile {
    /// Vault-relative path.
    pub(crate) path: String,
    /// The whole file.
    pub(crate) text: String,
    /// The words of each entry.
    pub(crate) entries: Vec<Vec<String>>,
}

/// Every memory file of a vault.
pub(super) fn files(generator: &Generator) -> Vec<MemoryFile> {
    let each = (generator.len() / 5).min(MOST_ENTRIES) / 5;
    (0..).zip(FILES).map(|(number, name)| file(generator, number, name, each)).collect()
}

fn file(generator: &Generator, number: u64, name: &str, count: u32) -> MemoryFile {
    // A stream that no note has.
    let mut random = Random::new(generator.seed, u64::MAX - number);
    let mut text =
        format!("---\nentry-policy: append-only\n---\n> [!info] Scope of this file\n> {name}.\n\n# {name}\n");
    let mut entries = Vec::new();
    for entry in 0..count {
        if entry.is_multiple_of(SECTION) {
            let heading = generator.vocabulary.subject(&mut random);
            let _ = write!(text, "\n## {heading} {} (newest first)\n\n", entry / SECTION);
        }
        let length = random.between(8, 20);
        let words: Vec<String> =
            (0..length).map(|_| generator.vocabulary.word(&mut random).to_owned()).collect();
        let (year, month, day) = (random.between(2020, 2026), random.between(1, 12), random.between(1, 28));
        let _ = writeln!(text, "- **{year}-{month:02}-{day:02}**: {}", words.join(" "));
        entries.push(words);
    }
    MemoryFile { path: format!("{FOLDER}/{name}.md"), text, entries }
}
