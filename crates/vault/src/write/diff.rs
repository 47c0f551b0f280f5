//! Differences as people read them.

use std::borrow::Cow;
use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use crate::decode::{Decoding, decode};
use crate::path::VaultPath;

/// A diff that takes longer becomes coarser, not slower.
const PATIENCE: Duration = Duration::from_millis(500);
/// The same for counting lines, which every change waits for.
const SHORT_PATIENCE: Duration = Duration::from_millis(5);
/// Lines shown around a change.
const CONTEXT: usize = 3;

/// From one state of a file to another as a unified diff; empty when they are the same.
pub(crate) fn unified(path: &VaultPath, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    moved(path, path, before, after)
}

/// The same of a file that has another path afterwards. A move that changes no text has no difference.
pub(crate) fn moved(
    old_path: &VaultPath,
    new_path: &VaultPath,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
) -> String {
    if before == after {
        return String::new();
    }
    let (old_name, new_name) = (name("a", old_path, before), name("b", new_path, after));
    let Some((old, new)) = text(before).zip(text(after)) else {
        return format!("Binary files {old_name} and {new_name} differ\n");
    };
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old.as_ref(), new.as_ref());
    diff.unified_diff().context_radius(CONTEXT).header(&old_name, &new_name).to_string()
}

/// What changed, in a few words: `+3 -1 lines`.
pub(crate) fn summary(before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let Some((old, new)) = text(before).zip(text(after)) else {
        return "binary".to_owned();
    };
    let diff = TextDiff::configure().timeout(SHORT_PATIENCE).diff_lines(old.as_ref(), new.as_ref());
    let (mut added, mut removed) = (0_usize, 0_usize);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => added += 1,
            ChangeTag::Delete => removed += 1,
            ChangeTag::Equal => {}
        }
    }
    format!("+{added} -{removed} lines")
}

fn name(side: &str, path: &VaultPath, bytes: Option<&[u8]>) -> String {
    if bytes.is_some() { format!("{side}/{path}") } else { "/dev/null".to_owned() }
}

fn text(bytes: Option<&[u8]>) -> Option<Cow<'_, str>> {
    let (text, decoding) = decode(bytes.unwrap_or_default());
    (decoding != Decoding::Binary).then_some(text)
}
