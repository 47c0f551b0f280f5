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
use crate::folder::{FileStat, Folder, Kind};
use crate::hard_links::{Identity, Names};
use crate::locate::{is_hidden, judge};
use crate::path::{VaultPath, normalise};
use crate::read::relative_vault_path;

/// How deep folders may be nested; each level holds a file handle while it is walked.
const MAX_DEPTH: usize = 128;

/// A file of the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Its normalised path.
    pub path: VaultPath,
    /// Its size, times and identity.
    pub stat: FileStat,
}

/// Something the walk passed over, hidden files and folders aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its path relative to the vault as it is on disk; bytes that are not UTF-8 are replaced.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why something was passed over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkipReason {
    /// A symbolic link to something outside the vault.
    #[error("symbolic link that leads outside the vault")]
    LeavesVault,
    /// A symbolic link to something hidden.
    #[error("symbolic link to a hidden file or folder")]
    LeadsToHidden,
    /// A symbolic link to nothing, or to itself.
    #[error("broken symbolic link")]
    BrokenLink,
    /// A symbolic link to a file or folder that the walk meets under its own path.
    #[error("symbolic link to a part of the vault that is found under its own path")]
    LinkCycle,
    /// A file with more hard links than the vault has paths to it.
    #[error("{links} hard links, of which the vault has {seen}")]
    HardLinked {
        /// Links that the file system counts.
        links: u64,
        /// Links found in the vault.
        seen: u64,
    },
    /// A FIFO, socket or device.
    #[error("not a regular file")]
    NotRegular,
    /// A name that is not UTF-8.
    #[error("the name is not UTF-8")]
    NotUtf8Name,
    /// A name that no vault path can spell: a control character, a backslash, too long.
    #[error("the name has a control character or a backslash, or is too long")]
    BadName,
    /// The system refused, with its message.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// Another name in the same folder is the same vault path (composed and decomposed accents, plain and
    /// no-break spaces).
    #[error("another name in this folder is spelt the same")]
    Shadowed,
    /// A folder nested deeper than the walk goes.
    #[error("folders are nested too deep")]
    TooDeep,
}

/// What a walk found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// Files, ordered by the bytes of their paths.
    pub files: Vec<FoundFile>,
    /// What was passed over, in the same order. Hidden files and folders are not listed.
    pub skipped: Vec<Skipped>,
}

impl Walk {
    /// Leaves out the files with more links than `seen` has names for.
    pub(crate) fn refuse_hard_links(&mut self, mut seen: impl FnMut(&FileStat) -> io::Result<u64>) {
        if self.files.iter().all(|file| file.stat.links <= 1) {
            return;
        }
        let skipped = &mut self.skipped;
        self.files.retain(|file| {
            let links = file.stat.links;
            let reason = match if links > 1 { seen(&file.stat) } else { Ok(links) } {
                Ok(seen) if seen >= links => return true,
                Ok(seen) => SkipReason::HardLinked { links, seen },
                Err(error) => SkipReason::Unreadable(error.to_string()),
            };
            skipped.push(Skipped { path: file.path.as_str().to_owned(), reason });
            false
        });
        skipped.sort_by(|one, other| one.path.cmp(&other.path));
    }
}

/// Walks `folder`, which is at `relative` (real, plain names) below the vault in `root`. Files with several
/// links are found as well, and every name of theirs is returned for the caller to judge.
pub(crate) fn walk(root: &Path, folder: &Folder, relative: &Path, prefix: &str) -> io::Result<(Walk, Names)> {
    let mut walker = Walker {
        root,
        disk: relative.to_owned(),
        found: Walk::default(),
        names: Names::new(),
        links: Vec::new(),
        followed: None,
    };
    // A prefix of a vault path, with its slash.
    let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    walker.folder(folder, &prefix, relative.iter().count())?;
    walker.follow_links();
    let Walker { mut found, names, .. } = walker;
    found.files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    found.skipped.sort_by(|one, other| one.path.cmp(&other.path));
    Ok((found, names))
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
}

/// A name in a folder.
struct Name {
    disk: OsString,
    /// As a vault path spells it; `None` when none can.
    clean: Option<String>,
    kind: Option<Kind>,
}

impl Walker<'_> {
    fn folder(&mut self, folder: &Folder, prefix: &str, depth: usize) -> io::Result<()> {
        for name in self.names_of(folder)? {
            self.disk.push(&name.disk);
            self.name(folder, &name, prefix, depth);
            self.disk.pop();
        }
        Ok(())
    }

    /// The names of a folder that are not hidden, each vault path once.
    fn names_of(&mut self, folder: &Folder) -> io::Result<Vec<Name>> {
        let mut respelt = false;
        let mut names = Vec::new();
        for (disk, kind) in folder.names()? {
            if is_hidden(&disk) {
                continue;
            }
            let clean = disk.to_str().map(normalise).filter(|clean| is_spellable(clean)).map(|clean| {
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
        match name.kind {
            Some(Kind::Folder) => {
                if let Some(path) = path {
                    self.enter(folder, &name.disk, &path, depth);
                }
            }
            Some(Kind::Link) => self.links.extend(path.map(|path| (self.disk.clone(), path))),
            Some(Kind::Other) if path.is_some() => self.skip(SkipReason::NotRegular),
            Some(Kind::Other) => {}
            Some(Kind::File) | None => self.stat(folder, name, path, depth),
        }
    }

    /// A file, or a name whose kind only a closer look tells.
    fn stat(&mut self, folder: &Folder, name: &Name, path: Option<VaultPath>, depth: usize) {
        let entry = match folder.entry(&name.disk) {
            Ok(entry) => entry,
            // Gone since it was listed.
            Err(error) if error.kind() == ErrorKind::NotFound => return,
            Err(error) => return self.skip(SkipReason::Unreadable(error.to_string())),
        };
        if entry.kind != Kind::File {
            let Name { disk, clean, .. } = name;
            // Known now; and when it is no file after all, it was replaced since it was listed.
            if name.kind.is_none() {
                let (disk, clean) = (disk.clone(), clean.clone());
                let prefix = path.as_ref().map_or("", |path| path.folder());
                let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
                if path.is_some() {
                    self.name(folder, &Name { disk, clean, kind: Some(entry.kind) }, &prefix, depth);
                }
            }
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
            // Gone or replaced since it was listed.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return,
            Err(error) => return self.skip(SkipReason::Unreadable(error.to_string())),
        };
        if let Some(followed) = &mut self.followed {
            match inner.itself() {
                Ok(itself) if followed.insert(itself.stat.identity) => {}
                Ok(_) => return self.skip(SkipReason::LinkCycle),
                Err(error) => return self.skip(SkipReason::Unreadable(error.to_string())),
            }
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
