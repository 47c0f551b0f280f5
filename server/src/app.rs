//! What lives as long as the process.

use std::path::PathBuf;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rmcp::model::ServerConfig;
use vault::{
    DEFAULT_DAILY_FOLDER, DailyFolder, DailyNotes, DailyNotesOverrides, MemoryFolder, Vault, VaultPath,
};

use crate::changes::show_time;
use crate::config::FileLimits;
use crate::mcp::{Toolset, describe_server};
use crate::search_service::SearchService;
use crate::write_service::WriteService;

/// The process: everything that a request is answered from. Shared, never changed after start.
pub(crate) struct App {
    /// The vault's files.
    pub(crate) vault: Vault,
    /// The index, from the moment it is opened.
    pub(crate) search: SearchService,
    /// What changes the vault; `None` when the server is read-only.
    pub(crate) writes: Option<WriteService>,
    /// The journal's file, for a server that only looks into it.
    pub(crate) journal: PathBuf,
    /// The tools that are served.
    pub(crate) tools: Toolset,
    /// Name, capabilities and instructions, as the protocol states them.
    pub(crate) server: ServerConfig,
    /// The zone of every time in an answer.
    pub(crate) time_zone: TimeZone,
    /// The longest answer, in characters.
    pub(crate) max_answer_chars: usize,
    /// `DAILY_NOTES_FOLDER` and `DAILY_NOTES_FORMAT`, where they are set.
    daily_notes: DailyNotesOverrides,
    /// `MEMORY_DIR`.
    pub(crate) memory: MemoryFolder,
    /// `ORPHAN_EXCLUDE_FOLDERS`, when it is set.
    orphan_exclude_folders: Option<Vec<String>>,
    /// The largest file that is read, and the largest image that is sent.
    pub(crate) file_limits: FileLimits,
}

impl App {
    /// Puts the process together. The index is opened by [`SearchService::start`] meanwhile.
    pub(crate) fn new(
        vault: Vault,
        search: SearchService,
        writes: Option<WriteService>,
        tools: Toolset,
        settings: AnswerSettings,
    ) -> Self {
        let AnswerSettings {
            time_zone,
            max_answer_chars,
            journal,
            daily_notes,
            memory,
            orphan_exclude_folders,
            file_limits,
        } = settings;
        let server = describe_server(&tools, &memory);
        Self {
            vault,
            search,
            writes,
            journal,
            tools,
            server,
            time_zone,
            max_answer_chars,
            daily_notes,
            memory,
            orphan_exclude_folders,
            file_limits,
        }
    }

    /// Where daily notes are, by the settings as they stand now: a change in Obsidian applies to the
    /// next call.
    pub(crate) fn daily_notes(&self) -> DailyNotes {
        self.vault.settings().daily_notes(&self.daily_notes)
    }

    /// The folders left out when notes that nothing links to are listed, unless a call names others. Found
    /// anew for every call, since the daily notes may have moved.
    pub(crate) fn orphan_exclude_folders(&self) -> Vec<VaultPath> {
        const TEMPLATES: &str = "Templates";
        if let Some(folders) = &self.orphan_exclude_folders {
            return paths(folders);
        }
        let daily = match self.daily_notes().folder() {
            DailyFolder::Folder(folder) => Some(folder.as_str().to_owned()),
            // The notes lie beside others, and there is no folder to leave out.
            DailyFolder::Root => None,
            DailyFolder::Invalid { raw, error } => {
                tracing::warn!(
                    folder = raw,
                    error.message = error.to_string(),
                    "the folder of the daily notes cannot be used: leaving out {DEFAULT_DAILY_FOLDER} instead"
                );
                Some(DEFAULT_DAILY_FOLDER.to_owned())
            }
        };
        let folders = daily.into_iter().chain([TEMPLATES.to_owned(), self.memory.path().as_str().to_owned()]);
        paths(&folders.collect::<Vec<_>>())
    }

    /// Gives up the journal's thread and the index.
    pub(crate) fn close(&self) {
        if let Some(writes) = &self.writes {
            writes.close();
        }
        self.search.close();
    }

    /// The day it is in `TZ`.
    pub(crate) fn today(&self) -> Date {
        now().to_zoned_datetime(self.time_zone.clone()).date()
    }

    /// A time of the file system as answers show it: RFC 3339 with milliseconds and offset.
    pub(crate) fn show_time(&self, nanoseconds: i64) -> String {
        let time = Timestamp::from_nanosecond(i128::from(nanoseconds)).unwrap_or_default();
        show_time(time, &self.time_zone)
    }
}

