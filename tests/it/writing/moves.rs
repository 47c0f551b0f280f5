//! Moving a note: every form of a link to it, the vault's own link format, and what stays as it is.

use harness::{Server, TestVault, shared_folder};
use serde_json::{Value, json};

use super::{changes, done, refused, serve, text_of};

fn shift(from: &str, to: &str) -> Value {
    json!({"old_path": from, "new_path": to})
}

/// Moves a note and looks at the texts of others before and after.
#[track_caller]
fn follows(settings: &str, (from, to): (&str, &str), notes: &[(&str, &str, &str)]) -> Value {
    let vault = TestVault::new().note(".obsidian/app.json", settings);
    let vault = notes.iter().fold(vault, |vault, (path, before, _)| vault.note(path, before));
    let server = serve(vault);
    let told = done(&server, "vault_move_note", shift(from, to)).structured().clone();
    for (path, before, after) in notes {
        let now = if *path == from { to } else { path };
        assert_eq!(text_of(&server, now), *after, "{path}: {before:?}");
    }
    assert!(!server.vault().path(from).exists());
    let mut changed: Vec<&str> = notes
        .iter()
        .filter(|(path, before, after)| *path != from && before != after)
        .map(|(path, ..)| *path)
        .collect();
    changed.sort_unstable();
    assert_eq!(told["updated_notes"], json!(changed), "{told}");
    // All of it is one change, which goes back as one.
    done(&server, "vault_undo", json!({"change": told["change"]}));
    for (path, before, _) in notes {
        assert_eq!(text_of(&server, path), *before, "{path} after the undo");
    }
    told
}

#[test]
fn every_form_of_a_link_follows() {
    let told = follows(
        "{}",
        ("In/Old.md", "Far/New.md"),
        &[
            (
                "In/Old.md",
                "# H\n\npara ^b\n\nself [[#H]] [[Old]] [[Old#H|x]]\n",
                "# H\n\npara ^b\n\nself [[#H]] [[New]] [[New#H|x]]\n",
            ),
            (
                "wiki.md",
                "[[Old]] [[Old|shown]] [[In/Old]] [[old]]\n",
                "[[New]] [[New|shown]] [[New]] [[New]]\n",
            ),
            (
                "sub.md",
                "[[Old#H]] [[Old#H#I|x]] [[Old#^b]] ![[Old#^b]]\n",
                "[[New#H]] [[New#H#I|x]] [[New#^b]] ![[New#^b]]\n",
            ),
            ("embed.md", "![[Old]] ![[In/Old.md#H]]\n", "![[New]] ![[New#H]]\n"),
            ("same.md", "[[Old|Old]] [Old](In/Old.md)\n", "[[New|New]] [New](New.md)\n"),
            (
                "markdown.md",
                "[a](In/Old.md) [b](<In/Old.md>) ![c](In/Old.md) [d](In/Old.md#H \"t\") [e][r]\n\n[r]: In/Old.md\n",
                "[a](New.md) [b](<New.md>) ![c](New.md) [d](New.md#H \"t\") [e][r]\n\n[r]: In/Old.md\n",
            ),
            (
                "table.md",
                "| a |\n|---|\n| [[Old\\|x]] |\n| [[Old#H\\|y]] |\n",
                "| a |\n|---|\n| [[New\\|x]] |\n| [[New#H\\|y]] |\n",
            ),
            (
                "props.md",
                "---\nup: \"[[Old]]\" # c\nrelated:\n  - '[[In/Old|x]]'\n  - plain\nsee: \"see [[Old]]\"\n---\n",
                "---\nup: \"[[New]]\" # c\nrelated:\n  - '[[New|x]]'\n  - plain\nsee: \"see [[Old]]\"\n---\n",
            ),
            (
                "comment.md",
                "%% [[Old]] %%\n\n> [!note] [[Old]]\n> - [ ] [[Old]]\n",
                "%% [[New]] %%\n\n> [!note] [[New]]\n> - [ ] [[New]]\n",
            ),
            (
                "board.canvas",
                "{\"nodes\":[{\"id\":\"1\",\"type\":\"file\",\"file\":\"In/Old.md\",\"subpath\":\"#H\"},{\"id\":\"2\",\"type\":\"text\",\"text\":\"[[Old]]\"}]}",
                "{\"nodes\":[{\"id\":\"1\",\"type\":\"file\",\"file\":\"Far/New.md\",\"subpath\":\"#H\"},{\"id\":\"2\",\"type\":\"text\",\"text\":\"[[Old]]\"}]}",
            ),
        ],
    );
    assert!(told["links_updated"].as_u64().unwrap() >= 20, "{told}");
}

