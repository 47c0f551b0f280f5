//! moment 2.30.1: formatting in twelve locales, strict parsing.

use jiff::civil::Date;
use jiff::civil::DateTime;
use vault_cortex_markdown::moment;
use vault_cortex_markdown::moment::Locale;

use crate::rows::{Report, list, text};
use crate::shared::case_file;

#[test]
fn formatting() {
    let Some(rows) = case_file("moment-format.json") else { return };
    let mut report = Report::default();
    for row in list(&rows, "format") {
        report.row();
        let date: DateTime = text(row, "date").parse().expect("a date and time");
        let locale = Locale::find(text(row, "locale")).expect("a known locale");
        let ours = moment::format(date, text(row, "format"), locale);
        let id = format!("{} {} {}", text(row, "locale"), text(row, "date"), text(row, "format"));
        report.compare(&id, "", &ours.as_str(), &text(row, "text"));
    }
    report.finish(1025);
}

#[test]
fn strict_parsing() {
    let Some(rows) = case_file("moment-format.json") else { return };
    let mut report = Report::default();
    for row in list(&rows, "parse") {
        report.row();
        let today = Date::constant(2026, 3, 10);
        let ours = moment::parse(text(row, "text"), text(row, "format"), Locale::english(), today);
        let ours = ours.map(|date| moment::format(date, "YYYY-MM-DDTHH:mm", Locale::english()));
        let theirs = row.get("strict").and_then(serde_json::Value::as_str);
        report.compare(text(row, "format"), text(row, "text"), &ours.as_deref(), &theirs);
    }
    report.finish(14);
}
