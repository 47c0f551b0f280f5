//! An engine over a database of its own, and a few words to fill and ask it.

use std::sync::Arc;

use store::{Database, Lane, Options};
use tempfile::TempDir;

use super::super::*;

/// A small vault under an engine.
pub(super) struct Vault {
    _folder: TempDir,
    pub(super) database: Database,
    pub(super) engine: Arc<Engine>,
    next: u32,
}

/// A note without properties: its title is its file name.
pub(super) fn note(path: &str, body: &str) -> Fields {
    let name = path.rsplit('/').next().unwrap_or(path);
    Fields {
        path: path.to_owned(),
        title: name.trim_end_matches(".md").to_owned(),
        body: body.to_owned(),
        ..Fields::default()
    }
}

pub(super) fn options(languages: &str, ranking: Ranking) -> TextOptions {
    TextOptions { languages: Language::parse_list(languages).unwrap(), ranking }
}

impl Vault {
    pub(super) fn new(options: TextOptions, notes: impl IntoIterator<Item = Fields>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("index.db"), &Options::default()).unwrap();
        database.write(Lane::Bulk, |connection| connection.batch(Engine::SCHEMA)).unwrap();
        let mut vault = Self { _folder: folder, database, engine: Arc::new(Engine::new(options)), next: 1 };
        for fields in notes {
            vault.add(&fields);
        }
        vault
    }

    /// Notes by path and body, English, the default ranking.
    pub(super) fn of(notes: &[(&str, &str)]) -> Self {
        Self::new(TextOptions::default(), notes.iter().map(|(path, body)| note(path, body)))
    }

    pub(super) fn add(&mut self, fields: &Fields) -> u32 {
        let doc = self.next;
        self.next += 1;
        self.put(doc, fields);
        doc
    }

    pub(super) fn put(&self, doc: u32, fields: &Fields) {
        let prepared = prepare(fields);
        let engine = self.engine.clone();
        let staged = self
            .database
            .write(Lane::Interactive, move |connection| engine.store(connection, doc, &prepared))
            .unwrap();
        self.engine.publish(vec![staged]);
    }

    pub(super) fn remove(&self, doc: u32) {
        let engine = self.engine.clone();
        let staged =
            self.database.write(Lane::Interactive, move |connection| engine.remove(connection, doc)).unwrap();
        self.engine.publish(vec![staged]);
    }

    /// The same tables under an engine with other settings, as after a restart.
    pub(super) fn reopened(&self, options: TextOptions) -> Engine {
        let engine = Engine::new(options);
        self.database.read(|connection| engine.load(connection)).unwrap();
        engine
    }

    pub(super) fn search(&self, query: &str) -> Ranked {
        self.search_in(query, &Scope::all())
    }

    pub(super) fn search_in(&self, query: &str, scope: &Scope) -> Ranked {
        search_with(&self.engine, &self.database, query, scope)
    }

    /// The documents found, best first.
    pub(super) fn found(&self, query: &str) -> Vec<u32> {
        docs(&self.search(query))
    }
}

pub(super) fn search_with(engine: &Engine, database: &Database, query: &str, scope: &Scope) -> Ranked {
    database.read(|connection| engine.search(connection, query, QueryMode::Auto, scope, 50)).unwrap()
}

pub(super) fn docs(ranked: &Ranked) -> Vec<u32> {
    ranked.hits.iter().map(|hit| hit.doc).collect()
}
