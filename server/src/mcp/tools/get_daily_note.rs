//! `vault_get_daily_note`: where the note of a day is, and what it says.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use vault::{Content, DailyFolder, DailyNotes, DailySource, VaultPath};

use super::lines::{self, Wanted};
use super::support::{encoding, json};
use crate::mcp::answer::LeftOut;
use crate::mcp::error::ToolError;
use crate::mcp::permission;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct GetDailyNote;

const NAME: &str = "vault_get_daily_note";

/// Of which day.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// The day, YYYY-MM-DD; today when left out.
    #[schemars(length(max = 32))]
    date: Option<String>,
    /// First line, from 1.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    start_line: Option<usize>,
    /// First character within start_line.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    start_char: Option<usize>,
}

/// The note of a day.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Where the note is, or would be.
    path: String,
    /// Whether it is there.
    exists: bool,
    /// The day.
    date: String,
    /// SHA-256 of the file, to be given as expected_hash when it is changed.
    hash: Option<String>,
    /// Size of the file on disk.
    bytes: Option<u64>,
    /// Last change on disk.
    modified: Option<String>,
    /// How the file is encoded, when it is not plain UTF-8: utf-8-bom, utf-16 or windows-1252. Text is
    /// without a byte order mark.
    encoding: Option<&'static str>,
    /// Its text.
    text: Option<String>,
    /// First line returned.
    start_line: Option<usize>,
    /// Last line returned.
    end_line: Option<usize>,
    /// Lines there are.
    total_lines: Option<usize>,
    /// What is wrong with the vault's settings for daily notes, and which were used instead.
    settings_problem: Option<String>,
    /// What is not in this answer.
    left_out: Option<LeftOut>,
}

/// The answer as text.
#[derive(Serialize)]
struct Text<'a> {
    path: &'a str,
    content: Option<&'a str>,
    exists: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings_problem: Option<&'a str>,
}

impl Tool for GetDailyNote {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Gets the daily note of a day: its path by Obsidian's settings of this vault, and its text when it is there. \
A missing note is not made.

Examples: {} today; {\"date\": \"2026-01-15\"}

Returns {path, content, exists, settings_problem?}; content is null when the note does not exist, and path \
is where it would be.";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let wanted =
            Wanted { start_line: arguments.start_line, limit: None, start_char: arguments.start_char };
        wanted.check()?;
        let date = match &arguments.date {
            Some(date) => parse_date("date", date)?,
            None => call.app.today(),
        };
        let settings = call.app.daily_notes();
        let problem = settings_problem(&settings);
        let path = settings.path_of(date).map_err(|error| {
            let problem = problem.as_ref().map(|problem| format!(" ({problem})")).unwrap_or_default();
            ToolError::Refused(format!("{error}{problem}"))
        })?;
        permission::check_place(call.who, path.as_str())?;
        let settings_problem = problem.as_deref();
        let answer = Answer {
            path: path.as_str().to_owned(),
            date: date.to_string(),
            settings_problem: problem.clone(),
            ..Answer::default()
        };
        let Some(content) = call.read_if_there(&path)? else {
            let text =
                json(NAME, &Text { path: path.as_str(), content: None, exists: false, settings_problem })?;
            return Ok(Reply::new(vec![text], answer));
        };
        let (text, decoding) = content.text();
        // Path, hash, times and field names stand around the text; the path twice.
        let around =
            700 + 2 * path.as_str().chars().count() + settings_problem.map_or(0, |text| text.chars().count());
        let most = call.app.max_answer_chars.saturating_sub(around).max(200);
        let part = lines::part(&text, wanted, most, || format!("{:?}", path.as_str()))?;
        let json = json(
            NAME,
            &Text { path: path.as_str(), content: Some(part.shown), exists: true, settings_problem },
        )?;
        let mut blocks = vec![json];
        let answer = Answer {
            exists: true,
            hash: Some(content.hash().to_string()),
            bytes: Some(content.stat.size),
            modified: Some(call.app.show_time(content.stat.modified_ns)),
            encoding: encoding(&path, decoding)?,
            text: Some(part.shown.to_owned()),
            ..answer
        };
        if part.is_plain() {
            return Ok(Reply::new(blocks, answer));
        }
        blocks.push(part.describe(path.as_str(), "file"));
        let (start_line, end_line) = part.range().unzip();
        let (total_lines, left_out) = (Some(part.total), part.left_out());
        Ok(Reply::new(blocks, Answer { start_line, end_line, total_lines, left_out, ..answer }))
    }
}

/// Why the vault's own settings do not count, and which count instead.
pub(in crate::mcp) fn settings_problem(settings: &DailyNotes) -> Option<String> {
    let error = settings.unreadable()?;
    let folder = match settings.folder() {
        DailyFolder::Root => "the top of the vault".to_owned(),
        DailyFolder::Folder(folder) => format!("folder {:?}", folder.as_str()),
        DailyFolder::Invalid { raw, .. } => format!("folder {raw:?}"),
    };
    let from = |source: DailySource, variable: &'static str| match source {
        DailySource::Override => variable,
        _ => "the default",
    };
    Some(format!(
        ".obsidian/daily-notes.json cannot be used: {error}. Used instead: {folder} ({}) and format {:?} ({})",
        from(settings.folder_source(), "DAILY_NOTES_FOLDER"),
        settings.format(),
        from(settings.format_source(), "DAILY_NOTES_FORMAT"),
    ))
}

impl Call<'_> {
    /// A file, when it is there and the caller may know it.
    pub(in crate::mcp) fn read_if_there(&self, path: &VaultPath) -> Result<Option<Content>, ToolError> {
        if !self.who.sees(path) {
            return Ok(None);
        }
        match self.app.vault.read(path) {
            // A symbolic link may lead to a folder that the caller does not see.
            Ok(content) => Ok(self.who.sees(&content.path).then_some(content)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The argument `name` as a day: `YYYY-MM-DD`, nothing around it.
pub(in crate::mcp) fn parse_date(name: &str, text: &str) -> Result<Date, ToolError> {
    let written = text.trim();
    let shaped = written.len() == 10
        && written.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let date = if shaped { written.parse().ok() } else { None };
    date.ok_or_else(|| {
        let allowed = "a day that exists, as YYYY-MM-DD, such as 2026-01-15";
        ToolError::argument(name, allowed, &Value::String(text.to_owned()))
    })
}
