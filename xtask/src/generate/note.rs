//! One generated note: properties, headings, paragraphs, lists, tasks, links and tags.

use std::fmt::Write;

use super::Generator;
use super::random::Random;
use super::tasks;
use super::words::Vocabulary;

const FOLDERS: [&str; 14] = [
    "Projects/Alpha",
    "Projects/Beta",
    "Projects/Gamma/Research",
    "Areas/Finance",
    "Areas/Health",
    "Areas/House",
    "Resources/Books",
    "Resources/Articles",
    "Resources/Recipes",
    "Meetings",
    "People",
    "Archive/2023",
    "Archive/2024",
    "",
];

/// The texts of a property with few values.
pub(crate) const STATUSES: [&str; 5] = ["active", "waiting", "done", "someday", "dropped"];

/// The tags of properties, texts and tasks.
pub(crate) const TAGS: [&str; 20] = [
    "project",
    "project/active",
    "project/waiting",
    "area/finance",
    "area/health",
    "reading",
    "reading/book",
    "reading/article",
    "idea",
    "meeting",
    "person",
    "recipe",
    "travel",
    "homelab",
    "writing",
    "review/weekly",
    "review/monthly",
    "todo",
    "reference",
    "inbox",
];

const TYPES: [&str; 6] = ["note", "project", "meeting", "person", "reference", "journal"];

/// A note as it is written, and what the benchmark asks about it.
pub(crate) struct Note {
    /// Vault-relative path.
    pub(crate) path: String,
    /// The whole file.
    pub(crate) text: String,
    /// The folder, empty at the root.
    pub(crate) folder: &'static str,
    /// The property tags.
    pub(crate) tags: Vec<&'static str>,
    /// The words of the first paragraph, in order.
    pub(crate) words: Vec<String>,
}

/// The title of a note; it ends in the note's number in base 36, so that it is unique.
fn title(vocabulary: &Vocabulary, random: &mut Random, number: u32) -> String {
    let count = random.between(1, 3);
    let mut title = String::new();
    for _ in 0..count {
        title.push_str(&capital(vocabulary.subject(random)));
        title.push(' ');
    }
    title.push_str(&base36(number));
    title
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// The stream of a note's name: separate from its text, so that a link costs no text.
fn name(generator: &Generator, number: u32) -> (String, &'static str) {
    let mut random = Random::new(generator.seed, u64::from(number) * 2);
    let folder = random.pick(&FOLDERS);
    (title(&generator.vocabulary, &mut random, number), folder)
}

pub(super) fn make(generator: &Generator, number: u32) -> Note {
    let (title, folder) = name(generator, number);
    let mut random = Random::new(generator.seed, u64::from(number) * 2 + 1);
    let mut writer = Writer { generator, random: &mut random, number, text: String::with_capacity(1_200) };
    let tags = writer.properties(&title);
    let _ = write!(writer.text, "# {title}\n\n");
    let words = writer.paragraph();
    if writer.random.chance(tasks::BOARDS_PERCENT) {
        writer.board();
    } else {
        for _ in 0..writer.random.between(1, 3) {
            writer.section();
        }
    }
    let text = writer.text;
    let path = if folder.is_empty() { format!("{title}.md") } else { format!("{folder}/{title}.md") };
    Note { path, text, folder, tags, words }
}

struct Writer<'a> {
    generator: &'a Generator,
    random: &'a mut Random,
    number: u32,
    text: String,
}

