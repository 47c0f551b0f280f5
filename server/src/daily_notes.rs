//! Where daily notes lie: the setting of the server, else Obsidian's own, read at every call, so
//! that a change in Obsidian applies to the next one.

use serde_json::Value;
use vault::{Vault, VaultPath};

/// The folder when nothing says otherwise.
const FALLBACK: &str = "Daily Notes";

/// The folder of the daily notes; `None` when they lie at the vault's root beside other notes,
/// where a folder tells nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DailyFolder(Option<String>);

impl DailyFolder {
    /// Finds the folder. `setting` is `DAILY_NOTES_FOLDER`.
    pub(crate) fn of(vault: &Vault, setting: Option<&str>) -> Self {
        if let Some(folder) = setting {
            return Self::named(folder);
        }
        match vault.read_config("daily-notes.json") {
            Ok(None) => Self::named(FALLBACK),
            Ok(Some(bytes)) => match serde_json::from_slice::<Value>(&bytes) {
                Ok(Value::Object(config)) => {
                    let folder = config.get("folder").and_then(Value::as_str).unwrap_or_default();
                    if folder.trim().is_empty() { Self::of_new_notes(vault) } else { Self::named(folder) }
                }
                _ => {
                    tracing::warn!("daily-notes.json cannot be read: taking Daily Notes");
                    Self::named(FALLBACK)
                }
            },
            Err(error) => {
                tracing::warn!(
                    error.message = error.to_string(),
                    "daily-notes.json cannot be read: taking Daily Notes"
                );
                Self::named(FALLBACK)
            }
        }
    }

    /// Without a folder of its own a daily note is made where new notes are made.
    fn of_new_notes(vault: &Vault) -> Self {
        let config = vault.read_config("app.json").ok().flatten();
        let config: Value = config.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let text = |name: &str| config.get(name).and_then(Value::as_str).unwrap_or_default();
        if text("newFileLocation") == "folder" { Self::named(text("newFileFolderPath")) } else { Self(None) }
    }

    /// As Obsidian normalises a folder: either slash, runs of them as one, none at the ends.
    fn named(folder: &str) -> Self {
        let folder = folder.trim().trim_start_matches(['/', '\\']);
        match VaultPath::parse_folder(folder) {
            Ok(Some(path)) => Self(Some(path.key())),
            Ok(None) | Err(_) => Self(None),
        }
    }

    /// Whether a link's path leads into the folder. Letter case does not matter.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.0.as_ref().is_some_and(|folder| {
            VaultPath::fold(path).strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(folder: &str, path: &str, expected: bool) {
        assert_eq!(DailyFolder::named(folder).holds(path), expected, "{path} in {folder:?}");
    }

    #[test]
    fn folders() {
        case("Daily Notes", "Daily Notes/2030-01-01", true);
        case("Daily Notes", "daily notes/2030-01-01", true);
        case("Daily Notes", "Daily Notes", false);
        case("Daily Notes", "Daily Notes archive/x", false);
        case("\\Journal//Days/", "Journal/Days/2030-01-01", true);
        case("/", "2030-01-01", false);
        case("", "2030-01-01", false);
    }
}
