//! What holds for every task line: writing what was read changes nothing more, nothing panics, and time
//! grows with the text.

use std::time::Duration;
use std::time::Instant;

use jiff::civil::Date;
use proptest::prelude::*;
use vault_cortex_markdown::canvas;
use vault_cortex_markdown::document;
use vault_cortex_markdown::kanban;
use vault_cortex_markdown::memory;
use vault_cortex_markdown::moment;
use vault_cortex_markdown::moment::Locale;
use vault_cortex_markdown::tasks;
use vault_cortex_markdown::tasks::edit::{Edit, EditError, edit_line};
use vault_cortex_markdown::tasks::{Format, Reading, Recurrence, Settings, Task, TaskDate};

const TODAY: Date = Date::constant(2026, 3, 10);

fn settings(format: Format) -> Settings {
    Settings { format, ..Settings::default() }
}

fn any_format() -> impl Strategy<Value = Format> {
    prop_oneof![Just(Format::Emoji), Just(Format::Dataview)]
}

/// Rules whose canonical text is read back as the same rule.
const RULES: &[&str] = &[
    "every day",
    "every 3 days",
    "every weekday",
    "every week on Monday, Thursday",
    "every 2 weeks on Tuesday when done",
    "every month on the 1st and 15th",
    "every month on the last Friday",
    "every 2 months",
    "every January and July on the 15th",
    "every year",
    "every week until June 1, 2026",
    "every day for 5 times when done",
];

/// A piece that may stand at the end of a task line, in any of the ways people write it.
fn piece() -> impl Strategy<Value = String> {
    let date = (2000_u16..2030, 1_u8..13, 1_u8..32).prop_map(|(y, m, d)| format!("{y}-{m:02}-{d:02}"));
    let emoji = prop::sample::select(vec!["📅", "📆️", "🗓", "⏳", "⌛", "🛫", "➕", "✅", "❌"]);
    let key = prop::sample::select(vec!["due", "scheduled", "start", "created", "completion", "cancelled"]);
    let gap = prop::sample::select(vec!["", " ", "  "]);
    prop_oneof![
        (emoji, gap.clone(), date.clone()).prop_map(|(emoji, gap, date)| format!("{emoji}{gap}{date}")),
        (key, gap, date).prop_map(|(key, gap, date)| format!("[{key}::{gap}{date}]")),
        prop::sample::select(vec![
            "⏫",
            "🔽️",
            "[priority:: high]",
            "(priority:: low),",
            "🏁 delete",
            "🏁 what",
            "[onCompletion:: keep]",
            "🆔 q1",
            "[id:: q-2]",
            "⛔ a , b",
            "[dependsOn:: a,b]",
            "#tag",
            "#a/b",
            "word",
            "🔁 bogus",
            "^id-1",
            "[[Note]]",
            "`code`",
        ])
        .prop_map(str::to_owned),
        prop::sample::select(RULES).prop_map(|rule| format!("🔁 {rule}")),
        prop::sample::select(RULES).prop_map(|rule| format!("[repeat:: {rule}]")),
    ]
}

fn line() -> impl Strategy<Value = String> {
    let indent = prop::sample::select(vec!["", "  ", "\t", "> ", "> >   "]);
    let marker = prop::sample::select(vec!["-", "*", "+", "1.", "12)"]);
    let symbol = prop::sample::select(vec![" ", "x", "X", "/", "-", "?", "é", "🔥"]);
    let pieces = prop::collection::vec(piece(), 0..12).prop_map(|pieces| pieces.join(" "));
    let end = prop::sample::select(vec!["", " ", "  ", "\t"]);
    (indent, marker, symbol, "[a-zA-Z0-9äß,.!? -]{1,20}", pieces, end).prop_map(
        |(indent, marker, symbol, text, pieces, end)| {
            format!("{indent}{marker} [{symbol}] x{text} {pieces}{end}")
        },
    )
}

