//! Moving a file, and every link to it.
//!
//! All is read and computed before anything is touched. Then the new file is made, the notes that link to it
//! are rewritten, and the old file goes last: whatever comes between, there are two copies rather than none,
//! and what a kill cuts short the next start brings to its end.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use markdown::edit::links::{LinkFormat, Moves, Rewritten, Unwritable, rewrite_canvas, rewrite_note};
use markdown::edit::properties::BlockError;
use markdown::frontmatter;

use crate::decode::decode;
use crate::path::{FileKind, VaultPath};
use crate::read::Existing;
use crate::settings::NewLinkFormat;
use crate::walk::FoundFile;
use crate::write::commit::{Operation, What, permissions};
use crate::write::error::WriteError;
use crate::write::locks::{Guard, Lock};
use crate::write::place::{Place, is_link};
use crate::write::{Caller, WriteOptions, Writer, Written, names};

/// How often a set of linking notes that grows meanwhile is looked for.
const ATTEMPTS: usize = 3;

/// What became of a moved file.
#[derive(Debug)]
pub struct Moved {
    /// The file at its new path.
    pub written: Written,
    /// Notes and canvases whose links were rewritten, the moved note's own not counted.
    pub updated: Vec<Written>,
    /// How many links were rewritten, the moved note's own included.
    pub links: usize,
    /// Links that mean the file and could not be rewritten, with the note they are in: its new name cannot
    /// be written in them.
    pub unwritable: Vec<(VaultPath, Unwritable)>,
    /// Folders that were empty then and were removed, innermost first.
    pub pruned: Vec<VaultPath>,
}

/// A move, worked out.
struct Plan {
    from: Existing,
    place: Place,
    /// The file's new content.
    bytes: Arc<[u8]>,
    /// The notes to rewrite, with their new content.
    sources: Vec<(Existing, Arc<[u8]>)>,
    links: usize,
    unwritable: Vec<(VaultPath, Unwritable)>,
    /// The file and its namesakes to be, and which files were known to link to any of them.
    asked: Vec<VaultPath>,
    known: BTreeSet<VaultPath>,
}

impl Writer {
    /// Moves the file at `from` to `to`, which must be free, and rewrites every link that would break, the
    /// way Obsidian does: in the vault's own link format, links that stay right left alone.
    ///
    /// # Errors
    /// One variant per rule; nothing was changed then. [`WriteError::Incomplete`] when a file could not be
    /// written in the middle: then both copies are there, and undoing or the same move again helps.
    pub fn move_note(
        &self,
        caller: Caller<'_>,
        from: &VaultPath,
        to: &VaultPath,
        options: &WriteOptions,
        prune_empty_folders: bool,
    ) -> Result<Moved, WriteError> {
        self.check_rights(caller, from)?;
        self.check_scope(caller, to)?;
        if from == to {
            return Err(WriteError::SamePath { path: from.as_str().to_owned() });
        }
        names::check_new(to)?;
        for path in [from, to] {
            self.options.protection.check(&self.vault, path)?;
        }
        if is_link(&self.vault, from)? {
            let real = self.vault.real_path(from)?;
            if !caller.who.sees(&real) {
                return Err(WriteError::OutOfScope { path: from.as_str().to_owned() });
            }
            let real = real.as_str().to_owned();
            return Err(WriteError::Linked { path: from.as_str().to_owned(), real });
        }
        let (plan, _lock) = self.plan_locked(caller, from, to)?;
        for (path, asked) in [(&plan.from.path, from), (&plan.place.path, to)] {
            self.check_real(caller, path, asked)?;
            self.options.protection.check(&self.vault, path)?;
        }
        names::check_twin(&self.vault, &plan.place, Some(&plan.from))?;
        self.check_expected(from, &plan.from.bytes, options)?;
        self.carry_out(caller, plan, options, prune_empty_folders)
    }

    fn carry_out(
        &self,
        caller: Caller<'_>,
        plan: Plan,
        options: &WriteOptions,
        prune_empty_folders: bool,
    ) -> Result<Moved, WriteError> {
        let folder = plan.from.real.parent().unwrap_or(Path::new("")).to_owned();
        let would_prune = prune_empty_folders && options.dry_run;
        let would_prune =
            would_prune.then(|| self.would_prune(folder.clone(), &plan.from.name, Some(&plan.place)));
        let permissions = permissions(&plan.from, &plan.bytes);
        let Plan { from, place, bytes, sources, links, unwritable, .. } = plan;
        let summary = options.summary.clone().unwrap_or_else(|| format!("{links} links rewritten"));
        let moved = What::Move { from, place, bytes, permissions };
        let mut operations = vec![Operation { what: moved, summary: Some(summary), undoes: Vec::new() }];
        for (existing, bytes) in sources {
            let what = What::Edit { existing, bytes };
            let summary = Some("links rewritten after a move".to_owned());
            operations.push(Operation { what, summary, undoes: Vec::new() });
        }
        let mut all: Vec<Written> = if options.dry_run {
            operations.iter().map(|operation| self.rehearse(operation)).collect()
        } else {
            self.commit(caller, &operations)?.into_iter().map(|(written, _)| written).collect()
        };
        let updated = all.split_off(1.min(all.len()));
        let written = match (all.pop(), operations.first()) {
            (Some(written), _) => written,
            (None, Some(operation)) => self.rehearse(operation),
            (None, None) => return Err(WriteError::NothingToUndo),
        };
        let pruned = match would_prune {
            Some(would_be) => would_be,
            None if prune_empty_folders => self.prune(folder),
            None => Vec::new(),
        };
        Ok(Moved { written, updated, links, unwritable, pruned })
    }

