//! The ranking itself, under `FTS_RANKING=seed`.

use super::{ask, found, notes, serve_seed_ranking};

/// "title 10, aliases 8, description 5, path 4, tags 3, headings 3, body 1."
#[test]
fn the_fields_weigh_in_this_order() {
    // Each note holds the word once, in one field; all have every field and the same length.
    let note = |title: &str, alias: &str, description: &str, tag: &str, heading: &str, body: &str| {
        format!(
            "---\ntitle: {title}\naliases: [{alias}]\ndescription: {description}\ntags: [{tag}]\n---\n## {heading}\n\n{body}\n"
        )
    };
    let server = serve_seed_ranking(notes(&[
        ("f1/n1.md", &note("needle", "b", "c", "d", "e", "f")),
        ("f2/n2.md", &note("a", "needle", "c", "d", "e", "f")),
        ("f3/n3.md", &note("a", "b", "needle", "d", "e", "f")),
        ("needle/n4.md", &note("a", "b", "c", "d", "e", "f")),
        ("f5/n5.md", &note("a", "b", "c", "needle", "e", "f")),
        ("f7/n7.md", &note("a", "b", "c", "d", "e", "needle")),
        // Others, so that the word is rare enough to count.
        ("x/1.md", "nothing"),
        ("x/2.md", "nothing"),
        ("x/3.md", "nothing"),
        ("x/4.md", "nothing"),
        ("x/5.md", "nothing"),
        ("x/6.md", "nothing"),
        ("x/7.md", "nothing"),
        ("x/8.md", "nothing"),
    ]));
    assert_eq!(
        found(&server, "needle"),
        ["f1/n1.md", "f2/n2.md", "f3/n3.md", "needle/n4.md", "f5/n5.md", "f7/n7.md"]
    );
}

#[test]
fn a_heading_counts_for_more_than_a_word_of_the_text() {
    let server = serve_seed_ranking(notes(&[
        ("heading.md", "## needle\n\nsome words of text here\n"),
        ("body.md", "## other\n\nsome words of needle here\n"),
        ("1.md", "x"),
        ("2.md", "x"),
        ("3.md", "x"),
    ]));
    assert_eq!(found(&server, "needle"), ["heading.md", "body.md"]);
}

/// "A result therefore loses up to half its score, in proportion to how many query words it has
/// only in another form."
#[test]
fn other_forms_cost_up_to_half_of_the_score() {
    // The two forms are equally frequent, and the notes equally long.
    let server = serve_seed_ranking(notes(&[
        ("typed.md", "certificate alpha one"),
        ("form.md", "certificates alpha two"),
        ("1.md", "x y z"),
        ("2.md", "x y z"),
        ("3.md", "x y z"),
        ("4.md", "x y z"),
        ("5.md", "x y z"),
    ]));
    let scores = |query: &str| {
        let answer = ask(&server, query);
        let score = |path: &str| {
            let hits = answer["results"].as_array().unwrap();
            hits.iter().find(|hit| hit["path"] == path).unwrap()["score"].as_f64().unwrap()
        };
        (score("typed.md"), score("form.md"))
    };
    let (typed, form) = scores("certificate");
    assert!((form / typed - 0.5).abs() < 0.01, "one word of one: {typed} {form}");
    let (typed, form) = scores("certificate alpha");
    assert!((form / typed - 0.75).abs() < 0.01, "one word of two: {typed} {form}");
    assert_eq!(found(&server, "certificate"), ["typed.md", "form.md"]);
    assert_eq!(ask(&server, "certificate")["results"][1]["match"], "word_forms");
    assert_eq!(ask(&server, "certificate")["results"][0]["match"], "exact");
}

/// "BM25 sees each form as a term of its own, so a rare form would outweigh the common one": the
/// note with the word as typed stays ahead of one with only a rare form of it.
#[test]
fn a_rare_form_does_not_outweigh_the_common_one() {
    let mut vault = notes(&[("rare.md", "certificated"), ("typed.md", "certificate")]);
    for number in 0..2 {
        vault = vault
            .note(&format!("also/{number}.md"), "certificate among several other words of a longer text");
    }
    for number in 0..30 {
        vault = vault.note(&format!("other/{number}.md"), "nothing of the kind");
    }
    assert_eq!(found(&serve_seed_ranking(vault), "certificate").first().unwrap(), "typed.md");
}
