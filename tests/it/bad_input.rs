//! Bad input for reading: paths that leave the vault, and notes that no editor would write.

use std::time::Duration;

use harness::{Server, TestServer, TestVault};
use serde_json::json;

/// Every tool that takes a path refuses this one, with words of the rule, and gives nothing away.
#[track_caller]
fn refused_path(server: &Server, path: &str, words: &[&str]) {
    for tool in ["vault_read_note", "vault_get_backlinks", "vault_get_outgoing_links"] {
        let answer = server.call(tool, json!({"path": path}));
        if tool != "vault_read_note" && !answer.is_error() {
            // An index that never knew the path answers with nothing.
            assert_eq!(answer.structured()["count"], 0, "{tool} {path}: {}", answer.text());
            continue;
        }
        let error = answer.error();
        assert!(!error.contains("classified"), "{tool} {path}: {error}");
        // What the caller sent may be quoted; what only the server knows may not.
        let root = server.vault().root().to_str().unwrap();
        assert!(path.contains(root) || !error.contains(root), "{tool} {path}: {error}");
        if tool == "vault_read_note" {
            let lower = error.to_lowercase();
            assert!(words.iter().any(|word| lower.contains(word)), "{path}: none of {words:?} in {error:?}");
        }
    }
}

/// The problem that `index_status` reports for this path.
#[track_caller]
fn problem(server: &Server, path: &str) -> String {
    let answer = server.call("index_status", json!({}));
    let problems = answer.structured()["problems"].as_array().unwrap();
    let row = problems
        .iter()
        .find(|row| row["path"] == path)
        .unwrap_or_else(|| panic!("nothing on {path}: {problems:?}"));
    format!("{}: {}", row["kind"].as_str().unwrap(), row["message"].as_str().unwrap())
}

#[track_caller]
fn skipped(server: &Server, path: &str) -> String {
    let answer = server.call("index_status", json!({}));
    let skipped = answer.structured()["skipped"].as_array().unwrap();
    let row =
        skipped.iter().find(|row| row["path"] == path).unwrap_or_else(|| panic!("{path} not in {skipped:?}"));
    row["reason"].as_str().unwrap().to_owned()
}

#[test]
fn paths_that_leave_the_vault_are_refused() {
    let vault = TestVault::new().note("a.md", "inside").outside_file("secret.md", "classified");
    let server = TestServer::start().with_vault(vault).ready();
    for path in [
        "../outside/secret.md",
        "a/../../outside/secret.md",
        "..",
        "../vault/a.md",
        "x/../../vault/a.md",
        "..\\outside\\secret.md",
    ] {
        refused_path(&server, path, &["outside", "escape", "leave"]);
    }
    let absolute = server.vault().outside("secret.md");
    refused_path(&server, absolute.to_str().unwrap(), &["absolute", "relative"]);
    refused_path(&server, "/etc/passwd", &["absolute", "relative"]);
    let root = server.vault().path("a.md");
    refused_path(&server, root.to_str().unwrap(), &["absolute", "relative"]);
}

#[test]
fn hidden_paths_are_refused() {
    let vault = TestVault::new()
        .note(".obsidian/secret.md", "classified")
        .note(".trash/secret.md", "classified")
        .note("a/.b/secret.md", "classified")
        .note("a.md", "");
    let server = TestServer::start().with_vault(vault).ready();
    for path in
        [".obsidian/secret.md", ".trash/secret.md", "a/.b/secret.md", "a/../.obsidian/secret.md", ".obsidian"]
    {
        refused_path(&server, path, &["hidden"]);
    }
    assert!(server.call("vault_list_notes", json!({})).list("notes", "").len() == 1);
    assert!(!server.finds("classified", ".obsidian/secret.md"));
}

#[test]
fn control_characters_in_a_path_are_refused() {
    let server = TestServer::start().with_vault(TestVault::new().note("a.md", "")).ready();
    for path in ["a\u{0}.md", "a\n.md", "\u{7}a.md"] {
        refused_path(&server, path, &["control"]);
    }
}

