//! What a rewrite has to know of the vault: which file a link means, before the move and after it.

use crate::resolve::{self, Candidates, fold};
use std::collections::HashMap;

/// The files of a vault around a move. Paths are those of the vault, with `/`.
pub trait Files {
    /// The file that a link's path means in a note, before the move.
    fn before(&self, note: &str, link: &str) -> Option<String>;
    /// The file that it means after the move, the note being at its new place.
    fn after(&self, note: &str, link: &str) -> Option<String>;
    /// Where a file has gone; `None`: it stays.
    fn moved(&self, path: &str) -> Option<String>;
    /// Whether another file has the same name (extension included, case ignored), before the move.
    fn was_shared(&self, path: &str) -> bool;
    /// Whether another file has the same name, after the move.
    fn is_shared(&self, path: &str) -> bool;
}

/// All files of a vault, with the moves that are to be made.
#[derive(Debug, Clone, Default)]
pub struct Moves {
    before: Names,
    after: Names,
    /// New paths by old ones.
    moved: HashMap<String, String>,
    /// Old paths by their folded spelling.
    folded: HashMap<String, String>,
}

/// Paths by [`resolve::file_key`].
type Names = HashMap<String, Vec<String>>;

impl Moves {
    /// Takes all files of the vault (attachments and canvases too) as they are, and pairs of old and new
    /// paths. A folder's move is that of every file in it.
    pub fn new<'a>(
        files: impl IntoIterator<Item = &'a str>,
        moves: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let moved: HashMap<String, String> =
            moves.into_iter().map(|(old, new)| (old.to_owned(), new.to_owned())).collect();
        let folded = moved.keys().map(|old| (fold(old).into_owned(), old.clone())).collect();
        let (mut before, mut after) = (Names::new(), Names::new());
        for path in files {
            let now = moved.get(path).map_or(path, String::as_str);
            before.entry(resolve::file_key(path)).or_default().push(path.to_owned());
            after.entry(resolve::file_key(now)).or_default().push(now.to_owned());
        }
        Self { before, after, moved, folded }
    }

    /// With a file that is made: links may lead to it from now on.
    #[must_use]
    pub fn with_new(mut self, path: &str) -> Self {
        self.after.entry(resolve::file_key(path)).or_default().push(path.to_owned());
        self
    }

    /// With a file that is deleted: links to it lead to another file of its name, or nowhere.
    #[must_use]
    pub fn with_deleted(mut self, path: &str) -> Self {
        if let Some(paths) = self.after.get_mut(&resolve::file_key(path)) {
            paths.retain(|other| other != path);
        }
        self
    }

    /// The paths that move, old and new.
    pub fn moves(&self) -> impl Iterator<Item = (&str, &str)> {
        self.moved.iter().map(|(old, new)| (old.as_str(), new.as_str()))
    }
}

impl Files for Moves {
    fn before(&self, note: &str, link: &str) -> Option<String> {
        find(&self.before, note, link)
    }

    fn after(&self, note: &str, link: &str) -> Option<String> {
        find(&self.after, note, link)
    }

    fn moved(&self, path: &str) -> Option<String> {
        let exact = self.moved.get(path);
        exact.or_else(|| self.moved.get(self.folded.get(&*fold(path))?)).cloned()
    }

    fn was_shared(&self, path: &str) -> bool {
        shared(&self.before, path)
    }

    fn is_shared(&self, path: &str) -> bool {
        shared(&self.after, path)
    }
}

fn find(names: &Names, note: &str, link: &str) -> Option<String> {
    let paths = names.get(&resolve::name_key(link)).map_or(&[][..], Vec::as_slice);
    Candidates::new(paths.iter().map(String::as_str)).resolve(note, link).map(str::to_owned)
}

fn shared(names: &Names, path: &str) -> bool {
    let name = |path: &str| fold(path.rsplit('/').next().unwrap_or_default()).into_owned();
    let wanted = name(path);
    let same =
        names.get(&resolve::file_key(path)).into_iter().flatten().filter(|other| name(other) == wanted);
    same.count() > 1
}
