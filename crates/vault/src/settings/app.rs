//! `app.json`: the settings that decide about files.

use serde_json::{Map, Value};

use super::error::SettingsError;
use super::fields::{self, flag, text};
use crate::path::VaultPath;

/// What Obsidian's `app.json` says about files. A key that is absent, null or unknown has its default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppFile {
    /// `newFileLocation` with `newFileFolderPath`: where new notes are made.
    pub new_file_location: NewFileLocation,
    /// `attachmentFolderPath`: where pasted files go.
    pub attachment_folder: AttachmentFolder,
    /// `useMarkdownLinks`: new links are `[text](path)` instead of `[[path]]`.
    pub use_markdown_links: bool,
    /// `newLinkFormat`: how the path of a new link is written.
    pub new_link_format: NewLinkFormat,
    /// `trashOption`: what deleting does.
    pub trash: TrashOption,
    /// `userIgnoreFilters`: what search leaves out and suggestions put last. Links still reach it.
    pub ignore_filters: Vec<IgnoreFilter>,
    /// `useTab`: lists are indented by tabs.
    pub use_tab: bool,
    /// `tabSize`: spaces to an indent without tabs.
    pub tab_size: u8,
}

/// Where new notes are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewFileLocation {
    /// At the top of the vault.
    Root,
    /// Beside the note one is in; without one, at the top.
    Current,
    /// In a folder; `None` is the top of the vault.
    Folder(Option<VaultPath>),
    /// In a folder whose name is no path in the vault.
    Invalid(String),
}

/// Where attachments are put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttachmentFolder {
    /// At the top of the vault.
    Root,
    /// Beside the note.
    BesideNote,
    /// In a folder of this name beside the note.
    BelowNote(VaultPath),
    /// In a folder of the vault.
    Folder(VaultPath),
    /// The setting is no path in the vault.
    Invalid(String),
}

/// How the path of a new link is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NewLinkFormat {
    /// The shortest that is unique.
    #[default]
    Shortest,
    /// From the note that has the link.
    Relative,
    /// From the top of the vault.
    Absolute,
}

/// What deleting a file does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TrashOption {
    /// Moves it to the system's trash.
    #[default]
    System,
    /// Moves it to the vault's `.trash`.
    Local,
    /// Removes it.
    None,
}

/// What the user keeps out of search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IgnoreFilter {
    /// Paths that begin so.
    Prefix(String),
    /// A JavaScript regular expression, without its slashes.
    Pattern(String),
}

impl Default for AppFile {
    fn default() -> Self {
        Self::of(&Map::new())
    }
}

impl AppFile {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, SettingsError> {
        fields::parse(bytes).map(|fields| Self::of(&fields))
    }

    fn of(fields: &Map<String, Value>) -> Self {
        Self {
            new_file_location: match text(fields, "newFileLocation") {
                Some("current") => NewFileLocation::Current,
                Some("folder") => new_file_folder(text(fields, "newFileFolderPath").unwrap_or_default()),
                _ => NewFileLocation::Root,
            },
            attachment_folder: attachment_folder(text(fields, "attachmentFolderPath").unwrap_or("/")),
            use_markdown_links: flag(fields, "useMarkdownLinks", false),
            new_link_format: match text(fields, "newLinkFormat") {
                Some("relative") => NewLinkFormat::Relative,
                Some("absolute") => NewLinkFormat::Absolute,
                _ => NewLinkFormat::Shortest,
            },
            trash: match text(fields, "trashOption") {
                Some("local") => TrashOption::Local,
                Some("none") => TrashOption::None,
                _ => TrashOption::System,
            },
            ignore_filters: ignore_filters(fields),
            use_tab: flag(fields, "useTab", true),
            tab_size: fields
                .get("tabSize")
                .and_then(Value::as_u64)
                .and_then(|size| u8::try_from(size).ok())
                .filter(|size| *size > 0)
                .unwrap_or(4),
        }
    }
}

fn new_file_folder(raw: &str) -> NewFileLocation {
    match fields::folder(raw) {
        Ok(folder) => NewFileLocation::Folder(folder),
        Err(_) => NewFileLocation::Invalid(raw.to_owned()),
    }
}

/// `./` is beside the note, `./name` below its folder, anything else a folder of the vault.
fn attachment_folder(raw: &str) -> AttachmentFolder {
    let below = raw.strip_prefix("./").or((raw == ".").then_some(""));
    match (below, fields::folder(below.unwrap_or(raw))) {
        (Some(_), Ok(None)) => AttachmentFolder::BesideNote,
        (Some(_), Ok(Some(name))) => AttachmentFolder::BelowNote(name),
        (None, Ok(None)) => AttachmentFolder::Root,
        (None, Ok(Some(folder))) => AttachmentFolder::Folder(folder),
        (_, Err(_)) => AttachmentFolder::Invalid(raw.to_owned()),
    }
}

