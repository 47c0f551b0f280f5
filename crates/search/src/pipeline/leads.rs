//! Where links lead now, told with as few questions to the system as can be.
//!
//! Any file that comes or goes can be on the way of any link. So each link is asked where it leads,
//! which is one call, and what lies there once for all links that lead to the same place.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::skipped::Place;

/// The reasons that follow from where a link leads.
const OF_LINKS: [&str; 4] = ["leaves_vault", "leads_to_hidden", "broken_link", "linked_twice"];

/// What can be told of a row by a short look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// It is still right.
    Same,
    /// It is a link that is passed over for this reason now.
    Now(&'static str),
    /// Nothing: it has to be judged in full.
    Nothing,
}

/// Looks at links; to be used for one moment, since it remembers what it saw.
pub(super) struct Leads<'a> {
    root: &'a Path,
    /// Folders without links on the way.
    folders: HashMap<PathBuf, Option<PathBuf>>,
    targets: HashMap<PathBuf, Option<&'static str>>,
}

impl<'a> Leads<'a> {
    pub(super) fn new(root: &'a Path) -> Self {
        Self { root, folders: HashMap::new(), targets: HashMap::new() }
    }

    /// Looks at a row whose path on disk can be spelt. What is no link can only change by itself.
    pub(super) fn look(&mut self, path: &str, reason: &str) -> Told {
        let link = self.root.join(path);
        let target = match link.read_link() {
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::InvalidInput => {
                let same = !OF_LINKS.contains(&reason) && reason != "unreadable";
                return if same { Told::Same } else { Told::Nothing };
            }
            Err(_) => return Told::Nothing,
        };
        if reason == "shadowed" {
            return Told::Same;
        }
        if !OF_LINKS.contains(&reason) {
            return Told::Nothing;
        }
        let now = match self.place(&link, &target) {
            Some(place) => *self.targets.entry(place).or_insert_with_key(|place| verdict(self.root, place)),
            None => verdict(self.root, &link),
        };
        match now {
            Some(now) if now == reason => Told::Same,
            Some(now) => Told::Now(now),
            None => Told::Nothing,
        }
    }

    /// One path for all links that lead to the same place by the same way; `None` when there is none.
    fn place(&mut self, link: &Path, target: &Path) -> Option<PathBuf> {
        // Only a folder can be meant then, which a path of components does not say.
        let bytes = target.as_os_str().as_bytes();
        if bytes.ends_with(b"/") || bytes.ends_with(b"/.") {
            return None;
        }
        let folder = link.parent()?.to_owned();
        let folder = self.folders.entry(folder).or_insert_with_key(|folder| folder.canonicalize().ok());
        let mut place = folder.clone()?;
        let mut rest = target.components();
        // The folder is free of links, so that what is above it is known without the system.
        loop {
            let before = rest.clone();
            match rest.next() {
                Some(Component::ParentDir) => drop(place.pop()),
                Some(Component::CurDir) => {}
                _ => {
                    place.push(before.as_path());
                    return Some(place);
                }
            }
        }
    }
}

/// Why a link that leads to `place` is passed over; `None` when it need not be, or cannot be told.
fn verdict(root: &Path, place: &Path) -> Option<&'static str> {
    let real = match place.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return None,
        Err(_) => return Some("broken_link"),
    };
    let Ok(relative) = real.strip_prefix(root) else { return Some("leaves_vault") };
    if relative.as_os_str().is_empty() {
        return Some("linked_twice");
    }
    if relative.iter().any(|name: &OsStr| name.as_bytes().starts_with(b".")) {
        return Some("leads_to_hidden");
    }
    // What has no path of its own is found through the link.
    let spelt = relative.to_str().is_some_and(|relative| matches!(Place::of(relative), Place::At(_)));
    spelt.then_some("linked_twice")
}
