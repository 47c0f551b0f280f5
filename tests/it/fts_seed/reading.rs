//! "How a query is read."

use harness::TestServer;
use serde_json::json;

use super::{ask, found, found_set, notes, serve, serve_both, serve_seed_ranking};

/// "Whole notes, not lines. `e2ee certificate` finds a note that has the two words in different
/// paragraphs."
#[test]
fn words_in_different_paragraphs_are_one_hit() {
    for server in serve_both(notes(&[
        ("both.md", "# E2EE\n\nfirst\n\nsecond\n\nthe certificate\n"),
        ("one.md", "the certificate"),
    ])) {
        let answer = ask(&server, "e2ee certificate");
        assert_eq!(answer["results"][0]["path"], "both.md");
        assert_eq!((&answer["query_mode"], &answer["total"]), (&json!("all"), &json!(1)));
    }
}

/// "Case and accents are folded. muller finds Müller, cafe finds café."
#[test]
fn case_and_accents_are_folded() {
    for server in
        serve_both(notes(&[("a.md", "Jonas Müller"), ("b.md", "CAFÉ"), ("c.md", "cafe\u{301} decomposed")]))
    {
        assert_eq!(found(&server, "muller"), ["a.md"]);
        assert_eq!(found(&server, "MÜLLER"), ["a.md"]);
        assert_eq!(found_set(&server, "cafe"), ["b.md", "c.md"]);
        assert_eq!(found_set(&server, "Café"), ["b.md", "c.md"]);
    }
}

/// "Word forms match through stemming, in the active languages."
#[test]
fn word_forms_match() {
    for server in serve_both(notes(&[("a.md", "we renewed it"), ("b.md", "renewals are due")])) {
        assert_eq!(found_set(&server, "renew"), ["a.md", "b.md"]);
        assert_eq!(found(&server, "renewing")[..].len(), 2);
    }
}

/// "Filler words are ignored: how, the, wie, warum ..."
#[test]
fn filler_words_are_ignored() {
    let vault = notes(&[("a.md", "Traefik"), ("b.md", "how the wie warum")]);
    let server = TestServer::start().with_vault(vault).with_env("VAULT_FTS_LANGUAGES", "en,de").ready();
    let answer = ask(&server, "how warum the wie traefik");
    assert_eq!(answer["ignored_stopwords"], json!(["how", "warum", "the", "wie"]));
    assert_eq!(found(&server, "how warum the wie traefik"), ["a.md"]);
}

/// A query of filler words alone is not left with nothing.
#[test]
fn filler_words_alone_are_searched() {
    for server in serve_both(notes(&[("a.md", "what is the use of it"), ("b.md", "nothing")])) {
        assert_eq!(found(&server, "the of"), ["a.md"]);
    }
}

/// "No note has every term? The largest set of terms that some note does have is searched instead."
#[test]
fn the_largest_set_of_terms_that_a_note_has() {
    let server =
        serve_seed_ranking(notes(&[("two.md", "alpha beta"), ("one.md", "gamma"), ("also.md", "alpha")]));
    let answer = ask(&server, "alpha beta gamma");
    assert_eq!(answer["query_mode"], "relaxed");
    assert_eq!(found(&server, "alpha beta gamma"), ["two.md"]);
}

/// "Among equally large sets the one with the rarest terms wins, since it is the most specific
/// reading of the query."
#[test]
fn among_equal_sets_the_rarest_terms_win() {
    let mut vault = notes(&[("rare.md", "common rare"), ("frequent.md", "common frequent")]);
    for number in 0..10 {
        vault = vault.note(&format!("{number}.md"), "frequent");
    }
    let server = serve_seed_ranking(vault);
    assert_eq!(found(&server, "common rare frequent"), ["rare.md"]);
}

/// The default ranking never cuts off: a note with every term comes first, others follow.
#[test]
fn by_default_notes_with_fewer_terms_follow() {
    let server = serve(notes(&[("all.md", "alpha beta"), ("one.md", "alpha"), ("other.md", "beta")]));
    let answer = ask(&server, "alpha beta");
    assert_eq!(answer["results"][0]["path"], "all.md");
    assert_eq!((&answer["query_mode"], &answer["total"]), (&json!("all"), &json!(1)));
    assert_eq!(found_set(&server, "alpha beta"), ["all.md", "one.md", "other.md"]);
    assert_eq!(ask(&server, "alpha gamma")["query_mode"], "relaxed");
}

/// "Punctuation is text, not syntax. file-provider, C++, 10:30 or a URL are searched as written
/// instead of failing in the FTS5 parser."
#[test]
fn punctuation_is_text() {
    for server in serve_both(notes(&[
        ("one.md", "the file-provider of it"),
        ("two.md", "written in C++ then"),
        ("three.md", "at 10:30 sharp"),
        ("four.md", "see https://example.com/path?x=1#frag there"),
        ("five.md", "user@example.org and it's a 50% thing (really) [x] {y} ^z ~w"),
    ])) {
        assert_eq!(found(&server, "file-provider").first().unwrap(), "one.md");
        assert_eq!(found(&server, "C++").first().unwrap(), "two.md");
        assert_eq!(found(&server, "10:30").first().unwrap(), "three.md");
        assert_eq!(found(&server, "https://example.com/path?x=1#frag").first().unwrap(), "four.md");
        assert_eq!(found(&server, "user@example.org").first().unwrap(), "five.md");
        for query in [
            "it's", "50%", "(really)", "[x]", "{y}", "^z", "~w", "a.b.c", "x:y", "don't (", "\"", "*", "+",
            "a\"b", "title:", ":x", "NEAR", "AND",
        ] {
            // An answer, whatever it is; the harness fails on a fault.
            server.call("vault_fts_search", json!({"query": query}));
        }
    }
}

/// "Ranked with BM25, and a hit counts for more the more it says about the note."
#[test]
fn a_title_counts_for_more_than_the_body() {
    for server in serve_both(notes(&[
        ("a.md", "---\ntitle: Kubernetes\n---\nsomething else entirely"),
        ("b.md", "Kubernetes in passing here"),
    ])) {
        assert_eq!(found(&server, "kubernetes"), ["a.md", "b.md"]);
    }
}
