//! Making the index equal to the vault.
//!
//! First the walk, then two passes of writing. The first makes the `files` rows right: what is gone
//! goes, what is new is there, unread. The second reads what is new or changed on worker threads
//! and writes its rows; every link finds its file in one step, since every file is known by then.
//! Both passes write in batches that end as soon as a tool's own write waits ([`BATCH`]).

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use store::{Lane, params};
use vault::{FoundFile, VaultError, Walk};

use super::backlog::{Backlog, Reservation};
use super::look::{Known, Looked};
use super::skipped::Place;
use crate::core::Core;
use crate::error::SearchError;
use crate::note::dates;
use crate::schema;
use crate::status::{Progress, ReconcileSummary};
use crate::write::{Budget, Content, Seen, Update};

/// How long a batch of background work may hold the writer while nobody waits for it, and while
/// somebody does. The commit comes on top.
const BATCH: Budget = Budget { alone: Duration::from_millis(10), waited_for: Duration::from_millis(4) };

/// How many bytes of notes may be read ahead of the writer.
const READ_AHEAD: u64 = 8 * 1024 * 1024;

/// How many files may be read ahead of the writer.
const FILES_AHEAD: usize = 256;

/// A look at the vault that nobody asked for is announced in answers only when it finds more to read
/// than this.
const UNANNOUNCED: usize = 200;

/// Who hears how far a reconcile has come.
#[derive(Clone, Copy)]
pub(crate) enum Show<'a> {
    /// Answers say that the index is being built, and the caller is told.
    Announced(&'a dyn Fn(Progress)),
    /// Nobody asked for it: answers say so only when there is much to read.
    Quiet,
}

/// Counts of a pass over the vault or a part of it.
#[derive(Debug, Default)]
struct Counts {
    indexed: u64,
    unchanged: u64,
    removed: u64,
}

/// What has to be done, as the walk and the index together show it.
#[derive(Default)]
struct Plan {
    /// Whether the index held anything before.
    begun: bool,
    /// Files that came or went, and those whose stat is all the index keeps.
    rows: VecDeque<Update>,
    /// Files to read, with what the index has of them.
    reads: Vec<(FoundFile, Option<Known>)>,
    counts: Counts,
}

impl Core {
    /// Reconciles, from an empty index when this one turns out to be damaged.
    pub(crate) fn reconcile_or_rebuild(
        self: &Arc<Self>,
        show: Show<'_>,
    ) -> Result<ReconcileSummary, SearchError> {
        if self.damaged.load(Ordering::Relaxed) {
            self.start_anew("a query met damage")?;
        }
        match self.reconcile(show) {
            Err(error) if error.is_corrupt() => {
                self.start_anew(&error.to_string())?;
                self.reconcile(show)
            }
            summary => summary,
        }
    }

    fn reconcile(self: &Arc<Self>, show: Show<'_>) -> Result<ReconcileSummary, SearchError> {
        if self.read_only {
            return Err(SearchError::ReadOnly);
        }
        let _only = self.reconciling.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_open()?;
        let started = Instant::now();
        let _taken_down = TakenDown(self);
        let announced = Cell::new(matches!(show, Show::Announced(_)));
        let show = |now: Progress| {
            if announced.get() {
                self.report().progress = Some(now);
            }
            if let Show::Announced(progress) = show {
                progress(now);
            }
        };
        show(Progress { done: 0, total: 0 });

        let session = self.begin_walk();
        let token = self.generations.begin();
        let walk = self.vault.walk();
        self.note_root(&walk);
        let walk = walk?;
        let plan = self.plan(&walk, "", token.number)?;
        // What is only compared once more, since it was read so soon after its last change, is searched
        // meanwhile as it was read: that is no reason to call the index incomplete.
        let behind = plan
            .reads
            .iter()
            .filter(|(found, known)| !known.as_ref().is_some_and(|known| known.was_read(&found.stat)));
        if behind.count() > UNANNOUNCED {
            announced.set(true);
        }
        // An index that was built in part gets them now: a new name would make it read every link.
        if plan.begun {
            self.make_missing_indexes()?;
        }
        let counts = self.carry_out(plan, &show)?;
        self.make_missing_indexes()?;
        self.walked(&session, Place::Below(String::new()), &walk.skipped)?;
        drop(session);

        let (notes, problems) = self.database().read(|connection| {
            let count = |sql: &str| connection.query_one(sql, &[], |row| row.get::<u64>(0));
            Ok::<_, SearchError>((
                count("SELECT count(*) FROM notes")?.unwrap_or(0),
                count("SELECT count(DISTINCT file_id) FROM problems")?.unwrap_or(0),
            ))
        })?;
        let summary = ReconcileSummary {
            files: walk.files.len() as u64,
            notes,
            indexed: counts.indexed,
            unchanged: counts.unchanged,
            removed: counts.removed,
            skipped: walk.skipped.len() as u64,
            problems,
            finished: dates::show((self.options.clock)(), &self.options.time_zone),
            duration: started.elapsed(),
        };
        self.report().last_reconcile = Some(summary.clone());
        Ok(summary)
    }

