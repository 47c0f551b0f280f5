//! However the documents came and went, the engine is the one that a rebuild would give.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::corpus::Corpus;
use super::super::*;
use super::harness::*;

const WORDS: [&str; 16] = [
    "certificate",
    "certificates",
    "renew",
    "renewal",
    "traefik",
    "podman",
    "docker",
    "cluster",
    "müller",
    "entscheidung",
    "黑貓",
    "小黑貓",
    "the",
    "of",
    "quasar",
    "2024",
];

#[derive(Debug, Clone)]
enum Step {
    Put(u32, Fields),
    Remove(u32),
    /// Changes written and rolled back.
    Abandon(u32, Fields),
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..12).prop_map(|words| words.join(" "))
}

fn fields() -> impl Strategy<Value = Fields> {
    (text(), text(), text(), text(), 0_u32..6, any::<bool>()).prop_map(
        |(title, body, tags, headings, folder, file)| Fields {
            path: format!("folder{folder}/{}.md", title.split(' ').next().unwrap_or("x")),
            title,
            aliases: vec![headings.clone()],
            description: tags.clone(),
            tags: vec![tags],
            headings: vec![headings],
            markup: body.clone(),
            body,
            kind: if file { DocKind::File } else { DocKind::Note },
        },
    )
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1_u32..12, fields()).prop_map(|(doc, fields)| Step::Put(doc, fields)),
        2 => (1_u32..12).prop_map(Step::Remove),
        1 => (1_u32..12, fields()).prop_map(|(doc, fields)| Step::Abandon(doc, fields)),
    ];
    prop::collection::vec(step, 1..30)
}

const QUERIES: [&str; 10] = [
    "certificate",
    "renew the certificates",
    "traefik podman docker",
    "muller",
    "貓",
    "quasr",
    "entsch",
    "cert*",
    "certificate OR podman",
    "2024 cluster",
];

#[track_caller]
fn same(one: &Ranked, other: &Ranked, query: &str) {
    // Snippet weights come from the same numbers; scores may differ by rounding only if sums were
    // taken in another order, and they are not.
    assert_eq!(one, other, "{query}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn changes_one_by_one_equal_a_rebuild(steps in steps()) {
        let vault = Vault::of(&[]);
        let mut left: BTreeMap<u32, Fields> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Put(doc, fields) => {
                    vault.put(doc, &fields);
                    left.insert(doc, fields);
                }
                Step::Remove(doc) => {
                    vault.remove(doc);
                    left.remove(&doc);
                }
                Step::Abandon(doc, fields) => {
                    let prepared = prepare(&fields);
                    let engine = vault.engine.clone();
                    let abandoned: Result<(), TextError> =
                        vault.database.write(store::Lane::Interactive, move |connection| {
                            let _staged = engine.store(connection, doc, &prepared)?;
                            Err(TextError::Format { doc })
                        });
                    prop_assert!(abandoned.is_err());
                }
            }
        }
        // Another order, so other word numbers and other slots.
        let rebuilt = Vault::of(&[]);
        for (doc, fields) in left.iter().rev() {
            rebuilt.put(*doc, fields);
        }
        let reloaded = vault.reopened(TextOptions::default());
        prop_assert_eq!(vault.engine.stats().documents, left.len());
        prop_assert_eq!(vault.engine.stats().terms, rebuilt.engine.stats().terms);
        for query in QUERIES {
            let found = vault.search(query);
            same(&found, &rebuilt.search(query), query);
            same(&found, &search_with(&reloaded, &vault.database, query, &Scope::all()), query);
        }
    }

    #[test]
    fn a_batch_equals_its_changes_one_by_one(batches in prop::collection::vec(steps(), 1..4)) {
        let (mut single, mut batched) = (Corpus::new(&[]), Corpus::new(&[]));
        for steps in batches {
            let changes: Vec<_> = steps
                .into_iter()
                .filter_map(|step| match step {
                    Step::Put(doc, fields) => Some((doc, Some(prepare(&fields)))),
                    Step::Remove(doc) => Some((doc, None)),
                    Step::Abandon(..) => None,
                })
                .collect();
            for change in changes.clone() {
                single.apply(vec![change]);
            }
            batched.apply(changes);
        }
        prop_assert_eq!(single.totals(&Scope::all()), batched.totals(&Scope::all()));
        for (word, text) in single.words.iter() {
            let postings = |corpus: &Corpus| -> BTreeMap<u32, _> {
                let word = corpus.words.find(text);
                let list = word.and_then(|word| corpus.list(word));
                list.into_iter()
                    .flat_map(|list| list.iter())
                    .filter_map(|posting| Some((corpus.doc(posting.slot)?.id, posting.counts)))
                    .collect()
            };
            prop_assert_eq!(postings(&single), postings(&batched), "{} {}", word, text);
        }
    }
}

#[test]
fn a_damaged_stream_is_told_apart_from_a_database_error() {
    let vault = Vault::of(&[("a.md", "word")]);
    vault
        .database
        .write(store::Lane::Interactive, |connection| {
            connection.execute("UPDATE doc_tokens SET stream = x'ff00'", &[])?;
            Ok::<(), TextError>(())
        })
        .unwrap();
    let engine = Engine::new(TextOptions::default());
    let error = vault.database.read(|connection| engine.load(connection)).unwrap_err();
    assert!(matches!(error, TextError::Format { doc: 1 }), "{error}");
}

#[test]
fn searches_run_while_changes_are_published() {
    let vault = Vault::of(&[("a.md", "word one"), ("b.md", "word two")]);
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| {
            for _ in 0..200 {
                let found = vault.search("word").hits.len();
                assert!((1..=2).contains(&found), "{found}");
            }
        });
        for turn in 0..50 {
            if turn % 2 == 0 {
                vault.remove(2);
            } else {
                vault.put(2, &note("b.md", "word two"));
            }
        }
        searching.join().unwrap();
    });
}
