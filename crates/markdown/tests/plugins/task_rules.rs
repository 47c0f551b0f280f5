//! The rules of the Tasks plugin, one by one, on lines of our own.

use jiff::civil::Date;
use vault_cortex_markdown::moment::Locale;
use vault_cortex_markdown::tasks;
use vault_cortex_markdown::tasks::recurrence::Occurrence;
use vault_cortex_markdown::tasks::{
    Format, Recurrence, Settings, Status, StatusRegistry, StatusType, Task, TaskDate,
};

const TODAY: Date = Date::constant(2026, 3, 10);

fn dataview() -> Settings {
    Settings { format: Format::Dataview, ..Settings::default() }
}

#[track_caller]
fn rewritten_with(settings: &Settings, line: &str, expected: &str) {
    let written = Task::read(line, settings, None).map(|task| task.to_line(settings.format));
    assert_eq!(written.as_deref(), Some(expected), "{line:?}");
}

#[track_caller]
fn rewritten(line: &str, expected: &str) {
    rewritten_with(&Settings::default(), line, expected);
}

#[track_caller]
fn toggled_with(settings: &Settings, line: &str, expected: &[&str]) {
    assert_eq!(tasks::toggle(line, settings, TODAY).lines, expected, "{line:?}");
}

#[track_caller]
fn toggled(line: &str, expected: &[&str]) {
    toggled_with(&Settings::default(), line, expected);
}

// -------------------------------------------------------------- reading

#[test]
fn a_line_is_a_task_by_its_shape() {
    for line in ["> - [ ] x", "\t- [?] x", "1) [ ] x", "- [ ]x", "- [é] x", "+ [ ]", "12. [x] y"] {
        assert!(tasks::split(line).is_some(), "{line:?}");
    }
    for line in ["-[ ] x", "1.[ ] x", "[ ] x", "• [ ] x", "-\t[ ] x", "- [] x", "- [ab] x", "a - [ ] x"] {
        assert!(tasks::split(line).is_none(), "{line:?}");
    }
}

#[test]
fn spaces_shrink_and_hard_breaks_stay() {
    rewritten("-  [ ]   x", "- [ ] x");
    rewritten("- [ ] job  ", "- [ ] job  ");
    rewritten("- [ ] job ", "- [ ] job");
    rewritten("- [ ] 📅 2026-03-12", "- [ ]  📅 2026-03-12");
}

#[test]
fn emoji_with_and_without_spaces_and_selectors() {
    rewritten("- [ ] a 📆2026-03-12", "- [ ] a 📅 2026-03-12");
    rewritten("- [ ] a 🗓️   2026-03-12 ⌛️2026-03-11", "- [ ] a ⏳ 2026-03-11 📅 2026-03-12");
    rewritten("- [ ] a 📆\t2026-03-12", "- [ ] a 📆\t2026-03-12");
    rewritten("- [ ] a 📅 2026-02-30", "- [ ] a 📅 Invalid date");
    rewritten("- [ ] a 📆 2026-3-12", "- [ ] a 📆 2026-3-12");
}

#[test]
fn fields_are_read_from_the_end() {
    rewritten("- [ ] job 📅 2026-03-12 words", "- [ ] job 📅 2026-03-12 words");
    rewritten("- [ ] job 📅 2026-03-12,", "- [ ] job 📅 2026-03-12,");
    rewritten("- [ ] job 📅 2026-03-12 note 📅 2026-03-15", "- [ ] job 📅 2026-03-12 note 📅 2026-03-15");
    rewritten("- [ ] job ⏫ 🔽", "- [ ] job ⏫");
    rewritten("- [ ] job ⏫ 📅 2026-03-12 #tag", "- [ ] job #tag ⏫ 📅 2026-03-12");
    rewritten("- [ ] job ⛔ a , b 🆔 q-1_x", "- [ ] job 🆔 q-1_x ⛔ a,b");
    rewritten("- [ ] job 🔁 bogus rule 📅 2026-03-12", "- [ ] job 📅 2026-03-12");
    rewritten("- [ ] job 🏁 DELETE", "- [ ] job 🏁 delete");
    rewritten("- [ ] job 🏁 what", "- [ ] job");
    rewritten("- [ ] job 🆔", "- [ ] job 🆔");
}

