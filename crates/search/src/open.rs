//! Opening the file of an index: where it may lie, whose it is, and what becomes of one that cannot
//! be used.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use store::{Database, IndexLock, Lane, LockError, Options};
use vault::Vault;

use crate::core::{Core, Report};
use crate::error::SearchError;
use crate::options::IndexOptions;
use crate::schema::{self, Fitness};
use crate::status::{Rebuilt, WatcherState};
use crate::text::Engine;

/// Opens the index for writing.
pub(crate) fn open(vault: Vault, options: IndexOptions) -> Result<Core, SearchError> {
    refuse_inside_vault(&vault, &options.db_path)?;
    let lock = IndexLock::acquire(&options.db_path).map_err(|error| match error {
        LockError::AlreadyLocked { path } => SearchError::InUse(path),
        LockError::Io { path, reason } => SearchError::File { path, source: reason },
    })?;
    let engine = Engine::new(options.text.clone());
    let (database, rebuilt) = open_or_replace(&options, &engine)?;
    assemble(vault, options, database, engine, rebuilt, Some(lock))
}

/// Opens an index that is there, for reading.
pub(crate) fn open_read_only(vault: Vault, options: IndexOptions) -> Result<Core, SearchError> {
    refuse_inside_vault(&vault, &options.db_path)?;
    let not_built = |reason: String| SearchError::NotBuilt { path: options.db_path.clone(), reason };
    if !options.db_path.is_file() {
        return Err(not_built("there is no such file".to_owned()));
    }
    let database = Database::open(&options.db_path, &Options { read_only: true, ..Options::default() })?;
    let engine = Engine::new(options.text.clone());
    let fitness = database.read(|connection| {
        let fitness = schema::inspect(connection, &options)?;
        // Under another time zone only some days of `created` differ, which is no reason not to answer.
        if matches!(fitness, Fitness::Usable | Fitness::OtherSettings) {
            engine.load(connection)?;
        }
        Ok::<_, SearchError>(fitness)
    })?;
    match fitness {
        Fitness::Usable | Fitness::OtherSettings => assemble(vault, options, database, engine, None, None),
        Fitness::Empty => Err(not_built("it is empty".to_owned())),
        Fitness::OtherVersion(reason) => Err(not_built(reason)),
    }
}

fn assemble(
    vault: Vault,
    options: IndexOptions,
    database: Database,
    engine: Engine,
    rebuilt: Option<Rebuilt>,
    lock: Option<IndexLock>,
) -> Result<Core, SearchError> {
    let last_id = database.read(|connection| {
        connection.query_one("SELECT coalesce(max(id), 0) FROM files", &[], |row| {
            Ok::<_, SearchError>(row.get::<u32>(0)?)
        })
    })?;
    Ok(Core {
        vault,
        options,
        read_only: lock.is_none(),
        database: RwLock::new(database),
        engine,
        generations: Default::default(),
        turns: Default::default(),
        next_id: AtomicU32::new(last_id.unwrap_or(0).saturating_add(1)),
        damaged: false.into(),
        closing: false.into(),
        reconciling: Mutex::new(()),
        report: Mutex::new(Report {
            progress: None,
            watcher: WatcherState::Off,
            last_reconcile: None,
            rebuilt,
        }),
        lock: Mutex::new(lock),
    })
}

/// Opens the file for writing. One that cannot be used is put aside; tables are made in an empty one.
fn open_or_replace(
    options: &IndexOptions,
    engine: &Engine,
) -> Result<(Database, Option<Rebuilt>), SearchError> {
    let rebuilt = match try_open(options, engine) {
        Ok(Opened::Usable(database)) => return Ok((database, None)),
        Ok(Opened::Empty(database)) => return Ok((database, None)),
        Ok(Opened::OtherSettings(database)) => {
            database.close();
            remove(&options.db_path)?;
            Rebuilt { reason: "it was built under other settings".to_owned(), put_aside: None }
        }
        Ok(Opened::OtherVersion(database, reason)) => {
            database.close();
            Rebuilt { reason, put_aside: Some(put_aside(&options.db_path)?) }
        }
        Err(error) if error.is_corrupt() => {
            Rebuilt { reason: error.to_string(), put_aside: Some(put_aside(&options.db_path)?) }
        }
        Err(error) => return Err(error),
    };
    tracing::warn!(
        path = %options.db_path.display(),
        reason = rebuilt.reason,
        put_aside = rebuilt.put_aside.as_ref().map(|path| path.display().to_string()),
        "the index is built anew",
    );
    match try_open(options, engine)? {
        Opened::Usable(database) | Opened::Empty(database) => Ok((database, Some(rebuilt))),
        Opened::OtherSettings(_) | Opened::OtherVersion(..) => {
            Err(SearchError::Row("a new index does not read as one".to_owned()))
        }
    }
}

