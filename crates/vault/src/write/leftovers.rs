//! Temporary files that a killed process left.

use std::ffi::OsStr;
use std::path::Path;

use rustix::fs::{AtFlags, unlinkat};

use crate::folder::{Folder, Kind};
use crate::locate::is_hidden;
use crate::trash::TRASH_FOLDER;
use crate::write::temporary::is_temporary;

/// As deep as the walk goes.
const MAX_DEPTH: usize = 128;

/// Removes them everywhere in the vault and answers how many there were. A second link that a killed create
/// left goes with them, so this comes before anybody counts links. What cannot be read or removed is left;
/// the walk reports it.
pub(crate) fn remove(root: &Path) -> usize {
    Folder::open(root).map_or(0, |folder| remove_in(&folder, 0))
}

fn remove_in(folder: &Folder, depth: usize) -> usize {
    let Ok(names) = folder.names() else { return 0 };
    let mut removed = 0;
    for (name, kind) in names {
        let ours = is_temporary(&name);
        let enter =
            depth < MAX_DEPTH && (!is_hidden(&name) || (depth == 0 && name == OsStr::new(TRASH_FOLDER)));
        if !ours && !enter {
            continue;
        }
        match kind.or_else(|| folder.entry(&name).ok().map(|entry| entry.kind)) {
            Some(Kind::File) if ours => match unlinkat(folder, &name, AtFlags::empty()) {
                Ok(()) => removed += 1,
                Err(error) => {
                    tracing::warn!(name = %name.display(), error = %error, "a leftover temporary file stays");
                }
            },
            Some(Kind::Folder) if enter => {
                removed += folder.enter(&name).map_or(0, |inner| remove_in(&inner, depth + 1));
            }
            _ => {}
        }
    }
    removed
}
