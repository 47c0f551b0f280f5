//! "Languages and stemming."

use harness::{Server, TestServer, TestVault};
use serde_json::json;

use super::{ask, found, found_set, notes, serve, serve_seed_ranking};

fn serve_in(languages: &str, vault: TestVault) -> Server {
    TestServer::start().with_vault(vault).with_env("VAULT_FTS_LANGUAGES", languages).ready()
}

/// The default ranking also tries an unknown word as a beginning and with a letter wrong; what
/// stemming alone finds is seen without that.
fn stemming_alone(languages: &str, vault: TestVault) -> Server {
    TestServer::start()
        .with_vault(vault)
        .with_env("VAULT_FTS_LANGUAGES", languages)
        .with_env("FTS_RANKING", "seed")
        .ready()
}

fn mixed() -> TestVault {
    notes(&[
        ("en.md", "several certificates were renewed"),
        ("de.md", "Wir trafen viele Entscheidungen"),
        ("fr.md", "la décision nationale"),
        ("it.md", "le decisioni nazionali"),
    ])
}

/// "English is the default."
#[test]
fn english_is_the_default() {
    let server = serve_seed_ranking(mixed());
    assert_eq!(found(&server, "certificate"), ["en.md"]);
    assert_eq!(found(&server, "Entscheidung"), [""; 0], "no German yet");
}

/// "Further languages are switched on next to it, not instead of it."
#[test]
fn further_languages_stand_next_to_it() {
    let server = serve_in("en,de", mixed());
    assert_eq!(found(&server, "Entscheidung"), ["de.md"]);
    assert_eq!(found(&server, "certificate"), ["en.md"]);
    assert_eq!(found(&serve_in("en,fr", mixed()), "nationaux"), ["fr.md"]);
    assert_eq!(found(&serve_in("en,it", mixed()), "nazionale"), ["it.md"]);
}

/// "A query word is stemmed by every active language, and the forms found by any of them count:
/// with en,fr, certificat also finds the English certificates."
#[test]
fn the_forms_of_every_language_count() {
    assert_eq!(found(&serve_in("en,fr", mixed()), "certificat"), ["en.md"]);
}

/// "The other Snowball languages […] are stemmed without one, so their filler words count as
/// ordinary words."
#[test]
fn a_language_without_a_list_keeps_its_filler_words() {
    let server = serve_in("en,es", notes(&[("a.md", "el certificado"), ("b.md", "nada")]));
    assert_eq!(ask(&server, "el certificado")["ignored_stopwords"], json!([]));
    assert_eq!(found(&server, "certificados"), ["a.md"]);
}

/// "none switches stemming and stopwords off."
#[test]
fn none_switches_both_off() {
    let server = stemming_alone("none", notes(&[("a.md", "certificates"), ("b.md", "the how")]));
    let answer = ask(&server, "certificate");
    assert_eq!(answer["word_forms"], json!({}));
    assert_eq!(ask(&server, "the how")["ignored_stopwords"], json!([]));
    assert_eq!(found(&server, "the how"), ["b.md"]);
}

/// "The form that matched is what gets highlighted in the original text."
#[test]
fn the_form_that_matched_is_marked() {
    let server = serve(notes(&[("a.md", "It was Renewed: the CERTIFICATES.")]));
    let snippet = ask(&server, "renew certificate")["results"][0]["snippet"].as_str().unwrap().to_owned();
    assert!(snippet.contains("«Renewed»") && snippet.contains("«CERTIFICATES»"), "{snippet}");
}

/// "A word in double quotes is matched exactly."
#[test]
fn a_quoted_word_is_matched_exactly() {
    let server = serve(notes(&[("one.md", "certificate"), ("many.md", "certificates")]));
    assert_eq!(found(&server, "\"certificate\""), ["one.md"]);
    assert_eq!(found_set(&server, "certificate"), ["many.md", "one.md"]);
}

/// "Changing the languages needs no reindex. Only the stem table is rebuilt."
#[test]
fn changing_the_languages_needs_no_reindex() {
    let settings = serve(mixed()).stop();
    let server = settings.with_env("VAULT_FTS_LANGUAGES", "en,de").ready();
    let status = server.call("index_status", json!({}));
    assert_eq!(status.structured()["last_reconcile"]["indexed"], 0, "{}", status.text());
    assert_eq!(found(&server, "Entscheidung"), ["de.md"]);
    let server = server.stop().with_env("VAULT_FTS_LANGUAGES", "none").ready();
    assert_eq!(found(&server, "\"Entscheidung\""), [""; 0]);
    assert_eq!(ask(&server, "Entscheidungen")["word_forms"], json!({}));
}

/// "What a stemmer cannot do: irregular forms (ran / run), German compounds (Zertifikatserneuerung
/// does not find Zertifikat; use zertifikat*)."
#[test]
fn what_a_stemmer_cannot_do() {
    let vault = notes(&[
        ("past.md", "we ran home"),
        ("compound.md", "die Zertifikatserneuerung"),
        ("plain.md", "das Zertifikat hier; nobody needs to run"),
    ]);
    let server = stemming_alone("en,de", vault);
    assert_eq!(found(&server, "run"), ["plain.md"]);
    assert_eq!(found(&server, "Zertifikat"), ["plain.md"]);
    assert_eq!(found_set(&server, "zertifikat*"), ["compound.md", "plain.md"]);
}
