//! Panics become log records.

use std::panic;

/// Logs every panic with its place. Its text is logged only when it is a constant: a formatted
/// one may quote a note (a slice inside a character prints the text around it).
pub(super) fn log_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let text = info.payload().downcast_ref::<&'static str>().copied().unwrap_or("(not shown)");
        tracing::error!(panic.place = place, panic.text = text, "panic");
    }));
}