    /// Reconciles what lies in `folder` and below it, or lay there.
    pub(crate) fn reconcile_folder(self: &Arc<Self>, folder: &str) -> Result<(), SearchError> {
        let session = self.begin_walk();
        let token = self.generations.begin();
        let walk = match self.vault.walk_folder(folder) {
            Ok(walk) => walk,
            // What lies there now is none of ours: what lay there before is gone.
            Err(
                VaultError::LeavesVault { .. }
                | VaultError::LeadsToHidden { .. }
                | VaultError::BrokenLink { .. }
                | VaultError::NotRegular { .. }
                | VaultError::Unreadable { .. },
            ) => Walk::default(),
            Err(error) => return Err(error.into()),
        };
        let plan = self.plan(&walk, folder, token.number)?;
        self.carry_out(plan, &|_| {})?;
        self.walked(&session, Place::Below(folder.to_owned()), &walk.skipped)
    }

    /// Looks again at files that the index has, for what it has of them may be right no more.
    pub(super) fn read_again(
        self: &Arc<Self>,
        reads: Vec<(FoundFile, Option<Known>)>,
    ) -> Result<(), SearchError> {
        self.carry_out(Plan { begun: true, reads, ..Plan::default() }, &|_| {})?;
        Ok(())
    }

    /// Compares the walk of `folder` with the index.
    fn plan(&self, walk: &Walk, folder: &str, seen_at: u64) -> Result<Plan, SearchError> {
        let mut known = self.known_below(folder)?;
        let mut plan = Plan { begun: !known.is_empty(), ..Plan::default() };
        let rules = self.read_rules();
        for found in &walk.files {
            let known = known.remove(found.path.as_str());
            if known.as_ref().is_some_and(|known| known.is_current(&found.stat, rules.of(found.path.kind())))
            {
                plan.counts.unchanged += 1;
                continue;
            }
            let read = self.reads(found.path.kind());
            if known.is_none() || !read {
                let content = if read { Content::Pending } else { Content::Ignored };
                plan.rows.push_back(Update {
                    path: found.path.clone(),
                    seen_at,
                    seen: Seen::File { size: found.stat.size, modified_ns: found.stat.modified_ns, content },
                });
            }
            if read {
                plan.reads.push((found.clone(), known));
            } else {
                plan.counts.indexed += 1;
            }
        }
        plan.counts.removed = known.len() as u64;
        // What is gone goes first: a file that was renamed in case only may meet its own old row.
        for path in known.into_keys() {
            match vault::VaultPath::parse(&path) {
                Ok(path) => plan.rows.push_front(Update { path, seen_at, seen: Seen::Gone }),
                Err(error) => return Err(SearchError::Row(format!("files.path: {error}"))),
            }
        }
        Ok(plan)
    }

    fn known_below(&self, folder: &str) -> Result<HashMap<String, Known>, SearchError> {
        self.database().read(|connection| {
            let rows = if folder.is_empty() {
                connection.query(&format!("SELECT {} FROM files", Known::COLUMNS), &[], Known::read)?
            } else {
                // `0` is the character after `/`: everything that begins with the folder and `/`.
                connection.query(
                    &format!("SELECT {} FROM files WHERE path > ?1 AND path < ?2", Known::COLUMNS),
                    params![format!("{folder}/"), format!("{folder}0")],
                    Known::read,
                )?
            };
            Ok(rows.into_iter().collect())
        })
    }