#[test]
fn links_that_leave_the_vault_are_neither_read_nor_indexed() {
    let vault = TestVault::new().outside_file("secret.md", "classified zeppelin").note("a.md", "zeppelin");
    let (file, folder) = (vault.outside("secret.md"), vault.outside(""));
    let vault = vault
        .symlink("file link.md", file)
        .symlink("folder link", folder)
        .symlink("relative.md", "../outside/secret.md")
        .symlink("broken.md", "nowhere.md");
    let server = TestServer::start().with_vault(vault).ready();
    for path in ["file link.md", "folder link/secret.md", "relative.md"] {
        refused_path(&server, path, &["outside", "leave", "link"]);
    }
    refused_path(&server, "broken.md", &["not found", "broken", "link"]);
    assert_eq!(server.call("vault_list_notes", json!({})).text_json(), json!(["a.md"]));
    let found = server.call("vault_fts_search", json!({"query": "zeppelin"}));
    assert_eq!(found.list("results", "path"), ["a.md"]);
    for (path, word) in [
        ("file link.md", "leave"),
        ("folder link", "leave"),
        ("relative.md", "leave"),
        ("broken.md", "broken"),
    ] {
        let reason = skipped(&server, path);
        assert!(reason.contains(word), "{path}: {reason}");
    }
}

/// The check is made on what was opened, not only on the name.
#[test]
fn a_note_swapped_for_a_link_is_not_followed_out() {
    let vault = TestVault::new().outside_file("secret.md", "classified").note("a.md", "inside");
    let server = TestServer::start().with_vault(vault).ready();
    let secret = server.vault().outside("secret.md");
    server.vault().remove("a.md");
    let _ = server.vault().clone().symlink("a.md", secret);
    refused_path(&server, "a.md", &["outside", "leave", "link"]);
}

#[test]
fn links_inside_the_vault_are_followed_once_for_each_real_file() {
    let vault = TestVault::new()
        .note("real/note.md", "zeppelin")
        .symlink("alias.md", "real/note.md")
        .symlink("mirror", "real")
        .symlink("real/loop", "..");
    let server = TestServer::start().with_vault(vault).ready();
    let found = server.call("vault_fts_search", json!({"query": "zeppelin"}));
    assert_eq!(found.structured()["total"], 1, "{}", found.text());
    let listed = server.call("vault_list_notes", json!({}));
    assert_eq!(listed.structured()["total"], 1, "{}", listed.text());
    assert_eq!(server.call("vault_read_note", json!({"path": "alias.md"})).structured()["text"], "zeppelin");
}

#[test]
fn hard_links_from_outside_are_refused_counted_and_named() {
    let vault = TestVault::new().outside_file("secret.md", "classified zeppelin");
    let secret = vault.outside("secret.md");
    let vault = vault.hard_link("linked.md", &secret).note("a.md", "zeppelin");
    let own = vault.path("a.md");
    let vault = vault.hard_link("twin.md", &own);
    let settings = TestServer::start().with_vault(vault);
    let server = settings.ready();
    refused_path(&server, "linked.md", &["hard link"]);
    assert!(skipped(&server, "linked.md").contains("hard"));
    // A second name inside the vault is no way out of it.
    assert_eq!(server.call("vault_read_note", json!({"path": "twin.md"})).structured()["text"], "zeppelin");
    let server = server.stop().with_env("ALLOW_HARD_LINKS", "true").ready();
    assert_eq!(
        server.call("vault_read_note", json!({"path": "linked.md"})).structured()["text"],
        "classified zeppelin"
    );
}

