//! How the default ranking reads plain words.

use super::super::*;
use super::harness::*;

fn howto() -> Fields {
    Fields {
        path: "howto/renew-wildcard-certificate.md".into(),
        title: "Renew the wildcard certificate".into(),
        aliases: vec!["Certificate renewal".into()],
        description: "Renewing the wildcard certificate behind Traefik, step by step.".into(),
        tags: vec!["tls".into(), "homelab".into()],
        headings: vec!["Renew the wildcard certificate".into(), "Steps".into()],
        body: "Renew the wildcard certificate. The certificate is valid for 90 days. Traefik picks up the \
               renewed file."
            .into(),
        markup: String::new(),
        kind: DocKind::Note,
    }
}

#[test]
fn the_answer_says_how_the_query_was_read() {
    let vault = Vault::new(
        TextOptions::default(),
        [howto(), note("projects/cluster.md", "Decisions: we decided against Kubernetes.")],
    );
    let ranked = vault.search("how do I renew the certificates");
    assert_eq!(docs(&ranked), [1]);
    assert_eq!(ranked.total, 1);
    assert_eq!(ranked.query_mode, QueryReading::All);
    assert_eq!(ranked.ignored_stopwords, ["how", "do", "I", "the"]);
    assert_eq!(ranked.word_forms["renew"], ["renewal", "renewed", "renewing"]);
    assert_eq!(ranked.word_forms["certificates"], ["certificate"]);
    let hit = &ranked.hits[0];
    assert_eq!(hit.match_kind, MatchKind::WordForms);
    let fields: Vec<_> = hit.matched_fields.iter().map(|field| field.name()).collect();
    assert_eq!(fields, ["path", "title", "aliases", "description", "headings", "body"]);
    assert!((hit.normalised - 1.0).abs() < 1e-12);
    let snippet = vault.engine.snippet(&howto().body, &ranked.highlights, 10, true);
    assert_eq!(snippet.text, "«Renew» the wildcard «certificate». The «certificate» is valid for 90…");
}

#[test]
fn whole_notes_match_not_lines() {
    let vault = Vault::of(&[("a.md", "Notes on e2ee.\n\nFar below: the certificate."), ("b.md", "nothing")]);
    assert_eq!(vault.found("e2ee certificate"), [1]);
    assert_eq!(vault.search("e2ee certificate").query_mode, QueryReading::All);
}

#[test]
fn case_and_accents_fold() {
    let vault = Vault::of(&[("contacts/x.md", "Jonas Müller"), ("y.md", "Le CAFÉ")]);
    assert_eq!(vault.found("muller"), [1]);
    assert_eq!(vault.found("MÜLLER"), [1]);
    assert_eq!(vault.found("cafe"), [2]);
}

#[test]
fn punctuation_is_text() {
    let vault = Vault::of(&[
        ("one.md", "The file-provider of iOS."),
        ("two.md", "C++ at 10:30"),
        ("three.md", "See https://example.org/title:x for more."),
    ]);
    assert_eq!(vault.found("file-provider"), [1]);
    assert_eq!(vault.found("C++"), [2]);
    assert_eq!(vault.found("10:30"), [2]);
    assert_eq!(vault.found("https://example.org/title:x"), [3]);
    assert_eq!(vault.found("un\"balanced (example"), [3]);
    for query in ["", "   ", "+-*/", "\"", "()", "***"] {
        assert!(vault.found(query).is_empty(), "{query}");
    }
}

#[test]
fn notes_with_fewer_words_follow() {
    let vault =
        Vault::of(&[("a.md", "traefik"), ("b.md", "podman traefik"), ("c.md", "podman"), ("d.md", "x")]);
    let ranked = vault.search("podman traefik");
    assert_eq!(docs(&ranked)[0], 2);
    assert_eq!(ranked.hits.len(), 3);
    assert_eq!(ranked.total, 1, "notes that hold every term, when there are any");
    assert_eq!(ranked.query_mode, QueryReading::All);
    assert!(ranked.hits[0].all_terms && !ranked.hits[1].all_terms);

    let ranked = vault.search("podman quasar");
    assert_eq!(ranked.query_mode, QueryReading::Relaxed);
    assert_eq!(ranked.total, 2, "else those that hold some");
}