#[test]
fn everything_in_the_plugins_order() {
    rewritten(
        "- [ ] x ✅ 2026-03-06 ❌ 2026-03-05 📅 2026-03-04 ⏳ 2026-03-03 🛫 2026-03-02 ➕ 2026-03-01 🏁 keep 🔁 Every Week ⏫ ⛔ a 🆔 q ^b",
        "- [ ] x 🆔 q ⛔ a ⏫ 🔁 every week 🏁 keep ➕ 2026-03-01 🛫 2026-03-02 ⏳ 2026-03-03 📅 2026-03-04 ❌ 2026-03-05 ✅ 2026-03-06 ^b",
    );
}

#[test]
fn dataview_fields() {
    let settings = dataview();
    rewritten_with(&settings, "- [ ] job (repeat:: every 2 weeks)", "- [ ] job  [repeat:: every 2 weeks]");
    rewritten_with(&settings, "- [ ] job [due::2026-03-12] , #t", "- [ ] job #t  [due:: 2026-03-12]");
    for line in [
        "- [ ] job [due:: 2026-03-12] [[link]]",
        "- [ ] job [priority:: High]",
        "- [ ] job [due:: 2026-03-12)",
        "- [ ] job 📅 2026-03-12",
    ] {
        rewritten_with(&settings, line, line);
    }
    rewritten("- [ ] job [due:: 2026-03-12]", "- [ ] job [due:: 2026-03-12]");
}

#[test]
fn the_global_filter_is_a_piece_of_the_body() {
    let settings = Settings { global_filter: "#task".to_owned(), ..Settings::default() };
    let read = |line: &str| Task::read(line, &settings, None);
    assert!(read("- [ ] a").is_none());
    assert!(read("- [ ] a #tasks").is_some());
    assert_eq!(read("- [ ] a #task #x").map(|task| task.tags), Some(vec!["#x".to_owned()]));
    toggled_with(&settings, "-  [ ]  a", &["- [x] a"]);
    toggled_with(&settings, "- [/] a ✅ 2026-01-01", &["- [ ] a ✅ 2026-01-01"]);
}

#[test]
fn dates_from_file_names() {
    let mut settings = Settings { use_filename_as_scheduled_date: true, ..Settings::default() };
    let date = |path: &str, settings: &Settings| {
        tasks::date_in_path(path, settings, Locale::english(), TODAY).map(|date| date.to_string())
    };
    assert_eq!(date("d/2026-03-12 Thu.md", &settings).as_deref(), Some("2026-03-12"));
    assert_eq!(date("x 20260312 y.md", &settings).as_deref(), Some("2026-03-12"));
    assert_eq!(date("2026-03-12/note.md", &settings), None);
    assert_eq!(date("2026-02-30.md", &settings), None);
    settings.filename_as_date_folders = vec!["daily".to_owned()];
    assert_eq!(date("daily/2026-03-12.md", &settings).as_deref(), Some("2026-03-12"));
    assert_eq!(date("Daily/2026-03-12.md", &settings), None);
    assert_eq!(date("daily2/2026-03-12.md", &settings), None);
    settings.filename_as_date_folders.clear();
    settings.filename_as_scheduled_date_format = "gggg-[W]ww".to_owned();
    assert_eq!(date("2026-W11.md", &settings).as_deref(), Some("2026-03-08"));

    let guess = Some(Date::constant(2026, 3, 12));
    let task = Task::read("- [ ] a", &settings, guess).expect("a task");
    assert_eq!((task.scheduled.and_then(TaskDate::day), task.scheduled_inferred), (guess, true));
    assert_eq!(task.to_line(Format::Emoji), "- [ ] a", "a guess is never written");
    let task = Task::read("- [ ] a 📅 2026-04-01", &settings, guess).expect("a task");
    assert_eq!((task.scheduled, task.scheduled_inferred), (None, false));
}