    /// The plan, with locks on every file it changes.
    fn plan_locked(
        &self,
        caller: Caller<'_>,
        from: &VaultPath,
        to: &VaultPath,
    ) -> Result<(Plan, Guard<'_>), WriteError> {
        let mut plan = self.plan(caller, from, to)?;
        for _ in 0..ATTEMPTS {
            let locked = keys(&plan);
            let guard = self.lock(locked.iter().cloned().collect(), Lock::FailFast)?;
            if self.still_holds(&plan, from, to)? {
                return Ok((plan, guard));
            }
            plan = self.plan(caller, from, to)?;
            if keys(&plan).is_subset(&locked) {
                return Ok((plan, guard));
            }
        }
        Err(WriteError::Unsteady { path: from.as_str().to_owned() })
    }

    /// Whether, under the locks, everything is as it was when the plan was made.
    fn still_holds(&self, plan: &Plan, from: &VaultPath, to: &VaultPath) -> Result<bool, WriteError> {
        let is_same = |file: &Existing| file.read_again().is_ok_and(|bytes| bytes == file.bytes);
        Ok(self.vault.real_path(from)? == plan.from.path
            && Place::to_move(&self.vault, &plan.from, to)?.path == plan.place.path
            && is_same(&plan.from)
            && plan.sources.iter().all(|(source, _)| is_same(source))
            && self.known_links(&plan.asked)? == plan.known)
    }

    /// A file that may link to the one that moves. Of one that is not known to, what is there now must do
    /// where a program writes into it without end: a sync of a thousand notes stops no move.
    fn read_candidate(&self, path: &VaultPath, known: Known) -> Result<Existing, WriteError> {
        match self.read_settled(path) {
            Err(WriteError::ChangedMeanwhile { .. }) if known == Known::No => {
                Ok(self.vault.read_to_change(path)?)
            }
            other => other,
        }
    }

    /// Reads every file that may link to the one that moves and works out what changes.
    fn plan(&self, caller: Caller<'_>, from: &VaultPath, to: &VaultPath) -> Result<Plan, WriteError> {
        let existing = self.read_settled(from)?;
        if existing.stat.links > 1 {
            return Err(WriteError::HardLinked {
                path: from.as_str().to_owned(),
                links: existing.stat.links,
            });
        }
        let place = Place::to_move(&self.vault, &existing, to)?;
        let (old, new) = (existing.path.clone(), place.path.clone());
        let files = self.vault.walk()?.files;
        let moves = Moves::new(files.iter().map(|file| file.path.as_str()), [(old.as_str(), new.as_str())]);
        let rewrite = Rewrite { format: self.link_format(), moves: &moves };
        let own = rewrite.apply(&existing, &new, Known::Yes)?;
        let (mut links, mut unwritable) = (0, Vec::new());
        let mut bytes: Arc<[u8]> = existing.bytes.as_slice().into();
        if let Some(own) = own {
            links += own.links;
            unwritable.extend(own.unwritable.into_iter().map(|link| (new.clone(), link)));
            bytes = own.edited.text.into_bytes().into();
        }
        let mut sources = Vec::new();
        let asked = namesakes(&old, &new, &files);
        // In this order: a file that is read between the two questions is in one of the answers.
        let unread = self.links.unread(&files).map_err(WriteError::Links)?;
        let known_links = self.known_links(&asked)?;
        for (path, known) in candidates(&old, &known_links, unread) {
            let source = match self.read_candidate(&path, known) {
                Ok(source) => source,
                // Gone since it was listed; or it cannot be read, which matters only of one that links.
                Err(WriteError::Vault(error)) if error.is_not_found() || known == Known::No => continue,
                Err(_) if !caller.who.sees(&path) => {
                    return Err(WriteError::LinksOutOfScope { path: from.as_str().to_owned() });
                }
                Err(error) => return Err(error),
            };
            let in_sight = caller.who.sees(&path);
            let out_of_scope = || WriteError::LinksOutOfScope { path: from.as_str().to_owned() };
            let rewritten = match rewrite.apply(&source, &path, known) {
                Ok(None) => continue,
                Ok(Some(rewritten)) => rewritten,
                // Nothing is told of notes that the caller does not see.
                Err(_) if !in_sight => return Err(out_of_scope()),
                Err(error) => return Err(error),
            };
            if in_sight {
                let links = rewritten.unwritable.into_iter().map(|link| (path.clone(), link));
                unwritable.extend(links);
            }
            if rewritten.edited.edits.is_empty() {
                continue;
            }
            if !in_sight {
                return Err(out_of_scope());
            }
            if source.stat.links > 1 {
                let (path, links) = (path.as_str().to_owned(), source.stat.links);
                return Err(WriteError::HardLinked { path, links });
            }
            links += rewritten.links;
            sources.push((source, rewritten.edited.text.into_bytes().into()));
        }
        let known = known_links;
        Ok(Plan { from: existing, place, bytes, sources, links, unwritable, asked, known })
    }

