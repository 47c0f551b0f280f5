//! The only place that prints: a command's answer to standard output, everything else to standard
//! error.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use comfy_table::{Table, presets};

/// Prints a line of the answer. A closed pipe (`| head`) ends the process's interest, not the
/// process with a panic.
pub(crate) fn line(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Prints text that has its own line breaks.
pub(crate) fn page(text: &str) {
    let _ = io::stdout().lock().write_all(text.as_bytes());
}

/// Prints a remark that is not part of the answer.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints why a command failed, with its causes.
pub(crate) fn error(error: &anyhow::Error) {
    // Several wrong settings are a line each.
    let text = format!("{error:#}");
    let lines: Vec<String> = text.split('\n').map(printable).collect();
    let _ = writeln!(io::stderr().lock(), "vault-cortex: {}", lines.join("\n"));
}

/// Prints rows under a header, in columns without lines.
pub(crate) fn table<const COLUMNS: usize>(
    header: [&str; COLUMNS],
    rows: impl IntoIterator<Item = [String; COLUMNS]>,
) {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for row in rows {
        table.add_row(row.map(|cell| printable(&cell)));
    }
    for text in table.lines() {
        line(text.trim());
    }
}

/// Prints an answer as JSON.
///
/// # Errors
/// When it has no JSON form.
pub(crate) fn json(answer: &impl serde::Serialize) -> Result<(), serde_json::Error> {
    line(&json_text(answer)?);
    Ok(())
}

/// Indented JSON without characters that steer a terminal: JSON itself only asks to escape the oldest.
fn json_text(answer: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    let text = serde_json::to_string_pretty(answer)?;
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        // Line breaks stand between the values; those within are escaped already.
        if steers(letter) && letter != '\n' {
            let _ = write!(escaped, "\\u{:04x}", u32::from(letter));
        } else {
            escaped.push(letter);
        }
    }
    Ok(escaped)
}

/// Text of the vault, names of its files included, that must not steer the terminal: control characters and
/// those that turn the direction of text are shown as `\u{1b}`.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if steers(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Whether a terminal acts on a character instead of showing it.
fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether standard output is a person's terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard error is one: where progress is shown.
pub(crate) fn shows_progress() -> bool {
    io::stderr().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_vault_steers_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\u{7}\nü 漢"), "a\\u{1b}[31mb\\u{7}\\u{a}ü 漢");
        assert_eq!(printable("\u{9b}2J \u{202e}txt"), "\\u{9b}2J \\u{202e}txt");
        assert_eq!(
            json_text(&["\u{9b}2J\u{1b}\n", "ü"]).unwrap(),
            "[\n  \"\\u009b2J\\u001b\\n\",\n  \"ü\"\n]"
        );
    }
}
