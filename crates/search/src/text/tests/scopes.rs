//! What a caller may see, and what its filters leave.

use super::super::*;
use super::harness::*;

fn set(docs: &[u32]) -> Option<DocSet> {
    Some(docs.iter().copied().collect())
}

fn vault() -> Vault {
    Vault::of(&[
        ("open/a.md", "traefik certificate certificates"),
        ("open/b.md", "traefik"),
        ("open/c.md", "cluster"),
        ("secret/d.md", "traefik certificate renewal swordfish"),
        ("secret/e.md", "traefik traefik traefik"),
    ])
}

/// The part of the vault that is open, as a vault of its own.
fn open_part() -> Vault {
    Vault::of(&[
        ("open/a.md", "traefik certificate certificates"),
        ("open/b.md", "traefik"),
        ("open/c.md", "cluster"),
    ])
}

#[test]
fn what_is_not_visible_has_no_influence() {
    let (vault, alone) = (vault(), open_part());
    let scope = Scope { visible: set(&[1, 2, 3]), allowed: None, notes_only: false };
    for ranking in [Ranking::Recipe, Ranking::Seed] {
        let engine = vault.reopened(options("en", ranking));
        let other = alone.reopened(options("en", ranking));
        for query in [
            "traefik",
            "traefik certificate",
            "swordfish",
            "swordfihs",
            "renew",
            "swor*",
            "\"traefik\" OR cluster",
        ] {
            let seen = search_with(&engine, &vault.database, query, &scope);
            let expected = search_with(&other, &alone.database, query, &Scope::all());
            assert_eq!(seen, expected, "{query} {ranking:?}");
        }
    }
}

#[test]
fn filters_choose_and_leave_scores_alone() {
    let vault = vault();
    let all = vault.search("traefik certificate");
    let scope = Scope { visible: None, allowed: set(&[2, 4]), notes_only: false };
    let filtered = vault.search_in("traefik certificate", &scope);
    let expected: Vec<(u32, f64)> =
        all.hits.iter().filter(|hit| [2, 4].contains(&hit.doc)).map(|hit| (hit.doc, hit.score)).collect();
    let found: Vec<(u32, f64)> = filtered.hits.iter().map(|hit| (hit.doc, hit.score)).collect();
    assert_eq!(found, expected);
    assert_eq!(filtered.total, 1);
}

#[test]
fn a_filter_never_shows_what_is_not_visible() {
    let vault = vault();
    let scope = Scope { visible: set(&[1, 2, 3]), allowed: set(&[2, 4, 5]), notes_only: false };
    assert_eq!(docs(&vault.search_in("traefik", &scope)), [2]);
    assert_eq!(docs(&vault.search_in("\"traefik\"", &scope)), [2]);
    let nothing = Scope { visible: set(&[]), allowed: None, notes_only: false };
    assert!(vault.search_in("traefik", &nothing).hits.is_empty());
    assert_eq!(vault.search_in("traefik", &nothing).total, 0);
}

#[test]
fn the_limit_cuts_after_the_filter() {
    let mut notes: Vec<Fields> =
        (0..200).map(|number| note(&format!("many/{number:03}.md"), "word word word")).collect();
    notes.push(note("one/last.md", "word and a great many others that make this one the least of all"));
    let vault = Vault::new(TextOptions::default(), notes);
    let scope = Scope { visible: None, allowed: set(&[201]), notes_only: false };
    let ranked = vault
        .database
        .read(|connection| vault.engine.search(connection, "word", QueryMode::Auto, &scope, 5))
        .unwrap();
    assert_eq!(docs(&ranked), [201]);
    assert_eq!(vault.search("word").hits.len(), 50);
    assert_eq!(vault.search("word").total, 201);
}