#[test]
fn forms_count_as_one_word_and_the_typed_form_is_worth_more() {
    let vault = Vault::of(&[
        ("a.md", "entry about certificates and more"),
        ("b.md", "entry about certificate and more"),
        ("c.md", "filler"),
        ("d.md", "filler"),
    ]);
    let ranked = vault.search("certificate");
    assert_eq!(docs(&ranked), [2, 1]);
    assert_eq!(ranked.hits[0].match_kind, MatchKind::Exact);
    assert_eq!(ranked.hits[1].match_kind, MatchKind::WordForms);
    // Only the damping tells the two apart: a fifth, as no word is as typed.
    assert!((ranked.hits[1].score / ranked.hits[0].score - 0.8).abs() < 1e-9);
    assert!((ranked.hits[1].normalised - 0.8).abs() < 1e-9);
}

#[test]
fn equal_scores_go_by_path() {
    let vault = Vault::of(&[("z/n.md", "word"), ("a/n.md", "word"), ("m/n.md", "word")]);
    assert_eq!(vault.found("word"), [2, 3, 1]);
}

#[test]
fn a_title_that_is_the_query_comes_first() {
    let vault = Vault::of(&[
        (
            "long.md",
            "Meeting notes. Meeting notes. Meeting notes. Meeting notes once more, notes of the meeting.",
        ),
        ("Meeting notes.md", "Empty so far."),
        ("Meeting notes of last year in the other building.md", "Empty so far."),
    ]);
    assert_eq!(vault.found("meeting notes")[..2], [2, 3]);
}

#[test]
fn words_near_each_other_come_first() {
    let gap = "filler ".repeat(12);
    let vault = Vault::of(&[
        ("a.md", &format!("wildcard {gap} certificate {gap}")),
        ("b.md", &format!("{gap} {gap} wildcard certificate")),
    ]);
    let ranked = vault.search("wildcard certificate");
    assert_eq!(docs(&ranked), [2, 1]);
    assert!((ranked.hits[0].score / ranked.hits[1].score - 1.2).abs() < 1e-9);
}

#[test]
fn unknown_words_are_read_as_beginnings_then_as_typos() {
    let vault = Vault::of(&[
        ("a.md", "Zertifikatserneuerung steht an"),
        ("b.md", "kubernetes cluster"),
        ("c.md", "we receive mail"),
        ("d.md", "numbers 2024 and 20241"),
    ]);
    assert_eq!(vault.found("zertifikat"), [1]);
    assert_eq!(vault.search("zertifikat").word_forms["zertifikat"], ["zertifikatserneuerung"]);
    assert_eq!(vault.found("kubernetse"), [2]);
    assert_eq!(vault.found("recieve"), [3]);
    assert_eq!(vault.found("zer"), Vec::<u32>::new(), "too short to be a beginning");
    assert_eq!(vault.found("2023"), Vec::<u32>::new(), "numbers are never guessed");
    let typo = vault.search("kubernetse").hits[0].score;
    let right = vault.search("kubernetes").hits[0].score;
    assert!(typo < right * 0.8, "a guess is worth less: {typo} {right}");
}

#[test]
fn scripts_without_spaces_are_found_inside() {
    let vault = Vault::of(&[
        ("a.md", "我喜歡小黑貓。"),
        ("b.md", "학교에서 공부했다"),
        ("c.md", "ภาษาไทยง่ายมาก"),
        ("d.md", "東京タワーに行った"),
        ("e.md", "猫"),
    ]);
    assert_eq!(vault.found("黑貓"), [1]);
    assert_eq!(vault.found("학교"), [2]);
    assert_eq!(vault.found("ไทย"), [3]);
    assert_eq!(vault.found("タワー"), [4]);
    assert_eq!(vault.found("貓"), [1], "a single sign is found inside a text");
    assert_eq!(vault.found("猫"), [5]);
    assert_eq!(vault.found("물"), Vec::<u32>::new());
}

#[test]
fn languages_decide_about_forms_and_filler_words() {
    let notes = || {
        [
            note("a.md", "Die Entscheidungen über das Zertifikat"),
            note("b.md", "certificates of the cluster"),
            note("c.md", "how it works"),
        ]
    };
    let english = Vault::new(options("en", Ranking::Recipe), notes());
    assert_eq!(english.search("wie das Zertifikat").ignored_stopwords, Vec::<String>::new());
    let both = Vault::new(options("en,de", Ranking::Recipe), notes());
    let ranked = both.search("warum die Entscheidung");
    assert_eq!(ranked.ignored_stopwords, ["warum", "die"]);
    assert_eq!(docs(&ranked), [1]);
    assert_eq!(ranked.word_forms["Entscheidung"], ["entscheidungen"]);
    let french = Vault::new(options("en,fr", Ranking::Recipe), notes());
    assert_eq!(french.search("certificat").word_forms["certificat"], ["certificates"]);
    let none = Vault::new(options("none", Ranking::Recipe), notes());
    let ranked = none.search("how certificate");
    assert!(ranked.ignored_stopwords.is_empty());
    assert_eq!(docs(&ranked)[0], 3, "no filler words without a language");
}

