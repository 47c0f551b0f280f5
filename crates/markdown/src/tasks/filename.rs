//! Dates taken from the names of notes.
//!
//! With `useFilenameAsScheduledDate` a date in a note's name is the scheduled date of the tasks in it that
//! have neither start, scheduled nor due. The guess is never written into the line.

use jiff::civil::Date;

use super::settings::Settings;
use crate::moment::Locale;

/// The date in the name of the note at this vault path, when the settings ask for it.
///
/// The format of the settings is tried strictly on the name without its extension; then the first
/// `2026-03-10`, else the first `20260310` anywhere in the name. Folder names do not count, but the settings
/// may limit the guess to notes inside certain folders (prefix of the path, case counts). `today` fills in
/// what the format leaves out.
pub fn date_in_path(path: &str, settings: &Settings, locale: &Locale, today: Date) -> Option<Date> {
    if !settings.use_filename_as_scheduled_date {
        return None;
    }
    let folders = &settings.filename_as_date_folders;
    let inside =
        |folder: &String| path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
    if !folders.is_empty() && !folders.iter().any(inside) {
        return None;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or("", |(stem, _)| stem);
    let format = &settings.filename_as_scheduled_date_format;
    if !format.is_empty()
        && let Some(date) = crate::moment::parse_date(stem, format, locale, today)
    {
        return Some(date);
    }
    let digits = digits_in(stem, true).or_else(|| digits_in(stem, false))?;
    let number = |range: std::ops::Range<usize>| digits.get(range).and_then(|text| text.parse::<i16>().ok());
    let month = i8::try_from(number(4..6)?).ok()?;
    let day = i8::try_from(number(6..8)?).ok()?;
    Date::new(number(0..4)?, month, day).ok()
}

/// The digits of the first `2026-03-10` (dashed) or `20260310` in the text.
fn digits_in(text: &str, dashed: bool) -> Option<String> {
    let length = if dashed { 10 } else { 8 };
    text.as_bytes().windows(length).find_map(|window| {
        let fits = window.iter().enumerate().all(|(index, byte)| match index {
            4 | 7 if dashed => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        fits.then(|| {
            window.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| char::from(*byte)).collect()
        })
    })
}