#[test]
fn what_is_no_link_to_the_note_stays() {
    follows(
        "{}",
        ("Old.md", "New.md"),
        &[
            ("Old.md", "", ""),
            (
                "code.md",
                "`[[Old]]`\n\n```\n[[Old]]\n```\n\n    [[Old]]\n",
                "`[[Old]]`\n\n```\n[[Old]]\n```\n\n    [[Old]]\n",
            ),
            (
                "else.md",
                "[[Older]] [[Old.png]] [x](https://e.org/Old.md) Old \\[[Old]] [[AL]]\n",
                "[[Older]] [[Old.png]] [x](https://e.org/Old.md) Old \\[[Old]] [[AL]]\n",
            ),
            (
                "prose.md",
                "---\ntitle: Old\n---\nOld and (Old.md)\n",
                "---\ntitle: Old\n---\nOld and (Old.md)\n",
            ),
        ],
    );
}

#[test]
fn links_that_stay_right_are_left_as_they_are_written() {
    let told = follows(
        "{}",
        ("a/Note.md", "b/Note.md"),
        &[
            ("a/Note.md", "[[Other]] [x](../Other.md)\n", "[[Other]] [x](../Other.md)\n"),
            ("Other.md", "[[Note]] [[Note#H|x]] ![[Note]]\n", "[[Note]] [[Note#H|x]] ![[Note]]\n"),
            ("path.md", "[[a/Note]] [[Note]]\n", "[[Note]] [[Note]]\n"),
        ],
    );
    assert_eq!(told["links_updated"], 1, "{told}");
}

#[test]
fn the_vaults_own_link_format_is_written() {
    let notes =
        |after: &'static str| [("x/n.md", "[[a/Old]] [t](../a/Old.md)\n", after), ("a/Old.md", "", "")];
    let to = ("a/Old.md", "b/New.md");
    follows("{\"newLinkFormat\": \"shortest\"}", to, &notes("[[New]] [t](New.md)\n"));
    follows("{\"newLinkFormat\": \"relative\"}", to, &notes("[[../b/New]] [t](../b/New.md)\n"));
    follows("{\"newLinkFormat\": \"absolute\"}", to, &notes("[[b/New]] [t](b/New.md)\n"));
    // A setting that cannot be read is the default.
    follows("{", to, &notes("[[New]] [t](New.md)\n"));
}

#[test]
fn names_that_must_be_encoded_are_where_they_must() {
    follows(
        "{}",
        ("Old.md", "In/Price $1 & (x).md"),
        &[
            ("Old.md", "", ""),
            (
                "n.md",
                "[[Old]] [a](Old.md) [b](<Old.md>)\n",
                "[[Price $1 & (x)]] [a](Price%20$1%20&%20(x).md) [b](<Price $1 & (x).md>)\n",
            ),
        ],
    );
}

/// A name that no link could hold is not given.
#[test]
fn a_name_that_links_cannot_hold_is_refused() {
    let server = serve(TestVault::new().note("Old.md", "").note("n.md", "one\n[[Old]] [x](Old.md)\n"));
    refused(&server, "vault_move_note", shift("Old.md", "C# [x].md"), &["invalid name", "C# [x].md"]);
}

#[test]
fn bare_links_to_another_note_are_rewritten_when_their_name_becomes_shared() {
    follows(
        "{}",
        ("x/b.md", "x/a.md"),
        &[("n.md", "[[a]] [[b]]\n", "[[one/a]] [[x/a]]\n"), ("one/a.md", "", ""), ("x/b.md", "", "")],
    );
}

