//! Folders of the vault that have a meaning of their own.

use markdown::moment::{self, Locale};
use vault::{DailyNotesOverrides, VaultPath};

use super::environment::Environment;
use super::error::ConfigError;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};

const FOLDER_RULE: &str = "a folder of the vault, without a leading / and without ..";

const MEMORY_DIR: Variable = Variable {
    name: "MEMORY_DIR",
    default: DefaultValue::Text("About Me"),
    accepts: FOLDER_RULE,
    effect: "The folder of the memory files: notes directly in it that hold dated entries about the user. It \
             is left out when notes that nothing links to are listed.",
    stage: Stage::Effective,
};
const DAILY_NOTES_FOLDER: Variable = Variable {
    name: "DAILY_NOTES_FOLDER",
    default: DefaultValue::Found(
        "Obsidian's own setting in `.obsidian/daily-notes.json`, else `Daily Notes`",
    ),
    accepts: "a folder of the vault, without .. and without a leading /; / alone is the vault's root",
    effect: "The folder of the daily notes, over Obsidian's own setting. Unresolved links into it are \
             told apart as daily notes yet to be written.",
    stage: Stage::Effective,
};
const DAILY_NOTES_FORMAT: Variable = Variable {
    name: "DAILY_NOTES_FORMAT",
    default: DefaultValue::Found("Obsidian's own setting in `.obsidian/daily-notes.json`, else `YYYY-MM-DD`"),
    accepts: "a date format in Moment tokens, without .. and without a leading or trailing /",
    effect: "The file names of daily notes, over Obsidian's own setting. It may make folders. A token \
             for a time of day is warned of at start, and refused when a daily note is asked for.",
    stage: Stage::Effective,
};
const PROTECTED_PATHS: Variable = Variable {
    name: "PROTECTED_PATHS",
    default: DefaultValue::Found("`MEMORY_DIR` and the folder of the daily notes"),
    accepts: "folders of the vault separated by commas, without .. and without a leading /",
    effect: "Folders whose notes are neither deleted nor moved, and that nothing is moved into, in place of \
             the default ones; letter case does not matter. Their notes can be edited all the same.",
    stage: Stage::Effective,
};
const ORPHAN_EXCLUDE_FOLDERS: Variable = Variable {
    name: "ORPHAN_EXCLUDE_FOLDERS",
    default: DefaultValue::Found("the folder of the daily notes, `Templates` and `MEMORY_DIR`"),
    accepts: "folders of the vault separated by commas, without .. and without a leading /",
    effect: "Folders left out when notes that nothing links to are listed, instead of the default ones. A \
             call of `vault_find_orphans` may name others.",
    stage: Stage::Effective,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup = VariableGroup {
    title: "Folders with a meaning",
    variables: &[MEMORY_DIR, DAILY_NOTES_FOLDER, DAILY_NOTES_FORMAT, PROTECTED_PATHS, ORPHAN_EXCLUDE_FOLDERS],
};

/// Folders of the vault that have a meaning of their own.
#[derive(Debug, Clone)]
pub(crate) struct NotesConfig {
    /// `DAILY_NOTES_FOLDER` (`/` for the vault's root, else without slashes at the ends) and
    /// `DAILY_NOTES_FORMAT`, default Obsidian's own settings.
    pub(crate) daily_notes: DailyNotesOverrides,
    /// `MEMORY_DIR`, default `About Me`: the folder of the memory files.
    pub(crate) memory_dir: VaultPath,
    /// `ORPHAN_EXCLUDE_FOLDERS`, without slashes at the ends: the folders left out when notes that nothing
    /// links to are listed, in place of the default ones.
    pub(crate) orphan_exclude_folders: Option<Vec<String>>,
    /// `PROTECTED_PATHS`, without slashes at the ends: the folders protected in place of the default ones.
    pub(crate) protected_paths: Option<Vec<String>>,
}

impl NotesConfig {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        check(environment)?;
        let daily_notes_folder = match environment.text(&DAILY_NOTES_FOLDER)? {
            Some(value) if value != "/" => Some(visible_folder(&DAILY_NOTES_FOLDER, &value)?.0),
            other => other,
        };
        let format = environment.text(&DAILY_NOTES_FORMAT)?;
        let memory_dir = visible_folder(&MEMORY_DIR, &environment.required_text(&MEMORY_DIR)?)?.1;
        let daily_notes = DailyNotesOverrides { folder: daily_notes_folder, format };
        Ok(Self {
            daily_notes,
            memory_dir,
            orphan_exclude_folders: folders(environment, &ORPHAN_EXCLUDE_FOLDERS)?,
            protected_paths: folders(environment, &PROTECTED_PATHS)?,
        })
    }
}

