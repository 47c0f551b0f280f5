//! What a rewrite has to know of the vault: which file a link means, before the move and after it.

use crate::resolve::{self, Candidates, fold};
use std::collections::{HashMap, HashSet};

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
    /// Of those, the ones that are not there afterwards, and what is there then instead: few, where a vault
    /// has many files.
    gone: HashSet<String>,
    came: Names,
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
        let files = files.into_iter();
        let mut before = Names::with_capacity(files.size_hint().0);
        let (mut gone, mut came) = (HashSet::new(), Names::new());
        for path in files {
            if let Some(now) = moved.get(path) {
                gone.insert(path.to_owned());
                came.entry(resolve::file_key(now)).or_default().push(now.clone());
            }
            before.entry(resolve::file_key(path)).or_default().push(path.to_owned());
        }
        Self { before, gone, came, moved, folded }
    }

    /// With a file that is made: links may lead to it from now on.
    #[must_use]
    pub fn with_new(mut self, path: &str) -> Self {
        self.came.entry(resolve::file_key(path)).or_default().push(path.to_owned());
        self
    }

    /// With a file that is deleted: links to it lead to another file of its name, or nowhere.
    #[must_use]
    pub fn with_deleted(mut self, path: &str) -> Self {
        self.gone.insert(path.to_owned());
        if let Some(paths) = self.came.get_mut(&resolve::file_key(path)) {
            paths.retain(|other| other != path);
        }
        self
    }

    /// The paths that move, old and new.
    pub fn moves(&self) -> impl Iterator<Item = (&str, &str)> {
        self.moved.iter().map(|(old, new)| (old.as_str(), new.as_str()))
    }

    fn named_before(&self, key: &str) -> impl Iterator<Item = &str> {
        self.before.get(key).into_iter().flatten().map(String::as_str)
    }

    fn named_after(&self, key: &str) -> impl Iterator<Item = &str> {
        let stay = self.named_before(key).filter(|path| !self.gone.contains(*path));
        stay.chain(self.came.get(key).into_iter().flatten().map(String::as_str))
    }
}

impl Files for Moves {
    fn before(&self, note: &str, link: &str) -> Option<String> {
        find(self.named_before(&resolve::name_key(link)), note, link)
    }

    fn after(&self, note: &str, link: &str) -> Option<String> {
        find(self.named_after(&resolve::name_key(link)), note, link)
    }

    fn moved(&self, path: &str) -> Option<String> {
        let exact = self.moved.get(path);
        exact.or_else(|| self.moved.get(self.folded.get(&*fold(path))?)).cloned()
    }

    fn was_shared(&self, path: &str) -> bool {
        shared(self.named_before(&resolve::file_key(path)), path)
    }

    fn is_shared(&self, path: &str) -> bool {
        shared(self.named_after(&resolve::file_key(path)), path)
    }
}

fn find<'a>(paths: impl Iterator<Item = &'a str>, note: &str, link: &str) -> Option<String> {
    Candidates::new(paths).resolve(note, link).map(str::to_owned)
}

fn shared<'a>(paths: impl Iterator<Item = &'a str>, path: &str) -> bool {
    let name = |path: &str| fold(path.rsplit('/').next().unwrap_or_default()).into_owned();
    let wanted = name(path);
    paths.filter(|other| name(other) == wanted).count() > 1
}
