//! `vault-mcp-YYYY-MM-DD.log`: one file a day of the configured time zone, the old ones swept.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

const PREFIX: &str = "vault-mcp-";
const SUFFIX: &str = ".log";

/// The log files of a folder.
#[derive(Debug)]
pub(super) struct DailyFiles {
    directory: PathBuf,
    retention_days: u32,
    zone: TimeZone,
    /// The file of the day, and that day. Opened anew at the first record of the next one.
    current: Mutex<(Date, File)>,
}

impl DailyFiles {
    /// Makes the folder, opens the file of the day of `now` and sweeps old ones.
    pub(super) fn open(
        directory: PathBuf,
        retention_days: u32,
        zone: TimeZone,
        now: Timestamp,
    ) -> io::Result<Self> {
        make_folder(&directory)?;
        let day = now.to_zoned_datetime(zone.clone()).date();
        let file = open_file(&directory, day)?;
        sweep(&directory, day, retention_days);
        Ok(Self { directory, retention_days, zone, current: Mutex::new((day, file)) })
    }

    /// Appends one record, its line break included.
    pub(super) fn write(&self, now: Timestamp, line: &[u8]) -> io::Result<()> {
        let day = now.to_zoned_datetime(self.zone.clone()).date();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.0 != day {
            *current = (day, open_file(&self.directory, day)?);
            sweep(&self.directory, day, self.retention_days);
        }
        current.1.write_all(line)
    }
}

fn make_folder(directory: &Path) -> io::Result<()> {
    // Lines name notes: nobody else on the machine reads them.
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

#[expect(clippy::disallowed_methods, reason = "the log owns its files, which are not in the vault")]
fn open_file(directory: &Path, day: Date) -> io::Result<File> {
    let path = directory.join(format!("{PREFIX}{day}{SUFFIX}"));
    fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

/// Deletes log files older than the retention, by the day in their names. Best effort: a file
/// that cannot be deleted is tried again the next day.
#[expect(clippy::disallowed_methods, reason = "the log owns its files, which are not in the vault")]
fn sweep(directory: &Path, today: Date, retention_days: u32) {
    let Ok(oldest_kept) = today.checked_sub(i64::from(retention_days).days()) else { return };
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if day_of(&entry.file_name().to_string_lossy()).is_some_and(|day| day < oldest_kept) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn day_of(file_name: &str) -> Option<Date> {
    file_name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.parse().ok()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make files of their own")]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_new_file_begins_at_midnight_of_the_time_zone() {
        let folder = tempfile::tempdir().unwrap();
        let zone = TimeZone::get("Asia/Tokyo").unwrap();
        let before: Timestamp = "2026-03-01T14:59:59Z".parse().unwrap();
        let after: Timestamp = "2026-03-01T15:00:00Z".parse().unwrap();
        let files = DailyFiles::open(folder.path().join("logs"), 90, zone, before).unwrap();
        files.write(before, b"one\n").unwrap();
        files.write(after, b"two\n").unwrap();
        files.write(after, b"three\n").unwrap();
        let logs = folder.path().join("logs");
        assert_eq!(names(&logs), ["vault-mcp-2026-03-01.log", "vault-mcp-2026-03-02.log"]);
        let second = fs::read_to_string(logs.join("vault-mcp-2026-03-02.log")).unwrap();
        assert_eq!(second, "two\nthree\n");
    }

    #[test]
    fn old_files_are_swept_and_others_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let logs = folder.path();
        for name in [
            "vault-mcp-2025-11-30.log",
            "vault-mcp-2025-12-01.log",
            "vault-mcp-2026-02-28.log",
            "vault-mcp-notes.log",
            "other-2001-01-01.log",
        ] {
            fs::write(logs.join(name), "").unwrap();
        }
        let now: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        DailyFiles::open(logs.to_path_buf(), 90, TimeZone::UTC, now).unwrap();
        assert_eq!(
            names(logs),
            [
                "other-2001-01-01.log",
                "vault-mcp-2025-12-01.log",
                "vault-mcp-2026-02-28.log",
                "vault-mcp-2026-03-01.log",
                "vault-mcp-notes.log",
            ]
        );
    }
}
