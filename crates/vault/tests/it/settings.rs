//! Obsidian's settings on disk: what is there, what is not, what cannot be read, what changes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::vault::{Loaded, NewLinkFormat, PropertyType, SettingsError, TrashOption};
use super::{Fixture, may_be_refused};

const TASKS: &str = ".obsidian/plugins/obsidian-tasks-plugin/data.json";

/// Makes a file look as if it had been written an hour ago.
fn age(fixture: &Fixture, path: &str) {
    let file = fs::File::options().write(true).open(fixture.on_disk(path)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
}

#[test]
fn a_vault_without_settings_has_the_defaults() {
    let fixture = Fixture::with(&["a.md"]);
    let vault = fixture.vault();
    assert!(matches!(vault.settings().app(), Loaded::Missing));
    assert!(matches!(vault.settings().types(), Loaded::Missing));
    assert!(matches!(vault.settings().tasks(), Loaded::Missing));
    assert!(matches!(vault.settings().daily_notes_file(), Loaded::Missing));
    assert_eq!(vault.settings().app().or_default().trash, TrashOption::System);
    assert_eq!(vault.settings().tasks().or_default().statuses.statuses().len(), 4);
}

#[test]
fn each_file_is_read() {
    let fixture = Fixture::new();
    fixture.write(".obsidian/app.json", r#"{"newLinkFormat":"absolute","userIgnoreFilters":null}"#);
    fixture.write(".obsidian/types.json", r#"{"types":{"due":"date"}}"#);
    fixture.write(
        TASKS,
        r##"{"globalFilter":"#task","statusSettings":{"customStatuses":[{"symbol":"!","name":"Important",
            "nextStatusSymbol":"x","type":"TODO"}]}}"##,
    );
    fixture.write(".obsidian/daily-notes.json", r#"{"folder":"D","template":" T/Daily "}"#);
    let vault = fixture.vault();
    assert_eq!(vault.settings().app().or_default().new_link_format, NewLinkFormat::Absolute);
    assert_eq!(vault.settings().types().or_default().of("Due"), Some(&PropertyType::Date));
    let tasks = vault.settings().tasks().or_default();
    assert_eq!(tasks.global_filter, "#task");
    assert_eq!(tasks.statuses.registered("!").map(|status| status.name.as_str()), Some("Important"));
    let Loaded::Read(daily) = vault.settings().daily_notes_file() else { panic!("it is there") };
    assert_eq!((daily.folder.as_deref(), daily.template.as_deref()), (Some("D"), Some("T/Daily")));
}

#[test]
fn an_unchanged_file_is_read_once() {
    let fixture = Fixture::new();
    fixture.write(TASKS, r#"{"globalFilter":"one"}"#);
    age(&fixture, TASKS);
    let vault = fixture.vault();
    let (first, second) =
        (vault.settings().tasks().or_default(), vault.clone().settings().tasks().or_default());
    assert!(Arc::ptr_eq(&first, &second));
    fixture.write(TASKS, r#"{"globalFilter":"two"}"#);
    assert_eq!(vault.settings().tasks().or_default().global_filter, "two");
    // Written anew with the same bytes it is another state of the file and the same settings.
    let before = vault.settings().tasks().or_default();
    fixture.write(TASKS, r#"{"globalFilter":"two"}"#);
    assert!(Arc::ptr_eq(&before, &vault.settings().tasks().or_default()));
}

/// Size and time stamp do not tell such changes apart; the age of the time stamp does.
#[test]
fn changes_within_one_tick_of_the_clock_are_seen() {
    let fixture = Fixture::new();
    let vault = fixture.vault();
    for round in 0..200 {
        fixture.write(TASKS, format!(r#"{{"globalFilter":"{}"}}"#, round % 10));
        assert_eq!(vault.settings().tasks().or_default().global_filter, (round % 10).to_string());
    }
}

#[test]
fn what_cannot_be_read_is_an_outcome_with_a_reason() {
    #[track_caller]
    fn case(json: &[u8], reason: &str) {
        let fixture = Fixture::new();
        fixture.write(".obsidian/app.json", json);
        let Loaded::Unreadable(error) = fixture.vault().settings().app() else { panic!("{json:?} was read") };
        assert!(error.to_string().contains(reason), "{error}");
    }
    case(b"", "no valid JSON: EOF");
    case(b"{\"a\":1", "no valid JSON: EOF while parsing an object at line 1 column 6");
    case(b"\xff\xfe{\0}\0", "no valid JSON");
    case(b"[]", "not an object");
    case(b"null", "not an object");
    case(b"{\"a\":\"\xe9\"}", "no valid JSON");
}

#[test]
fn a_file_that_becomes_readable_is_read() {
    let fixture = Fixture::new();
    fixture.write(".obsidian/app.json", "{");
    age(&fixture, ".obsidian/app.json");
    let vault = fixture.vault();
    assert!(matches!(vault.settings().app(), Loaded::Unreadable(_)));
    assert!(matches!(vault.settings().app(), Loaded::Unreadable(_)));
    fixture.write(".obsidian/app.json", r#"{"trashOption":"none"}"#);
    assert_eq!(vault.settings().app().or_default().trash, TrashOption::None);
}

#[test]
fn a_file_of_more_bytes_than_settings_have_is_not_read() {
    let fixture = Fixture::new();
    fixture.write(".obsidian/types.json", "{}");
    let file = fs::File::options().write(true).open(fixture.on_disk(".obsidian/types.json")).unwrap();
    file.set_len(17 * 1024 * 1024).unwrap();
    let Loaded::Unreadable(error) = fixture.vault().settings().types() else { panic!("it was read") };
    assert!(matches!(*error, SettingsError::TooLarge { .. }));
}

#[test]
fn what_leaves_the_vault_is_not_read() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.on_disk(".obsidian")).unwrap();
    fs::write(fixture.outside("app.json"), r#"{"trashOption":"none"}"#).unwrap();
    fixture.link(".obsidian/app.json", fixture.outside("app.json"));
    fs::create_dir(fixture.on_disk(".obsidian/types.json")).unwrap();
    let vault = fixture.vault();
    let Loaded::Unreadable(error) = vault.settings().app() else { panic!("it was read") };
    assert!(error.to_string().contains("leads outside the vault"), "{error}");
    assert!(matches!(vault.settings().types(), Loaded::Unreadable(_)));
}

/// Permissions leave no trace in size and time of change.
#[test]
fn permissions_that_come_back_are_noticed() {
    if !may_be_refused("settings::permissions_that_come_back_are_noticed") {
        return;
    }
    let fixture = Fixture::new();
    fixture.write(".obsidian/app.json", r#"{"trashOption":"none"}"#);
    age(&fixture, ".obsidian/app.json");
    let mode = |mode| {
        fs::set_permissions(fixture.on_disk(".obsidian/app.json"), fs::Permissions::from_mode(mode)).unwrap();
    };
    let vault = fixture.vault();
    mode(0o000);
    assert!(matches!(vault.settings().app(), Loaded::Unreadable(_)));
    mode(0o644);
    assert_eq!(vault.settings().app().or_default().trash, TrashOption::None);
}
