//! Any line and any note: tasks are read, written, toggled and edited without a panic, writing twice is
//! writing once, and an edit loses no other line.
#![no_main]

use jiff::civil::Date;
use libfuzzer_sys::fuzz_target;
use vault_cortex_markdown::tasks::edit::{Context, Edit, Target, Update, update};
use vault_cortex_markdown::tasks::{Format, Settings, StatusType, Task};
use vault_cortex_markdown::{canvas, document, kanban, memory, moment, tasks};

const TODAY: Date = Date::constant(2026, 3, 10);

fuzz_target!(|text: &str| {
    for format in [Format::Emoji, Format::Dataview] {
        let settings = Settings { format, ..Settings::default() };
        for line in [text.to_owned(), format!("- [ ] {text}")] {
            let _change = tasks::toggle(&line, &settings, TODAY);
            let Some(task) = Task::read(&line, &settings, Some(TODAY)) else { continue };
            let _line = task.to_line(format);
        }
        let document = document::parse(text);
        for found in tasks::in_note(text, &document, &settings, None) {
            let _line = &text[found.span.clone()];
            let fields = Edit { status: Some(StatusType::Done), ..Edit::default() };
            let change = Update { fields, ..Update::default() };
            let context = Context { settings: &settings, today: TODAY, indent: "\t", format: None };
            if let Ok(edited) = update(text, &Target::Line(found.line), &change, &context) {
                let kept =
                    edited.text.lines().filter(|line| text.lines().any(|other| other == *line)).count();
                assert!(kept + 1 >= text.lines().count().min(edited.text.lines().count()));
            }
        }
        for entry in memory::entries(text, &document) {
            let _bullet = &text[entry.span.clone()];
        }
    }
    if let Ok(board) = kanban::read(text) {
        let saved = kanban::saved(&board, kanban::Indent::Tab);
        assert!(kanban::read(&saved).is_ok());
    }
    let _outline = canvas::linearize(text);
    let _settings = Settings::from_json(text);
    for name in moment::Locale::names() {
        let Some(locale) = moment::Locale::find(name) else { continue };
        let written = moment::format(TODAY, text, locale);
        let _date = moment::parse(&written, text, locale, TODAY);
        let _date = moment::parse(text, "dddd, Do MMMM YYYY h:mm A", locale, TODAY);
    }
});
