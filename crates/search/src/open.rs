//! Opening the file of an index: where it may lie, whose it is, and what becomes of one that cannot
//! be used.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use store::{Connection, Database, IndexLock, Lane, LockError, Options};
use vault::Vault;

use crate::core::{Core, Report};
use crate::error::SearchError;
use crate::note::tasks::TaskRules;
use crate::options::IndexOptions;
use crate::schema::{self, Fitness};
use crate::status::{Progress, Rebuilt, WatcherState};
use crate::text::Engine;

/// Opens the index for writing.
pub(crate) fn open(vault: Vault, options: IndexOptions) -> Result<Core, SearchError> {
    refuse_inside_vault(&vault, &options.db_path)?;
    let lock = IndexLock::acquire(&options.db_path).map_err(|error| match error {
        LockError::AlreadyLocked { path } => SearchError::InUse(path),
        LockError::Io { path, reason } => SearchError::File { path, source: reason },
    })?;
    let engine = Engine::new(options.text.clone());
    let (loaded, rebuilt) = open_or_replace(&options, &engine)?;
    Ok(assemble(vault, options, loaded, engine, rebuilt, Some(lock)))
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
    let (fitness, last_id) = database.read(|connection| {
        let fitness = schema::inspect(connection, &options)?;
        // Under another time zone only some days of `created` differ, which is no reason not to answer.
        let usable = matches!(fitness, Fitness::Usable | Fitness::OtherSettings);
        let last_id = if usable { load(connection, &engine)? } else { 0 };
        Ok::<_, SearchError>((fitness, last_id))
    })?;
    match fitness {
        Fitness::Usable | Fitness::OtherSettings => {}
        Fitness::Empty => return Err(not_built("it is empty".to_owned())),
        Fitness::OtherVersion(reason) => return Err(not_built(reason)),
    }
    Ok(assemble(vault, options, Loaded { database, last_id }, engine, None, None))
}

/// A database whose content is in memory as far as it has to be.
struct Loaded {
    database: Database,
    /// The highest id of `files`.
    last_id: u32,
}

/// Reads what stays in memory. A damaged file mostly shows here.
fn load(connection: &Connection, engine: &Engine) -> Result<u32, SearchError> {
    engine.load(connection)?;
    let last_id = connection
        .query_one("SELECT coalesce(max(id), 0) FROM files", &[], |row| Ok::<_, SearchError>(row.get(0)?))?;
    Ok(last_id.unwrap_or(0))
}

fn assemble(
    vault: Vault,
    options: IndexOptions,
    loaded: Loaded,
    engine: Engine,
    rebuilt: Option<Rebuilt>,
    lock: Option<IndexLock>,
) -> Core {
    // Until the first reconcile has ended nobody knows whether the index holds all: answers say so.
    let progress = lock.is_some().then_some(Progress { done: 0, total: 0 });
    let rules = TaskRules::read(&vault, (options.clock)(), &options.time_zone);
    Core {
        vault,
        options,
        read_only: lock.is_none(),
        database: RwLock::new(loaded.database),
        engine,
        generations: Default::default(),
        skipping: Default::default(),
        turns: Default::default(),
        waiting: AtomicUsize::new(0),
        next_id: AtomicU32::new(loaded.last_id.saturating_add(1)),
        damaged: false.into(),
        closing: false.into(),
        reconciling: Mutex::new(()),
        rules: Mutex::new(Arc::new(rules)),
        mending: Mutex::new(()),
        commits: AtomicU64::new(0),
        counted: Mutex::new(None),
        memory: Mutex::new(None),
        report: Mutex::new(Report {
            progress,
            watcher: WatcherState::Off,
            last_reconcile: None,
            rebuilt,
            vault_error: None,
        }),
        property_keys: Mutex::new(None),
        lock: Mutex::new(lock),
    }
}

/// Opens the file for writing. One that cannot be used is put aside; tables are made in an empty one.
fn open_or_replace(
    options: &IndexOptions,
    engine: &Engine,
) -> Result<(Loaded, Option<Rebuilt>), SearchError> {
    let rebuilt = match try_open(options, engine) {
        Ok(Opened::Usable(loaded)) => return Ok((loaded, None)),
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
        Opened::Usable(loaded) => Ok((loaded, Some(rebuilt))),
        Opened::OtherSettings(_) | Opened::OtherVersion(..) => {
            Err(SearchError::Row("a new index does not read as one".to_owned()))
        }
    }
}

enum Opened {
    Usable(Loaded),
    OtherSettings(Database),
    OtherVersion(Database, String),
}

fn try_open(options: &IndexOptions, engine: &Engine) -> Result<Opened, SearchError> {
    let database = Database::open(&options.db_path, &Options::default())?;
    // The handle must be gone before a file is moved, so an error closes it.
    fit(&database, options, engine).inspect_err(|_| database.clone().close())
}

fn fit(database: &Database, options: &IndexOptions, engine: &Engine) -> Result<Opened, SearchError> {
    match database.read(|connection| schema::inspect(connection, options))? {
        Fitness::Usable => {}
        Fitness::Empty => {
            let shape = options.clone();
            database.write(Lane::Interactive, move |connection| schema::create(connection, &shape))?;
        }
        Fitness::OtherSettings => return Ok(Opened::OtherSettings(database.clone())),
        Fitness::OtherVersion(reason) => return Ok(Opened::OtherVersion(database.clone(), reason)),
    }
    let last_id = database.read(|connection| load(connection, engine))?;
    Ok(Opened::Usable(Loaded { database: database.clone(), last_id }))
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
            Opened::Usable(new) => new.database,
            Opened::OtherSettings(_) | Opened::OtherVersion(..) => {
                return Err(SearchError::Row("a new index does not read as one".to_owned()));
            }
        };
        self.committed();
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