/// The folders among these names. A name that no folder of the vault can have holds no notes.
fn paths(folders: &[String]) -> Vec<VaultPath> {
    folders.iter().filter_map(|folder| VaultPath::parse_folder(folder).ok().flatten()).collect()
}

/// The time.
#[expect(clippy::disallowed_methods, reason = "the process is the edge where the clock is read")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// The settings that shape answers.
pub(crate) struct AnswerSettings {
    /// `TZ`.
    pub(crate) time_zone: TimeZone,
    /// `MAX_ANSWER_CHARS`.
    pub(crate) max_answer_chars: usize,
    /// The journal's file.
    pub(crate) journal: PathBuf,
    /// `DAILY_NOTES_FOLDER` and `DAILY_NOTES_FORMAT`.
    pub(crate) daily_notes: DailyNotesOverrides,
    /// `MEMORY_DIR`.
    pub(crate) memory: MemoryFolder,
    /// `ORPHAN_EXCLUDE_FOLDERS`.
    pub(crate) orphan_exclude_folders: Option<Vec<String>>,
    /// `MAX_FILE_BYTES` and `MAX_IMAGE_OUTPUT_BYTES`.
    pub(crate) file_limits: FileLimits,
}

#[cfg(test)]
impl App {
    /// A process over a vault of these notes; the folder lives as long as the handle.
    pub(crate) fn over_notes(notes: &[(&str, &str)], max_answer_chars: usize) -> (Self, tempfile::TempDir) {
        let files: Vec<(&str, &[u8])> = notes.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
        Self::over_files(&files, max_answer_chars)
    }

    /// The same for any files.
    pub(crate) fn over_files(files: &[(&str, &[u8])], max_answer_chars: usize) -> (Self, tempfile::TempDir) {
        use crate::config::ToolsConfig;
        use crate::write_service::WriteOptions;

        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("vault");
        #[expect(clippy::disallowed_methods, reason = "the test makes files of its own")]
        std::fs::create_dir(&root).unwrap();
        for (path, bytes) in files {
            let file = root.join(path);
            #[expect(clippy::disallowed_methods, reason = "the test makes files of its own")]
            {
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, bytes).unwrap();
            }
        }
        let vault = Vault::open(&root, vault::VaultOptions::default()).unwrap();
        let options = search::IndexOptions::new(folder.path().join("index.db"), || Timestamp::UNIX_EPOCH);
        let search = SearchService::start(vault.clone(), options);
        let options = WriteOptions {
            journal: folder.path().join("journal.db"),
            journal_options: vault::JournalOptions::default(),
            protection: vault::Protection::default(),
            trash_retention_days: 30,
            memory: None,
        };
        let writes = Some(WriteService::start(vault.clone(), search.clone(), options));
        let tools = Toolset::new(&ToolsConfig {
            read_only: false,
            memory: true,
            files: true,
            disabled: Vec::new(),
            max_answer_chars,
        });
        let settings = AnswerSettings {
            time_zone: TimeZone::UTC,
            max_answer_chars,
            journal: folder.path().join("journal.db"),
            daily_notes: DailyNotesOverrides::default(),
            memory: MemoryFolder::new(VaultPath::parse("About Me").unwrap()),
            orphan_exclude_folders: None,
            file_limits: FileLimits::default(),
        };
        (Self::new(vault, search, writes, tools, settings), folder)
    }

    /// Waits until the index is complete: for tests that look at links between notes of the start.
    pub(crate) fn ready(&self) {
        use crate::search_service::Health;

        const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);
        let begun = std::time::Instant::now();
        while !matches!(self.search.health(), Health::Ready) {
            assert!(begun.elapsed() < PATIENCE, "the index is not complete: {:?}", self.search.health());
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    /// Calls a tool as the owner; an error is its message.
    pub(crate) fn call(
        &self,
        tool: &str,
        arguments: serde_json::Value,
    ) -> Result<rmcp::model::CallToolResult, String> {
        self.call_as(&vault::Principal::owner("test"), tool, arguments)
    }

    /// Calls a tool; an error is its message.
    pub(crate) fn call_as(
        &self,
        who: &vault::Principal,
        tool: &str,
        arguments: serde_json::Value,
    ) -> Result<rmcp::model::CallToolResult, String> {
        let serde_json::Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let call = crate::mcp::Call { app: self, who };
        self.tools.get(tool).unwrap().call(&call, Some(arguments)).map_err(|error| error.to_string())
    }
}
