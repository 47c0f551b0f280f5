//! What a limited caller may ask for at all. Looked at before a tool runs, so that the answer is the same
//! whether what lies beyond exists or not.
//!
//! This is for clear words. What keeps notes from a caller stands where they are read and written: every
//! query and every change takes the [`Principal`].

use rmcp::model::JsonObject;
use serde_json::Value;
use vault::{FolderScope, MemoryFolder, Principal, VaultPath};

/// Something beyond a caller's rights or folders.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Beyond {
    /// A right that the token does not have.
    #[error("this token may not {action} notes")]
    Right {
        /// `read` or `change`.
        action: &'static str,
    },
    /// A place that the token does not reach.
    #[error("{path:?} is outside the folders of this token ({folders})")]
    Folder {
        /// What was asked for.
        path: String,
        /// The folders that the token is limited to.
        folders: String,
    },
}

/// Whether `who` may call a tool with these arguments.
///
/// # Errors
/// The first thing that lies beyond.
pub(super) fn check(
    who: &Principal,
    reads_only: bool,
    arguments: &JsonObject,
    memory: &MemoryFolder,
) -> Result<(), Beyond> {
    if !who.rights.read {
        return Err(Beyond::Right { action: "read" });
    }
    // Which of the two a change needs, the writer knows.
    if !reads_only && !who.rights.write && !who.rights.delete {
        return Err(Beyond::Right { action: "change" });
    }
    let FolderScope::Only(_) = &who.folders else { return Ok(()) };
    for (name, value) in arguments {
        match (name.as_str(), value) {
            // A path of the journal may be a folder; so may all that is asked of it.
            ("path" | "old_path" | "new_path" | "folder" | "path_prefix", Value::String(path)) => {
                check_place(who, path)?;
            }
            ("file", Value::String(name)) => {
                if let Ok(path) = memory.path_of(name) {
                    check_place(who, path.as_str())?;
                }
            }
            ("filters", Value::Object(filters)) => {
                if let Some(Value::String(folder)) = filters.get("folder") {
                    check_place(who, folder)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a note or folder is one that the caller may know of, or holds one.
pub(super) fn check_place(who: &Principal, place: &str) -> Result<(), Beyond> {
    let FolderScope::Only(folders) = &who.folders else { return Ok(()) };
    // What is no path, the tool says.
    let Ok(Some(path)) = VaultPath::parse_folder(place) else { return Ok(()) };
    let key = path.key();
    let around = |folder: &String| {
        VaultPath::fold(folder).strip_prefix(key.as_str()).is_some_and(|rest| rest.starts_with('/'))
    };
    if who.sees(&path) || who.sees_all_in(Some(&path)) || folders.iter().any(around) {
        return Ok(());
    }
    Err(Beyond::Folder { path: path.as_str().to_owned(), folders: folders.join(", ") })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use vault::Rights;

    use super::*;

    fn who(folders: &[&str]) -> Principal {
        let folders = FolderScope::Only(folders.iter().map(|folder| (*folder).to_owned()).collect());
        Principal { folders, ..Principal::owner("phone") }
    }

    #[track_caller]
    fn case(who: &Principal, arguments: &Value, beyond: Option<&str>) {
        let Value::Object(object) = arguments else { panic!("arguments are an object") };
        let memory = MemoryFolder::new(VaultPath::parse("About Me").unwrap());
        let found = check(who, true, object, &memory).err().map(|beyond| beyond.to_string());
        assert_eq!(found.as_deref(), beyond, "{arguments}");
    }

    #[test]
    fn places_beyond_the_folders_are_named_and_others_are_left_to_the_tool() {
        let who = who(&["Projects", "Areas/Home"]);
        let outside =
            |path: &str| format!("{path:?} is outside the folders of this token (Projects, Areas/Home)");
        for (name, inside) in [
            ("path", "Projects/a.md"),
            ("path", "projects/A.md"),
            ("path", "Projects"),
            ("folder", "Projects/x"),
            ("folder", "Areas"),
            ("folder", ""),
            ("folder", "/"),
            ("path_prefix", "Projects/"),
            ("new_path", "Areas/Home/x.md"),
            ("query", "Secret/a.md"),
            ("tag", "Secret/a"),
        ] {
            case(&who, &json!({name: inside}), None);
        }
        for (name, place) in [
            ("path", "Secret/a.md"),
            ("path", "Projects2/a.md"),
            ("path", "a.md"),
            ("path", "Areas/a.md"),
            ("old_path", "Secret/a.md"),
            ("new_path", "Secret/a.md"),
            ("folder", "Secret"),
            ("folder", "Areas/Hom"),
            ("path_prefix", "Secret"),
        ] {
            case(&who, &json!({name: place}), Some(&outside(place)));
        }
        case(&who, &json!({"filters": {"folder": "Secret"}}), Some(&outside("Secret")));
        case(&who, &json!({"filters": {"tags": ["Secret"]}}), None);
        case(&who, &json!({"file": "Me"}), Some(&outside("About Me/Me.md")));
        case(&who, &json!({"path": "../x"}), None);
        case(&who, &json!({"path": "Projects/../Secret/a.md"}), Some(&outside("Secret/a.md")));
        case(&who, &json!({"path": "Secret/../Projects/a.md"}), None);
        case(&who, &json!({"path": 7}), None);
        case(&Principal::owner("owner"), &json!({"path": "Secret/a.md"}), None);
    }

    #[test]
    fn rights_come_first() {
        let none = Principal { rights: Rights { read: false, write: true, delete: true }, ..who(&["A"]) };
        case(&none, &json!({"path": "Secret/a.md"}), Some("this token may not read notes"));
        let reader = Principal { rights: Rights { read: true, write: false, delete: false }, ..who(&["A"]) };
        let memory = MemoryFolder::new(VaultPath::parse("About Me").unwrap());
        let writes = check(&reader, false, &JsonObject::new(), &memory);
        assert_eq!(writes, Err(Beyond::Right { action: "change" }));
        assert_eq!(check(&reader, true, &JsonObject::new(), &memory), Ok(()));
    }
}