fn ignore_filters(fields: &Map<String, Value>) -> Vec<IgnoreFilter> {
    let filters = fields.get("userIgnoreFilters").and_then(Value::as_array);
    let texts = filters.into_iter().flatten().filter_map(Value::as_str).filter(|filter| !filter.is_empty());
    texts
        .map(|filter| match filter.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
            Some(pattern) if !pattern.is_empty() => IgnoreFilter::Pattern(pattern.to_owned()),
            _ => IgnoreFilter::Prefix(filter.to_owned()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn read(json: &str) -> AppFile {
        AppFile::read(json.as_bytes()).unwrap()
    }

    #[track_caller]
    fn folder(path: &str) -> VaultPath {
        VaultPath::parse(path).unwrap()
    }

    #[test]
    fn absent_null_and_wrong_keys_are_defaults() {
        let default = AppFile::default();
        assert_eq!(default.new_file_location, NewFileLocation::Root);
        assert_eq!(default.attachment_folder, AttachmentFolder::Root);
        assert!(!default.use_markdown_links);
        assert_eq!(default.new_link_format, NewLinkFormat::Shortest);
        assert_eq!(default.trash, TrashOption::System);
        assert_eq!(default.ignore_filters, []);
        assert!(default.use_tab);
        assert_eq!(default.tab_size, 4);
        for json in [
            "{}",
            "\u{feff}{}",
            r#"{"userIgnoreFilters":null,"newFileLocation":null,"attachmentFolderPath":null,"trashOption":null,
                "useMarkdownLinks":null,"newLinkFormat":null,"useTab":null,"tabSize":null}"#,
            r#"{"userIgnoreFilters":"x","newFileLocation":7,"attachmentFolderPath":[],"trashOption":"other",
                "useMarkdownLinks":"true","newLinkFormat":"longest","tabSize":0,"unknown":{}}"#,
        ] {
            assert_eq!(read(json), default, "{json}");
        }
    }

    #[test]
    fn where_new_notes_go() {
        let location = |json: &str| read(json).new_file_location;
        let in_folder = r#"{"newFileLocation":"folder","newFileFolderPath":"\\Inbox//New/"}"#;
        assert_eq!(location(in_folder), NewFileLocation::Folder(Some(folder("Inbox/New"))));
        let root = r#"{"newFileLocation":"folder","newFileFolderPath":"/"}"#;
        assert_eq!(location(root), NewFileLocation::Folder(None));
        assert_eq!(location(r#"{"newFileLocation":"folder"}"#), NewFileLocation::Folder(None));
        assert_eq!(location(r#"{"newFileLocation":"current"}"#), NewFileLocation::Current);
        // The folder stays in the file when another choice is made; it has no effect then.
        assert_eq!(
            location(r#"{"newFileLocation":"root","newFileFolderPath":"Inbox"}"#),
            NewFileLocation::Root
        );
        let outside = r#"{"newFileLocation":"folder","newFileFolderPath":"../x"}"#;
        assert_eq!(location(outside), NewFileLocation::Invalid("../x".to_owned()));
    }

    #[test]
    fn where_attachments_go() {
        #[track_caller]
        fn case(raw: &str, expected: &AttachmentFolder) {
            let json = serde_json::json!({"attachmentFolderPath": raw}).to_string();
            assert_eq!(&read(&json).attachment_folder, expected, "{raw:?}");
        }
        case("/", &AttachmentFolder::Root);
        case("", &AttachmentFolder::Root);
        case("./", &AttachmentFolder::BesideNote);
        case(".", &AttachmentFolder::BesideNote);
        case("./img", &AttachmentFolder::BelowNote(folder("img")));
        case("Files/img/", &AttachmentFolder::Folder(folder("Files/img")));
        case("../img", &AttachmentFolder::Invalid("../img".to_owned()));
        case(".hidden", &AttachmentFolder::Invalid(".hidden".to_owned()));
    }

    #[test]
    fn the_other_choices() {
        let app = read(
            r#"{"useMarkdownLinks":true,"newLinkFormat":"relative","trashOption":"none","useTab":false,
                "tabSize":2,"userIgnoreFilters":["Templates/","/^old.*\\.md$/","",3]}"#,
        );
        assert!(app.use_markdown_links);
        assert_eq!(app.new_link_format, NewLinkFormat::Relative);
        assert_eq!(app.trash, TrashOption::None);
        assert!(!app.use_tab);
        assert_eq!(app.tab_size, 2);
        assert_eq!(
            app.ignore_filters,
            [IgnoreFilter::Prefix("Templates/".to_owned()), IgnoreFilter::Pattern(r"^old.*\.md$".to_owned())]
        );
        assert_eq!(read(r#"{"newLinkFormat":"absolute"}"#).new_link_format, NewLinkFormat::Absolute);
        assert_eq!(read(r#"{"trashOption":"local"}"#).trash, TrashOption::Local);
    }
}
