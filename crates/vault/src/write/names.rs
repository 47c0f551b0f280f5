//! What a new file may be called, and what may be written into one.

use std::ffi::OsStr;

use crate::folder::Folder;
use crate::path::VaultPath;
use crate::read::{Existing, Vault};
use crate::write::error::WriteError;
use crate::write::place::Place;

/// What ends the target of a link.
const BREAK_LINKS: [&str; 6] = ["#", "^", "[", "]", "|", "%%"];

/// Refuses a name that Obsidian takes on no system. [`VaultPath`] has refused control characters, hidden
/// names and names that are too long already.
pub(crate) fn check_new(path: &VaultPath) -> Result<(), WriteError> {
    // Obsidian's own rule: a colon never; other signs only where the system forbids them. It warns of those
    // that end a link's target: nothing can link to such a note.
    let name = path.file_name();
    let sign = path.as_str().contains(':').then_some(":");
    let sign = sign.or_else(|| BREAK_LINKS.into_iter().find(|sign| name.contains(*sign)));
    match sign {
        Some(sign) => Err(WriteError::Name { path: path.as_str().to_owned(), sign }),
        None => Ok(()),
    }
}

/// Refuses a name that differs from one beside it in letter case alone: on macOS, Windows and phones the two
/// are one file, and a sync would keep one of them. `but` is the file that gets the name, for a move.
pub(crate) fn check_twin(vault: &Vault, place: &Place, but: Option<&Existing>) -> Result<(), WriteError> {
    let (there, name) = place.first_new();
    let failed = |error| crate::write::commit::failed(&place.path, error);
    let folder = Folder::open(vault.root()).and_then(|root| root.enter_below(there)).map_err(failed)?;
    let Some(wanted) = name.to_str() else { return Ok(()) };
    let key = VaultPath::fold(wanted);
    for (found, _) in folder.names().map_err(failed)? {
        let Some(found) = found.to_str().filter(|found| *found != wanted && VaultPath::fold(found) == key)
        else {
            continue;
        };
        let is_it = |but: &Existing| {
            folder.entry(OsStr::new(found)).is_ok_and(|entry| entry.stat.identity == but.stat.identity)
        };
        if !but.is_some_and(is_it) {
            let path = place.path.as_str().to_owned();
            return Err(WriteError::CaseTwin {
                path,
                found: there.join(found).to_string_lossy().into_owned(),
            });
        }
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
