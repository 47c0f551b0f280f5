//! The memory files that a vault without memory starts with.

use markdown::edit::memory::starter_files;
use vault::{Caller, MemoryFolder, Principal, VaultError, VaultPath, WriteError, WriteOptions, Writer};

/// Makes the memory folder with its first files, when there is none.
///
/// A vault without anything in it is left alone: its volume may not be mounted or its first sync may not
/// have begun, and the files would then meet the real ones.
pub(crate) fn make_memory(writer: &Writer, memory: &MemoryFolder) {
    match is_wanted(writer, memory) {
        Ok(true) => {}
        Ok(false) => return,
        Err(error) => {
            tracing::warn!(
                error.message = error.to_string(),
                "memory files not made: the vault cannot be read"
            );
            return;
        }
    }
    let who = Principal::owner("server");
    let caller = Caller { who: &who, tool: "memory_start" };
    let mut made = 0;
    for (name, text) in starter_files() {
        match make(writer, caller, memory, name, &text) {
            Ok(()) => made += 1,
            // Somebody else was faster, or a sync has just brought it.
            Err(WriteError::Exists { .. }) => {}
            Err(error) => {
                tracing::warn!(memory.file = name, error.message = error.to_string(), "memory file not made");
            }
        }
    }
    tracing::info!(memory.folder = memory.path().as_str(), memory.files = made, "memory files made");
}

fn make(
    writer: &Writer,
    caller: Caller<'_>,
    memory: &MemoryFolder,
    name: &str,
    text: &str,
) -> Result<(), WriteError> {
    let path = VaultPath::parse(&format!("{}/{name}.md", memory.path())).map_err(VaultError::from)?;
    writer.create(caller, &path, text, &WriteOptions::default()).map(drop)
}

fn is_wanted(writer: &Writer, memory: &MemoryFolder) -> Result<bool, VaultError> {
    let vault = writer.vault();
    if vault.is_empty()? {
        tracing::info!("the vault is empty: memory files are not made before it has something in it");
        return Ok(false);
    }
    let exists = match vault.real_folder(memory.path()) {
        Ok(_) => true,
        Err(error) if error.is_not_found() => false,
        Err(error) => return Err(error),
    };
    // Of another spelling it is the memory folder all the same.
    Ok(!exists && memory.files(vault)?.is_empty())
}
