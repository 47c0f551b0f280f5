//! The folder of the memory files, and what a memory file may be called.
//!
//! Memory files are the notes directly in one folder; callers name them without it. A name can therefore
//! never lead anywhere else.

use crate::error::{PathError, VaultError};
use crate::path::{FileKind, VaultPath};
use crate::read::Vault;
use crate::walk::FoundFile;

/// The folder of the memory files. It need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFolder {
    path: VaultPath,
}

/// Why a text is no name of a memory file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryNameError {
    /// It holds `/` or `\\`.
    #[error("memory file must be a bare name without path separators (received {name:?}): give {bare:?}")]
    Separator {
        /// What was sent.
        name: String,
        /// Its last segment.
        bare: String,
    },
    /// It begins with a dot, so the file would be hidden.
    #[error("memory file must not start with a dot (received {name:?}): hidden files are no memory files")]
    LeadingDot {
        /// What was sent.
        name: String,
    },
    /// It is no name of a file for another reason.
    #[error(transparent)]
    Path(#[from] PathError),
}

impl MemoryFolder {
    /// The memory files are the notes directly in `path`.
    #[must_use]
    pub fn new(path: VaultPath) -> Self {
        Self { path }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &VaultPath {
        &self.path
    }

    /// The path of the memory file with a name, which may end with `.md`. Whether it exists is not asked.
    ///
    /// # Errors
    /// For a name that has separators, begins with a dot or cannot be a file's.
    pub fn path_of(&self, name: &str) -> Result<VaultPath, MemoryNameError> {
        let bare = name.trim();
        if bare.contains(['/', '\\']) {
            let last = bare.split(['/', '\\']).rfind(|segment| !segment.is_empty()).unwrap_or_default();
            let last = last.trim_start_matches('.').to_owned();
            return Err(MemoryNameError::Separator { name: bare.chars().take(100).collect(), bare: last });
        }
        if bare.starts_with('.') {
            return Err(MemoryNameError::LeadingDot { name: bare.chars().take(100).collect() });
        }
        // A name of nothing would be the folder itself.
        let name = VaultPath::parse(bare)?;
        let extension = if name.kind() == FileKind::Note { "" } else { ".md" };
        Ok(VaultPath::parse(&format!("{}/{name}{extension}", self.path))?)
    }

    /// The memory files, by path; none when the folder does not exist. When it does not, but for one whose
    /// name differs in letter case, that one is taken.
    ///
    /// # Errors
    /// As [`Vault::walk_folder`].
    pub fn files(&self, vault: &Vault) -> Result<Vec<FoundFile>, VaultError> {
        let mut files = vault.walk_folder(self.path.as_str())?.files;
        if files.is_empty() {
            files = vault.walk()?.files;
        }
        let key = self.path.key();
        files.retain(|file| file.path.kind() == FileKind::Note && VaultPath::fold(file.path.folder()) == key);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> MemoryFolder {
        MemoryFolder::new(VaultPath::parse("About Me").unwrap())
    }

    #[track_caller]
    fn case(name: &str, expected: &str) {
        let found = folder().path_of(name).map_or_else(|error| error.to_string(), |path| path.to_string());
        assert!(found.contains(expected), "{name:?}: {found}");
    }

    #[test]
    fn names_are_bare_and_stay_in_the_folder() {
        case("Me", "About Me/Me.md");
        case(" Me.md ", "About Me/Me.md");
        case("Me.MD", "About Me/Me.MD");
        case("v1.2", "About Me/v1.2.md");
        case("../../outside", "bare name without path separators");
        case("..\\outside", "bare name without path separators");
        case("/etc/passwd", "bare name without path separators");
        case("About Me/Me", "give \"Me\"");
        case(".hidden", "must not start with a dot");
        case("..", "must not start with a dot");
        case(".", "must not start with a dot");
        case("", "the path is empty");
        case("a\u{7}b", "control character");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test makes the files it tests with")]
    fn memory_files_are_the_notes_directly_in_the_folder() {
        let root = tempfile::tempdir().unwrap();
        let vault = Vault::open(root.path(), crate::VaultOptions::default()).unwrap();
        assert_eq!(folder().files(&vault).unwrap(), []);
        for file in ["About Me/b.md", "About Me/A.md", "About Me/x/c.md", "About Me/p.png", "d.md"] {
            let file = root.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "x").unwrap();
        }
        let files = folder().files(&vault).unwrap();
        let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["About Me/A.md", "About Me/b.md"]);
        let other_case = MemoryFolder::new(VaultPath::parse("about ME").unwrap());
        assert_eq!(other_case.files(&vault).unwrap(), files);
    }
}
