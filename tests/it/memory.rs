//! The memory files: listed, read whole or by section or since a day, and recalled entry by entry.

use std::time::Duration;

use harness::{LATEST_HANDSHAKE, Server, TestServer, TestVault, eventually};
use serde_json::json;

const PREFERENCES: &str = "---
title: Preferences
entry-policy: append-only
---

> [!info] Scope of this file
> Test memory file for integration testing.

# Preferences

## Editor settings (newest first)

- **2026-01-12**: Prefers dark mode in all editors
- **2026-01-08**: Uses Vim keybindings in VS Code
- **2026-01-01**: Font size 14px for coding
";

const EDITOR_SETTINGS: &str = "- **2026-01-12**: Prefers dark mode in all editors
- **2026-01-08**: Uses Vim keybindings in VS Code
- **2026-01-01**: Font size 14px for coding";

const ROUTINES: &str = "---
entry-policy: living
---
# Routines

## Mornings

- **2026-02-01**: Tea, then mail
  but no news

## Evenings

## Q&A

- **2025-12-24**: Asks back once
";

fn one_file() -> TestVault {
    TestVault::new().note("About Me/Preferences.md", PREFERENCES)
}

fn two_files() -> TestVault {
    one_file()
        .note("About Me/Routines.md", ROUTINES)
        .note("About Me/Archive/Old.md", "## Old\n- **2019-01-01**: not a memory file\n")
        .note("Elsewhere.md", "- **2026-01-12**: Prefers dark mode elsewhere\n")
}

fn serve(vault: TestVault) -> Server {
    TestServer::start().with_vault(vault).ready()
}

#[test]
fn files_are_listed_in_the_shape_clients_know() {
    let server = serve(one_file());
    let answer = server.call("vault_list_memory_files", json!({}));
    let expected = format!(
        r#"[{{"file":"Preferences","title":"Preferences","bytes":{},"entry_policy":"append-only","leading_callout":{{"type":"info","title":"Scope of this file","body":"Test memory file for integration testing."}},"headings":[{{"level":1,"text":"Preferences"}},{{"level":2,"text":"Editor settings (newest first)","entryCount":3}}]}}]"#,
        PREFERENCES.len()
    );
    assert_eq!(answer.text(), expected);
    assert_eq!(answer.structured()["total"], 1);
}

#[test]
fn a_living_file_says_so_and_sections_without_entries_count_none() {
    let server = serve(two_files());
    let answer = server.call("vault_list_memory_files", json!({}));
    assert_eq!(answer.list("files", "file"), ["Preferences", "Routines"], "neither deeper nor other notes");
    let text = &answer.text_json()[1];
    assert_eq!(text["entry_policy"], "living");
    assert_eq!(text["title"], "Routines");
    assert!(text["leading_callout"].is_null() && text.get("leading_callout").is_some());
    assert!(answer.structured()["files"][1].get("leading_callout").is_none());
    let headings = json!([
        {"level": 1, "text": "Routines"},
        {"level": 2, "text": "Mornings", "entryCount": 1},
        {"level": 2, "text": "Evenings", "entryCount": 0},
        {"level": 2, "text": "Q&A", "entryCount": 1},
    ]);
    assert_eq!(text["headings"], headings);
}

#[test]
fn without_a_memory_folder_it_is_said_where_it_is_looked_for() {
    let vault = TestVault::new().folder("My memory");
    let server = TestServer::start().with_vault(vault).with_env("MEMORY_DIR", "My memory/").ready();
    let answer = server.call("vault_list_memory_files", json!({}));
    assert_eq!(answer.blocks()[0], "[]");
    assert!(answer.blocks()[1].contains("in the folder \"My memory\""), "{}", answer.text());
    let answer = server.call("vault_get_memory", json!({}));
    assert!(answer.text().contains("in the folder \"My memory\""), "{}", answer.text());
    assert_eq!(answer.structured()["text"], "");
    let answer = server.call("vault_memory_recall", json!({"query": "tea"}));
    let expected = r#"{"entries":[],"total":0,"truncated":false,"search_mode":"fts","reranked":false}"#;
    assert_eq!(answer.text(), expected);
    let error = server.call("vault_get_memory", json!({"file": "Me"})).error();
    assert!(error.contains("memory file not found: \"My memory/Me.md\""), "{error}");
}

#[test]
fn the_folder_is_a_setting() {
    let vault = TestVault::new().note("Notes/Memory/Me.md", PREFERENCES).note("About Me/Other.md", ROUTINES);
    let server = TestServer::start().with_vault(vault).with_env("MEMORY_DIR", "Notes/Memory").ready();
    assert_eq!(server.call("vault_list_memory_files", json!({})).list("files", "file"), ["Me"]);
    let answer = server.call("vault_memory_recall", json!({"query": "dark tea"}));
    assert_eq!(answer.list("entries", "file"), ["Me"]);
}

