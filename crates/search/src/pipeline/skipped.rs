//! What rules keep out of the index, as the disk has it now.
//!
//! A row of `skipped` can change without its own path being touched: a link breaks when its target
//! goes, a hard link is refused when another name of the file leaves the vault. So a change is
//! answered by judging its own [`Place`], and the rows that are there when something came or went.
//!
//! Judging and writing happen under one lock, so the later look is the one that stays. A walk takes
//! too long for that: it opens a [`Session`] first, hears of every place that was judged meanwhile,
//! and judges those again when it writes what it saw.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::params;
use vault::{SkipReason, Skipped, VaultPath};

use super::kept_out::{Row, Rows};
use super::leads::{Leads, Told};
use crate::core::Core;
use crate::error::SearchError;

/// A part of the vault that is judged as a whole.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A path, with every spelling of it; not what lies below.
    At(VaultPath),
    /// The names in a folder that no vault path can spell; `""` is the vault.
    Unspellable(String),
    /// All that lies below a folder; `""` is the vault.
    Below(String),
}

impl Place {
    /// The place of what lies at this path on disk, relative to the vault.
    pub(crate) fn of(on_disk: &str) -> Self {
        let path = Some(on_disk).filter(|path| !path.contains('\\'));
        // What cannot be read back as it is, cannot be spelt.
        let spelt = VaultPath::spell(on_disk);
        match path.and_then(|path| VaultPath::parse(path).ok()).filter(|path| path.as_str() == spelt) {
            Some(path) => Self::At(path),
            None => Self::Unspellable(spelt.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()),
        }
    }

    /// Whether the place of a single row lies below a folder; `""` is the vault.
    pub(super) fn is_below(&self, folder: &str) -> bool {
        let within = |path: &str, or_itself: bool| {
            path.strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/') || (or_itself && rest.is_empty()))
        };
        folder.is_empty()
            || match self {
                Self::At(path) => within(path.as_str(), false),
                Self::Unspellable(names_in) => within(names_in, true),
                Self::Below(below) => within(below, false),
            }
    }
}

/// Orders those who judge, and tells walks what they missed.
#[derive(Debug, Default)]
pub(crate) struct Skipping(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: u64,
    /// The rows as they are stored; `None` until they are read, and after a failure.
    rows: Option<Rows>,
    /// The places judged since each walk began.
    sessions: BTreeMap<u64, BTreeSet<Place>>,
}

impl Skipping {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state only ever grows by whole entries: no panic can leave it half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn judged(&mut self, places: &BTreeSet<Place>) {
        for heard in self.sessions.values_mut() {
            heard.extend(places.iter().cloned());
        }
    }
}

/// A walk on its way. To be opened before it begins.
pub(crate) struct Session {
    core: Arc<Core>,
    number: u64,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.core.skipping.lock().sessions.remove(&self.number);
    }
}

impl Core {
    /// Opens a session.
    pub(crate) fn begin_walk(self: &Arc<Self>) -> Session {
        let mut state = self.skipping.lock();
        state.last += 1;
        let number = state.last;
        state.sessions.insert(number, BTreeSet::new());
        Session { core: Arc::clone(self), number }
    }

    /// Takes over what a walk of `place` passed over. After a walk of a folder [`Core::judge_places`] is to
    /// be called, once for any number of folders, for what depends on them.
    pub(crate) fn walked(
        self: &Arc<Self>,
        session: &Session,
        place: Place,
        skipped: &[Skipped],
    ) -> Result<(), SearchError> {
        let whole = place == Place::Below(String::new());
        let mut state = self.skipping.lock();
        let mut again = state.sessions.get(&session.number).cloned().unwrap_or_default();
        let kept = state.rows.take();
        // The whole vault is looked at after an index was begun anew: what was kept is of the old one.
        let mut rows = kept.filter(|_| !whole).map_or_else(|| self.stored_skipped(), Ok)?;
        rows.replace(&place, skipped.iter().map(row));
        // What was found on the way may have gone since, and with it what links lead to.
        if whole && !again.is_empty() {
            again.extend(self.judge_dependent(&mut rows)?);
        }
        // The folder itself may be what cannot be read.
        if let Place::Below(folder) = &place
            && let Ok(folder) = VaultPath::parse(folder)
        {
            again.insert(Place::At(folder));
        }
        for other in &again {
            self.check_open()?;
            self.judge(other, &mut rows)?;
        }
        again.insert(place);
        state.judged(&again);
        self.store_skipped(&mut rows)?;
        state.rows = Some(rows);
        Ok(())
    }

    /// Judges `places`, and when something `came_or_went` there, every row that can depend on it. Does
    /// nothing while the vault is away.
    ///
    /// # Errors
    /// Also [`SearchError::Closed`]: nothing of it is written then.
    pub(crate) fn judge_places(
        self: &Arc<Self>,
        places: impl IntoIterator<Item = Place>,
        came_or_went: bool,
    ) -> Result<(), SearchError> {
        let places: BTreeSet<Place> = places.into_iter().collect();
        if (places.is_empty() && !came_or_went) || self.read_only {
            return Ok(());
        }
        let mut state = self.skipping.lock();
        let mut rows = state.rows.take().map_or_else(|| self.stored_skipped(), Ok)?;
        let judged = match self.judge_all(places, came_or_went, &mut rows) {
            Err(SearchError::Vault(error)) if error.is_root() => return Ok(()),
            judged => judged?,
        };
        state.judged(&judged);
        self.store_skipped(&mut rows)?;
        state.rows = Some(rows);
        Ok(())
    }