impl Writer<'_> {
    fn properties(&mut self, title: &str) -> Vec<&'static str> {
        let mut tags: Vec<&'static str> =
            (0..self.random.below(4)).map(|_| self.random.pick(&TAGS)).collect();
        tags.dedup();
        if self.random.chance(15) {
            // Some notes have no properties at all.
            return Vec::new();
        }
        self.text.push_str("---\n");
        if self.random.chance(30) {
            let _ = writeln!(self.text, "title: {title}");
        }
        if !tags.is_empty() {
            let _ = writeln!(self.text, "tags: [{}]", tags.join(", "));
        }
        let kind = self.random.pick(&TYPES);
        let (year, month, day) =
            (self.random.between(2020, 2026), self.random.between(1, 12), self.random.between(1, 28));
        let _ = writeln!(self.text, "type: {kind}\ncreated: {year}-{month:02}-{day:02}");
        if self.random.chance(50) {
            let status = self.random.pick(&STATUSES);
            let _ = writeln!(self.text, "status: {status}");
        }
        if self.random.chance(30) {
            let rating = self.random.between(1, 5);
            let _ = writeln!(self.text, "rating: {rating}");
        }
        if self.random.chance(20) {
            let alias = self.words(2).join(" ");
            let _ = writeln!(self.text, "aliases:\n  - {alias}");
        }
        if self.random.chance(25) {
            let description = self.words(8).join(" ");
            let _ = writeln!(self.text, "description: {description}");
        }
        if self.random.chance(15) {
            let link = self.link_target();
            let _ = writeln!(self.text, "related: \"[[{link}]]\"");
        }
        self.text.push_str("---\n");
        tags
    }

    fn words(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.generator.vocabulary.word(self.random).to_owned()).collect()
    }

    /// The name of another note: early notes are linked often, as hubs are; a few links are broken.
    fn link_target(&mut self) -> String {
        if self.random.chance(4) {
            return format!("{} missing", capital(self.generator.vocabulary.subject(self.random)));
        }
        let skewed = self.random.unit().powi(2);
        let other = (skewed * f64::from(self.generator.len())) as u32;
        let other = if other == self.number { 0 } else { other };
        let (title, folder) = name(self.generator, other);
        match (self.random.below(10), folder) {
            (0, folder) if !folder.is_empty() => format!("{folder}/{title}"),
            (1, _) => format!("{title}|{}", self.generator.vocabulary.subject(self.random)),
            _ => title,
        }
    }

    fn sentence(&mut self) -> Vec<String> {
        let length = self.random.between(6, 16);
        let words = self.words(length);
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                self.text.push(' ');
            }
            match (index, self.random.below(100)) {
                (0, _) => self.text.push_str(&capital(word)),
                (_, 0) => {
                    let _ = write!(self.text, "**{word}**");
                }
                (_, 1) => {
                    let _ = write!(self.text, "`{word}`");
                }
                _ => self.text.push_str(word),
            }
        }
        if self.random.chance(12) {
            let link = self.link_target();
            let _ = write!(self.text, " [[{link}]]");
        }
        self.text.push_str(". ");
        words
    }

    fn paragraph(&mut self) -> Vec<String> {
        let count = self.random.between(2, 4);
        let words = (0..count).flat_map(|_| self.sentence()).collect();
        if self.random.chance(10) {
            let tag = self.random.pick(&TAGS);
            let _ = write!(self.text, "#{tag}");
        }
        self.text.truncate(self.text.trim_end().len());
        self.text.push_str("\n\n");
        words
    }

    fn task(&mut self) -> String {
        let words = self.words(6).join(" ");
        tasks::line(self.random, &words, &TAGS)
    }

    /// The lanes of a board; its properties say that it is one.
    fn board(&mut self) {
        match self.text.strip_prefix("---\n") {
            Some(rest) => self.text = format!("---\nkanban-plugin: board\n{rest}"),
            None => self.text.insert_str(0, "---\nkanban-plugin: board\n---\n"),
        }
        for lane in ["Active", "Up Next", "Waiting On", "Done"] {
            let _ = write!(self.text, "## {lane}\n\n{}", if lane == "Done" { "**Complete**\n" } else { "" });
            for _ in 0..self.random.between(2, 6) {
                let line = self.task();
                let _ = writeln!(self.text, "{line}");
            }
            self.text.push_str("\n\n");
        }
    }

    fn section(&mut self) {
        let heading = self.words(3).join(" ");
        let _ = write!(self.text, "## {}\n\n", capital(&heading));
        match self.random.below(6) {
            0 => {
                for place in 0..self.random.between(3, 8) {
                    let indent = if place > 0 && self.random.chance(20) { "  " } else { "" };
                    let line = self.task();
                    let _ = writeln!(self.text, "{indent}{line}");
                }
                self.text.push('\n');
            }
            1 => {
                for _ in 0..self.random.between(3, 6) {
                    let (item, link) = (self.words(4).join(" "), self.link_target());
                    let _ = writeln!(self.text, "- {item} [[{link}]]");
                }
                self.text.push('\n');
            }
            2 => {
                let code = self.words(5).join("_");
                let _ = write!(self.text, "```sh\n{code} --run\n```\n\n");
                self.paragraph();
            }
            _ => {
                self.paragraph();
                self.paragraph();
            }
        }
    }
}
