//! The only place that prints: a command's answer to standard output, everything else to standard
//! error.

use std::io::{self, IsTerminal as _, Write as _};

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
    let _ = writeln!(io::stderr().lock(), "vault-cortex: {error:#}");
}

/// Whether standard output is a person's terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard error is one: where progress is shown.
pub(crate) fn shows_progress() -> bool {
    io::stderr().is_terminal()
}
