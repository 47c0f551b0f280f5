//! Where daily notes are: the server's setting, Obsidian's files, the fallbacks.

use jiff::civil::date;

use super::Fixture;
use super::vault::{self, DailyFolder, DailyNoteError, DailyNotesOverrides, DailySource};

const DAY: jiff::civil::Date = date(2026, 6, 15);

fn nothing() -> DailyNotesOverrides {
    DailyNotesOverrides::default()
}

fn overrides(folder: Option<&str>, format: Option<&str>) -> DailyNotesOverrides {
    DailyNotesOverrides { folder: folder.map(str::to_owned), format: format.map(str::to_owned) }
}

/// The path of the day's note with these settings; `None`: no such file.
#[track_caller]
fn path(daily_notes: Option<&str>, app: Option<&str>, overrides: &DailyNotesOverrides) -> String {
    let fixture = Fixture::new();
    if let Some(json) = daily_notes {
        fixture.write(".obsidian/daily-notes.json", json);
    }
    if let Some(json) = app {
        fixture.write(".obsidian/app.json", json);
    }
    fixture.vault().settings().daily_notes(overrides).path_of(DAY).unwrap().as_str().to_owned()
}

#[test]
fn without_a_file_the_fallbacks_hold() {
    assert_eq!(path(None, None, &nothing()), "Daily Notes/2026-06-15.md");
    // The place of new notes is asked only when the file leaves the folder blank.
    let app = Some(r#"{"newFileLocation":"folder","newFileFolderPath":"Inbox"}"#);
    assert_eq!(path(None, app, &nothing()), "Daily Notes/2026-06-15.md");
}

#[test]
fn folder_and_format_are_found_independently() {
    let both = Some(r#"{"folder":"Journal","format":"YYYY/MM/DD"}"#);
    let folder_only = Some(r#"{"folder":"Journal"}"#);
    let format_only = Some(r#"{"format":"YYYY/MM/DD"}"#);
    assert_eq!(path(both, None, &nothing()), "Journal/2026/06/15.md");
    assert_eq!(path(folder_only, None, &nothing()), "Journal/2026-06-15.md");
    assert_eq!(path(format_only, None, &nothing()), "2026/06/15.md");
    assert_eq!(path(both, None, &overrides(Some("Log"), None)), "Log/2026/06/15.md");
    assert_eq!(path(both, None, &overrides(None, Some("[W]WW"))), "Journal/W25.md");
    assert_eq!(path(both, None, &overrides(Some("/"), Some("DDDD"))), "166.md");
    assert_eq!(path(None, None, &overrides(Some("Log"), None)), "Log/2026-06-15.md");
    assert_eq!(path(None, None, &overrides(None, Some("DD.MM.YYYY"))), "Daily Notes/15.06.2026.md");
}

#[test]
fn the_folder_of_the_file_is_normalised_as_obsidian_does() {
    #[track_caller]
    fn case(raw: &str, expected: &str) {
        let json = serde_json::json!({"folder": raw}).to_string();
        assert_eq!(path(Some(&json), None, &nothing()), expected, "{raw:?}");
    }
    case("/", "2026-06-15.md");
    case("//", "2026-06-15.md");
    case("/Daily/", "Daily/2026-06-15.md");
    case("Daily\\x", "Daily/x/2026-06-15.md");
    case("\\a\\\\b//c/", "a/b/c/2026-06-15.md");
    case("My\u{a0}Daily\u{202f}Notes", "My Daily Notes/2026-06-15.md");
    case("Tagebu\u{308}cher", "Tageb\u{fc}cher/2026-06-15.md");
    case("  Daily ", "Daily/2026-06-15.md");
}

#[test]
fn a_blank_folder_is_where_new_notes_go() {
    let inbox = Some(r#"{"newFileLocation":"folder","newFileFolderPath":"Inbox"}"#);
    for blank in [r#"{"folder":""}"#, r#"{"folder":"  "}"#, r#"{"folder":null}"#, r#"{"folder":7}"#, "{}"] {
        assert_eq!(path(Some(blank), None, &nothing()), "2026-06-15.md", "{blank}");
        assert_eq!(path(Some(blank), inbox, &nothing()), "Inbox/2026-06-15.md", "{blank}");
    }
    let blank = Some("{}");
    for app in [
        r#"{"newFileLocation":"root","newFileFolderPath":"Inbox"}"#,
        r#"{"newFileLocation":"current","newFileFolderPath":"Inbox"}"#,
        r#"{"newFileLocation":"folder","newFileFolderPath":"/"}"#,
        r#"{"newFileLocation":null}"#,
        "not json",
    ] {
        assert_eq!(path(blank, Some(app), &nothing()), "2026-06-15.md", "{app}");
    }
}

#[test]
fn an_unreadable_file_takes_the_fallbacks_and_says_so() {
    for json in ["", "{", "[]", "null", r#"{"folder":"Journal",}"#] {
        let fixture = Fixture::new();
        fixture.write(".obsidian/daily-notes.json", json);
        let vault = fixture.vault();
        let daily = vault.settings().daily_notes(&nothing());
        assert_eq!(daily.path_of(DAY).unwrap().as_str(), "Daily Notes/2026-06-15.md", "{json:?}");
        assert_eq!(daily.folder_source(), DailySource::Unreadable, "{json:?}");
        assert_eq!(daily.format_source(), DailySource::Unreadable, "{json:?}");
        assert!(daily.unreadable().is_some(), "{json:?}");
        // What the server's own setting decides, the file need not.
        let set = vault.settings().daily_notes(&overrides(Some("Log"), None));
        assert_eq!(set.folder_source(), DailySource::Override);
        assert_eq!(set.path_of(DAY).unwrap().as_str(), "Log/2026-06-15.md");
        let both = vault.settings().daily_notes(&overrides(Some("Log"), Some("YYYY")));
        assert_eq!(both.unreadable(), None, "{json:?}");
    }
}

#[test]
fn a_change_holds_for_the_next_question() {
    let fixture = Fixture::new();
    let vault = fixture.vault();
    let now = || vault.settings().daily_notes(&nothing()).path_of(DAY).unwrap().as_str().to_owned();
    assert_eq!(now(), "Daily Notes/2026-06-15.md");
    fixture.write(".obsidian/daily-notes.json", r#"{"folder":"A"}"#);
    assert_eq!(now(), "A/2026-06-15.md");
    // As long as the first, and perhaps in the same tick of the file system's clock.
    fixture.write(".obsidian/daily-notes.json", r#"{"folder":"B"}"#);
    assert_eq!(now(), "B/2026-06-15.md");
    fixture.write(".obsidian/daily-notes.json", "{}");
    fixture.write(".obsidian/app.json", r#"{"newFileLocation":"folder","newFileFolderPath":"C"}"#);
    assert_eq!(now(), "C/2026-06-15.md");
    std::fs::remove_file(fixture.on_disk(".obsidian/daily-notes.json")).unwrap();
    assert_eq!(now(), "Daily Notes/2026-06-15.md");
}

#[test]
fn formats_may_hold_folders_text_and_an_extension() {
    #[track_caller]
    fn case(format: &str, expected: &str) {
        assert_eq!(path(None, None, &overrides(Some("D"), Some(format))), expected, "{format}");
    }
    case("YYYY/MM/YYYY-MM-DD", "D/2026/06/2026-06-15.md");
    case("YYYY/MMMM/YYYY-MMM-DD", "D/2026/June/2026-Jun-15.md");
    case("[Daily]/YYYY", "D/Daily/2026.md");
    case("gggg-[W]ww", "D/2026-W25.md");
    case("GGGG-[W]WW", "D/2026-W25.md");
    case("dddd, MMMM Do YYYY", "D/Monday, June 15th 2026.md");
    case("YYYY-MM-DD[.md]", "D/2026-06-15.md");
    case("//YYYY//DD/", "D/2026/15.md");
    case("yyyy-MM-dd", "D/2026-06-Mo.md");
}

#[test]
fn the_last_days_of_a_year_are_in_the_week_of_the_locale_or_of_iso() {
    let fixture = Fixture::new();
    let on = |format: &str| {
        let daily = fixture.vault().settings().daily_notes(&overrides(Some("/"), Some(format)));
        daily.path_of(date(2024, 12, 29)).unwrap().as_str().to_owned()
    };
    assert_eq!(on("gggg-[W]ww"), "2025-W01.md");
    assert_eq!(on("GGGG-[W]WW"), "2024-W52.md");
}

#[test]
fn formats_that_a_date_does_not_settle_are_refused_by_name() {
    let fixture = Fixture::new();
    fixture.write(".obsidian/daily-notes.json", r#"{"format":"YYYY-mm-DD"}"#);
    let vault = fixture.vault();
    let error = vault.settings().daily_notes(&nothing()).path_of(DAY).unwrap_err();
    assert!(matches!(&error, DailyNoteError::TimeTokens { tokens, .. } if tokens == &["mm"]), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("\"YYYY-mm-DD\" (set in .obsidian/daily-notes.json)"), "{text}");
    assert!(text.contains("mm stands for a time of day"), "{text}");
    let set = vault.settings().daily_notes(&overrides(None, Some("YYYY HHmm")));
    let text = set.path_of(DAY).unwrap_err().to_string();
    assert!(text.contains("(set by DAILY_NOTES_FORMAT)"), "{text}");
    assert!(text.contains("HH, mm stand for"), "{text}");
}

#[test]
fn what_is_no_path_in_the_vault_is_refused_by_name() {
    #[track_caller]
    fn case(folder: &str, format: &str, parts: &[&str]) {
        let fixture = Fixture::new();
        let json = serde_json::json!({"folder": folder, "format": format}).to_string();
        fixture.write(".obsidian/daily-notes.json", json);
        let error = fixture.vault().settings().daily_notes(&nothing()).path_of(DAY).unwrap_err().to_string();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    }
    case("../Journal", "YYYY", &["folder \"../Journal\" (set in .obsidian/daily-notes.json)", "escapes"]);
    case(".journal", "YYYY", &["folder \".journal\"", "hidden path blocked"]);
    case("D", "[../../]YYYY", &["gives \"../../2026\"", "escapes the vault"]);
    case("D", "[../x]", &["escapes the vault"]);
    case("D", "[.secret/]YYYY", &["hidden path blocked"]);
    case("D", "[]", &["the path is empty"]);
    // Short enough alone, too long below its folder.
    case(&"f/".repeat(1530), "[long/long/long/long]", &["path too long"]);
}

#[test]
fn a_folder_shared_with_other_notes_tells_nothing() {
    #[track_caller]
    fn case(overrides: &DailyNotesOverrides, folder: Option<&str>) {
        let daily = Fixture::new().vault().settings().daily_notes(overrides);
        assert_eq!(daily.own_folder().map(vault::VaultPath::as_str), folder);
        assert_eq!(daily.holds("Journal/2026-06-15"), folder.is_some());
    }
    case(&overrides(Some("Journal"), None), Some("Journal"));
    case(&overrides(Some("/"), None), None);
    case(&overrides(Some(" "), None), None);
    let fixture = Fixture::new();
    fixture.write(".obsidian/daily-notes.json", "{}");
    let daily = fixture.vault().settings().daily_notes(&nothing());
    assert_eq!(daily.folder(), &DailyFolder::Root);
    assert_eq!(daily.folder_source(), DailySource::NewNotes);
}

#[test]
fn links_into_the_folder() {
    #[track_caller]
    fn case(folder: &str, path: &str, expected: bool) {
        let daily = Fixture::new().vault().settings().daily_notes(&overrides(Some(folder), None));
        assert_eq!(daily.holds(path), expected, "{path} in {folder:?}");
    }
    case("Daily Notes", "Daily Notes/2030-01-01", true);
    case("Daily Notes", "daily notes/2030-01-01", true);
    case("Daily Notes", "Daily Notes", false);
    case("Daily Notes", "Daily Notes archive/x", false);
    case("\\Journal//Days/", "Journal/Days/2030-01-01", true);
    case("/", "2030-01-01", false);
}
