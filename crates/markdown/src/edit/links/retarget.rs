//! Links that come to mean something else, for answers: a note that is made or deleted changes no other one.

use super::Files;
use crate::document;
use crate::edit::without_mark;
use crate::frontmatter::PropertyMap;

/// A link that means another file than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retargeted {
    /// One-based line.
    pub line: usize,
    /// The target as written, without its subpath.
    pub link: String,
    /// The file it meant; `None`: it led nowhere.
    pub before: Option<String>,
    /// The file it means; `None`: it leads nowhere.
    pub after: Option<String>,
}

/// The links of a note that mean another file after a change of the vault's files, in its properties and in
/// its text.
#[must_use]
pub fn retargeted(source: &str, note: &str, files: &dyn Files) -> Vec<Retargeted> {
    let document = document::parse(without_mark(source));
    let properties = document.properties.map().map(PropertyMap::links).unwrap_or_default();
    let links = properties.into_iter().map(|property| property.link).chain(document.links);
    let change = |link: crate::links::Link| {
        let path = link.path.trim();
        if path.is_empty() {
            return None;
        }
        let (before, after) = (files.before(note, path), files.after(note, path));
        (before != after).then(|| Retargeted { line: link.line + 1, link: path.to_owned(), before, after })
    };
    links.filter_map(change).collect()
}