// ------------------------------------------------------------- toggling

#[test]
fn dates_follow_the_status() {
    toggled("- [ ] job ✅ 2026-03-01", &["- [x] job ✅ 2026-03-10"]);
    toggled("- [x] job ✅ 2026-03-01", &["- [ ] job"]);
    toggled("- [-] job ❌ 2026-03-01", &["- [ ] job"]);
    toggled("- [X] job", &["- [x] job ✅ 2026-03-10"]);
    let no_dates = Settings { set_done_date: false, ..Settings::default() };
    toggled_with(&no_dates, "- [ ] job ✅ 2026-03-01", &["- [x] job"]);
    let cancelled = tasks::set_status("- [ ] job", "-", &Settings::default(), TODAY).expect("a task");
    assert_eq!(cancelled.lines, ["- [-] job ❌ 2026-03-10"]);
}

#[test]
fn lines_that_are_no_tasks() {
    toggled("text", &["- [ ] text"]);
    toggled("# h", &["- [ ] # h"]);
    toggled("  > text", &["  > - [ ] text"]);
    toggled("1. text", &["1. [ ] text"]);
    toggled("", &["- [ ] "]);
}

#[test]
fn the_registry_decides() {
    let status = Status::new;
    let statuses = StatusRegistry::new([
        status(" ", "Todo", "", StatusType::Todo),
        status("x", "Done", "D", StatusType::Done),
        status("D", "Archived", " ", StatusType::Done),
        status("!", "Important", "!", StatusType::Todo),
    ]);
    let settings = Settings { statuses, ..Settings::default() };
    toggled_with(&settings, "- [x] a ✅ 2026-03-01", &["- [D] a ✅ 2026-03-01"]);
    toggled_with(&settings, "- [!] a", &["- [!] a"]);
    let change = tasks::toggle("- [ ] a", &settings, TODAY);
    assert_eq!((change.lines.as_slice(), change.unboxed), (&["- [] a".to_owned()][..], true));
}

#[test]
fn the_next_occurrence() {
    toggled(
        "- [ ] r ⏫ 🔁 every day ➕ 2026-01-01 📅 2026-03-10 #t 🆔 q ⛔ p ^blk",
        &[
            "- [ ] r #t ⏫ 🔁 every day 📅 2026-03-11",
            "- [x] r #t 🆔 q ⛔ p ⏫ 🔁 every day ➕ 2026-01-01 📅 2026-03-10 ✅ 2026-03-10 ^blk",
        ],
    );
    let settings =
        Settings { set_created_date: true, remove_scheduled_date_on_recurrence: true, ..Settings::default() };
    toggled_with(
        &settings,
        "> - [ ] r 🔁 every week ⏳ 2026-03-09 📅 2026-03-10",
        &[
            "> - [ ] r 🔁 every week ➕ 2026-03-10 📅 2026-03-17",
            "> - [x] r 🔁 every week ⏳ 2026-03-09 📅 2026-03-10 ✅ 2026-03-10",
        ],
    );
    toggled("- [ ] job 🏁 delete", &[]);
    toggled("- [ ] r 🔁 every day 🏁 delete", &["- [ ] r 🔁 every day 🏁 delete"]);
}

// ----------------------------------------------------------- recurrence

#[track_caller]
fn canonical(rule: &str, expected: Option<&str>) {
    let read = Recurrence::parse(rule, None).map(|rule| rule.to_string());
    assert_eq!(read.as_deref(), expected, "{rule:?}");
}

