//! The ranking of SQLite's FTS5 with form expansion, `Ranking::Seed`.

use super::super::*;
use super::harness::*;

fn vault(languages: &str, notes: &[(&str, &str)]) -> Vault {
    Vault::new(options(languages, Ranking::Seed), notes.iter().map(|(path, body)| note(path, body)))
}

/// What `bm25()` of FTS5 says.
fn bm25(vault: &Vault, query: &str) -> Vec<(u32, f64)> {
    vault
        .database
        .read(|connection| {
            connection.query(
                "SELECT rowid, -bm25(fts, 4.0, 10.0, 8.0, 5.0, 3.0, 3.0, 1.0) FROM fts WHERE fts MATCH ?1",
                &[query.into()],
                |row| Ok::<_, TextError>((row.get(0)?, row.get(1)?)),
            )
        })
        .unwrap()
}

#[track_caller]
fn equals_fts5(vault: &Vault, query: &str, expression: &str) {
    let mut found: Vec<(u32, f64)> =
        vault.search(query).hits.iter().map(|hit| (hit.doc, hit.score)).collect();
    assert!(found.is_sorted_by(|one, other| one.1 >= other.1));
    found.sort_by_key(|hit| hit.0);
    let mut expected = bm25(vault, expression);
    expected.sort_by_key(|hit| hit.0);
    assert_eq!(found.len(), expected.len(), "{query}");
    for ((doc, score), (other, expected)) in found.iter().zip(&expected) {
        assert_eq!(doc, other, "{query}");
        assert!((score - expected).abs() <= 1e-9 * expected.abs(), "{query}: {score} {expected}");
    }
}

fn mixed() -> Vault {
    let mut notes = vec![
        Fields {
            path: "howto/tls/renew-wildcard-certificate.md".into(),
            title: "Renew the wildcard certificate".into(),
            aliases: vec!["TLS renewal".into(), "acme".into()],
            description: "Certificate of the proxy, step by step.".into(),
            tags: vec!["tls/acme".into()],
            headings: vec!["Steps".into(), "Proxy".into()],
            body: "The certificate of the proxy expires. Steps: ask acme for a certificate.".into(),
            markup: "https://example.org/certificate".into(),
            kind: DocKind::Note,
        },
        note("proxy/certificate.md", "One line on the proxy and its wildcard."),
        note("daily/2024-01-05.md", "The proxy was down. New certificate ordered. Certificate installed."),
        note("x.md", "Wildcard search in the shell."),
    ];
    notes.extend((0..12).map(|number| note(&format!("filler/{number}.md"), "nothing of the kind here")));
    Vault::new(options("none", Ranking::Seed), notes)
}

#[test]
fn scores_are_those_of_bm25() {
    let vault = mixed();
    equals_fts5(&vault, "certificate", "certificate");
    equals_fts5(&vault, "wildcard", "wildcard");
    equals_fts5(&vault, "proxy certificate", "proxy AND certificate");
    equals_fts5(&vault, "acme", "acme");
    equals_fts5(&vault, "nothing", "nothing");
    equals_fts5(&vault, "daily 2024", "daily AND 2024");
}

#[test]
fn a_hit_counts_by_its_field() {
    let fields = |number: usize| {
        // The same words in every note, `target` in one field each.
        let mut words = ["one"; 7];
        words[number] = "target";
        Fields {
            path: format!("{}/n{number}.md", words[3]),
            title: words[0].into(),
            aliases: vec![words[1].into()],
            description: words[2].into(),
            tags: vec![words[4].into()],
            headings: vec![words[5].into()],
            body: words[6].into(),
            markup: String::new(),
            kind: DocKind::Note,
        }
    };
    let mut notes: Vec<Fields> = (0..7).map(fields).collect();
    notes.extend(
        (0..20).map(|number| note(&format!("z{number}.md"), "other words in this one here and there")),
    );
    let vault = Vault::new(options("en", Ranking::Seed), notes);
    let ranked = vault.search("target");
    // title 10, aliases 8, description 5, path 4, tags 3 and headings 3, body 1.
    assert_eq!(docs(&ranked), [1, 2, 3, 4, 5, 6, 7]);
    let scores: Vec<f64> = ranked.hits.iter().map(|hit| hit.score).collect();
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]));
    assert!((scores[4] - scores[5]).abs() < 1e-12, "tags and headings count the same");
}

#[test]
fn the_largest_set_that_some_note_has_is_searched() {
    let vault = vault(
        "en",
        &[
            ("a.md", "traefik podman"),
            ("b.md", "traefik docker"),
            ("c.md", "docker"),
            ("d.md", "docker"),
            ("e.md", "podman"),
            ("f.md", "nothing"),
        ],
    );
    let ranked = vault.search("traefik podman docker");
    // Two words are the most any note has, and podman is rarer than docker.
    assert_eq!(docs(&ranked), [1]);
    assert_eq!(ranked.total, 1);
    assert_eq!(ranked.query_mode, QueryReading::Relaxed);
    let ranked = vault.search("traefik podman");
    assert_eq!(docs(&ranked), [1], "a note that lacks one of them is no result");
    assert_eq!(ranked.query_mode, QueryReading::All);
    assert!(vault.found("quasar pulsar").is_empty());
}

#[test]
fn relaxation_is_about_the_notes_that_the_filter_leaves() {
    let vault = vault("en", &[("daily/a.md", "traefik"), ("howto/b.md", "traefik podman")]);
    let scope = Scope { allowed: Some([1].into_iter().collect()), ..Scope::default() };
    assert_eq!(docs(&vault.search_in("traefik podman", &scope)), [1]);
}

