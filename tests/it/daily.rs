//! `vault_get_daily_note`: where the note of a day is by the settings of the server and of Obsidian, as they
//! stand at the call.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use harness::{Server, TestServer, TestVault, eventually};
use serde_json::{Value, json};

const SETTINGS: &str = ".obsidian/daily-notes.json";

#[track_caller]
fn path(server: &Server, date: &str) -> String {
    let answer = server.call("vault_get_daily_note", json!({"date": date}));
    answer.structured()["path"].as_str().unwrap().to_owned()
}

/// The path of a day's note in a vault with this `daily-notes.json`.
#[track_caller]
fn path_with(settings: &str, date: &str) -> String {
    path(&TestServer::start().with_vault(TestVault::new().note(SETTINGS, settings)).listening(), date)
}

#[test]
fn a_note_that_is_there() {
    let text = "---\ntitle: \"2026-01-15\"\n---\n\n# 2026-01-15\n\n- [ ] Review\r\n";
    let vault = TestVault::new().note("Daily Notes/2026-01-15.md", text);
    let server = TestServer::start().with_vault(vault).listening();
    let answer = server.call("vault_get_daily_note", json!({"date": "2026-01-15"}));
    let expected = json!({"path": "Daily Notes/2026-01-15.md", "content": text, "exists": true});
    assert_eq!(answer.text_json(), expected);
    let structured = answer.structured();
    assert_eq!(structured["path"], "Daily Notes/2026-01-15.md");
    assert_eq!(structured["exists"], true);
    assert_eq!(structured["date"], "2026-01-15");
    assert_eq!(structured["text"], text);
    assert_eq!(structured["bytes"], text.len());
    let note = server.call("vault_read_note", json!({"path": "Daily Notes/2026-01-15.md"}));
    assert_eq!(structured["hash"], note.structured()["hash"]);
    assert_eq!(structured["modified"], note.structured()["modified"]);
    assert!(structured.get("content").is_none(), "the text stands once: {structured}");
}

#[test]
fn a_note_that_is_not_there() {
    let server = TestServer::start().listening();
    let answer = server.call("vault_get_daily_note", json!({"date": "2030-01-01"}));
    let expected = r#"{"path":"Daily Notes/2030-01-01.md","content":null,"exists":false}"#;
    assert_eq!(answer.text(), expected);
    let expected = json!({"path": "Daily Notes/2030-01-01.md", "exists": false, "date": "2030-01-01"});
    assert_eq!(answer.structured(), &expected);
}

#[test]
fn without_a_date_it_is_today_in_the_servers_zone() {
    // Between these two zones it is never the same day.
    for (zone, hours) in [("Etc/GMT-14", 14), ("Etc/GMT+12", -12), ("UTC", 0)] {
        let server = TestServer::start().with_env("TZ", zone).listening();
        for absent in [json!({}), json!({"date": ""}), json!({"date": null})] {
            let before = date_at(hours);
            let answer = server.call("vault_get_daily_note", absent);
            let date = answer.structured()["date"].as_str().unwrap().to_owned();
            assert!([before, date_at(hours)].contains(&date), "{date} in {zone}");
            assert_eq!(answer.structured()["path"], format!("Daily Notes/{date}.md"));
        }
    }
}

/// The date now, so many hours ahead of UTC.
fn date_at(hours: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let mut days = (i64::try_from(now).unwrap() + hours * 3600).div_euclid(86_400);
    let leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let mut year = 1970;
    while days >= 365 + i64::from(leap(year)) {
        days -= 365 + i64::from(leap(year));
        year += 1;
    }
    let february = 28 + i64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}

#[test]
fn a_date_that_is_none_is_an_error_that_says_what_is() {
    let server = TestServer::start().listening();
    for date in [
        "2026-02-30",
        "2026-1-5",
        "20260105",
        "yesterday",
        "2026-01-05T10:00:00Z",
        "-026-01-05",
        "٢٠٢٦-٠١-٠٥",
    ] {
        let error = server.call("vault_get_daily_note", json!({"date": date})).error();
        assert!(error.contains("argument date is"), "{date}: {error}");
        assert!(error.contains("YYYY-MM-DD"), "{date}: {error}");
    }
    assert!(server.call("vault_get_daily_note", json!({"date": 20_260_105})).is_error());
    assert_eq!(path(&server, " 2026-01-05 "), "Daily Notes/2026-01-05.md");
    assert_eq!(path(&server, "2024-02-29"), "Daily Notes/2024-02-29.md");
}