    /// Files known to link to any of `paths`.
    fn known_links(&self, paths: &[VaultPath]) -> Result<BTreeSet<VaultPath>, WriteError> {
        let mut known = BTreeSet::new();
        for path in paths {
            known.extend(self.links.backlinks(path).map_err(WriteError::Links)?);
        }
        Ok(known)
    }

    fn link_format(&self) -> LinkFormat {
        match self.vault.settings().app().or_default().new_link_format {
            NewLinkFormat::Shortest => LinkFormat::Shortest,
            NewLinkFormat::Relative => LinkFormat::Relative,
            NewLinkFormat::Absolute => LinkFormat::Absolute,
        }
    }
}

/// Whether a file is known to have links that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Yes,
    No,
}

/// Files that may have to be rewritten: those known to have links that matter, and those whose present state
/// the link source has not read.
fn candidates(
    old: &VaultPath,
    known: &BTreeSet<VaultPath>,
    unread: Vec<VaultPath>,
) -> Vec<(VaultPath, Known)> {
    let unread = unread.into_iter().filter(|path| !known.contains(path)).map(|path| (path, Known::No));
    let mut all: Vec<_> = unread.collect();
    all.extend(known.iter().map(|path| (path.clone(), Known::Yes)));
    all.retain(|(path, _)| path != old && matches!(path.kind(), FileKind::Note | FileKind::Canvas));
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

/// How links are rewritten.
struct Rewrite<'a> {
    format: LinkFormat,
    moves: &'a Moves,
}

impl Rewrite<'_> {
    /// The links of a file; `None` when it has none that matter.
    fn apply(&self, file: &Existing, to: &VaultPath, known: Known) -> Result<Option<Rewritten>, WriteError> {
        let path = &file.path;
        let kind = path.kind();
        if !matches!(kind, FileKind::Note | FileKind::Canvas) {
            return Ok(None);
        }
        let Ok(text) = std::str::from_utf8(&file.bytes) else {
            return self.refuse_undecodable(file, to);
        };
        let rewritten = if kind == FileKind::Canvas {
            // What is no canvas has no links.
            return Ok(rewrite_canvas(text, self.moves).ok());
        } else {
            rewrite_note(text, path.as_str(), to.as_str(), self.format, self.moves)
        };
        match rewritten {
            Ok(rewritten) => Ok(Some(rewritten)),
            Err(BlockError::Invalid(_)) if known == Known::No && !self.body_has_links(text, file, to) => {
                Ok(None)
            }
            Err(error) => Err(WriteError::LinkSource { path: path.as_str().to_owned(), error }),
        }
    }

    /// Refuses a file that is not UTF-8 and in which a link would have to change.
    fn refuse_undecodable(&self, file: &Existing, to: &VaultPath) -> Result<Option<Rewritten>, WriteError> {
        let (text, decoding) = decode(&file.bytes);
        let path = file.path.as_str();
        match rewrite_note(&text, path, to.as_str(), self.format, self.moves) {
            Ok(rewritten) if !rewritten.edited.edits.is_empty() => {
                Err(WriteError::NotText { path: path.to_owned(), decoding })
            }
            _ => Ok(None),
        }
    }

    /// Whether links have to change below a properties block that cannot be read.
    fn body_has_links(&self, text: &str, file: &Existing, to: &VaultPath) -> bool {
        let Some(block) = frontmatter::locate(text) else { return false };
        let body = text.get(block.span.end..).unwrap_or_default();
        rewrite_note(body, file.path.as_str(), to.as_str(), self.format, self.moves)
            .is_ok_and(|rewritten| !rewritten.edited.edits.is_empty())
    }
}

/// The keys of every file that a plan changes.
fn keys(plan: &Plan) -> BTreeSet<String> {
    let ends = [plan.from.path.key(), plan.place.path.key()];
    plan.sources.iter().map(|(source, _)| source.path.key()).chain(ends).collect()
}

/// The file that moves, and those that share its new name then: bare links to them may need their folder.
fn namesakes(old: &VaultPath, new: &VaultPath, files: &[FoundFile]) -> Vec<VaultPath> {
    let name = VaultPath::fold(new.file_name());
    let others = files.iter().map(|file| &file.path);
    let others = others.filter(|path| VaultPath::fold(path.file_name()) == name && *path != old);
    std::iter::once(old).chain(others).cloned().collect()
}
