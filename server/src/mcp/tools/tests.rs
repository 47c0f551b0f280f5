//! The list and search tools over a small vault: both forms of their answers, and their cuts.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use vault::{FolderScope, Principal, Rights};

use crate::app::App;
use crate::search_service::Health;

const NOTES: &[(&str, &str)] = &[
    (
        "Projects/alpha.md",
        "---\ntitle: Project Alpha\ntype: project\ntags: [project/active, Work]\nrelated: [\"[[beta]]\"]\n\
         created: 2026-01-10T10:00:00-05:00\nstatus: active\n---\n\n# Alpha\n\nRenewing the certificate. \
         Links to [[beta]] and [[Daily Notes/2030-01-01]].\n",
    ),
    (
        "Projects/beta.md",
        "---\naliases: [Second]\n---\n\nA certificate in [[alpha]], [[Second]], [[No such]]. #work\n",
    ),
    ("Home.md", "Start at [[alpha]]. ![[picture.png]]\n"),
    ("picture.png", "not really a picture"),
];

/// A process over the notes whose index is complete.
fn app(most: usize) -> (App, TempDir) {
    let (app, folder) = App::over_notes(NOTES, most);
    wait_until_ready(&app);
    (app, folder)
}

fn wait_until_ready(app: &App) {
    let started = Instant::now();
    while app.search.health() != Health::Ready || app.call("vault_list_tags", json!({})).is_err() {
        assert!(started.elapsed() < Duration::from_secs(20), "the index does not become ready");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn call(app: &App, tool: &str, arguments: Value) -> (Vec<String>, Value) {
    let result = app.call(tool, arguments).unwrap();
    let blocks = result.content.iter().map(|block| block.as_text().unwrap().text.clone()).collect();
    (blocks, result.structured_content.unwrap())
}

fn text(app: &App, tool: &str, arguments: Value) -> Value {
    serde_json::from_str(&call(app, tool, arguments).0[0]).unwrap()
}

#[test]
fn paths_are_listed_by_folder_and_pattern() {
    let (app, _folder) = app(60_000);
    let list = |arguments| text(&app, "vault_list_notes", arguments);
    assert_eq!(list(json!({})), json!(["Home.md", "Projects/alpha.md", "Projects/beta.md"]));
    assert_eq!(list(json!({"folder": "Projects"})), json!(["Projects/alpha.md", "Projects/beta.md"]));
    assert_eq!(list(json!({"folder": "/"})), list(json!({})));
    assert_eq!(list(json!({"folder": "Nowhere"})), json!([]));
    assert_eq!(list(json!({"glob": "*.md"})), json!(["Home.md"]));
    assert_eq!(list(json!({"folder": "Projects", "glob": "a*"})), json!(["Projects/alpha.md"]));
    assert_eq!(list(json!({"folder": "Projects", "glob": "**/b*.md"})), json!(["Projects/beta.md"]));
    let (_, structured) = call(&app, "vault_list_notes", json!({"offset": 2}));
    assert_eq!(structured, json!({"notes": ["Projects/beta.md"], "total": 3}));
    assert!(app.call("vault_list_notes", json!({"folder": "../x"})).is_err());
}

/// Every tool that takes a folder, and the notes or files it then knows.
#[track_caller]
fn in_folder(app: &App, folder: &str) -> Vec<(&'static str, Vec<String>)> {
    let paths = |rows: &Value| -> Vec<String> {
        let path = |row: &Value| row["path"].as_str().or(row.as_str()).unwrap().to_owned();
        let mut paths: Vec<String> = rows.as_array().unwrap().iter().map(path).collect();
        paths.sort();
        paths
    };
    let search = json!({"query": "alphaword", "filters": {"folder": folder}});
    let prefix = json!({"query": "alphaword", "path_prefix": format!("{folder}/")});
    vec![
        ("vault_list_notes", paths(&text(app, "vault_list_notes", json!({"folder": folder})))),
        ("vault_search", paths(&text(app, "vault_search", search)["results"])),
        ("vault_fts_search", paths(&text(app, "vault_fts_search", prefix)["results"])),
        ("vault_list_files", paths(&text(app, "vault_list_files", json!({"folder": folder}))["files"])),
    ]
}

#[test]
fn folders_compare_without_case_in_every_tool() {
    let (app, _folder) = App::over_notes(
        &[
            ("Projects/a.md", "alphaword"),
            ("projects/b.md", "alphaword"),
            ("Projects/Über/c.md", "alphaword"),
            ("Projects-old/d.md", "alphaword"),
            ("Projects/x.csv", "1"),
            ("projects/y.csv", "1"),
            ("Projects-old/z.csv", "1"),
        ],
        60_000,
    );
    wait_until_ready(&app);
    for (folder, notes, files) in [
        (
            "PROJECTS",
            &["Projects/a.md", "Projects/Über/c.md", "projects/b.md"][..],
            &["Projects/x.csv", "projects/y.csv"][..],
        ),
        (
            "Projects",
            &["Projects/a.md", "Projects/Über/c.md", "projects/b.md"],
            &["Projects/x.csv", "projects/y.csv"],
        ),
        ("projects/ÜBER", &["Projects/Über/c.md"], &[]),
        ("projects/u\u{308}ber", &["Projects/Über/c.md"], &[]),
        ("project", &[], &[]),
    ] {
        for (tool, found) in in_folder(&app, folder) {
            let expected = if tool == "vault_list_files" { files } else { notes };
            assert_eq!(found, expected, "{tool} in {folder}");
        }
    }
    let list = |arguments| text(&app, "vault_list_notes", arguments);
    assert_eq!(list(json!({"folder": "PROJECTS/über", "glob": "*.md"})), json!(["Projects/Über/c.md"]));
}

#[test]
fn a_folder_that_is_a_link_lists_the_folder_it_leads_to() {
    let notes = &[("Real/a.md", "a"), ("Real/deep/b.md", "b"), ("Real/x.csv", "1"), ("Other/c.md", "c")];
    let (app, _folder) = App::over_notes(notes, 60_000);
    std::os::unix::fs::symlink("Real", app.vault.root().join("Link")).unwrap();
    let list = |arguments| text(&app, "vault_list_notes", arguments);
    assert_eq!(list(json!({"folder": "Link"})), json!(["Real/a.md", "Real/deep/b.md"]));
    assert_eq!(list(json!({"folder": "Link/deep"})), json!(["Real/deep/b.md"]));
    assert_eq!(list(json!({"folder": "Link", "glob": "*.md"})), json!(["Real/a.md"]));
    assert_eq!(text(&app, "vault_list_files", json!({"folder": "Link"}))["files"][0]["path"], "Real/x.csv");
    for only in ["Other", "Link", "Real"] {
        let who = Principal {
            name: only.to_owned(),
            rights: Rights { read: true, write: false, delete: false },
            folders: FolderScope::Only(vec![only.to_owned()]),
        };
        match app.call_as(&who, "vault_list_notes", json!({"folder": "Link"})) {
            Ok(answer) => {
                assert_eq!((answer.structured_content.unwrap()["total"].clone(), only), (json!(0), "Link"));
            }
            Err(error) => assert!(error.contains("not permitted") && only != "Link", "{only}: {error}"),
        }
    }
}

#[test]
fn settings_of_the_tasks_plugin_that_cannot_be_read_are_named() {
    const SETTINGS: &str = ".obsidian/plugins/obsidian-tasks-plugin/data.json";
    let (app, _folder) =
        App::over_notes(&[("a.md", "- [ ] one\n"), (SETTINGS, "{\"globalFilter\": \"#ta")], 60_000);
    wait_until_ready(&app);
    let (blocks, structured) = call(&app, "vault_list_tasks", json!({}));
    assert_eq!(structured["total"], 1);
    let problem = structured["settings_problem"].as_str().unwrap();
    assert!(problem.starts_with(&format!("{SETTINGS} cannot be used: it is no valid JSON: ")), "{problem}");
    assert!(blocks[0].contains("settings_problem"), "{blocks:?}");

    let (app, _folder) = App::over_notes(&[("a.md", "- [ ] one\n"), (SETTINGS, "{}")], 60_000);
    wait_until_ready(&app);
    assert!(call(&app, "vault_list_tasks", json!({})).1.get("settings_problem").is_none());
}

#[test]
fn empty_entries_of_lists_of_the_task_tool_are_errors() {
    let (app, _folder) = app(60_000);
    for arguments in [json!({"heading": [""]}), json!({"heading": ["Next", " "]}), json!({"status": [""]})] {
        assert!(app.call("vault_list_tasks", arguments.clone()).is_err(), "{arguments}");
    }
    // Alone it is an argument that is not given.
    assert!(app.call("vault_list_tasks", json!({"heading": "", "status": ""})).is_ok());
}

#[test]
fn a_path_in_another_letter_case_is_that_file() {
    let notes = &[("Sub/b.md", "to [[a]]"), ("a.md", "- [x] done\n\nto [[b]]")];
    let (app, _folder) = App::over_notes(notes, 60_000);
    wait_until_ready(&app);
    for (tool, list) in [("vault_get_backlinks", "backlinks"), ("vault_get_outgoing_links", "outgoing_links")]
    {
        let answer = text(&app, tool, json!({"path": "sub/B.md"}));
        assert_eq!((&answer["path"], &answer["count"]), (&json!("Sub/b.md"), &json!(1)), "{answer}");
        assert_eq!(answer[list][0]["path"], "a.md");
        assert!(answer.get("missing").is_none() && answer.get("did_you_mean").is_none(), "{answer}");
    }
    let answer = text(&app, "vault_list_tasks", json!({"path": "A.md"}));
    assert!(answer.get("missing").is_none(), "{answer}");
}

#[test]
fn names_of_properties_compare_without_case() {
    let (app, _folder) = App::over_notes(
        &[("a.md", "---\nStatus: active\n---\nalphaword"), ("b.md", "---\nstatus: active\n---\nalphaword")],
        60_000,
    );
    wait_until_ready(&app);
    for name in ["status", "Status", "STATUS"] {
        let arguments = json!({"query": "alphaword", "filters": {"properties": {name: "active"}}});
        assert_eq!(text(&app, "vault_search", arguments)["total"], 2, "{name}");
    }
}

#[test]
fn tags_are_counted_by_note_and_folded() {
    let (app, _folder) = app(60_000);
    let (blocks, structured) = call(&app, "vault_list_tags", json!({}));
    let tags: Value = serde_json::from_str(&blocks[0]).unwrap();
    let work = tags.as_array().unwrap().iter().find(|row| row["count"] == 2).unwrap();
    assert_eq!(work["tag"].as_str().map(str::to_lowercase).as_deref(), Some("work"));
    assert_eq!(structured["total"], tags.as_array().unwrap().len());
    assert!(structured.get("left_out").is_none());
}

#[test]
fn notes_of_a_tag_have_the_metadata_row() {
    let (app, _folder) = app(60_000);
    let (blocks, structured) = call(&app, "vault_search_by_tag", json!({"tag": "#Project"}));
    let rows: Value = serde_json::from_str(&blocks[0]).unwrap();
    assert_eq!(rows[0]["path"], "Projects/alpha.md");
    assert_eq!(rows[0]["related"], json!(["[[beta]]"]));
    assert_eq!(rows[0]["additional_properties"], json!({"status": "active"}));
    assert_eq!(structured["total"], 1);
    let none = text(&app, "vault_search_by_tag", json!({"tag": "project", "exact": true}));
    assert_eq!(none, json!([]));
    // Null in the text, absent in the structured content.
    let (blocks, structured) = call(&app, "vault_search_by_tag", json!({"tag": "work", "limit": 1}));
    let row: Value = serde_json::from_str(&blocks[0]).unwrap();
    assert!(row[0].as_object().unwrap().contains_key("type"));
    assert_eq!(structured["left_out"]["continue_with"], json!({"offset": 1}));
    assert_eq!(blocks[1], "1 more notes (continue with offset: 1)");
    let error = app.call("vault_search_by_tag", json!({"tag": "#"})).unwrap_err();
    assert!(error.contains("tag"), "{error}");
}

#[test]
fn a_row_that_is_cut_says_so_and_keeps_the_tag_that_was_asked_for() {
    let tags: Vec<String> = (0..400).map(|number| format!("tag-number-{number}")).collect();
    let related: Vec<String> =
        (0..300).map(|number| format!("\"[[a note of some length {number}]]\"")).collect();
    let text = format!(
        "---\ntags: [{}, Wanted/Below]\nrelated: [{}]\nstatus: x\n---\nalphaword\n",
        tags.join(", "),
        related.join(", ")
    );
    let (app, _folder) = App::over_notes(&[("a.md", &text), ("b.md", "#wanted alphaword")], 8_000);
    wait_until_ready(&app);
    let (_, structured) = call(&app, "vault_search_by_tag", json!({"tag": "#WANTED"}));
    let row = &structured["notes"].as_array().unwrap().iter().find(|row| row["path"] == "a.md").unwrap();
    assert_eq!((&row["tags_total"], &row["related_total"]), (&json!(401), &json!(300)));
    assert_eq!(row["additional_properties_total"], 1);
    assert!(row["tags"].as_array().unwrap().len() < 30);
    assert!(row["tags"].as_array().unwrap().contains(&json!("Wanted/Below")), "{row}");
    let whole = &structured["notes"].as_array().unwrap().iter().find(|row| row["path"] == "b.md").unwrap();
    for field in ["tags_total", "related_total", "additional_properties_total"] {
        assert!(whole.get(field).is_none(), "nothing of it is cut");
    }
    let arguments = json!({"query": "alphaword", "filters": {"tags": ["wanted/below"]}});
    let (_, structured) = call(&app, "vault_search", arguments);
    let row = &structured["results"][0];
    assert_eq!(row["tags_total"], 401);
    assert!(row["tags"].as_array().unwrap().contains(&json!("Wanted/Below")), "{row}");
    let (_, structured) = call(&app, "vault_fts_search", json!({"query": "alphaword"}));
    let totals: Vec<_> =
        structured["results"].as_array().unwrap().iter().map(|row| &row["tags_total"]).collect();
    assert!(totals.contains(&&json!(401)), "{totals:?}");
}

#[test]
fn settings_of_daily_notes_that_cannot_be_read_are_told_with_what_was_used() {
    const SETTINGS: &str = ".obsidian/daily-notes.json";
    let daily = |settings: &str, date: &str| {
        let (app, _folder) =
            App::over_notes(&[(SETTINGS, settings), ("Daily Notes/2026-06-15.md", "text")], 60_000);
        let (blocks, structured) = call(&app, "vault_get_daily_note", json!({"date": date}));
        let text: Value = serde_json::from_str(&blocks[0]).unwrap();
        assert_eq!(text["settings_problem"], structured["settings_problem"]);
        assert_eq!(text.get("settings_problem").is_some(), structured.get("settings_problem").is_some());
        structured
    };
    for date in ["2026-06-15", "2026-06-16"] {
        let answer = daily("{\"folder\": \"Journal\",", date);
        assert_eq!(answer["path"], format!("Daily Notes/{date}.md"));
        let problem = answer["settings_problem"].as_str().unwrap();
        for part in [SETTINGS, "no valid JSON", "folder \"Daily Notes\"", "format \"YYYY-MM-DD\"", "default"]
        {
            assert!(problem.contains(part), "{part} in {problem}");
        }
        assert!(!problem.contains("Journal"), "it quotes nothing of the file: {problem}");
        assert!(daily("{\"folder\": \"Journal\"}", date).get("settings_problem").is_none());
    }
}

#[test]
fn links_are_listed_both_ways() {
    let (app, _folder) = app(60_000);
    let back = text(&app, "vault_get_backlinks", json!({"path": "Projects/alpha.md"}));
    let paths: Vec<_> = back["backlinks"].as_array().unwrap().iter().map(|row| &row["path"]).collect();
    assert_eq!(paths, ["Home.md", "Projects/beta.md"]);
    assert_eq!(back["count"], 2);
    let missing = text(&app, "vault_get_backlinks", json!({"path": "nope.md"}));
    assert_eq!(missing, json!({"path": "nope.md", "backlinks": [], "count": 0, "total": 0, "missing": true}));

    for tool in ["vault_get_backlinks", "vault_get_outgoing_links"] {
        for (asked, near) in [
            ("projects/alhpa.md", json!(["Projects/alpha.md"])),
            ("Picture", json!(["picture.png"])),
            ("beta", json!(["Projects/beta.md"])),
            ("q.md", Value::Null),
        ] {
            let answer = text(&app, tool, json!({"path": asked}));
            assert_eq!(
                (&answer["missing"], &answer["did_you_mean"]),
                (&json!(true), &near),
                "{tool} {asked}"
            );
        }
        let answer = text(&app, tool, json!({"path": "Projects/alpha.md"}));
        assert!(answer.get("missing").is_none() && answer.get("did_you_mean").is_none());
    }

    let out = text(&app, "vault_get_outgoing_links", json!({"path": "Projects/alpha.md"}));
    let daily = &out["outgoing_links"][0];
    assert_eq!(daily["path"], "Daily Notes/2030-01-01");
    assert_eq!((&daily["exists"], &daily["daily_note_forward_ref"]), (&json!(false), &json!(true)));
    assert_eq!((&daily["title"], &daily["bytes"]), (&Value::Null, &Value::Null));

    let (_, out) = call(&app, "vault_get_outgoing_links", json!({"path": "Projects/beta.md"}));
    let second =
        out["outgoing_links"].as_array().unwrap().iter().find(|row| row["path"] == "Second").unwrap();
    assert_eq!(second["alias_of"], "Projects/beta.md");
    assert_eq!(second["daily_note_forward_ref"], false);
    assert!(second.get("bytes").is_none());

    let out = text(&app, "vault_get_outgoing_links", json!({"path": "Home.md"}));
    let picture = out["outgoing_links"].as_array().unwrap().iter().find(|row| row["kind"] == "file").unwrap();
    assert_eq!((&picture["path"], &picture["exists"]), (&json!("picture.png"), &json!(true)));
}

#[test]
fn search_takes_filters_and_refuses_wrong_ones() {
    let (app, _folder) = app(60_000);
    let found = |arguments| {
        let answer = text(&app, "vault_search", arguments);
        let rows = answer["results"].as_array().unwrap();
        rows.iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(json!({"query": "certificate"})).len(), 2);
    assert_eq!(found(json!({"query": "certificate", "filters": {"type": "project"}})), ["Projects/alpha.md"]);
    assert_eq!(
        found(
            json!({"query": "certificate", "filters": {"tags": "work", "properties": {"status": "active"}}})
        ),
        ["Projects/alpha.md"]
    );
    assert_eq!(
        found(json!({"query": "certificate", "filters": {"folder": "nowhere"}})),
        Vec::<String>::new()
    );
    assert_eq!(
        found(json!({"query": "certificate", "filters": {"created": {"on": "2026-01-10"}}})),
        ["Projects/alpha.md"]
    );
    assert_eq!(found(json!({"query": "certificate", "offset": 1, "limit": 1})).len(), 1);
    for (filters, argument) in [
        (json!({"created": {"on": "10.01.2026"}}), "filters.created.on"),
        (json!({"modified": {"after": "2026-02-30"}}), "filters.modified.after"),
        (json!({"modified": {"before": "2026-01-01T00:00"}}), "filters.modified.before"),
        (json!({"tags": 5}), "filters.tags"),
        (json!({"limit": 5}), "filters.limit"),
    ] {
        let error = app.call("vault_search", json!({"query": "x", "filters": filters})).unwrap_err();
        assert!(error.contains(argument), "{error}");
    }
}

#[test]
fn full_text_search_says_how_it_read_the_query() {
    let (app, _folder) = app(60_000);
    let (blocks, structured) =
        call(&app, "vault_fts_search", json!({"query": "how to renew the certificate"}));
    let answer: Value = serde_json::from_str(&blocks[0]).unwrap();
    assert_eq!(answer, structured);
    assert_eq!(answer["results"][0]["path"], "Projects/alpha.md");
    assert_eq!(answer["results"][0]["match"], "word_forms");
    assert!(answer["results"][0]["snippet"].as_str().unwrap().contains("«certificate»"));
    assert!(answer["ignored_stopwords"].as_array().unwrap().contains(&json!("the")));
    assert_eq!(answer["word_forms"]["renew"], json!(["renewing"]));
    let folder = json!({"query": "certificate", "path_prefix": "Projects/b"});
    assert_eq!(text(&app, "vault_fts_search", folder)["total"], 1);
    let error = app.call("vault_fts_search", json!({"query": "x", "max_results": 51})).unwrap_err();
    assert_eq!(error, "argument max_results is 51: allowed is a whole number from 1 to 50");
}

#[test]
fn lists_are_cut_and_continued_without_loss() {
    let names: Vec<String> =
        (0..400).map(|number| format!("Folder {}/Note {number:04}.md", number % 7)).collect();
    let notes: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "text")).collect();
    let (app, _folder) = App::over_notes(&notes, 2_000);
    let (mut all, mut offset) = (Vec::new(), 0);
    loop {
        let (blocks, structured) = call(&app, "vault_list_notes", json!({"offset": offset}));
        assert!(blocks.iter().map(|block| block.chars().count()).sum::<usize>() <= 2_000);
        assert!(structured.to_string().chars().count() <= 2_000);
        assert_eq!(structured["total"], 400);
        all.extend(
            structured["notes"].as_array().unwrap().iter().map(|path| path.as_str().unwrap().to_owned()),
        );
        match structured["left_out"]["continue_with"]["offset"].as_u64() {
            Some(next) => offset = next,
            None => break,
        }
    }
    let mut expected = names;
    expected.sort();
    assert_eq!(all, expected);
}

