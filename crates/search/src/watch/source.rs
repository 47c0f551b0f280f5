//! The system's events as paths.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Config, ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

/// What the watcher's thread hears.
pub(crate) enum Signal {
    /// Something happened at this absolute path.
    Touched(PathBuf),
    /// The system lost events.
    Overflow,
    /// The system cannot watch any longer.
    Failed(String),
    /// Stop watching.
    Stop,
}

/// The system's events on a folder and everything below it, while it lives.
pub(crate) struct Source {
    _watcher: RecommendedWatcher,
}

impl Source {
    /// Begins to watch `root`, which must be absolute and free of symbolic links. Links below it are
    /// not followed: what they lead to inside the vault is watched under its own path, and what lies
    /// outside is not part of the vault.
    pub(crate) fn start(root: &Path, signals: Sender<Signal>) -> Result<Self, String> {
        let watched = root.to_owned();
        let tell = move |event: notify::Result<Event>| {
            for signal in read(&watched, event) {
                // Nobody listens any more: the watcher is about to be dropped.
                let _ = signals.send(signal);
            }
        };
        let config = Config::default().with_follow_symlinks(false);
        let mut watcher = RecommendedWatcher::new(tell, config).map_err(|error| error.to_string())?;
        watcher.watch(root, RecursiveMode::Recursive).map_err(|error| describe(&error))?;
        Ok(Self { _watcher: watcher })
    }
}

fn describe(error: &notify::Error) -> String {
    match error.kind {
        ErrorKind::MaxFilesWatch => {
            "the system watches no more folders (on Linux raise fs.inotify.max_user_watches)".to_owned()
        }
        _ => error.to_string(),
    }
}

/// What an event means for the watcher of `root`.
fn read(root: &Path, event: notify::Result<Event>) -> Vec<Signal> {
    let event = match event {
        Ok(event) => event,
        Err(error) => {
            return match error.kind {
                ErrorKind::MaxFilesWatch => vec![Signal::Failed(describe(&error))],
                // A folder that was gone before it could be watched, or a read of the event queue
                // that failed: something was missed.
                _ => vec![Signal::Overflow],
            };
        }
    };
    if event.need_rescan() {
        return vec![Signal::Overflow];
    }
    match event.kind {
        // Every read of a file is one of these, our own reads among them.
        EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write) => return Vec::new(),
        EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
            if event.paths.iter().any(|path| path == root) =>
        {
            return vec![Signal::Failed("the vault's folder was moved or removed".to_owned())];
        }
        _ => {}
    }
    event
        .paths
        .into_iter()
        .filter(|path| path != root && !is_hidden(root, path))
        .map(Signal::Touched)
        .collect()
}

/// Whether a segment below `root` begins with a dot. The vault decides on the rest; this only keeps a
/// busy `.git` or `.obsidian` from filling the queue.
fn is_hidden(root: &Path, path: &Path) -> bool {
    path.strip_prefix(root).is_ok_and(|below| {
        below.components().any(|segment| segment.as_os_str().as_encoded_bytes().starts_with(b"."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, DataChange, Flag, RemoveKind, RenameMode};

    #[track_caller]
    fn touched(event: Event, expected: &[&str]) {
        let signals = read(Path::new("/vault"), Ok(event));
        let paths: Vec<String> = signals
            .iter()
            .map(|signal| match signal {
                Signal::Touched(path) => path.display().to_string(),
                Signal::Overflow => "overflow".to_owned(),
                Signal::Failed(_) => "failed".to_owned(),
                Signal::Stop => "stop".to_owned(),
            })
            .collect();
        assert_eq!(paths, expected);
    }

    #[test]
    fn events_become_paths() {
        let changed = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        touched(Event::new(changed).add_path("/vault/a.md".into()), &["/vault/a.md"]);
        touched(Event::new(EventKind::Create(CreateKind::Folder)).add_path("/vault/a".into()), &["/vault/a"]);
        let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::Both));
        touched(
            Event::new(renamed).add_path("/vault/a.md".into()).add_path("/vault/b.md".into()),
            &["/vault/a.md", "/vault/b.md"],
        );
    }

    #[test]
    fn reads_hidden_paths_and_the_root_itself_are_no_news() {
        let opened = EventKind::Access(AccessKind::Open(AccessMode::Any));
        touched(Event::new(opened).add_path("/vault/a.md".into()), &[]);
        let closed = EventKind::Access(AccessKind::Close(AccessMode::Write));
        touched(Event::new(closed).add_path("/vault/a.md".into()), &["/vault/a.md"]);
        let changed = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        touched(Event::new(changed).add_path("/vault/.obsidian/app.json".into()), &[]);
        touched(Event::new(changed).add_path("/vault/a/.hidden/b.md".into()), &[]);
        touched(Event::new(changed).add_path("/vault".into()), &[]);
    }

    #[test]
    fn lost_events_and_a_lost_root_are_told() {
        touched(Event::new(EventKind::Other).set_flag(Flag::Rescan), &["overflow"]);
        touched(Event::new(EventKind::Remove(RemoveKind::Folder)).add_path("/vault".into()), &["failed"]);
    }

    #[test]
    fn a_full_limit_fails_and_other_errors_mean_a_look_at_everything() {
        let root = Path::new("/vault");
        let full = read(root, Err(notify::Error::new(ErrorKind::MaxFilesWatch)));
        assert!(matches!(full.as_slice(), [Signal::Failed(_)]));
        let gone = read(root, Err(notify::Error::path_not_found()));
        assert!(matches!(gone.as_slice(), [Signal::Overflow]));
    }
}
