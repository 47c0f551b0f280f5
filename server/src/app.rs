//! What lives as long as the process.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rmcp::model::ServerConfig;
use vault::Vault;

use crate::mcp::{Toolset, describe_server};
use crate::search_service::SearchService;

/// The process: everything that a request is answered from. Shared, never changed after start.
pub(crate) struct App {
    /// The vault's files.
    pub(crate) vault: Vault,
    /// The index, from the moment it is opened.
    pub(crate) search: SearchService,
    /// The tools that are served.
    pub(crate) tools: Toolset,
    /// Name, capabilities and instructions, as the protocol states them.
    pub(crate) server: ServerConfig,
    /// The zone of every time in an answer.
    pub(crate) time_zone: TimeZone,
    /// The longest answer, in characters.
    pub(crate) max_answer_chars: usize,
    /// `DAILY_NOTES_FOLDER`, when it is set.
    pub(crate) daily_notes_folder: Option<String>,
}

impl App {
    /// Puts the process together. The index is opened by [`SearchService::start`] meanwhile.
    pub(crate) fn new(vault: Vault, search: SearchService, tools: Toolset, settings: AnswerSettings) -> Self {
        let server = describe_server(&tools);
        let AnswerSettings { time_zone, max_answer_chars, daily_notes_folder } = settings;
        Self { vault, search, tools, server, time_zone, max_answer_chars, daily_notes_folder }
    }

    /// A time of the file system as answers show it: RFC 3339 with milliseconds and offset.
    pub(crate) fn show_time(&self, nanoseconds: i64) -> String {
        Timestamp::from_nanosecond(i128::from(nanoseconds))
            .unwrap_or_default()
            .to_zoned_datetime(self.time_zone.clone())
            .strftime("%Y-%m-%dT%H:%M:%S%.3f%:z")
            .to_string()
    }
}

/// The settings that shape answers.
pub(crate) struct AnswerSettings {
    /// `TZ`.
    pub(crate) time_zone: TimeZone,
    /// `MAX_ANSWER_CHARS`.
    pub(crate) max_answer_chars: usize,
    /// `DAILY_NOTES_FOLDER`.
    pub(crate) daily_notes_folder: Option<String>,
}
