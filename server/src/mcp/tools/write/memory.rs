//! What the tools share that change memory files.

use vault::VaultPath;

use crate::mcp::error::ToolError;
use crate::mcp::tool::Call;

impl Call<'_> {
    /// The memory file that an entry of this name goes into: the one that reading finds, else where it is to
    /// be made.
    pub(super) fn memory_file_to_write(&self, name: &str) -> Result<VaultPath, ToolError> {
        let wanted = self.app.memory.path_of(name).map_err(|error| ToolError::Refused(error.to_string()))?;
        let files = self.app.memory.files(&self.app.vault)?;
        let exact = files.iter().find(|file| file.path == wanted);
        let found = exact.or_else(|| files.iter().find(|file| file.path.key() == wanted.key()));
        match (found, files.first()) {
            (Some(file), _) => Ok(file.path.clone()),
            // Beside the others, also where their folder is written in other letters.
            (None, Some(other)) => {
                Ok(VaultPath::parse(&format!("{}/{}", other.path.folder(), wanted.file_name()))?)
            }
            (None, None) => Ok(wanted),
        }
    }
}
