//! From link to file, as Obsidian finds it. Pure: the caller supplies the files.

use std::borrow::Cow;

/// What paths and links are compared by: Unicode NFC, lower case, no-break spaces as spaces.
#[must_use]
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    let composed = crate::headings::composed(text);
    Cow::Owned(composed.to_lowercase().replace(['\u{a0}', '\u{202f}'], " "))
}

/// What an index groups links by: the folded last segment of a link's path, without `.md`. Every link that
/// can reach a file has that file's [`file_key`]. Empty for a link into its own note (`#heading`).
#[must_use]
pub fn name_key(link: &str) -> String {
    key(link.split('#').next().unwrap_or("").trim())
}

/// What an index groups files by. Unlike a link, a path may hold `#`: `C#/Note.md` has the key `note`.
#[must_use]
pub fn file_key(path: &str) -> String {
    key(path)
}

fn key(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or("");
    let mut name = fold(name).into_owned();
    // `x.md` can mean `x.md` or `x.md.md`, so all of them share one key.
    while let Some(stem) = name.strip_suffix(".md").filter(|stem| !stem.is_empty()) {
        name.truncate(stem.len());
    }
    name
}

/// The file a link means. `from` is the path of the note that holds it, `link` its target (a subpath is
/// cut off), `same_name` the vault paths whose [`file_key`] equals the link's [`name_key`].
///
/// A link without a path means the note itself. `./x` and `../x` are relative to the note's folder, `/x` to
/// the root, and both are exact. Any other link means the file whose whole path it is; else, of the files
/// whose path ends in it, those in or below the note's folder first, then the one with the shortest path
/// text. Files of equal length are taken in path order, where Obsidian's own order is not known. A name is
/// tried as given, then with `.md`. Aliases never resolve.
pub fn resolve<'a>(from: &'a str, link: &str, same_name: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    Candidates::new(same_name).resolve(from, link)
}

/// The files that share one [`file_key`], prepared for many links.
#[derive(Debug, Clone, Default)]
pub struct Candidates<'a> {
    /// Shortest path first, then by path.
    files: Vec<Candidate<'a>>,
}

#[derive(Debug, Clone)]
struct Candidate<'a> {
    path: &'a str,
    folded: Cow<'a, str>,
}

impl<'a> Candidates<'a> {
    /// Prepares the files of one key.
    #[must_use]
    pub fn new(paths: impl Iterator<Item = &'a str>) -> Self {
        let mut files: Vec<_> = paths.map(|path| Candidate { path, folded: fold(path) }).collect();
        files.sort_by_cached_key(|file| (file.path.encode_utf16().count(), file.path));
        Self { files }
    }

    /// The file a link means; see [`resolve`].
    #[must_use]
    pub fn resolve(&self, from: &'a str, link: &str) -> Option<&'a str> {
        let link = link.split('#').next().unwrap_or("").trim();
        if link.is_empty() {
            return Some(from);
        }
        let folder = from.rfind('/').map_or("", |slash| from.get(..slash).unwrap_or(""));
        if link == "." || link == ".." || link.starts_with("./") || link.starts_with("../") {
            return self.exact_or_note(&join(folder, link)?);
        }
        if let Some(absolute) = link.strip_prefix('/') {
            return self.exact_or_note(absolute);
        }
        self.search(folder, link).or_else(|| self.search(folder, &format!("{link}.md")))
    }

    fn exact_or_note(&self, path: &str) -> Option<&'a str> {
        self.exact(path, &fold(path)).or_else(|| {
            let path = format!("{path}.md");
            self.exact(&path, &fold(&path))
        })
    }

    /// The file with this path. On a disk that knows case several may fold to it: the one spelled alike wins.
    fn exact(&self, path: &str, folded: &str) -> Option<&'a str> {
        let mut matching = self.files.iter().filter(|file| file.folded == folded).peekable();
        let first = matching.peek()?.path;
        Some(matching.find(|file| file.path == path).map_or(first, |file| file.path))
    }

    fn search(&self, folder: &str, link: &str) -> Option<&'a str> {
        let folded = fold(link);
        if let Some(path) = self.exact(link, &folded) {
            return Some(path);
        }
        let mut candidates = self
            .files
            .iter()
            .filter(|file| file.folded.strip_suffix(&*folded).is_some_and(|parent| parent.ends_with('/')));
        if folder.is_empty() {
            return candidates.next().map(|file| file.path);
        }
        let folder = fold(folder);
        let mut shortest = None;
        for file in candidates {
            if file.folded.strip_prefix(&*folder).is_some_and(|rest| rest.starts_with('/')) {
                return Some(file.path);
            }
            shortest = shortest.or(Some(file.path));
        }
        shortest
    }
}

/// A relative link as a path from the root; `None` when it leaves the vault.
fn join(folder: &str, link: &str) -> Option<String> {
    let mut segments: Vec<&str> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in link.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}
