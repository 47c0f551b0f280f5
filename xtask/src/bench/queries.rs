//! What is asked: each kind of question a client has, built from words that the notes hold.

use serde_json::{Value, json};

use crate::generate::{Generator, MEMORY_FILES, MemoryFile, Note, Random, STATUSES, TAGS, day};

/// How many calls of each kind.
pub(crate) const CALLS: usize = 200;

/// One kind of call.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) tool: &'static str,
    /// Whether it counts towards the figure of keyword search.
    pub(crate) keyword: bool,
    pub(crate) arguments: Vec<Value>,
}

/// Every kind, the same for the same vault.
pub(crate) fn kinds(generator: &Generator) -> Vec<Kind> {
    let kind = |name, tool, keyword, make: fn(&Asker, &mut Random) -> Value| {
        let asker = Asker { generator, memory: generator.memory_files() };
        let mut random = Random::new(7, u64::from(generator.len()));
        Kind { name, tool, keyword, arguments: (0..CALLS).map(|_| make(&asker, &mut random)).collect() }
    };
    vec![
        kind(
            "one word",
            "vault_search",
            true,
            |asker, random| json!({"query": asker.words(random, 1).1.join(" ")}),
        ),
        kind(
            "two words",
            "vault_search",
            true,
            |asker, random| json!({"query": asker.words(random, 2).1.join(" ")}),
        ),
        kind("question", "vault_search", true, |asker, random| {
            let words = asker.words(random, 3).1;
            json!({"query": format!("how do I find {} for the {}?", words[..words.len() - 1].join(" and the "), words[words.len() - 1])})
        }),
        kind("typo", "vault_search", true, |asker, random| json!({"query": asker.typo(random)})),
        kind(
            "phrase",
            "vault_fts_search",
            true,
            |asker, random| json!({"query": format!("\"{}\"", asker.phrase(random))}),
        ),
        kind(
            "two words, marked snippets",
            "vault_fts_search",
            true,
            |asker, random| json!({"query": asker.words(random, 2).1.join(" ")}),
        ),
        kind("two words in a folder with a tag", "vault_search", true, |asker, random| {
            let (note, words) = asker.tagged(random);
            let mut filters = json!({"tags": [note.tags.first().copied().unwrap_or("project")]});
            if !note.folder.is_empty() {
                filters["folder"] = json!(note.folder);
            }
            json!({"query": words.join(" "), "filters": filters})
        }),
        kind(
            "tag",
            "vault_search_by_tag",
            false,
            |asker, random| json!({"tag": asker.tagged(random).0.tags.first().copied().unwrap_or("project")}),
        ),
        kind("backlinks", "vault_get_backlinks", false, |asker, random| {
            // Early notes are the hubs.
            let hubs = usize::try_from(asker.generator.len() / 10).unwrap_or(1).max(1);
            json!({"path": asker.generator.note(u32::try_from(random.below(hubs)).unwrap_or_default()).path})
        }),
        kind(
            "outgoing links",
            "vault_get_outgoing_links",
            false,
            |asker, random| json!({"path": asker.note(random).path}),
        ),
        kind("tags", "vault_list_tags", false, |_, _| json!({})),
        kind(
            "a folder and those below it",
            "vault_search_by_folder",
            false,
            |asker, random| json!({"folder": asker.foldered(random).folder}),
        ),
        kind("changed last", "vault_recent_notes", false, |_, _| json!({})),
        kind("made last", "vault_recent_notes", false, |_, _| json!({"sort_by": "created"})),
        kind("keys", "vault_list_property_keys", false, |_, _| json!({})),
        kind(
            "keys in a folder",
            "vault_list_property_keys",
            false,
            |asker, random| json!({"folder": asker.foldered(random).folder}),
        ),
        kind("values", "vault_list_property_values", false, |_, _| json!({"key": "status"})),
        kind(
            "values in a folder",
            "vault_list_property_values",
            false,
            |asker, random| json!({"key": "rating", "folder": asker.foldered(random).folder}),
        ),
        kind(
            "text",
            "vault_search_by_property",
            false,
            |_, random| json!({"key": "status", "value": random.pick(&STATUSES)}),
        ),
        kind(
            "number",
            "vault_search_by_property",
            false,
            |_, random| json!({"key": "rating", "value": random.between(1, 5).to_string()}),
        ),
        kind("orphans", "vault_find_orphans", false, |_, _| json!({})),
        kind("a day", "vault_get_daily_note", false, |_, random| json!({"date": day(random)})),
        kind("files", "vault_list_files", false, |_, _| json!({})),
        kind("paths by pattern", "vault_list_notes", false, |_, _| json!({"glob": "**/*a*.md"})),
        kind("open tasks by due date", "vault_list_tasks", false, |_, _| json!({})),
        kind(
            "tasks due before a day, with a tag",
            "vault_list_tasks",
            false,
            |_, random| json!({"due": {"before": day(random)}, "tag": random.pick(&TAGS)}),
        ),
        kind(
            "read a note",
            "vault_read_note",
            false,
            |asker, random| json!({"path": asker.note(random).path}),
        ),
        kind(
            "two words of a memory entry",
            "vault_memory_recall",
            false,
            |asker, random| json!({"query": asker.remembered(random)}),
        ),
        kind("all memory files", "vault_get_memory", false, |_, _| json!({})),
        kind(
            "a memory file",
            "vault_get_memory",
            false,
            |_, random| json!({"file": random.pick(&MEMORY_FILES)}),
        ),
        kind(
            "memory since a day",
            "vault_get_memory",
            false,
            |_, random| json!({"on_or_after": format!("{}-06-01", random.between(2020, 2026))}),
        ),
        kind("memory files", "vault_list_memory_files", false, |_, _| json!({})),
    ]
}

