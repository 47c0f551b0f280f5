//! "FTS5 syntax works and runs exactly as written, with no stemming and no widening."

use harness::TestVault;
use serde_json::json;

use super::{ask, found, found_set, notes, serve_both};

fn vault() -> TestVault {
    notes(&[
        ("a.md", "the wildcard certificate of Müller is served by traefik"),
        ("b.md", "a certificate, no wildcard; certificates for kubernetes and traefik"),
        ("c.md", "podman or docker"),
        ("d.md", "docker, and far away from it all, after many more words than three, Müller; then traefik"),
        (
            "wild/e.md",
            "---\ntitle: certificate authority\naliases: [rootca]\ndescription: chain of trust\ntags: [tls]\n---\n## Anchors\n\nplain\n",
        ),
    ])
}

#[track_caller]
fn case(query: &str, expected: &[&str]) {
    for server in serve_both(vault()) {
        assert_eq!(found_set(&server, query), expected, "{query}");
        assert_eq!(ask(&server, query)["query_mode"], "syntax", "{query}");
    }
}

/// `"wildcard certificate"`: exact phrase.
#[test]
fn a_phrase() {
    case("\"wildcard certificate\"", &["a.md"]);
}

/// `"certificate"`: this exact word, no other forms.
#[test]
fn a_quoted_word() {
    case("\"certificates\"", &["b.md"]);
}

/// `cert*`: prefix.
#[test]
fn a_prefix() {
    case("cert*", &["a.md", "b.md", "wild/e.md"]);
}

/// `traefik NOT kubernetes`, `podman OR docker`: operators in capitals.
#[test]
fn boolean_operators() {
    case("traefik NOT kubernetes", &["a.md", "d.md"]);
    case("podman OR docker", &["c.md", "d.md"]);
    case("traefik AND kubernetes", &["b.md"]);
    case("(podman OR kubernetes) AND docker", &["c.md"]);
}

/// Operators in small letters are words.
#[test]
fn small_letters_are_words() {
    for server in serve_both(vault()) {
        assert_ne!(ask(&server, "podman or docker")["query_mode"], "syntax");
    }
}

/// `NEAR(müller traefik, 3)`: within three words of each other.
#[test]
fn words_near_each_other() {
    case("NEAR(müller traefik, 3)", &["a.md", "d.md"]);
    case("NEAR(docker traefik, 3)", &[]);
    case("NEAR(docker traefik, 30)", &["d.md"]);
}

/// `title:certificate`: one field only: path, title, aliases, description, tags, headings, body.
#[test]
fn one_field_only() {
    case("title:certificate", &["wild/e.md"]);
    case("aliases:rootca", &["wild/e.md"]);
    case("description:trust", &["wild/e.md"]);
    case("path:wild", &["wild/e.md"]);
    case("tags:tls", &["wild/e.md"]);
    case("headings:anchors", &["wild/e.md"]);
    case("body:plain", &["wild/e.md"]);
    case("body:rootca", &[]);
}

/// "Exactly as written": a word in a query with an operator is not stemmed and not widened.
#[test]
fn no_stemming_and_no_widening() {
    for server in serve_both(vault()) {
        assert_eq!(found_set(&server, "certificates OR zzznothing"), ["b.md"]);
        assert_eq!(found(&server, "traefik AND zzznothing"), [""; 0], "not relaxed");
        assert_eq!(ask(&server, "certificates OR zzznothing")["word_forms"], json!({}));
    }
}

/// Folding holds in syntax as well: `muller` and `Müller` are the same word.
#[test]
fn folding_holds_in_syntax() {
    case("\"of muller\"", &["a.md"]);
    case("MULLER AND wildcard", &["a.md"]);
    case("mull*", &["a.md", "d.md"]);
}
