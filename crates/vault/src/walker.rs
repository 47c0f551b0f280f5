//! Finding every file of a vault.
//!
//! The walk goes through real folders only. A symbolic link whose target has a vault path of its own is
//! passed over, since the file is found there; one whose target has none (its name cannot be spelt) is
//! followed, once. So every file is found under one path, and circles cannot be.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::error::VaultError;
use crate::folder::{Folder, Kind};
use crate::hard_links::{Identity, Names};
use crate::locate::{has_spellings, is_hidden, judge};
use crate::path::{FileKind, VaultPath, normalise};
use crate::read::relative_vault_path;
use crate::walk::{FoundFile, SkipReason, Skipped, Walk};

/// How deep folders may be nested; each level holds a file handle while it is walked.
const MAX_DEPTH: usize = 128;

/// Walks `folder`, which is at `relative` (real, plain names) below the vault in `root`. Files with several
/// links are found as well, and every name of theirs is returned for the caller to judge.
pub(crate) fn walk(root: &Path, folder: &Folder, relative: &Path, prefix: &str) -> io::Result<(Walk, Names)> {
    walk_kinds(root, folder, relative, prefix, None)
}

/// The same for files of some kinds: others are not even looked at, so of their names none is returned.
pub(crate) fn walk_kinds(
    root: &Path,
    folder: &Folder,
    relative: &Path,
    prefix: &str,
    wanted: Option<fn(FileKind) -> bool>,
) -> io::Result<(Walk, Names)> {
    let mut walker = Walker { wanted, ..Walker::new(root, relative.to_owned()) };
    // A prefix of a vault path, with its slash.
    let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    walker.folder(folder, &prefix, relative.iter().count())?;
    walker.follow_links();
    let Walker { mut found, names, .. } = walker;
    found.files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    found.skipped.sort_by(|one, other| one.path.cmp(&other.path));
    Ok((found, names))
}

/// Which names of a folder are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which<'a> {
    /// Every one.
    All,
    /// Those that are this name when normalised.
    Spelt(&'a str),
    /// Those that no vault path can spell behind this prefix.
    Unspellable(&'a str),
}

/// What a walk would say of some names of `folder`, not of what lies below them. `prefix` ends with a slash
/// unless the folder is the vault.
pub(crate) fn look_at_names(
    root: &Path,
    folder: &Folder,
    relative: &Path,
    prefix: &str,
    which: Which<'_>,
) -> io::Result<Walk> {
    let mut walker = Walker::new(root, relative.to_owned());
    walker.shallow = true;
    let depth = relative.iter().count();
    if depth > MAX_DEPTH {
        return Ok(Walk::default());
    }
    for name in walker.names_of(folder, which)? {
        walker.disk.push(&name.disk);
        walker.name(folder, &name, prefix, depth);
        walker.disk.pop();
    }
    walker.follow_links();
    Ok(walker.found)
}

struct Walker<'a> {
    root: &'a Path,
    /// Where the walk is, as on disk.
    disk: PathBuf,
    found: Walk,
    names: Names,
    /// Links met: path on disk, path in the vault.
    links: Vec<(PathBuf, VaultPath)>,
    /// What was reached through links; `None` while real folders are walked.
    followed: Option<HashSet<Identity>>,
    /// Whether what lies in folders is left out.
    shallow: bool,
    /// Which kinds of files are looked at; `None` for all.
    wanted: Option<fn(FileKind) -> bool>,
}

/// A name in a folder.
struct Name {
    disk: OsString,
    /// As a vault path spells it; `None` when none can.
    clean: Option<String>,
    kind: Option<Kind>,
}

impl<'a> Walker<'a> {
    fn new(root: &'a Path, disk: PathBuf) -> Self {
        let (found, names) = (Walk::default(), Names::new());
        Walker { root, disk, found, names, links: Vec::new(), followed: None, shallow: false, wanted: None }
    }

    fn folder(&mut self, folder: &Folder, prefix: &str, depth: usize) -> io::Result<()> {
        for name in self.names_of(folder, Which::All)? {
            self.disk.push(&name.disk);
            self.name(folder, &name, prefix, depth);
            self.disk.pop();
        }
        Ok(())
    }