struct Asker<'a> {
    generator: &'a Generator,
    memory: Vec<MemoryFile>,
}

impl Asker<'_> {
    fn note(&self, random: &mut Random) -> Note {
        let number = random.below(usize::try_from(self.generator.len()).unwrap_or(usize::MAX));
        self.generator.note(u32::try_from(number).unwrap_or_default())
    }

    /// A note that lies in a folder.
    fn foldered(&self, random: &mut Random) -> Note {
        loop {
            let note = self.note(random);
            if !note.folder.is_empty() {
                return note;
            }
        }
    }

    /// A note and `count` different words of its first paragraph that carry a subject.
    fn words(&self, random: &mut Random, count: usize) -> (Note, Vec<String>) {
        loop {
            let note = self.note(random);
            let subjects: Vec<&String> =
                note.words.iter().filter(|word| self.generator.is_subject(word)).collect();
            let mut chosen: Vec<String> = Vec::new();
            for _ in 0..count * 8 {
                let Some(word) = subjects.get(random.below(subjects.len())) else { break };
                if chosen.len() < count && !chosen.contains(word) {
                    chosen.push((*word).clone());
                }
            }
            if chosen.len() == count {
                return (note, chosen);
            }
        }
    }

    /// Two words of a memory entry that carry a subject; a small memory may have no entry with two.
    fn remembered(&self, random: &mut Random) -> String {
        for _ in 0..1_000 {
            let Some(file) = self.memory.get(random.below(self.memory.len())) else { break };
            let Some(entry) = file.entries.get(random.below(file.entries.len())) else { continue };
            let subjects: Vec<&String> =
                entry.iter().filter(|word| self.generator.is_subject(word)).collect();
            if let [first, second, ..] = subjects.as_slice() {
                return format!("{first} {second}");
            }
        }
        "nothing".to_owned()
    }

    fn tagged(&self, random: &mut Random) -> (Note, Vec<String>) {
        loop {
            let (note, words) = self.words(random, 2);
            if !note.tags.is_empty() {
                return (note, words);
            }
        }
    }

    /// A word of seven letters or more with two neighbouring letters swapped.
    fn typo(&self, random: &mut Random) -> String {
        loop {
            let word = self.words(random, 1).1.concat();
            let mut letters: Vec<char> = word.chars().collect();
            if letters.len() >= 7 {
                let place = random.between(2, letters.len() - 3);
                if letters[place] != letters[place + 1] {
                    letters.swap(place, place + 1);
                    return letters.into_iter().collect();
                }
            }
        }
    }

    /// Two neighbouring words of a sentence.
    fn phrase(&self, random: &mut Random) -> String {
        loop {
            let note = self.note(random);
            let place = random.below(note.words.len().saturating_sub(1));
            if let [first, second, ..] = &note.words[place..]
                && self.generator.is_subject(first)
                && self.generator.is_subject(second)
            {
                return format!("{first} {second}");
            }
        }
    }
}