#[test]
fn other_languages_need_no_new_index() {
    let vault = Vault::of(&[("a.md", "Entscheidungen")]);
    assert!(vault.engine.stats().stemmed > 0);
    let german = vault.reopened(options("de", Ranking::Recipe));
    let ranked = search_with(&german, &vault.database, "Entscheidung", &Scope::all());
    assert_eq!(docs(&ranked), [1]);
    assert_eq!(ranked.word_forms["Entscheidung"], ["entscheidungen"]);
}

#[test]
fn a_file_scores_half_of_a_note() {
    let mut file = note("n.canvas", "word");
    file.kind = DocKind::File;
    file.title = "n".into();
    let vault = Vault::new(TextOptions::default(), [file, note("n.md", "word")]);
    let ranked = vault.search("word");
    assert_eq!(docs(&ranked), [2, 1]);
    assert!((ranked.hits[1].normalised - 0.5).abs() < 1e-9);
}

#[test]
fn files_change_nothing_in_how_notes_rank() {
    for ranking in [Ranking::Recipe, Ranking::Seed] {
        let notes = [note("a.md", "word other"), note("b.md", "word word and more"), note("c.md", "nothing")];
        let alone = Vault::new(options("en", ranking), notes.clone());
        let files = (0..20).map(|number| Fields {
            kind: DocKind::File,
            ..note(&format!("log-{number}.txt"), "word other word log log log")
        });
        let beside = Vault::new(options("en", ranking), notes.into_iter().chain(files));
        for query in ["word", "word other", "other", "wor*", "word OR other"] {
            let scope = Scope { notes_only: true, ..Scope::all() };
            let (expected, found) = (alone.search(query), beside.search_in(query, &scope));
            assert_eq!(found.hits, expected.hits, "{query}: only notes, scored as without files");
            assert_eq!((found.total, found.max_score), (expected.total, expected.max_score), "{query}");
            let all = beside.search(query);
            let notes: Vec<_> = all.hits.iter().filter(|hit| hit.doc <= 3).map(|hit| hit.score).collect();
            let expected: Vec<_> = expected.hits.iter().map(|hit| hit.score).collect();
            assert_eq!(notes, expected, "{query}: scored as without files");
        }
    }
}

#[test]
fn a_word_that_only_files_hold_is_unknown_among_notes() {
    let file = Fields { kind: DocKind::File, ..note("a.csv", "certificates") };
    let vault = Vault::new(TextOptions::default(), [note("n.md", "certificate certify"), file]);
    assert_eq!(vault.search("certificates").word_forms["certificates"], ["certificate"]);
    assert_eq!(docs(&vault.search("certificates")), [1, 2], "a file scores half");
    let only = Scope { notes_only: true, ..Scope::all() };
    assert_eq!(docs(&vault.search_in("certificates", &only)), [1]);
    assert!(vault.search_in("a.csv", &only).hits.is_empty());
}

#[test]
fn a_file_name_that_is_not_the_title_is_searched() {
    let mut standup = note("daily/2024-01-05 standup.md", "Empty.");
    standup.title = "Planning".into();
    let vault = Vault::new(TextOptions::default(), [standup, note("x.md", "Empty.")]);
    let ranked = vault.search("standup");
    assert_eq!(docs(&ranked), [1]);
    assert_eq!(ranked.hits[0].matched_fields, [Field::Path]);
    assert_eq!(vault.found("daily"), [1], "and so are folders");
}

#[test]
fn markup_is_found_and_counts_little() {
    let mut link = note("link.md", "See the docs.");
    link.markup = "https://doc.traefik.io/v2".into();
    let vault = Vault::new(TextOptions::default(), [link, note("text.md", "On traefik.")]);
    assert_eq!(vault.found("https://doc.traefik.io/v2")[0], 1);
    assert_eq!(vault.found("traefik"), [2, 1]);
    assert_eq!(vault.found("\"doc traefik io\""), [1]);
    assert_eq!(vault.search("v2").hits[0].matched_fields, [Field::Body]);
}

#[test]
fn a_pasted_page_is_a_query_too() {
    let vault = Vault::of(&[("a.md", "alpha beta")]);
    let page = "alpha gamma delta ".repeat(2_000);
    assert_eq!(vault.found(&page), [1]);
}