#[test]
fn all_files_one_file_or_one_section_are_read_without_properties() {
    let server = serve(one_file());
    let body = PREFERENCES.split_once("---\n\n").unwrap().1.trim_end();
    assert_eq!(server.call("vault_get_memory", json!({})).text(), body);
    for name in ["Preferences", "Preferences.md", "preferences"] {
        let answer = server.call("vault_get_memory", json!({"file": name}));
        assert_eq!(answer.text(), body, "{name}");
        assert_eq!(answer.structured()["text"], body);
        assert_eq!(answer.structured()["path"], "About Me/Preferences.md");
        let note = server.call("vault_read_note", json!({"path": "About Me/Preferences.md"}));
        assert_eq!(answer.structured()["hash"], note.structured()["hash"]);
    }
    for name in
        ["editor settings", "Editor settings (newest first)", "## EDITOR  settings", "Editor&#32;settings"]
    {
        let answer = server.call("vault_get_memory", json!({"file": "Preferences", "section": name}));
        assert_eq!(answer.text(), EDITOR_SETTINGS, "{name}");
        assert_eq!(answer.structured()["section"], "Editor settings (newest first)");
    }
}

#[test]
fn several_files_come_in_order_each_behind_its_path() {
    let server = serve(two_files());
    let text = server.call("vault_get_memory", json!({})).text();
    let preferences = PREFERENCES.split_once("---\n\n").unwrap().1.trim_end();
    let routines = ROUTINES.split_once("living\n---\n").unwrap().1.trim_end();
    assert_eq!(
        text,
        format!(
            "<!-- About Me/Preferences.md -->\n\n{preferences}\n\n<!-- About Me/Routines.md -->\n\n{routines}"
        )
    );
    let section = server.call("vault_get_memory", json!({"file": "Routines", "section": "Q&amp;A"}));
    assert_eq!(section.text(), "- **2025-12-24**: Asks back once", "entities are decoded");
    let empty = server.call("vault_get_memory", json!({"file": "Routines", "section": "Evenings"}));
    assert_eq!(empty.structured()["text"], "");
}

/// What a person said since a day, across files and sections.
#[test]
fn entries_since_a_day_come_with_file_and_section() {
    let server = serve(two_files());
    let since = |arguments| server.call("vault_get_memory", arguments);
    let answer = since(json!({"on_or_after": "2026-01-08"}));
    assert_eq!(
        answer.text(),
        "<!-- About Me/Preferences.md -->\n\n## Editor settings (newest first)\n\n\
         - **2026-01-12**: Prefers dark mode in all editors\n- **2026-01-08**: Uses Vim keybindings in VS Code\n\n\
         <!-- About Me/Routines.md -->\n\n## Mornings\n\n- **2026-02-01**: Tea, then mail\n  but no news"
    );
    assert_eq!(answer.structured()["entries"], 3);
    let answer = since(json!({"on_or_after": "2025-01-01", "file": "Routines"}));
    assert_eq!(
        answer.text(),
        "## Mornings\n\n- **2026-02-01**: Tea, then mail\n  but no news\n\n## Q&A\n\n- **2025-12-24**: Asks back once"
    );
    let section = json!({"on_or_after": "2026-01-12", "file": "Preferences", "section": "editor settings"});
    assert_eq!(since(section).text(), "- **2026-01-12**: Prefers dark mode in all editors");
    let none = since(json!({"on_or_after": "2030-01-01"}));
    assert!(none.text().contains("no entries on or after 2030-01-01"), "{}", none.text());
    assert_eq!(none.structured()["entries"], 0);
    for day in ["2026-02-30", "yesterday", "2026-1-1"] {
        let error = since(json!({"on_or_after": day})).error();
        assert!(error.contains("on_or_after") && error.contains("YYYY-MM-DD"), "{error}");
    }
}

#[test]
fn names_that_lead_elsewhere_are_refused_and_unknown_ones_helped() {
    let server = serve(two_files());
    for tool in ["vault_get_memory", "vault_memory_recall"] {
        let error = |file: &str| {
            let mut arguments = json!({"file": file});
            if tool == "vault_memory_recall" {
                arguments["query"] = json!("dark");
            }
            server.call(tool, arguments).error()
        };
        for name in ["../../outside", "..\\outside", "/etc/passwd", "Archive/Old", "About Me/Preferences"] {
            assert!(error(name).contains("bare name without path separators"), "{}", error(name));
        }
        assert!(error(".hidden").contains("must not start with a dot"), "{}", error(".hidden"));
        let unknown = error("Rutines");
        assert!(unknown.contains("memory file not found: \"About Me/Rutines.md\""), "{unknown}");
        assert!(unknown.ends_with("Available files: Routines, Preferences"), "the nearest first: {unknown}");
        assert!(error("Elsewhere").contains("not found"), "other notes are no memory files");
    }
    let error = server.call("vault_get_memory", json!({"section": "Mornings"})).error();
    assert!(error.contains("section requires a file"), "{error}");
    let error = server.call("vault_get_memory", json!({"file": "Routines", "section": "Nights"})).error();
    assert!(error.contains("section not found: \"Nights\" in \"About Me/Routines.md\""), "{error}");
    assert!(error.ends_with("Available sections: Routines, Mornings, Evenings, Q&A"), "{error}");
}

