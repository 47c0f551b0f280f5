//! Recall: single dated entries of the memory files, the grain that searches over notes miss.
//!
//! Entries are ranked as notes are, with the constants of short texts, in an engine of their own that is
//! held in memory: a few thousand entries at most. Before each answer the memory files' hashes are
//! compared, in the snapshot of the answer, with those that the engine was filled from, and only a file
//! that differs is read again. So no writer has to know of it.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::PoisonError;

use markdown::memory::section_key;
use markdown::plain;
use store::{Connection, params};
use vault::{Principal, VaultPath};

use super::condition::in_folder;
use super::meta::stored_path;
use super::scope::Visible;
use crate::answer::{RecallAnswer, RecalledEntry};
use crate::core::Core;
use crate::error::SearchError;
use crate::note::heading_words;
use crate::query::RecallQuery;
use crate::text::{self, DocSet, Engine, Fields, Language, Prepared, Scope};

impl Core {
    /// See [`Index::memory_recall`](crate::Index::memory_recall).
    pub(crate) fn memory_recall(
        &self,
        who: &Principal,
        query: &RecallQuery,
    ) -> Result<RecallAnswer, SearchError> {
        let indexing = Visible::to(who).progress(self.report().progress);
        self.ask(|connection| {
            let mut kept = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
            let corpus = match kept.take() {
                Some(corpus) if corpus.folder == query.folder => corpus,
                _ => MemoryCorpus::new(&query.folder, self.options.text.languages.clone()),
            };
            // One that could not be brought up to date is not put back.
            let corpus = kept.insert(corpus.updated(connection)?);
            let (entries, total) = corpus.recall(who, query);
            Ok(RecallAnswer { entries, total, search_mode: "fts", reranked: false, indexing })
        })
    }
}

/// The entries of the memory files in one folder, and the engine that ranks them.
pub(crate) struct MemoryCorpus {
    folder: String,
    engine: Engine,
    files: BTreeMap<VaultPath, MemoryFile>,
    entries: HashMap<u32, RecalledEntry>,
    /// The number of the next entry. Entries of one file have neighbouring numbers, in its order.
    next: u32,
}

/// A file that the engine holds.
struct MemoryFile {
    hash: Vec<u8>,
    entries: Range<u32>,
}

impl MemoryCorpus {
    fn new(folder: &str, languages: Vec<Language>) -> Self {
        Self {
            folder: folder.to_owned(),
            engine: Engine::of_entries(languages),
            files: BTreeMap::new(),
            entries: HashMap::new(),
            next: 0,
        }
    }

    /// The same with what the tables hold now.
    fn updated(mut self, connection: &Connection) -> Result<Self, SearchError> {
        let found = memory_files(connection, &self.folder)?;
        let mut changes: Vec<(u32, Option<Prepared>)> = Vec::new();
        let same = |path: &VaultPath, hash: &[u8]| found.get(path).is_some_and(|(_, found)| found == hash);
        let stale: Vec<VaultPath> = self
            .files
            .iter()
            .filter(|(path, file)| !same(path, &file.hash))
            .map(|(path, _)| path.clone())
            .collect();
        for path in stale {
            for number in self.files.remove(&path).map_or(0..0, |file| file.entries) {
                self.entries.remove(&number);
                changes.push((number, None));
            }
        }
        for (path, (id, hash)) in found {
            if self.files.contains_key(&path) {
                continue;
            }
            let first = self.next;
            for (entry, prepared) in stored_entries(connection, id, &path)? {
                changes.push((self.next, Some(prepared)));
                self.entries.insert(self.next, entry);
                self.next += 1;
            }
            self.files.insert(path, MemoryFile { hash, entries: first..self.next });
        }
        if !changes.is_empty() {
            self.engine.change(changes);
        }
        Ok(self)
    }

    /// The entries asked for, most relevant first, and how many match.
    fn recall(&self, who: &Principal, query: &RecallQuery) -> (Vec<RecalledEntry>, usize) {
        let seen: Vec<(&VaultPath, &MemoryFile)> =
            self.files.iter().filter(|(path, _)| who.sees(path)).collect();
        let numbers = |files: &[(&VaultPath, &MemoryFile)]| -> DocSet {
            files.iter().flat_map(|(_, file)| file.entries.clone()).collect()
        };
        let allowed = query.file.as_ref().map(|wanted| {
            let exact = seen.iter().find(|(path, _)| *path == wanted);
            let file = exact.or_else(|| seen.iter().find(|(path, _)| path.key() == wanted.key()));
            numbers(file.map_or(&[], std::slice::from_ref))
        });
        let visible = (seen.len() < self.files.len()).then(|| numbers(&seen));
        let ranked = self.engine.search_plain(
            &query.query,
            &Scope { visible, allowed, notes_only: false },
            self.entries.len(),
        );
        // Entries with some of the words are the rescue of a question that no entry answers whole.
        let whole = ranked.holding_all > 0;
        let matching = ranked.hits.iter().filter(|hit| hit.all_terms || !whole);
        let shown = matching.skip(query.offset).take(query.limit);
        (shown.filter_map(|hit| self.entries.get(&hit.doc).cloned()).collect(), ranked.total)
    }
}

/// The notes directly in a folder that are indexed, with what tells one content from another. When there
/// are none, those of a folder whose name differs in letter case.
fn memory_files(
    connection: &Connection,
    folder: &str,
) -> Result<BTreeMap<VaultPath, (u32, Vec<u8>)>, SearchError> {
    let key = VaultPath::fold(folder);
    let (piece, bounds) = in_folder("path_key", &key);
    let statement =
        format!("SELECT path, id, hash FROM files WHERE {piece} AND kind = 'note' AND hash IS NOT NULL");
    let mut files = BTreeMap::new();
    connection.for_each(&statement, &bounds, |row| {
        let path = stored_path(row.str(0)?)?;
        if VaultPath::fold(path.folder()) == key {
            files.insert(path, (row.get(1)?, row.get(2)?));
        }
        Ok::<_, SearchError>(())
    })?;
    if files.keys().any(|path| path.folder() == folder) {
        files.retain(|path, _| path.folder() == folder);
    }
    Ok(files)
}

/// The entries of a file, and each as the engine takes it.
fn stored_entries(
    connection: &Connection,
    id: u32,
    path: &VaultPath,
) -> Result<Vec<(RecalledEntry, Prepared)>, SearchError> {
    connection.query(
        "SELECT section, date, text, line FROM memory_entries WHERE note_id = ?1 ORDER BY ordinal",
        params![id],
        |row| {
            let (section, date, text): (Option<String>, String, &str) =
                (row.get(0)?, row.get(1)?, row.str(2)?);
            let prepared = prepare(path, section.as_deref(), &date, text);
            let text = format!("- **{date}**: {text}");
            let line = row.get::<u32>(3)?.saturating_add(1);
            Ok((RecalledEntry { path: path.clone(), section, date, text, line }, prepared))
        },
    )
}

/// An entry as the engine sees it: its section and day are its title, the name of its file stands in its
/// path, so that "how agents communicate" finds what stands in the section Communication of Agents.
fn prepare(path: &VaultPath, section: Option<&str>, date: &str, entry: &str) -> Prepared {
    let section = section_key(section.unwrap_or_default());
    let plain = plain::plain(entry, 0..entry.len());
    text::prepare(&Fields {
        path: path.file_name().to_owned(),
        title: format!("{} {date}", heading_words(&section)),
        markup: text::markup_of(entry, 0..entry.len(), &plain.text, &plain.map),
        body: plain.text,
        ..Fields::default()
    })
}