    fn carry_out(self: &Arc<Self>, plan: Plan, show: &dyn Fn(Progress)) -> Result<Counts, SearchError> {
        let Plan { mut rows, reads, mut counts, begun: _ } = plan;
        let total = counts.unchanged + counts.indexed + reads.len() as u64;
        let mut done = counts.unchanged;
        show(Progress { done, total });
        let of_rows = counts.indexed;
        while !rows.is_empty() {
            self.check_open()?;
            rows = self.apply(Lane::Bulk, rows, Some(BATCH))?.left;
        }
        done += of_rows;
        show(Progress { done, total });
        if reads.is_empty() {
            return Ok(counts);
        }

        let next = AtomicUsize::new(0);
        let backlog = Backlog::new(READ_AHEAD);
        let (sender, receiver) = sync_channel::<Read>(FILES_AHEAD);
        let again = std::thread::scope(|scope| {
            for _ in 0..self.options.workers.max(1) {
                let (sender, backlog, next, reads) = (sender.clone(), backlog.clone(), &next, &reads);
                scope.spawn(move || {
                    while let Some((found, known)) = reads.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let reservation = backlog.reserve(found.stat.size.min(self.options.max_note_bytes));
                        let token = self.generations.begin();
                        let looked = self.look(&found.path, token.number, Some(found.stat), known.as_ref());
                        // Nobody listens any more when writing failed: then reading ends as well.
                        if sender.send(Read { looked, token, reservation }).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            self.write_reads(receiver, show, done, total, &mut counts)
        })?;
        self.refresh(again, Lane::Bulk)?;
        Ok(counts)
    }

    /// Writes what the workers read until they are done. Answers the paths to look at again. Owns the
    /// channel, so that workers stop when writing fails.
    #[expect(clippy::needless_pass_by_value, reason = "dropping the receiver is what stops the workers")]
    fn write_reads(
        self: &Arc<Self>,
        receiver: Receiver<Read>,
        show: &dyn Fn(Progress),
        mut done: u64,
        total: u64,
        counts: &mut Counts,
    ) -> Result<Vec<vault::VaultPath>, SearchError> {
        let mut again = Vec::new();
        let mut updates = VecDeque::new();
        // Tokens and reservations live until what they stand for is written.
        let mut held = VecDeque::new();
        loop {
            if updates.is_empty() {
                let Ok(first) = receiver.recv() else { return Ok(again) };
                for read in std::iter::once(first).chain(receiver.try_iter()) {
                    match read.looked {
                        Looked::Update(update) => updates.push_back(update),
                        Looked::Alias(update, real) => {
                            updates.push_back(update);
                            again.push(real);
                        }
                        Looked::Nothing => {
                            done += 1;
                            continue;
                        }
                    }
                    held.push_back((read.token, read.reservation));
                }
            }
            self.check_open()?;
            let before = updates.len();
            let outcome = self.apply(Lane::Bulk, updates, Some(BATCH))?;
            let written = before - outcome.left.len();
            held.drain(..written.min(held.len()));
            updates = outcome.left;
            again.extend(outcome.again);
            counts.indexed += outcome.indexed;
            counts.unchanged += (written as u64).saturating_sub(outcome.indexed);
            done += written as u64;
            show(Progress { done: done.min(total), total });
        }
    }

    fn make_missing_indexes(&self) -> Result<(), SearchError> {
        for statement in self.database().read(schema::missing_indexes)? {
            self.check_open()?;
            // One statement cannot be done in batches; it is stopped instead when a caller waits.
            self.database().write_giving_way(move |connection| {
                connection.batch(statement)?;
                Ok::<_, SearchError>(())
            })?;
        }
        Ok(())
    }
}

/// What a worker read.
struct Read {
    looked: Looked,
    token: super::generations::Token,
    reservation: Reservation,
}

/// Takes the progress down when a reconcile ends, however it ends.
struct TakenDown<'a>(&'a Core);

impl Drop for TakenDown<'_> {
    fn drop(&mut self) {
        self.0.report().progress = None;
    }
}