    fn judge_all(
        &self,
        mut places: BTreeSet<Place>,
        came_or_went: bool,
        rows: &mut Rows,
    ) -> Result<BTreeSet<Place>, SearchError> {
        for place in &places {
            self.check_open()?;
            self.judge(place, rows)?;
        }
        if came_or_went {
            places.extend(self.judge_dependent(rows)?);
        }
        Ok(places)
    }

    /// Judges the rows that may change with another path. Answers the places where something did.
    ///
    /// Whether a hard link is refused is asked together with the file's other names: finding them takes
    /// a walk.
    fn judge_dependent(&self, rows: &mut Rows) -> Result<BTreeSet<Place>, SearchError> {
        let mut leads = Leads::new(self.vault.root());
        let mut in_full = BTreeSet::new();
        let mut changed = Vec::new();
        for (place, (path, reason)) in rows.iter().filter(|(_, (_, reason))| reason != "hard_linked") {
            self.check_open()?;
            let told = match place {
                Place::At(_) => leads.look(path, reason),
                _ => Told::Nothing,
            };
            match told {
                Told::Same => {}
                Told::Now(now) => changed.push((place.clone(), path.clone(), now)),
                Told::Nothing => drop(in_full.insert(place.clone())),
            }
        }
        let mut places = BTreeSet::new();
        for (place, link, now) in changed {
            // Other spellings of the name stay as they are.
            let others = rows.of(&place).filter(|(path, _)| *path != link).cloned();
            let all: Vec<Row> = others.chain([(link.clone(), now.to_owned())]).collect();
            rows.replace(&place, all);
            places.insert(place);
        }
        for place in &in_full {
            self.check_open()?;
            self.judge(place, rows)?;
        }
        places.extend(in_full);
        Ok(places)
    }

    /// Replaces the rows of a place by what is there now.
    fn judge(&self, place: &Place, rows: &mut Rows) -> Result<(), SearchError> {
        let found = match place {
            Place::At(path) => self.vault.skipped_at(path)?,
            // In a folder that cannot be spelt itself, which a link leads to: a reconcile comes there.
            Place::Unspellable(folder)
                if !folder.is_empty() && !matches!(Place::of(folder), Place::At(_)) =>
            {
                let root = self.vault.root();
                let there = |row: &&Row| root.join(&row.0).symlink_metadata().is_ok();
                let left: Vec<Row> = rows.of(place).filter(there).cloned().collect();
                rows.replace(place, left);
                return Ok(());
            }
            Place::Unspellable(folder) => self.vault.skipped_names_in(folder)?,
            Place::Below(folder) => match self.vault.walk_folder(folder) {
                Ok(walk) => walk.skipped,
                Err(error) if error.is_root() => return Err(error.into()),
                Err(_) => Vec::new(),
            },
        };
        rows.replace(place, found.iter().map(row));
        Ok(())
    }

    fn stored_skipped(&self) -> Result<Rows, SearchError> {
        let rows = self.database().read(|connection| {
            connection.query("SELECT path, reason FROM skipped", &[], |row| {
                Ok::<_, SearchError>((row.get(0)?, row.get(1)?))
            })
        })?;
        Ok(Rows::stored(rows))
    }

    fn store_skipped(&self, rows: &mut Rows) -> Result<(), SearchError> {
        let (gone, new) = rows.take_changes();
        if gone.is_empty() && new.is_empty() {
            return Ok(());
        }
        self.write_briefly(move |connection| {
            for (path, reason) in gone {
                let statement = "DELETE FROM skipped WHERE path = ?1 AND reason = ?2";
                connection.execute(statement, params![path, reason])?;
            }
            for (path, reason) in new {
                let statement = "INSERT OR REPLACE INTO skipped (path, reason) VALUES (?1, ?2)";
                connection.execute(statement, params![path, reason])?;
            }
            Ok(())
        })
    }
}

fn row(skipped: &Skipped) -> Row {
    (skipped.path.clone(), reason(&skipped.reason).to_owned())
}

/// How `skipped.reason` names a rule.
fn reason(reason: &SkipReason) -> &'static str {
    match reason {
        SkipReason::LeavesVault => "leaves_vault",
        SkipReason::LeadsToHidden => "leads_to_hidden",
        SkipReason::BrokenLink => "broken_link",
        SkipReason::LinkCycle => "linked_twice",
        SkipReason::HardLinked { .. } => "hard_linked",
        SkipReason::NotRegular => "not_regular",
        SkipReason::NotUtf8Name => "not_utf8_name",
        SkipReason::BadName => "bad_name",
        SkipReason::Unreadable(_) => "unreadable",
        SkipReason::Shadowed => "shadowed",
        SkipReason::TooDeep => "too_deep",
        _ => "other",
    }
}