#[test]
fn the_servers_settings_go_over_the_vaults_each_for_itself() {
    let vault = || TestVault::new().note(SETTINGS, r#"{"folder":"Journal","format":"YYYY/MM/DD"}"#);
    let server = TestServer::start().with_vault(vault()).listening();
    assert_eq!(path(&server, "2026-06-15"), "Journal/2026/06/15.md");
    let server = TestServer::start().with_vault(vault()).with_env("DAILY_NOTES_FOLDER", "Log/").listening();
    assert_eq!(path(&server, "2026-06-15"), "Log/2026/06/15.md");
    let server = TestServer::start().with_vault(vault()).with_env("DAILY_NOTES_FOLDER", "/").listening();
    assert_eq!(path(&server, "2026-06-15"), "2026/06/15.md");
    let format = "[Week] gggg-[W]ww";
    let server = TestServer::start().with_vault(vault()).with_env("DAILY_NOTES_FORMAT", format).listening();
    assert_eq!(path(&server, "2026-06-15"), "Journal/Week 2026-W25.md");
    let server = TestServer::start().with_env("DAILY_NOTES_FORMAT", "DD.MM.YYYY").listening();
    assert_eq!(path(&server, "2026-06-15"), "Daily Notes/15.06.2026.md");
}

#[test]
fn the_vaults_folder_is_normalised_and_blank_means_new_notes() {
    assert_eq!(path_with(r#"{"folder":"/"}"#, "2026-06-15"), "2026-06-15.md");
    assert_eq!(path_with(r#"{"folder":"\\a//b\\"}"#, "2026-06-15"), "a/b/2026-06-15.md");
    assert_eq!(path_with("{\"folder\":\"My\u{a0}Days\"}", "2026-06-15"), "My Days/2026-06-15.md");
    assert_eq!(path_with(r#"{"folder":" ","format":null}"#, "2026-06-15"), "2026-06-15.md");
    let vault = TestVault::new()
        .note(SETTINGS, "{}")
        .note(".obsidian/app.json", r#"{"newFileLocation":"folder","newFileFolderPath":"/In box/"}"#);
    let server = TestServer::start().with_vault(vault).listening();
    assert_eq!(path(&server, "2026-06-15"), "In box/2026-06-15.md");
}

#[test]
fn a_change_in_obsidian_holds_for_the_next_call() {
    let server = TestServer::start().listening();
    assert_eq!(path(&server, "2026-06-15"), "Daily Notes/2026-06-15.md");
    // A file that arrives after the start, one that changes, one that goes.
    server.vault().write(SETTINGS, r#"{"folder":"A"}"#);
    assert_eq!(path(&server, "2026-06-15"), "A/2026-06-15.md");
    server.vault().write(SETTINGS, r#"{"folder":"B"}"#);
    assert_eq!(path(&server, "2026-06-15"), "B/2026-06-15.md");
    server.vault().save_by_rename(SETTINGS, r#"{"folder":"C","format":"YYYY"}"#);
    assert_eq!(path(&server, "2026-06-15"), "C/2026.md");
    server.vault().remove(SETTINGS);
    assert_eq!(path(&server, "2026-06-15"), "Daily Notes/2026-06-15.md");
}

#[test]
fn a_file_that_cannot_be_read_is_warned_of_once_per_change() {
    let server = TestServer::start().listening();
    let warnings = || {
        let lines = server.log();
        lines.iter().filter(|line| line.text.contains("settings file cannot be read")).count()
    };
    // Nothing to warn of: there is no file.
    assert_eq!(path(&server, "2026-06-15"), "Daily Notes/2026-06-15.md");
    assert_eq!(warnings(), 0);
    server.vault().write(SETTINGS, r#"{"folder":"Journal","#);
    for _ in 0..3 {
        assert_eq!(path(&server, "2026-06-15"), "Daily Notes/2026-06-15.md");
    }
    assert_eq!(warnings(), 1);
    server.vault().write(SETTINGS, "[]");
    for _ in 0..3 {
        assert_eq!(path(&server, "2026-06-15"), "Daily Notes/2026-06-15.md");
    }
    assert_eq!(warnings(), 2);
    server.vault().write(SETTINGS, r#"{"folder":"Journal"}"#);
    assert_eq!(path(&server, "2026-06-15"), "Journal/2026-06-15.md");
    let warning = server.log().into_iter().find(|line| line.text.contains("settings file")).unwrap();
    assert_eq!(warning.json().unwrap()["level"].as_str().map(str::to_lowercase).as_deref(), Some("warn"));
    assert!(warning.text.contains(".obsidian/daily-notes.json"), "{}", warning.text);
    assert!(!warning.text.contains("Journal"), "a log quotes no settings: {}", warning.text);
}

#[test]
fn moment_formats_through_the_tool() {
    #[track_caller]
    fn case(format: &str, date: &str, expected: &str) {
        let settings = json!({"folder": "D", "format": format}).to_string();
        assert_eq!(path_with(&settings, date), format!("D/{expected}.md"), "{format}");
    }
    case("YYYY/MM/YYYY-MM-DD", "2026-06-15", "2026/06/2026-06-15");
    case("YYYY/MMMM/YYYY-MMM-DD", "2023-01-01", "2023/January/2023-Jan-01");
    case("[Daily]/YYYY", "2026-06-15", "Daily/2026");
    case("dddd [the] Do", "2026-06-15", "Monday the 15th");
    case("gggg-[W]ww", "2024-12-29", "2025-W01");
    case("GGGG-[W]WW", "2024-12-29", "2024-W52");
    case("YYYY-MM-DD[.md]", "2026-06-15", "2026-06-15");
    case("yyyy-MM-dd", "2026-06-15", "2026-06-Mo");
}

#[test]
fn formats_that_name_no_day_or_no_path_say_why() {
    #[track_caller]
    fn case(settings: Value, parts: &[&str]) {
        let vault = TestVault::new().note(SETTINGS, &settings.to_string());
        let server = TestServer::start().with_vault(vault).listening();
        let error = server.call("vault_get_daily_note", json!({"date": "2026-06-15"})).error();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    }
    case(
        json!({"format": "YYYY-mm-DD"}),
        &[
            "\"YYYY-mm-DD\" (set in .obsidian/daily-notes.json)",
            "mm stands for a time of day",
            "months are MM",
        ],
    );
    case(json!({"format": "Daily YYYY"}), &["a stands for"]);
    case(json!({"format": "LLL"}), &["h, mm, A stand for"]);
    case(json!({"format": "[../../x]"}), &["path traversal blocked"]);
    case(json!({"format": "[.x/]YYYY"}), &["hidden path blocked"]);
    case(json!({"folder": ".daily"}), &["folder \".daily\" (set in .obsidian/daily-notes.json)"]);
    case(json!({"folder": "../other"}), &["folder \"../other\"", "path traversal blocked"]);
}

#[test]
fn a_format_of_the_server_is_checked_at_start() {
    let server = TestServer::start().with_env("DAILY_NOTES_FORMAT", "YYYY-MM-DD HHmm").listening();
    let log = server.log();
    assert!(log.iter().any(|line| line.text.contains("DAILY_NOTES_FORMAT") && line.text.contains("HH, mm")));
    let error = server.call("vault_get_daily_note", json!({"date": "2026-06-15"})).error();
    assert!(error.contains("(set by DAILY_NOTES_FORMAT)"), "{error}");
    for (name, value) in
        [("DAILY_NOTES_FORMAT", "[]"), ("DAILY_NOTES_FORMAT", "[.x]"), ("DAILY_NOTES_FOLDER", "../x")]
    {
        let output = TestServer::start().with_env(name, value).refused();
        assert!(output.stderr.contains(name), "{name}={value}: {}", output.stderr);
    }
}

#[test]
fn a_long_note_is_read_in_parts_without_loss() {
    let text: String = (0..4000).map(|line| format!("- line \"{line}\" of the day\\\n")).collect();
    let vault = TestVault::new().note("Daily Notes/2026-06-15.md", &text);
    let server = TestServer::start().with_vault(vault).listening();
    let mut arguments = json!({"date": "2026-06-15"});
    let mut whole = String::new();
    for part in 0..10 {
        let answer = server.call("vault_get_daily_note", arguments.clone());
        let shown: Value = serde_json::from_str(answer.blocks()[0]).unwrap();
        assert_eq!(shown["content"], answer.structured()["text"]);
        whole.push_str(shown["content"].as_str().unwrap());
        let Some(left_out) = answer.structured().get("left_out") else {
            assert!(part > 0, "all of it in one answer");
            break;
        };
        assert!(answer.blocks()[1].contains("continue with start_line"), "{}", answer.blocks()[1]);
        arguments["start_line"] = left_out["continue_with"]["start_line"].clone();
    }
    assert_eq!(whole, text);
}

#[test]
fn links_to_days_without_a_note_follow_the_same_settings() {
    let forward = |server: &Server| {
        let links = eventually("the links are indexed", Duration::from_secs(30), || {
            let answer = server.call("vault_get_outgoing_links", json!({"path": "a.md"}));
            let links = answer.structured()["outgoing_links"].as_array().unwrap().clone();
            (links.len() == 3).then_some(links)
        });
        let told = links.iter().filter(|link| link["daily_note_forward_ref"] == true);
        told.map(|link| link["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let vault =
        TestVault::new().note("a.md", "[[Daily Notes/2030-01-01]] [[Journal/2030-01-02]] [[2030-01-03]]");
    let server = TestServer::start().with_vault(vault).ready();
    assert_eq!(forward(&server), ["Daily Notes/2030-01-01"]);
    server.vault().write(SETTINGS, r#"{"folder":"journal"}"#);
    assert_eq!(forward(&server), ["Journal/2030-01-02"]);
    server.vault().write(SETTINGS, r#"{"folder":"/"}"#);
    assert_eq!(forward(&server), [""; 0]);
}

#[test]
fn a_file_in_the_way_is_an_error_and_not_a_missing_note() {
    let vault = TestVault::new()
        .folder("Daily Notes/2026-06-15.md")
        .outside_file("secret.md", "secret")
        .bytes("Daily Notes/2026-06-17.md", b"a\0b");
    let outside = vault.outside("secret.md");
    let vault = vault.symlink("Daily Notes/2026-06-16.md", outside);
    let server = TestServer::start().with_vault(vault).listening();
    let error = |date| server.call("vault_get_daily_note", json!({"date": date})).error();
    assert!(error("2026-06-15").contains("is a folder"));
    assert!(error("2026-06-16").contains("leads outside the vault"));
    assert!(error("2026-06-17").contains("holds NUL bytes"));
}