#[test]
fn rules_in_their_canonical_words() {
    canonical("Every 2 Weeks On monday", Some("every 2 weeks on Monday"));
    canonical("every Tuesday", Some("every week on Tuesday"));
    canonical("every month on the first, 15th", Some("every month on the 1st and 15th"));
    canonical("every 1 day", Some("every day"));
    canonical("every Mon When Done", Some("every week on Monday when done"));
    canonical("every weekend", Some("every week"));
    canonical("every morning", Some("every week on Monday"));
    canonical(
        "every April and December on the 1st and 24th",
        Some("every April and December on the 1st and 24th"),
    );
    canonical("every month on the 2nd last Friday", Some("every month on the 2nd last Friday"));
    canonical("every week until 1 June 2026", Some("every week until June 1, 2026"));
    canonical("every day for 1 time", Some("every day for 1 time"));
    canonical("every 101 days", Some("every 101 day"));
    for rule in [
        "daily",
        "every",
        "every other day",
        "every two weeks",
        "every quarter",
        "each day",
        "every 0 days",
        "every 2nd day",
        "when done",
        "every day; twice",
        "every week until soon",
        "every day for three times",
        "",
    ] {
        canonical(rule, None);
    }
}

#[track_caller]
fn next(rule: &str, due: &str, done_on: &str, expected: &[&str]) {
    let mut due: TaskDate = TaskDate::parse(due).expect("a date");
    let today: Date = done_on.parse().expect("a date");
    for expected in expected {
        let rule = Recurrence::parse(rule, Some(due)).expect("a rule");
        let dates = Occurrence { due: Some(due), ..Occurrence::default() };
        due = rule.next(&dates, today, false).due.expect("a due date");
        assert_eq!(due.to_string(), *expected, "{rule}");
    }
}

#[test]
fn next_dates() {
    next("every day", "2026-01-31", "2026-03-10", &["2026-02-01"]);
    next("every week when done", "2026-03-01", "2026-03-10", &["2026-03-17"]);
    next("every month", "2026-01-31", "2026-03-10", &["2026-02-28", "2026-03-28"]);
    next("every month on the 31st", "2026-01-31", "2026-03-10", &["2026-03-31"]);
    next("every month on the last", "2026-01-31", "2026-03-10", &["2026-02-28", "2026-03-31"]);
    next("every year", "2024-02-29", "2026-03-10", &["2025-02-28"]);
    next("every 4 weeks on Friday", "2026-03-10", "2026-03-10", &["2026-03-13", "2026-04-10"]);
    next("every weekday", "2026-03-13", "2026-03-13", &["2026-03-16"]);
    next("every month on the 5th Friday", "2026-01-31", "2026-03-10", &["2026-05-29"]);
    next("every year in week 53", "2020-12-27", "2026-03-10", &["2020-12-28"]);
    next("every hour", "2026-03-10", "2026-03-10", &["2026-03-11"]);
}

#[test]
fn rules_that_end() {
    for rule in [
        "every day until January 1, 2026",
        "every day for 1 time",
        "every month on the 32nd",
        "every month on the 1st and 3rd Monday",
        "every hour on the 32nd",
        "every 99999999999 years",
    ] {
        next(rule, "2026-03-10", "2026-03-10", &["Invalid date"]);
    }
}

#[test]
fn other_dates_keep_their_distance() {
    let rule = Recurrence::parse("every month", None).expect("a rule");
    let dates = Occurrence {
        start: TaskDate::parse("2026-01-25"),
        scheduled: TaskDate::parse("2026-01-28"),
        due: TaskDate::parse("2026-01-31"),
    };
    let next = rule.next(&dates, TODAY, false);
    let text = |date: Option<TaskDate>| date.map(|date| date.to_string());
    assert_eq!(text(next.start).as_deref(), Some("2026-02-22"));
    assert_eq!(text(next.scheduled).as_deref(), Some("2026-02-25"));
    assert_eq!(text(next.due).as_deref(), Some("2026-02-28"));
    assert_eq!(rule.next(&Occurrence::default(), TODAY, false), Occurrence::default());
    assert_eq!(Recurrence::parse("every day", Some(TaskDate::Invalid)), None);
}
