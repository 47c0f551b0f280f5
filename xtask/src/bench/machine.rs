//! The machine and the process, as the kernel describes them.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use super::latency::Times;

/// One line of Markdown each.
pub(crate) fn describe() -> Vec<String> {
    let cpu = line_of("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned());
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let memory = line_of("/proc/meminfo", "MemTotal").and_then(|value| kilobytes(&value)).unwrap_or_default();
    let kernel = read("/proc/sys/kernel/osrelease");
    let load = read("/proc/loadavg").split_whitespace().next().unwrap_or("?").to_owned();
    let compiler = Command::new("rustc").arg("--version").output().map_or_else(
        |_| "unknown compiler".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    );
    vec![
        format!("{cpu}, {cores} cores, {:.1} GiB of memory, Linux {kernel}", memory / 1_048_576.0),
        format!("{compiler}, release build; load average at the start: {load}"),
        format!("date: {}", today()),
    ]
}

/// The resident memory of a process, in megabytes of 2^20 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Resident {
    /// All of it, now.
    pub(crate) now: f64,
    /// All of it, at its highest.
    pub(crate) highest: f64,
    /// What is its own now; the rest are pages of files, which the system may take back.
    pub(crate) own: f64,
}

/// What the kernel says of a process.
pub(crate) fn resident(process: u32) -> Resident {
    let status = format!("/proc/{process}/status");
    let of = |name| line_of(&status, name).and_then(|value| kilobytes(&value)).unwrap_or_default() / 1_024.0;
    Resident { now: of("VmRSS"), highest: of("VmHWM"), own: of("RssAnon") }
}

/// How long the disk takes to make 4 KiB durable in this folder: the part of a write that is not ours.
pub(crate) fn fsync_time(folder: &Path) -> anyhow::Result<Duration> {
    let path = folder.join("fsync.probe");
    let mut times = Vec::new();
    for round in 0..20_u8 {
        fs::write(&path, [round; 4_096])?;
        let file = fs::File::open(&path)?;
        let start = Instant::now();
        file.sync_all()?;
        times.push(start.elapsed());
    }
    fs::remove_file(path)?;
    Ok(Times::new(times).median())
}

fn line_of(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn kilobytes(value: &str) -> Option<f64> {
    value.split_whitespace().next()?.parse().ok()
}

fn read(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_default().trim().to_owned()
}

/// The date in UTC, from days since the epoch (Howard Hinnant, "chrono-compatible date algorithms").
fn today() -> String {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let shifted = i64::try_from(seconds / 86_400).unwrap_or_default() + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}