    /// The names of a folder that are not hidden, each vault path once.
    fn names_of(&mut self, folder: &Folder, which: Which<'_>) -> io::Result<Vec<Name>> {
        let mut respelt = false;
        let mut names = Vec::new();
        let listed = match which {
            Which::Spelt(wanted) if !has_spellings(wanted) => vec![(OsString::from(wanted), None)],
            _ => folder.names()?,
        };
        for (disk, kind) in listed {
            if is_hidden(&disk) {
                continue;
            }
            let clean = disk.to_str().map(normalise).filter(|clean| is_spellable(clean));
            let asked = match which {
                Which::All => true,
                Which::Spelt(wanted) => clean.as_deref() == Some(wanted),
                Which::Unspellable(prefix) => {
                    clean.as_deref().is_none_or(|name| vault_path(prefix, name).is_none())
                }
            };
            if !asked {
                continue;
            }
            let clean = clean.map(|clean| {
                respelt |= matches!(clean, Cow::Owned(_));
                clean.into_owned()
            });
            names.push(Name { disk, clean, kind });
        }
        if respelt {
            self.drop_shadowed(&mut names);
        }
        Ok(names)
    }

    /// Of names that are one vault path keeps the one that is spelt like it, else the first by its bytes.
    fn drop_shadowed(&mut self, names: &mut Vec<Name>) {
        let rank = |name: &Name| name.disk.to_str() != name.clean.as_deref();
        names.sort_by(|one, other| {
            (&one.clean, rank(one), &one.disk).cmp(&(&other.clean, rank(other), &other.disk))
        });
        let mut before: Option<String> = None;
        let (disk, skipped) = (&self.disk, &mut self.found.skipped);
        names.retain(|name| {
            let same = name.clean.is_some() && name.clean == before;
            before.clone_from(&name.clean);
            if same {
                let path = disk.join(&name.disk).to_string_lossy().into_owned();
                skipped.push(Skipped { path, reason: SkipReason::Shadowed });
            }
            !same
        });
    }

    fn name(&mut self, folder: &Folder, name: &Name, prefix: &str, depth: usize) {
        let path = name.clean.as_ref().and_then(|clean| vault_path(prefix, clean));
        if path.is_none() {
            let utf8 = name.disk.to_str().is_some();
            self.skip(if utf8 { SkipReason::BadName } else { SkipReason::NotUtf8Name });
        }
        // Some file systems tell the kind only when asked.
        let kind = match name.kind.map_or_else(|| Ok(folder.entry(&name.disk)?.kind), Ok) {
            Ok(kind) => kind,
            Err(error) => return self.failed(&error),
        };
        let unwanted = |path: &VaultPath| self.wanted.is_some_and(|wanted| !wanted(path.kind()));
        match (kind, path) {
            (Kind::File, Some(path)) if unwanted(&path) => {}
            // Stated even when nothing can name it: it is one of the file's names in this vault.
            (Kind::File, path) => self.file(folder, name, path),
            (Kind::Folder, Some(path)) => self.enter(folder, &name.disk, &path, depth),
            (Kind::Link, Some(path)) => self.links.push((self.disk.clone(), path)),
            (Kind::Other, Some(_)) => self.skip(SkipReason::NotRegular),
            (_, None) => {}
        }
    }

    fn file(&mut self, folder: &Folder, name: &Name, path: Option<VaultPath>) {
        let entry = match folder.entry(&name.disk) {
            Ok(entry) => entry,
            Err(error) => return self.failed(&error),
        };
        if entry.kind != Kind::File {
            // Replaced since it was listed. Whoever watches the vault hears of it.
            return;
        }
        if entry.stat.links > 1 {
            self.names.entry(entry.stat.identity).or_default().push(self.disk.clone());
        }
        self.found.files.extend(path.map(|path| FoundFile { path, stat: entry.stat }));
    }

    fn enter(&mut self, folder: &Folder, name: &OsStr, path: &VaultPath, depth: usize) {
        if depth >= MAX_DEPTH {
            return self.skip(SkipReason::TooDeep);
        }
        let inner = match folder.enter(name) {
            Ok(inner) => inner,
            Err(error) => return self.failed(&error),
        };
        if let Some(followed) = &mut self.followed {
            match inner.itself() {
                Ok(itself) if followed.insert(itself.stat.identity) => {}
                Ok(_) => return self.skip(SkipReason::LinkCycle),
                Err(error) => return self.skip(SkipReason::Unreadable(error.to_string())),
            }
        }
        if self.shallow {
            return;
        }
        if let Err(error) = self.folder(&inner, &format!("{path}/"), depth + 1) {
            self.skip(SkipReason::Unreadable(error.to_string()));
        }
    }