#[test]
fn properties_that_do_not_parse_cost_only_themselves() {
    let broken = [
        ("quote", "title: \"unclosed"),
        ("twice", "a: 1\na: 2"),
        ("tab", "a:\n\t- b"),
        ("colon", "title: A: B"),
        ("at", "title: @home"),
        ("anchor", "a: *missing"),
        (
            "bomb",
            "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]",
        ),
        ("deep", &"[".repeat(10_000)),
    ];
    let vault = broken.iter().fold(TestVault::new().note("good.md", "zeppelin"), |vault, (name, yaml)| {
        vault
            .note(&format!("{name}.md"), &format!("---\n{yaml}\n---\n# Head\n\nzeppelin of {name} #tagged\n"))
    });
    let server = TestServer::start().with_vault(vault).ready();
    for (name, _) in broken {
        let path = format!("{name}.md");
        assert!(server.finds(&format!("zeppelin {name}"), &path), "{path}");
        let row = problem(&server, &path);
        assert!(row.starts_with("invalid_yaml") && row.contains("line"), "{row}");
        let properties =
            server.call("vault_read_note", json!({"path": path, "properties_only": true})).error();
        assert!(properties.contains("line"), "says where: {properties}");
        assert!(server.call("vault_read_note", json!({"path": path})).text().contains("zeppelin"), "{path}");
    }
    assert_eq!(
        server.call("vault_search_by_tag", json!({"tag": "tagged"})).structured()["total"],
        broken.len()
    );
}

#[test]
fn code_in_a_fence_of_another_language_is_not_run() {
    let vault = TestVault::new()
        .note("js.md", "---js\n{ title: require('child_process').execSync('id') + (6*7) }\n---\nzeppelin\n");
    let server = TestServer::start().with_vault(vault).ready();
    let answer = server.call("vault_fts_search", json!({"query": "zeppelin"}));
    assert_eq!(answer.structured()["results"][0]["title"], "js", "{}", answer.text());
}

#[test]
fn an_unclosed_block_of_properties_does_not_swallow_the_note() {
    let vault = TestVault::new()
        .note("open.md", "---\ntitle: x\n\n# Head\n\nzeppelin #tagged [[good]]\n")
        .note("good.md", "");
    let server = TestServer::start().with_vault(vault).ready();
    assert!(server.finds("zeppelin", "open.md"));
    assert!(problem(&server, "open.md").starts_with("unclosed_frontmatter"));
    assert_eq!(server.call("vault_get_backlinks", json!({"path": "good.md"})).structured()["count"], 1);
}

#[test]
fn bytes_that_are_not_utf8_are_read_as_what_they_were() {
    let vault = TestVault::new()
        .bytes("latin.md", b"# Caf\xe9\n\nzeppelin \xfcber M\xfcnchen\n")
        .bytes("binary.md", b"zeppelin\0\0\x01\x02")
        .bytes("utf16.md", b"\xff\xfez\0e\0p\0p\0e\0l\0i\0n\0 \0w\0i\0d\0e\0");
    let server = TestServer::start().with_vault(vault).ready();
    assert!(server.finds("münchen", "latin.md"));
    assert!(problem(&server, "latin.md").starts_with("latin1"));
    assert!(server.call("vault_read_note", json!({"path": "latin.md"})).text().contains("über München"));
    assert!(problem(&server, "binary.md").starts_with("binary"));
    assert!(server.finds("wide", "utf16.md"));
}