#[test]
fn a_failed_index_takes_search_away_and_nothing_else() {
    let (app, _folder) = App::over_notes(NOTES, 60_000);
    app.search.close();
    let error = app.call("vault_search", json!({"query": "x"})).unwrap_err();
    assert!(error.starts_with("search is not available"), "{error}");
    assert!(app.call("vault_read_note", json!({"path": "Home.md"})).is_ok());
    assert!(app.call("vault_list_notes", json!({})).is_ok());
}

#[test]
fn the_status_counts_what_there_is() {
    let (app, _folder) = app(60_000);
    let status = text(&app, "index_status", json!({}));
    assert_eq!(
        (&status["state"], &status["notes"], &status["files"]),
        (&json!("ready"), &json!(3), &json!(1))
    );
    assert_eq!(status["problems_total"], 0);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test takes the vault away")]
fn the_status_says_when_the_vault_is_away() {
    let (app, folder) = app(60_000);
    assert!(text(&app, "index_status", json!({})).get("vault_error").is_none());
    let (vault, away) = (folder.path().join("vault"), folder.path().join("away"));
    std::fs::rename(&vault, &away).unwrap();
    let status = text(&app, "index_status", json!({}));
    let error = status["vault_error"].as_str().unwrap();
    assert!(error.contains("VAULT_PATH") && !error.contains(folder.path().to_str().unwrap()), "{error}");
    assert_eq!(status["notes"], 3, "the index keeps what it knew");
    std::fs::rename(&away, &vault).unwrap();
    assert!(text(&app, "index_status", json!({})).get("vault_error").is_none());
}
