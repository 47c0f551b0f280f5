//! The argument `folder` of tools that read the file system.
//!
//! It means what it means as a search filter: paths compare as Obsidian compares them, without regard to
//! letter case, and a vault on Linux may hold both `Projects` and `projects`.

use std::collections::BTreeMap;

use vault::{FileKind, FoundFile, VaultPath};

use crate::mcp::error::ToolError;
use crate::mcp::tool::Call;

/// A folder as a caller wrote it; nothing, `""` and `/` are the vault.
pub(super) struct Folder(Option<VaultPath>);

impl Folder {
    /// Reads the argument. A symbolic link to a folder of the vault is that folder, when the caller sees
    /// both: its files are listed under their own paths, as everywhere.
    ///
    /// # Errors
    /// When it is no path in the vault.
    pub(super) fn read(call: &Call<'_>, argument: Option<&str>) -> Result<Self, ToolError> {
        let asked = VaultPath::parse_folder(argument.unwrap_or_default())?;
        Ok(Self(asked.and_then(|folder| call.app.vault.folder_as_seen(call.who, &folder))))
    }

    /// The files of some kinds in the folder and those below it that the caller sees, by path. None for a folder that
    /// does not exist.
    pub(super) fn files(
        &self,
        call: &Call<'_>,
        wanted: fn(FileKind) -> bool,
    ) -> Result<Vec<FoundFile>, ToolError> {
        let seen = |file: &FoundFile| call.who.sees(&file.path);
        let mut files = call.app.vault.walk_kinds(wanted)?;
        let Some(folder) = &self.0 else {
            files.retain(seen);
            return Ok(files);
        };
        let inside = format!("{}/", folder.key());
        files.retain(|file| file.path.key().starts_with(&inside));
        // A folder that is a link is listed under one of its names; asked for by another, it has its files too.
        let here = call.app.vault.walk_folder(folder.as_str())?.files;
        let by_path: BTreeMap<String, FoundFile> = files
            .into_iter()
            .chain(here.into_iter().filter(|file| wanted(file.path.kind())))
            .map(|file| (file.path.as_str().to_owned(), file))
            .collect();
        Ok(by_path.into_values().filter(seen).collect())
    }

    /// The part of a path below this folder.
    pub(super) fn below<'a>(&self, path: &'a VaultPath) -> &'a str {
        // Counted in names: in another letter case a name may be of another length.
        let depth = self.0.as_ref().map_or(0, |folder| folder.as_str().split('/').count());
        let mut rest = path.as_str();
        for _ in 0..depth {
            rest = rest.split_once('/').map_or("", |(_, rest)| rest);
        }
        rest
    }
}