/// A list of folders, each without its trailing `/`.
fn folders(environment: &Environment, variable: &Variable) -> Result<Option<Vec<String>>, ConfigError> {
    let folders = environment.list(variable)?;
    folders.map(|folders| folders.iter().map(|value| folder(variable, value)).collect()).transpose()
}

fn check(environment: &Environment) -> Result<(), ConfigError> {
    if let Some(value) = environment.text(&DAILY_NOTES_FORMAT)? {
        check_format(&value)?;
    }
    Ok(())
}

/// A format makes a path of any day.
fn check_format(value: &str) -> Result<(), ConfigError> {
    if value.starts_with('/') || value.ends_with('/') || climbs(value) {
        return Err(ConfigError::invalid(&DAILY_NOTES_FORMAT, value));
    }
    let name = moment::format(jiff::civil::date(2026, 6, 15), value, Locale::english());
    let path = VaultPath::parse(&name);
    path.map(drop).map_err(|error| ConfigError::invalid_because(&DAILY_NOTES_FORMAT, value, error))
}

/// A folder name without its trailing `/`.
fn folder(variable: &Variable, value: &str) -> Result<String, ConfigError> {
    let trimmed = value.trim_end_matches('/');
    if trimmed.is_empty() || trimmed.starts_with('/') || climbs(trimmed) {
        return Err(ConfigError::invalid(variable, value));
    }
    Ok(trimmed.to_owned())
}

/// A folder that notes can be read in: as it is written without its trailing `/`, and as a path.
fn visible_folder(variable: &Variable, value: &str) -> Result<(String, VaultPath), ConfigError> {
    let name = folder(variable, value)?;
    let path =
        VaultPath::parse(&name).map_err(|error| ConfigError::invalid_because(variable, value, error))?;
    Ok((name, path))
}

fn climbs(path: &str) -> bool {
    path.split(['/', '\\']).any(|segment| segment == "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(name: &'static str, value: &str, right: bool) {
        let result = NotesConfig::from_environment(&Environment::of_pairs([(name, value)]));
        assert_eq!(result.is_ok(), right, "{name}={value}: {result:?}");
    }

    #[test]
    fn folders_stay_inside_the_vault() {
        case("MEMORY_DIR", "Memory/", true);
        case("MEMORY_DIR", "a/b", true);
        case("MEMORY_DIR", "/etc", false);
        case("MEMORY_DIR", "a/../..", false);
        case("MEMORY_DIR", "/", false);
        case("MEMORY_DIR", ".memory", false);
        case("DAILY_NOTES_FOLDER", "/", true);
        case("DAILY_NOTES_FOLDER", "Journal", true);
        case("DAILY_NOTES_FOLDER", "../Journal", false);
        case("DAILY_NOTES_FORMAT", "YYYY/MM/YYYY-MM-DD", true);
        case("DAILY_NOTES_FORMAT", "/YYYY", false);
        case("DAILY_NOTES_FORMAT", "YYYY/", false);
        case("DAILY_NOTES_FORMAT", "YYYY/../DD", false);
        case("DAILY_NOTES_FORMAT", "[.daily/]YYYY", false);
        case("DAILY_NOTES_FORMAT", "[]", false);
        case("DAILY_NOTES_FORMAT", "YYYY HHmm", true);
        case("DAILY_NOTES_FOLDER", ".daily", false);
        case("PROTECTED_PATHS", "A, B/C", true);
        case("PROTECTED_PATHS", "A,../B", false);
        case("ORPHAN_EXCLUDE_FOLDERS", "/A", false);
        case("ORPHAN_EXCLUDE_FOLDERS", "A, ../B", false);
        case("ORPHAN_EXCLUDE_FOLDERS", ".trash", true);
    }

    #[track_caller]
    fn orphans(pairs: &[(&'static str, &str)], instead: Option<&[&str]>, memory_dir: &str) {
        let environment = Environment::of_pairs(pairs.iter().copied());
        let found = NotesConfig::from_environment(&environment).unwrap();
        let instead = instead.map(|folders| folders.iter().map(|folder| (*folder).to_owned()).collect());
        assert_eq!(found.orphan_exclude_folders, instead, "{pairs:?}");
        assert_eq!(found.memory_dir.as_str(), memory_dir, "{pairs:?}");
    }

    #[test]
    fn folders_of_orphans_are_trimmed_and_lose_their_last_slash() {
        orphans(&[], None, "About Me");
        orphans(&[("ORPHAN_EXCLUDE_FOLDERS", " "), ("MEMORY_DIR", "")], None, "About Me");
        orphans(&[("ORPHAN_EXCLUDE_FOLDERS", " A/, B/C ,")], Some(&["A", "B/C"]), "About Me");
        orphans(&[("ORPHAN_EXCLUDE_FOLDERS", ","), ("MEMORY_DIR", " Me/ ")], Some(&[]), "Me");
    }
}
