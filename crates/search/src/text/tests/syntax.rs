//! Queries in FTS5 syntax, run by FTS5.

use proptest::prelude::*;

use super::super::*;
use super::harness::*;

fn vault() -> Vault {
    let mut first = note("howto/first.md", "The wildcard certificate of traefik. Certificates expire.");
    first.tags = vec!["tls".into()];
    Vault::new(
        TextOptions::default(),
        [
            first,
            note("howto/second.md", "A certificate that is no wildcard, on kubernetes with traefik."),
            note("podman.md", "podman by Jonas Müller, and traefik not far from him"),
            note("docker.md", "docker; 我喜歡小黑貓"),
            note("certificate.md", "certificates only in other forms here"),
        ],
    )
}

#[track_caller]
fn finds(vault: &Vault, query: &str, expected: &[u32]) {
    let ranked = vault.search(query);
    let mut found = docs(&ranked);
    found.sort_unstable();
    assert_eq!(found, expected, "{query}");
    assert_eq!(ranked.query_mode, QueryReading::Syntax, "{query}");
    assert_eq!(ranked.total, expected.len(), "{query}");
    assert!(ranked.word_forms.is_empty() && ranked.ignored_stopwords.is_empty());
}

#[test]
fn every_row_of_the_table() {
    let vault = vault();
    finds(&vault, "\"wildcard certificate\"", &[1]);
    finds(&vault, "\"certificate\"", &[1, 2, 5]);
    finds(&vault, "\"certificates\"", &[1, 5]);
    finds(&vault, "cert*", &[1, 2, 5]);
    finds(&vault, "traefik NOT kubernetes", &[1, 3]);
    finds(&vault, "podman OR docker", &[3, 4]);
    finds(&vault, "traefik AND wildcard", &[1, 2]);
    finds(&vault, "NEAR(müller traefik, 3)", &[3]);
    finds(&vault, "NEAR(jonas far, 3)", &[]);
    finds(&vault, "title:certificate", &[5]);
    finds(&vault, "path:howto", &[1, 2]);
    finds(&vault, "path:first", &[1]);
    finds(&vault, "tags:tls", &[1]);
    finds(&vault, "{title tags}: tls", &[1]);
    finds(&vault, "-body:certificate", &[5]);
    finds(&vault, "(podman OR docker) NOT müller", &[4]);
    finds(&vault, "body:^the", &[1]);
}

#[test]
fn words_are_matched_as_written_and_filler_words_count() {
    let vault = vault();
    finds(&vault, "\"the wildcard\"", &[1]);
    finds(&vault, "\"certificate\" NOT \"certificates\"", &[2]);
    assert_eq!(vault.search("certificate").word_forms["certificate"], ["certificates"], "plain words widen");
}

#[test]
fn each_word_goes_through_the_tokeniser() {
    let vault = vault();
    finds(&vault, "MULLER OR zzz", &[3]);
    finds(&vault, "\"小黑貓\"", &[4]);
    finds(&vault, "小黑貓 AND docker", &[4]);
    finds(&vault, "黑*", &[4]);
}

#[test]
fn the_better_note_comes_first() {
    let vault = Vault::of(&[
        ("a.md", "traefik once in a long text about many other things that are of no interest to anybody"),
        ("traefik.md", "traefik"),
        ("c.md", "something else"),
    ]);
    assert_eq!(docs(&vault.search("\"traefik\"")), [2, 1]);
    let ranked = vault.search("\"traefik\" OR zzz");
    assert!(ranked.hits[0].score > ranked.hits[1].score && ranked.hits[1].score > 0.0);
    assert_eq!(ranked.hits[0].match_kind, MatchKind::Exact);
}

#[test]
fn prefixes_are_marked() {
    let vault = vault();
    let ranked = vault.search("cert*");
    let snippet =
        vault.engine.snippet("The certificate, certificates and more", &ranked.highlights, 20, true);
    assert_eq!(snippet.text, "The «certificate», «certificates» and more");
}

#[test]
fn plain_mode_takes_syntax_for_words() {
    let vault = vault();
    let ranked = vault
        .database
        .read(|connection| {
            vault.engine.search(connection, "podman OR docker", QueryMode::Plain, &Scope::all(), 10)
        })
        .unwrap();
    assert_eq!(ranked.query_mode, QueryReading::Relaxed);
    assert_eq!(ranked.ignored_stopwords, ["OR"]);
}

#[test]
fn hostile_queries_are_answered() {
    let vault = vault();
    for query in [
        &format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000)),
        &"NOT ".repeat(10_000),
        &format!("a{}", " NOT a".repeat(127)),
        &format!("a{}", " OR a".repeat(127)),
        &"a AND ".repeat(10_000),
        &"\"".repeat(10_001),
        &format!("title:{}a", "body:".repeat(10_000)),
        &format!("NEAR({}, 99999999999999999999)", "a ".repeat(100)),
        &format!("NEAR({}, 5)", "traefik ".repeat(100)),
        "a\0b OR c",
    ] {
        vault.search(query);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn no_query_is_an_error_to_fts5(
        queries in prop::collection::vec(
            "(AND|OR|NOT|NEAR\\(|title:|\\{title body\\}:|-tags:|\\(|\\)|\"|\\*|\\^|\\+|,|3|a\\*|müller|黑貓|x-y|:|\\{|\\}| |\\PC){1,12}",
            25,
        )
    ) {
        let vault = vault();
        for query in queries {
            let Some(node) = super::super::syntax::parse(&query) else { continue };
            let expression = node.to_match();
            let ran = vault.database.read(|connection| {
                connection.query("SELECT rowid FROM fts WHERE fts MATCH ?1", &[expression.clone().into()], |_| {
                    Ok::<(), TextError>(())
                })
            });
            prop_assert!(ran.is_ok(), "{query:?} {expression:?} {ran:?}");
        }
    }
}