proptest! {
    #[test]
    fn rewriting_is_idempotent(line in line(), format in any_format()) {
        let settings = settings(format);
        let task = Task::read(&line, &settings, None).expect("a task");
        if !task.dropped.is_empty() {
            // What would vanish may have kept the text before it from being read as fields: no edit goes there.
            // The block id is no field that the edit could say anew in place of what vanishes.
            let edit = Edit { block_id: Some(None), ..Edit::default() };
            let refused = edit_line(&line, &edit, &settings, None, TODAY);
            prop_assert!(matches!(refused, Err(EditError::WouldDrop { .. })), "{:?}", refused);
            return Ok(());
        }
        let written = task.to_line(format);
        let again = Task::read(&written, &settings, None).expect("still a task").to_line(format);
        prop_assert_eq!(&again, &written);
    }

    #[test]
    fn reading_a_canonical_line_gives_the_task_back(line in line(), format in any_format()) {
        let settings = settings(format);
        let read = Task::read(&line, &settings, None).expect("a task");
        if !read.dropped.is_empty() {
            return Ok(());
        }
        let written = read.to_line(format);
        let task = Task::read(&written, &settings, None).expect("a task");
        let dates = [task.created, task.start, task.scheduled, task.due, task.done, task.cancelled];
        prop_assert!(!dates.contains(&Some(TaskDate::Invalid)), "an invalid date is written as text");
        prop_assert_eq!(task.to_line(format), written);
    }

    #[test]
    fn nothing_is_lost_unless_it_is_said(line in line(), format in any_format()) {
        let settings = settings(format);
        let task = Task::read(&line, &settings, None).expect("a task");
        // A rule is written in its canonical words.
        if task.dropped.is_empty() && task.recurrence.is_none() {
            let written = task.to_line(format);
            let words = |text: &str| {
                let mut words: Vec<String> = text
                    .split(|c: char| !c.is_ascii_alphanumeric())
                    .filter(|word| !word.is_empty())
                    .map(str::to_ascii_lowercase)
                    .collect();
                words.sort();
                words
            };
            prop_assert_eq!(words(&written), words(&line));
        }
    }

    #[test]
    fn toggling_twice_gives_the_canonical_line_back(line in line(), format in any_format()) {
        let settings = settings(format);
        let mut task = Task::read(&line, &settings, None).expect("a task");
        task.symbol = " ".to_owned();
        task.recurrence = None;
        task.on_completion = None;
        task.done = None;
        task.cancelled = None;
        let line = task.to_line(format);
        // A text that itself ends like a field or a tag is another task when it is read.
        let line = Task::read(&line, &settings, None).expect("a task").to_line(format);
        let read = Task::read(&line, &settings, None).expect("a task");
        prop_assume!(read.done.is_none() && read.cancelled.is_none() && read.recurrence.is_none());
        prop_assume!(read.on_completion.is_none());
        let done = tasks::toggle(&line, &settings, TODAY);
        prop_assert_eq!(done.lines.len(), 1);
        let again = tasks::toggle(&done.lines[0], &settings, TODAY);
        prop_assert_eq!(&again.lines, &[line]);
    }

    #[test]
    fn completing_a_recurring_task_makes_one_new_line(
        line in line(),
        rule in prop::sample::select(RULES),
        format in any_format(),
    ) {
        let settings = settings(format);
        let mut task = Task::read(&line, &settings, None).expect("a task");
        task.symbol = " ".to_owned();
        task.due = Some(TaskDate::Day(TODAY));
        task.on_completion = None;
        task.recurrence = Recurrence::parse(rule, task.due);
        // An invalid date is written as text, and text ends the fields before it.
        prop_assume!(task.dropped.is_empty());
        let change = tasks::toggle(&task.to_line(format), &settings, TODAY);
        prop_assert_eq!(change.lines.len(), 2);
        prop_assert_eq!((change.next, change.changed), (Some(0), Some(1)));
        let next = Task::read(&change.lines[0], &settings, None).expect("a task");
        prop_assert!(next.done.is_none() && next.block_id.is_none() && next.id.is_none());
        prop_assert_eq!(&next.symbol, " ");
    }

    #[test]
    fn no_text_panics(text in any::<String>(), symbol in any::<char>()) {
        for reading in [Reading::Only(Format::Emoji), Reading::Only(Format::Dataview), Reading::Either(Format::Emoji)] {
            for line in [text.clone(), format!("- [{symbol}] {text}")] {
                if let Some(parts) = tasks::split(&line) {
                    let settings = Settings::default();
                    let _line = Task::from_parts(&parts, reading, &settings, Some(TODAY)).to_line(Format::Emoji);
                    let _change = tasks::set_status(&line, &symbol.to_string(), &settings, TODAY);
                }
                let _change = tasks::toggle(&line, &Settings::default(), TODAY);
            }
        }
        let _settings = Settings::from_json(&text);
        let _tags = tasks::tags(&text);
    }

    #[test]
    fn no_note_board_or_canvas_panics(text in "([#>*+`%\\[\\]\\(\\){}@^:|~!-]|[a-zä1 \t\r\n]|- \\[ \\] |\\*\\*2026-01-01\\*\\*|## |\n){0,80}") {
        let settings = Settings::default();
        let document = document::parse(&text);
        for found in tasks::in_note(&text, &document, &settings, None) {
            prop_assert!(text.get(found.span.clone()).is_some());
            prop_assert!(found.parent.is_none_or(|parent| parent < text.len()));
        }
        for entry in memory::entries(&text, &document) {
            prop_assert!(text.get(entry.span.clone()).is_some_and(|bullet| bullet.contains("**")));
        }
        let _lanes = kanban::done_lanes(&text, &document);
        let board = format!("---\nkanban-plugin: board\n---\n{text}");
        if let Ok(read) = kanban::read(&board) {
            for card in read.lanes.iter().flat_map(|lane| &lane.cards) {
                prop_assert!(board.get(card.span.clone()).is_some());
            }
            let saved = kanban::saved(&read, kanban::Indent::Tab);
            let again = kanban::read(&saved);
            prop_assert!(again.is_ok(), "{:?}", saved);
        }
        let _outline = canvas::linearize(&text);
    }

    #[test]
    fn no_rule_panics_or_hangs(words in prop::collection::vec(prop::sample::select(vec![
        "every", "2", "5th", "31st", "400", "day", "days", "weekday", "week", "weeks", "hour", "minutes", "month",
        "months", "year", "on", "in", "the", "at", "last", "first", "2nd", "monday", "sun", "january", "feb", ",",
        "and", "for", "times", "until", "June 1, 2026", "when done", "99999999999999999999",
    ]), 0..9)) {
        let text = format!("every {}", words.join(" "));
        if let Some(rule) = Recurrence::parse(&text, None) {
            let canonical = rule.to_string();
            prop_assert!(Recurrence::parse(&canonical, None).is_some(), "{} -> {}", text, canonical);
            let dates = tasks::recurrence::Occurrence { due: Some(TaskDate::Day(TODAY)), ..Default::default() };
            let next = rule.next(&dates, TODAY, false);
            prop_assert!(next.due.is_some());
        }
    }

    #[test]
    fn no_format_panics(text in any::<String>(), format in "[A-Za-z\\[\\]\\\\ /:.-]{0,24}") {
        for name in Locale::names() {
            let locale = Locale::find(name).expect("listed");
            let written = moment::format(TODAY, &format, locale);
            let _date = moment::parse(&text, &format, locale, TODAY);
            let _date = moment::parse(&written, &format, locale, TODAY);
            let _text = moment::format(TODAY, &text, locale);
        }
    }

    #[test]
    fn a_date_is_read_back_from_what_was_written(
        days in 0_i32..200_000,
        format in prop::sample::select(vec![
            "YYYY-MM-DD", "YYYY/MM/YYYY-MM-DD", "YYYY/MMMM/YYYY-MMM-DD", "dddd, MMMM Do YYYY", "DD.MM.YYYY",
            "YYYYMMDD", "GGGG-[W]WW-E", "YYYY-DDDD", "[Daily]/YYYY/MM-MMMM/YYYY-MM-DD-dddd", "D MMMM YYYY", "L", "LL",
            "gggg-[W]ww-e",
        ]),
        locale in prop::sample::select(Locale::names().collect::<Vec<_>>()),
    ) {
        let locale = Locale::find(locale).expect("listed");
        let date = Date::constant(1700, 1, 1).checked_add(jiff::ToSpan::days(days)).expect("in range");
        let written = moment::format(date, format, locale);
        let read = moment::parse_date(&written, format, locale, TODAY);
        prop_assert_eq!(read, Some(date), "{} {} {}", locale.name(), format, written);
    }
}

#[test]
fn long_lines_take_time_in_proportion_to_their_length() {
    let settings = Settings::default();
    let started = Instant::now();
    for unit in [
        "a",
        "[",
        "]",
        "#a ",
        "📅 2026-01-01 ",
        "🔁 every day ",
        "⛔ a,",
        ", ",
        " ",
        "^a",
        "⏫",
        "[due:: 2026-01-01] ",
    ] {
        let line = format!("- [ ] {}", unit.repeat(1_000_000 / unit.len()));
        let parts = tasks::split(&line).expect("a task");
        let task = Task::from_parts(&parts, Reading::Either(Format::Emoji), &settings, None);
        let _line = task.to_line(Format::Emoji);
    }
    let _text = moment::format(TODAY, &"[".repeat(100_000), Locale::english());
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}