#[test]
fn a_note_that_moves_takes_its_own_links_along() {
    // Its folder's files come first only as long as it lies there.
    follows(
        "{\"newLinkFormat\": \"relative\"}",
        ("area/Old.md", "area/deep/New.md"),
        &[
            (
                "area/Old.md",
                "[s](sibling.md) [[./sibling]] ![p](img/p.png) [[c/far]]\n",
                "[s](../sibling.md) [[../sibling]] ![p](../img/p.png) [[c/far]]\n",
            ),
            ("area/sibling.md", "", ""),
            ("area/img/p.png", "x", "x"),
            ("b/sibling.md", "", ""),
            ("b/img/p.png", "y", "y"),
            ("c/far.md", "", ""),
        ],
    );
}

#[test]
fn a_name_changes_in_case_alone() {
    let server =
        serve(TestVault::new().note("note.md", "x\n").note("n.md", "[[note]] [[NOTE]] [x](note.md)\n"));
    let told = done(&server, "vault_move_note", shift("note.md", "Note.md"));
    assert_eq!(told.structured()["moved_to"], "Note.md");
    let names: Vec<String> = server.vault().files().into_keys().collect();
    assert_eq!(names, ["Note.md", "n.md"]);
    // Letter case makes no other link: they stay right.
    assert_eq!(text_of(&server, "n.md"), "[[note]] [[NOTE]] [x](note.md)\n");
    assert_eq!(told.structured()["links_updated"], 0);
}

/// Read, plan, check: whatever stands in the way is found before the first byte is written.
#[test]
fn what_stands_in_the_way_stops_the_move_before_anything_is_written() {
    let broken = "---\na: [\n---\n[[Old]]\n";
    let vault = TestVault::new()
        .note("Old.md", "x\n")
        .note("1.md", "[[Old]]\n")
        .note("2.md", broken)
        .note("taken.md", "")
        .note("Tag.md", "---\na: !x 1\n---\n");
    let server = serve(vault);
    refused(
        &server,
        "vault_move_note",
        shift("Old.md", "New.md"),
        &["move aborted", "2.md", "nothing was written"],
    );
    refused(&server, "vault_move_note", shift("2.md", "3.md"), &["2.md"]);
    refused(&server, "vault_move_note", shift("Old.md", "taken.md"), &["already exists"]);
    refused(&server, "vault_move_note", shift("Old.md", "Old.md"), &["same path"]);
    refused(&server, "vault_move_note", shift("None.md", "New.md"), &["note not found"]);
    assert_eq!(changes(&server), 0);
    // A tag in a block is in the way only of a rewrite.
    done(&server, "vault_move_note", shift("Tag.md", "In/Tag.md"));
    done(&server, "vault_delete_note", json!({"path": "2.md"}));
    done(&server, "vault_move_note", shift("Old.md", "New.md"));
    assert_eq!(text_of(&server, "1.md"), "[[New]]\n");
}

/// Obsidian's own renames, as far as they are of notes; of other files the library is asked elsewhere.
#[test]
fn the_rows_of_renames_come_out_over_the_wire() {
    let Some(file) = shared_folder("cases/rename-rewrite.json") else { return };
    let rows: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let mut driven = 0;
    for row in rows["rows"].as_array().unwrap() {
        let (from, to) = (row["from"].as_str().unwrap(), row["to"].as_str().unwrap());
        if !from.ends_with(".md") {
            continue;
        }
        driven += 1;
        let settings = json!({"newLinkFormat": row["new_link_format"]}).to_string();
        let vault = TestVault::new().note(".obsidian/app.json", &settings);
        let notes = row["notes"].as_object().unwrap();
        let vault = notes.iter().fold(vault, |vault, (path, text)| vault.note(path, text.as_str().unwrap()));
        let others = row["other_files"].as_array().unwrap();
        let vault = others.iter().fold(vault, |vault, path| vault.note(path.as_str().unwrap(), ""));
        let server: Server = serve(vault);
        done(&server, "vault_move_note", shift(from, to));
        for (path, text) in row["notes_after"].as_object().unwrap() {
            assert_eq!(text_of(&server, path), text.as_str().unwrap(), "{}: {path}", row["id"]);
        }
    }
    assert!(driven >= 13, "{driven} rows were of notes");
}