#[test]
fn notes_beyond_any_measure_are_indexed_as_far_as_they_can_be() {
    let headings: String = (0..50_000).map(|number| format!("## Heading {number}\n")).collect();
    let vault = TestVault::new()
        .note("headings.md", &format!("{headings}\nzeppelinone\n"))
        .note("line.md", &format!("{} zeppelintwo\n", "word ".repeat(200_000)))
        .note(
            "big.md",
            &format!("zeppelinthree\n{}", "All work and no play makes a dull note.\n".repeat(262_144)),
        )
        .note("brackets.md", &format!("{} zeppelinfour\n", "[[".repeat(100_000)))
        .note("quotes.md", &format!("{} zeppelinfive\n", "> ".repeat(50_000)))
        .note("small.md", "zeppelinsix");
    let server = TestServer::start().with_vault(vault).ready();
    for (query, path) in [
        ("zeppelinone", "headings.md"),
        ("zeppelintwo", "line.md"),
        ("zeppelinfour", "brackets.md"),
        ("zeppelinfive", "quotes.md"),
        ("zeppelinsix", "small.md"),
    ] {
        assert!(server.finds(query, path), "{path}");
    }
    // Ten megabytes are either indexed, or reported with the limit.
    assert!(server.finds("zeppelinthree", "big.md") || problem(&server, "big.md").starts_with("too_large"));
    for path in ["headings.md", "line.md", "big.md", "brackets.md"] {
        for arguments in [
            json!({"path": path}),
            json!({"path": path, "outline": true}),
            json!({"path": path, "start_line": 1, "limit": 3}),
        ] {
            // The harness checks the length of every answer.
            let answer = server.call("vault_read_note", arguments.clone());
            assert!(!answer.is_error(), "{arguments}: {:.300}", answer.text());
        }
    }
}

#[test]
fn a_hostile_note_costs_no_more_than_a_second() {
    let hostile = [
        ("stars", "*".repeat(200_000)),
        ("underscores", "_a".repeat(100_000)),
        ("brackets", "[".repeat(200_000)),
        ("links", "[[a|".repeat(60_000)),
        ("images", "![](".repeat(60_000)),
        ("comments", "%%".repeat(100_001)),
        ("fences", "```\n".repeat(50_001)),
        ("tags", "#a".repeat(100_000)),
        ("html", "<a ".repeat(70_000)),
        ("entities", "&a".repeat(100_000)),
        ("backticks", (1..600).map(|count| "`".repeat(count) + " ").collect::<String>()),
        ("table", "|a".repeat(100_000)),
        ("lists", (0..400).map(|depth| " ".repeat(depth) + "- x\n").collect::<String>()),
        ("footnotes", "[^1".repeat(70_000)),
    ];
    let vault = hostile.iter().fold(TestVault::new(), |vault, (name, text)| {
        vault.note(&format!("{name}.md"), &format!("{text}\n\nzeppelin\n"))
    });
    let start = std::time::Instant::now();
    let server = TestServer::start().with_vault(vault).ready();
    assert!(start.elapsed() < Duration::from_secs(15), "{:?} for {} notes", start.elapsed(), hostile.len());
    assert_eq!(server.call("index_status", json!({})).structured()["notes"], hostile.len());
}

#[test]
fn a_note_that_the_system_will_not_open_is_reported() {
    // Root reads everything, so a folder stands where a note should be.
    let vault = TestVault::new().folder("folder.md").note("a.md", "zeppelin");
    let server = TestServer::start().with_vault(vault).ready();
    assert!(server.finds("zeppelin", "a.md"));
    let error = server.call("vault_read_note", json!({"path": "folder.md"})).error();
    assert!(error.contains("folder.md"), "{error}");
    assert_eq!(server.call("vault_list_notes", json!({})).structured()["total"], 1);
}

#[test]
fn names_that_no_path_can_have_are_skipped_and_named() {
    let vault = TestVault::new()
        .note("a.md", "zeppelin")
        .note("Shadow.md", "one")
        .note("shadow.md", "two")
        .named_by_bytes(b"bad\xff.md", "zeppelin");
    let server = TestServer::start().with_vault(vault).ready();
    assert!(server.finds("zeppelin", "a.md"));
    let status = server.call("index_status", json!({}));
    let rows = status.structured()["skipped"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["path"].as_str().unwrap().starts_with("bad")), "{rows:?}");
    // Two notes whose names differ only in case are two notes here.
    let listed = server.call("vault_list_notes", json!({}));
    assert_eq!(listed.text_json(), json!(["Shadow.md", "a.md", "shadow.md"]));
    for (path, text) in [("Shadow.md", "one"), ("shadow.md", "two")] {
        assert_eq!(server.call("vault_read_note", json!({"path": path})).structured()["text"], text);
        assert!(server.finds(text, path), "{path}");
    }
}