enum Opened {
    Usable(Database),
    Empty(Database),
    OtherSettings(Database),
    OtherVersion(Database, String),
}

fn try_open(options: &IndexOptions, engine: &Engine) -> Result<Opened, SearchError> {
    let database = Database::open(&options.db_path, &Options::default())?;
    let fitness = database.read(|connection| {
        let fitness = schema::inspect(connection, options)?;
        if fitness == Fitness::Usable {
            engine.load(connection)?;
        }
        Ok::<_, SearchError>(fitness)
    });
    match fitness {
        Ok(Fitness::Usable) => Ok(Opened::Usable(database)),
        Ok(Fitness::OtherSettings) => Ok(Opened::OtherSettings(database)),
        Ok(Fitness::OtherVersion(reason)) => Ok(Opened::OtherVersion(database, reason)),
        Ok(Fitness::Empty) => {
            let shape = options.clone();
            database.write(Lane::Interactive, move |connection| schema::create(connection, &shape))?;
            database.read(|connection| engine.load(connection))?;
            Ok(Opened::Empty(database))
        }
        Err(error) => {
            // The handle must be gone before the file is moved.
            database.close();
            Err(error)
        }
    }
}

impl Core {
    /// Puts a damaged file aside and starts with an empty one. The caller reconciles.
    pub(crate) fn start_anew(self: &Arc<Self>, reason: &str) -> Result<(), SearchError> {
        let _only = self.reconciling.lock().unwrap_or_else(PoisonError::into_inner);
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        database.clone().close();
        let put_aside = put_aside(&self.options.db_path)?;
        tracing::warn!(
            path = %self.options.db_path.display(),
            reason,
            put_aside = %put_aside.display(),
            "the index is damaged and is built anew",
        );
        *database = match try_open(&self.options, &self.engine)? {
            Opened::Usable(new) | Opened::Empty(new) => new,
            Opened::OtherSettings(_) | Opened::OtherVersion(..) => {
                return Err(SearchError::Row("a new index does not read as one".to_owned()));
            }
        };
        self.damaged.store(false, Ordering::Relaxed);
        self.report().rebuilt = Some(Rebuilt { reason: reason.to_owned(), put_aside: Some(put_aside) });
        Ok(())
    }
}

/// A sync tool would carry the index to every device, and the index would index itself.
fn refuse_inside_vault(vault: &Vault, path: &Path) -> Result<(), SearchError> {
    let absolute =
        std::path::absolute(path).map_err(|source| SearchError::File { path: path.to_owned(), source })?;
    // The file and some of its folders may not exist yet: what exists decides where it will lie.
    let existing = absolute.ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
    let root = vault.root();
    if existing.is_some_and(|existing| existing.starts_with(root)) {
        return Err(SearchError::InsideVault(path.to_owned()));
    }
    Ok(())
}

/// The files SQLite keeps beside a database.
const COMPANIONS: [&str; 3] = ["", "-wal", "-shm"];

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Renames the file and its companions to the first free `<name>.bad-<n>`.
#[expect(clippy::disallowed_methods, reason = "the index owns its file, which never lies in the vault")]
fn put_aside(path: &Path) -> Result<PathBuf, SearchError> {
    let failed = |source| SearchError::File { path: path.to_owned(), source };
    let free = (1u32..)
        .map(|number| with_suffix(path, &format!(".bad-{number}")))
        .find(|candidate| !candidate.exists())
        .unwrap_or_else(|| with_suffix(path, ".bad"));
    for suffix in COMPANIONS {
        let from = with_suffix(path, suffix);
        if from.exists() {
            std::fs::rename(&from, with_suffix(&free, suffix)).map_err(failed)?;
        }
    }
    Ok(free)
}

/// Removes the file and its companions.
#[expect(clippy::disallowed_methods, reason = "the index owns its file, which never lies in the vault")]
fn remove(path: &Path) -> Result<(), SearchError> {
    for suffix in COMPANIONS {
        let file = with_suffix(path, suffix);
        if file.exists() {
            std::fs::remove_file(&file).map_err(|source| SearchError::File { path: file.clone(), source })?;
        }
    }
    Ok(())
}