    /// Judges every link, those found behind links included.
    fn follow_links(&mut self) {
        self.followed = Some(HashSet::new());
        while !self.links.is_empty() {
            let mut links = std::mem::take(&mut self.links);
            links.sort();
            for (disk, path) in links {
                self.disk.clone_from(&disk);
                if let Err(reason) = self.follow(&disk, &path) {
                    self.disk = disk;
                    self.skip(reason);
                }
            }
        }
    }

    fn follow(&mut self, link: &Path, path: &VaultPath) -> Result<(), SkipReason> {
        let Some(target) = judge(self.root, link).map_err(reason)? else {
            return Err(SkipReason::LinkCycle);
        };
        if relative_vault_path(&target).is_some() {
            return Err(SkipReason::LinkCycle);
        }
        let failed = |error: io::Error| SkipReason::Unreadable(error.to_string());
        let root = Folder::open(self.root).map_err(failed)?;
        let entry = root.entry_below(&target).map_err(failed)?;
        let followed = self.followed.get_or_insert_default();
        if followed.contains(&entry.stat.identity) {
            return Err(SkipReason::LinkCycle);
        }
        match entry.kind {
            Kind::File => {
                followed.insert(entry.stat.identity);
                self.found.files.push(FoundFile { path: path.clone(), stat: entry.stat });
                Ok(())
            }
            Kind::Folder => {
                let (parent, name) = (target.parent().unwrap_or(Path::new("")), target.file_name());
                let parent = root.enter_below(parent).map_err(failed)?;
                self.disk.clone_from(&target);
                let depth = path.as_str().split('/').count();
                self.enter(&parent, name.unwrap_or_default(), path, depth);
                Ok(())
            }
            Kind::Link => Err(SkipReason::BrokenLink),
            Kind::Other => Err(SkipReason::NotRegular),
        }
    }

    /// Reports what cannot be read, unless it is gone or replaced since it was listed.
    fn failed(&mut self, error: &io::Error) {
        if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
            self.skip(SkipReason::Unreadable(error.to_string()));
        }
    }

    fn skip(&mut self, reason: SkipReason) {
        self.found.skipped.push(Skipped { path: self.disk.to_string_lossy().into_owned(), reason });
    }
}

fn reason(error: VaultError) -> SkipReason {
    match error {
        VaultError::LeavesVault { .. } => SkipReason::LeavesVault,
        VaultError::LeadsToHidden { .. } => SkipReason::LeadsToHidden,
        VaultError::Unreadable { source, .. } => SkipReason::Unreadable(source.to_string()),
        _ => SkipReason::BrokenLink,
    }
}

/// Whether a normalised name can be a part of a vault path.
fn is_spellable(name: &str) -> bool {
    !name.contains(|character: char| character == '\\' || character.is_control())
}

/// The vault path of a spellable name behind `prefix`.
fn vault_path(prefix: &str, name: &str) -> Option<VaultPath> {
    let whole = [prefix, name].concat();
    // All but the rules on the whole path is known already; those are checked once, here.
    VaultPath::parse(&whole).ok().filter(|path| path.as_str() == whole)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test makes the files it tests with")]
mod tests {
    use super::*;

    #[test]
    fn a_file_system_that_does_not_tell_kinds_is_walked_alike() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("folder")).unwrap();
        std::fs::write(root.path().join("folder/a.md"), "a").unwrap();
        std::fs::write(root.path().join("b.md"), "b").unwrap();
        std::os::unix::fs::symlink("b.md", root.path().join("link.md")).unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let mut walker = Walker::new(root.path(), PathBuf::new());
        for disk in ["folder", "b.md", "link.md", "gone.md"] {
            walker.disk.push(disk);
            let name = Name { disk: disk.into(), clean: Some(disk.to_owned()), kind: None };
            walker.name(&folder, &name, "", 0);
            walker.disk.pop();
        }
        let files: Vec<_> = walker.found.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(files, ["folder/a.md", "b.md"]);
        assert_eq!(walker.links.len(), 1);
        assert!(walker.found.skipped.is_empty());
    }
}
