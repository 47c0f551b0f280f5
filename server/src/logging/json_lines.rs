//! Turns records into JSON lines and writes them.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

use super::daily_files::DailyFiles;

/// Which standard streams are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Streams {
    /// Errors to standard error, the rest to standard output.
    Both,
    /// Everything to standard error.
    ErrorOnly,
}

/// The layer that writes each record as one line of JSON.
pub(super) struct JsonLines {
    streams: Streams,
    files: Option<DailyFiles>,
    /// A failing file is reported once, not once per record.
    file_failed: AtomicBool,
}

impl JsonLines {
    pub(super) fn new(streams: Streams, files: Option<DailyFiles>) -> Self {
        Self { streams, files, file_failed: AtomicBool::new(false) }
    }

    fn write(&self, level: Level, now: jiff::Timestamp, line: &[u8]) {
        // Nobody is left to tell when a standard stream is closed.
        let _ = if self.streams == Streams::ErrorOnly || level == Level::ERROR {
            io::stderr().lock().write_all(line)
        } else {
            io::stdout().lock().write_all(line)
        };
        let Some(files) = &self.files else { return };
        match files.write(now, line) {
            Ok(()) => self.file_failed.store(false, Ordering::Relaxed),
            Err(error) if !self.file_failed.swap(true, Ordering::Relaxed) => {
                let record = record(
                    &Level::ERROR,
                    "logging",
                    now,
                    Fields {
                        message: "log file cannot be written".to_owned(),
                        others: Map::from_iter([("error".to_owned(), json!(error.to_string()))]),
                    },
                );
                let _ = io::stderr().lock().write_all(&record);
            }
            Err(_) => {}
        }
    }
}

impl<S: Subscriber> Layer<S> for JsonLines {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let metadata = event.metadata();
        let mut fields = Fields::default();
        event.record(&mut fields);
        let now = super::now();
        let line = record(metadata.level(), source(metadata.target()), now, fields);
        self.write(*metadata.level(), now, &line);
    }
}

/// The module of a record without the name of our own crate: `http::access_log`.
fn source(target: &str) -> &str {
    target.strip_prefix("vault_cortex::").unwrap_or(target)
}

fn record(level: &Level, source: &str, now: jiff::Timestamp, fields: Fields) -> Vec<u8> {
    let level = match *level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        _ => "debug",
    };
    let mut record = Map::with_capacity(4 + fields.others.len());
    record.insert("timestamp".to_owned(), Value::String(format!("{now:.3}")));
    record.insert("level".to_owned(), level.into());
    record.insert("message".to_owned(), Value::String(fields.message));
    record.insert("source".to_owned(), source.into());
    for (name, value) in fields.others {
        // A field may not take the place of one of the four.
        record.entry(name).or_insert(value);
    }
    let mut line = serde_json::to_vec(&record).unwrap_or_default();
    line.push(b'\n');
    line
}

/// The fields of a record, the message apart.
#[derive(Debug, Default)]
struct Fields {
    message: String,
    others: Map<String, Value>,
}

impl Fields {
    fn add(&mut self, field: &Field, value: Value) {
        match (field.name(), value) {
            ("message", Value::String(text)) => self.message = text,
            (name, value) => {
                self.others.insert(name.to_owned(), value);
            }
        }
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value.into());
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value.into());
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value.into());
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value.into());
    }
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value.into());
    }
    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.add(field, value.to_string().into());
    }
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.add(field, format!("{value:?}").into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_one_line_with_the_four_fields_first() {
        let now: jiff::Timestamp = "2026-03-01T12:00:00.1234Z".parse().unwrap();
        let fields = Fields {
            message: "two\nlines".to_owned(),
            others: Map::from_iter([
                ("http.status".to_owned(), json!(200)),
                ("level".to_owned(), json!("fake")),
            ]),
        };
        let line = record(&Level::INFO, source("vault_cortex::http::access_log"), now, fields);
        assert_eq!(
            String::from_utf8(line).unwrap(),
            "{\"timestamp\":\"2026-03-01T12:00:00.123Z\",\"level\":\"info\",\"message\":\"two\\nlines\",\
             \"source\":\"http::access_log\",\"http.status\":200}\n"
        );
    }
}