#[test]
fn other_forms_cost_up_to_half() {
    let vault = vault(
        "en,de",
        &[
            ("a.md", "entscheidend"),
            ("b.md", "entscheidung"),
            ("c.md", "filler"),
            ("d.md", "filler"),
            ("e.md", "filler"),
            ("f.md", "filler"),
        ],
    );
    let ranked = vault.search("entscheidung");
    assert_eq!(docs(&ranked), [2, 1], "none of the words as typed drops below those that have them");
    assert!((ranked.hits[1].score / ranked.hits[0].score - 0.5).abs() < 1e-9);
    assert_eq!(ranked.hits[1].match_kind, MatchKind::WordForms);
}

#[test]
fn one_form_among_three_words_barely_matters() {
    let typed = [("a.md", "wildcard certificate traefik"), ("z.md", "nothing")];
    let formed = [("a.md", "wildcard certificates traefik"), ("z.md", "nothing")];
    let score =
        |notes: &[(&str, &str)]| vault("en", notes).search("wildcard certificate traefik").hits[0].score;
    assert!((score(&formed) / score(&typed) - (1.0 - 0.5 / 3.0)).abs() < 1e-9);
}

#[test]
fn forms_are_found_by_stemming() {
    let vault =
        vault("en,de", &[("a.md", "certificates renewed"), ("b.md", "Entscheidungen"), ("c.md", "x")]);
    assert_eq!(vault.found("certificate renewing"), [1]);
    assert_eq!(vault.found("Entscheidung"), [2]);
}

#[test]
fn what_a_stemmer_cannot_do() {
    let vault = vault("en,de", &[("a.md", "Zertifikatserneuerung, and he ran"), ("b.md", "x")]);
    assert!(vault.found("zertifikat").is_empty(), "compounds");
    assert_eq!(vault.found("zertifikat*"), [1], "but a prefix finds them");
    assert!(vault.found("run").is_empty(), "irregular forms");
}

#[test]
fn filler_words_of_the_active_languages_are_ignored() {
    let vault = vault("en,de", &[("a.md", "Zertifikat"), ("b.md", "wie the how")]);
    let ranked = vault.search("how the wie warum Zertifikat");
    assert_eq!(ranked.ignored_stopwords, ["how", "the", "wie", "warum"]);
    assert_eq!(docs(&ranked), [1]);
}

#[test]
fn languages_without_a_list_keep_their_filler_words() {
    let vault = vault("en,fr", &[("a.md", "le certificat du serveur"), ("b.md", "le chat")]);
    let ranked = vault.search("le certificat");
    assert!(ranked.ignored_stopwords.is_empty());
    assert_eq!(docs(&ranked), [1]);
}

#[test]
fn none_switches_forms_and_filler_words_off() {
    let vault = vault("none", &[("a.md", "certificates"), ("b.md", "how certificate")]);
    assert_eq!(vault.found("how certificate"), [2]);
    assert_eq!(vault.found("certificate"), [2]);
    assert!(vault.search("certificate").word_forms.is_empty());
}

#[test]
fn the_form_that_matched_is_what_is_marked() {
    let vault = vault("en", &[("a.md", "Traefik picks up the Renewed file.")]);
    let ranked = vault.search("renewing");
    let snippet = vault.engine.snippet("Traefik picks up the Renewed file.", &ranked.highlights, 20, true);
    assert_eq!(snippet.text, "Traefik picks up the «Renewed» file.");
}

#[test]
fn syntax_is_ranked_by_the_same_formula() {
    let vault = mixed();
    equals_fts5(&vault, "certificate OR wildcard", "certificate OR wildcard");
    equals_fts5(&vault, "certificate NOT wildcard", "certificate NOT wildcard");
}

/// A hub lists many notes with their descriptions, so it matches what any of them matches. It ranks
/// below the note that is asked for, and it is found.
#[test]
fn a_hub_page_ranks_low_and_shows_up() {
    let subjects = [
        ("garden", "tomatoes", "When to plant tomatoes and how deep."),
        ("network", "router", "How the router gets its address from the provider."),
        ("kitchen", "sourdough", "Feeding the sourdough starter through the winter."),
        ("travel", "visa", "Which papers the visa office wants to see."),
        ("bicycle", "derailleur", "Adjusting the derailleur without a stand."),
        ("taxes", "deduction", "The deduction for a room used as an office."),
        ("music", "metronome", "Practising scales with a metronome."),
        ("photo", "exposure", "Exposure for snow: two stops over."),
    ];
    let mut notes: Vec<Fields> = subjects
        .iter()
        .map(|(folder, word, description)| Fields {
            description: (*description).to_owned(),
            ..note(
                &format!("{folder}/{word}.md"),
                &format!("{description} More on {word}: {word} in practice."),
            )
        })
        .collect();
    let list: String =
        subjects.iter().map(|(folder, word, text)| format!("- {folder}/{word}: {text}\n")).collect();
    notes.push(note("hub.md", &list));
    notes.extend((0..20).map(|number| note(&format!("filler/{number}.md"), "nothing of the kind here")));
    let vault = Vault::new(options("en", Ranking::Seed), notes);
    let hub = subjects.len() as u32 + 1;
    for (place, (folder, word, description)) in (1..).zip(&subjects) {
        for query in [(*word).to_owned(), format!("{folder} {word}"), (*description).to_owned()] {
            let ranked = vault.search(&query);
            let found = docs(&ranked);
            assert_eq!(found.first(), Some(&place), "{query}: the note itself comes first");
            assert_eq!(found.last(), Some(&hub), "{query}: the hub comes last, and it comes");
            let score = |doc: u32| ranked.hits.iter().find(|hit| hit.doc == doc).map(|hit| hit.score);
            assert!(score(hub) < score(place), "{query}");
        }
    }
    // Only the hub holds words of two notes: it is the answer to a question on both.
    assert_eq!(vault.found("tomatoes derailleur"), [hub]);
}