#[test]
fn entries_are_recalled_in_the_shape_clients_know() {
    let server = serve(one_file());
    let entry = |date: &str, text: &str| {
        format!(
            r#"{{"entries":[{{"file":"Preferences","section":"Editor settings (newest first)","date":"{date}","text":"- **{date}**: {text}"}}],"total":1,"truncated":false,"search_mode":"fts","reranked":false}}"#
        )
    };
    let recall = |query: &str| server.call("vault_memory_recall", json!({"query": query})).text();
    assert_eq!(recall("dark mode"), entry("2026-01-12", "Prefers dark mode in all editors"));
    // No entry has both words: any will do, and filler words do not count.
    assert_eq!(recall("opinions on Vim"), entry("2026-01-08", "Uses Vim keybindings in VS Code"));
    let none = r#"{"entries":[],"total":0,"truncated":false,"search_mode":"fts","reranked":false}"#;
    assert_eq!(recall("zzz"), none);
}

#[test]
fn recalled_entries_are_in_the_order_of_their_days() {
    let server = serve(two_files());
    let answer = server.call("vault_memory_recall", json!({"query": "tea mode asks font"}));
    let days = answer.list("entries", "date");
    assert_eq!(days, ["2025-12-24", "2026-01-01", "2026-01-12", "2026-02-01"]);
    assert_eq!(answer.structured()["entries"][3]["text"], "- **2026-02-01**: Tea, then mail\nbut no news");
    let two = json!({"query": "tea mode mail asks", "limit": 1});
    let answer = server.call("vault_memory_recall", two);
    assert_eq!(answer.list("entries", "date"), ["2026-02-01"], "it has two of the words");
    assert_eq!(answer.structured()["total"], 3);
    assert_eq!(answer.structured()["truncated"], true);
    let only = json!({"query": "tea mode asks font", "file": "Routines"});
    let answer = server.call("vault_memory_recall", only);
    assert_eq!(answer.list("entries", "date"), ["2025-12-24", "2026-02-01"]);
}

#[test]
fn an_edit_outside_is_read_at_once_and_soon_recalled() {
    let vault = one_file();
    let server = serve(vault.clone());
    assert!(server.call("vault_memory_recall", json!({"query": "tabs"})).list("entries", "date").is_empty());
    let entry = "## Editor settings (newest first)\n\n- **2026-03-01**: Prefers tabs";
    vault.write(
        "About Me/Preferences.md",
        PREFERENCES.replace("## Editor settings (newest first)\n", entry).as_str(),
    );
    let text = server.call("vault_get_memory", json!({"file": "Preferences"})).text();
    assert!(text.contains("Prefers tabs"), "{text}");
    eventually("the entry is recalled", Duration::from_secs(10), || {
        let found = server.call("vault_memory_recall", json!({"query": "tabs"})).list("entries", "date");
        (found == ["2026-03-01"]).then_some(())
    });
}

fn texts(server: &Server) -> String {
    let params = json!({"protocolVersion": LATEST_HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "h", "version": "0"}});
    let result = server.rpc("initialize", params)["result"].clone();
    format!("{} {} {}", json!(server.tools()), result["instructions"], result["serverInfo"]["description"])
}

#[test]
fn the_layer_is_switched_as_one_and_texts_follow() {
    let served = |name: &str, value: &str| {
        TestServer::start()
            .with_vault(one_file().folder("Über mich"))
            .with_env("MEMORY_DIR", "Über mich")
            .with_env(name, value)
            .ready()
    };
    let off = served("MEMORY_ENABLED", "false");
    assert!(!texts(&off).to_lowercase().contains("memory") && !texts(&off).contains("Über mich"));
    let call = off.rpc("tools/call", json!({"name": "vault_memory_recall", "arguments": {"query": "x"}}));
    assert_eq!(call["error"]["code"], -32602, "{call}");
    let read_only = served("READONLY_MODE", "true");
    let shown = texts(&read_only);
    for part in ["vault_list_memory_files", "vault_get_memory", "vault_memory_recall", "Über mich"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let without = served("DISABLED_TOOLS", "vault_get_memory");
    assert!(!texts(&without).contains("Über mich") && texts(&without).contains("vault_memory_recall"));
}
