//! What a new file may be called, and what may be written into one.

use crate::path::VaultPath;
use crate::write::error::WriteError;

/// Refuses a name that Obsidian takes on no system. [`VaultPath`] has refused control characters, hidden
/// names and names that are too long already.
pub(crate) fn check_new(path: &VaultPath) -> Result<(), WriteError> {
    // Obsidian's own rule: a colon never; other signs only where the system forbids them.
    if path.as_str().contains(':') {
        return Err(WriteError::Name { path: path.as_str().to_owned(), character: ':' });
    }
    Ok(())
}

/// Refuses control characters other than tab, line feed and carriage return that the text brings in; those
/// the note had already stay.
pub(crate) fn check_text(path: &VaultPath, before: &str, after: &str) -> Result<(), WriteError> {
    let is_control = |character: char| character.is_control() && !matches!(character, '\t' | '\n' | '\r');
    let mut line = 1;
    for character in after.chars() {
        if character == '\n' {
            line += 1;
        }
        if is_control(character) && !before.contains(character) {
            let path = path.as_str().to_owned();
            return Err(WriteError::ControlCharacter { path, code: character.into(), line });
        }
    }
    Ok(())
}
