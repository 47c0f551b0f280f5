//! Looking at one file and reading what the index keeps of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use store::Row;
use vault::{Content as Bytes, ContentHash, FileKind, FileStat, VaultError, VaultPath};

use crate::core::Core;
use crate::error::SearchError;
use crate::note::tasks::TaskRules;
use crate::note::{self, Rows};
use crate::schema::{INDEXED, PENDING};
use crate::status::ProblemKind;
use crate::write::{Content, Seen, Update};

/// A change can carry the same time as the one before it when both fall into one tick of the file
/// system's clock. The coarsest clock in use (FAT) ticks every two seconds.
const TICK_NANOSECONDS: i64 = 2_000_000_000;

/// How often a file that is replaced while it is being opened is tried again.
const ATTEMPTS: usize = 5;

/// A file as the index has it.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) size: u64,
    pub(crate) modified_ns: i64,
    pub(crate) hash: Option<ContentHash>,
    pub(crate) state: i64,
    /// Fingerprint of the rules its tasks were read by.
    pub(crate) rules: i64,
}

impl Known {
    /// The columns that [`Known::read`] expects, in its order.
    pub(crate) const COLUMNS: &'static str = "path, size, modified_ns, hash, state, rules";

    /// Reads a row of [`Known::COLUMNS`] with its path.
    pub(crate) fn read(row: &Row<'_>) -> Result<(String, Self), SearchError> {
        let hash: Option<Vec<u8>> = row.get(3)?;
        let hash = hash.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()).map(ContentHash::from_bytes);
        let known = Self {
            size: row.get(1)?,
            modified_ns: row.get(2)?,
            hash,
            state: row.get(4)?,
            rules: row.get(5)?,
        };
        Ok((row.get(0)?, known))
    }

    /// Whether the index is right about a file with this stat without looking further: same size,
    /// same time, and a time that no later change can have carried. A rewrite that keeps the size
    /// and puts back the old time while nobody watches is not noticed before the next change.
    /// `rules` is what it must have been read by ([`TaskRules::of`]).
    pub(crate) fn is_current(&self, stat: &FileStat, rules: i64) -> bool {
        self.state == INDEXED && self.rules == rules && self.was_read(stat)
    }

    /// Whether the index read a file with this stat. Content that came later can carry the same one.
    pub(crate) fn was_read(&self, stat: &FileStat) -> bool {
        self.state != PENDING && self.size == stat.size && self.modified_ns == stat.modified_ns
    }
}

/// What a look at a path brought.
pub(crate) enum Looked {
    /// Something to write.
    Update(Update),
    /// The path leads through a symbolic link: its file is indexed under its own path only.
    Alias(Update, VaultPath),
    /// As the index has it, or changing too fast to be read: an event or a reconcile follows.
    Nothing,
}

/// Whether a file changed so shortly before `now` that another change can carry the same time. Both are
/// nanoseconds since 1970.
pub(super) fn is_fresh(modified_ns: i64, now: i64) -> bool {
    now.saturating_sub(modified_ns) < TICK_NANOSECONDS
}

impl Core {
    /// The time, in nanoseconds since 1970.
    pub(super) fn now_ns(&self) -> i64 {
        i64::try_from((self.options.clock)().as_nanosecond()).unwrap_or(i64::MAX)
    }

    /// Whether the index reads the content of files of this kind.
    pub(crate) fn reads(&self, kind: FileKind) -> bool {
        match kind {
            FileKind::Note | FileKind::Canvas => true,
            FileKind::Text | FileKind::Base => self.options.file_texts,
            _ => false,
        }
    }

    /// Looks at `path`. `stat` is what a walk under the same token saw, if one did.
    pub(crate) fn look(
        &self,
        path: &VaultPath,
        seen_at: u64,
        stat: Option<FileStat>,
        known: Option<&Known>,
    ) -> Looked {
        let update = |seen| Update { path: path.clone(), seen_at, seen };
        let walked = stat.is_some();
        // Read once: rows and fingerprint must be of the same rules.
        let rules = self.rules();
        let expected = rules.of(path.kind());
        for _ in 0..ATTEMPTS {
            let stat = match stat.map_or_else(|| self.vault.stat(path), Ok) {
                Ok(stat) => stat,
                Err(VaultError::Changed { .. }) => continue,
                Err(error) if error.is_root() => return Looked::Nothing,
                Err(_) => return Looked::Update(update(Seen::Gone)),
            };
            // A walk trusts size and time. An event says that something was written: then the content
            // is compared, for a rewrite can keep its size and put back its time.
            let current = known.is_some_and(|known| known.is_current(&stat, expected));
            if current && (walked || !self.reads(path.kind())) {
                return Looked::Nothing;
            }
            if !self.reads(path.kind()) {
                let seen =
                    Seen::File { size: stat.size, modified_ns: stat.modified_ns, content: Content::Ignored };
                return match self.real_path(path) {
                    Some(real) if real != *path => Looked::Alias(update(Seen::Gone), real),
                    _ => Looked::Update(update(seen)),
                };
            }
            let unread = |kind, message, fresh| {
                let rows = Box::new(Rows { rules: expected, ..self.unread(path, kind, message) });
                let content = Content::Read { hash: None, fresh, rows };
                update(Seen::File { size: stat.size, modified_ns: stat.modified_ns, content })
            };
            let limit = self.options.max_note_bytes;
            if stat.size > limit {
                let message =
                    format!("{} bytes, and at most {limit} are read: its text is not searched", stat.size);
                return Looked::Update(unread(ProblemKind::TooLarge, message, false));
            }
            let now = self.now_ns();
            match self.vault.read(path) {
                Ok(bytes) if bytes.path != *path => return Looked::Alias(update(Seen::Gone), bytes.path),
                Ok(bytes) if current && known.and_then(|known| known.hash) == Some(bytes.hash()) => {
                    return Looked::Nothing;
                }
                Ok(bytes) => {
                    let fresh = is_fresh(bytes.stat.modified_ns, now);
                    return Looked::Update(update(self.read(path, &bytes, fresh, known, &rules)));
                }
                Err(VaultError::Changed { .. }) => {}
                Err(VaultError::TooLarge { bytes, limit, .. }) => {
                    let message =
                        format!("{bytes} bytes, and at most {limit} are read: its text is not searched");
                    return Looked::Update(unread(ProblemKind::TooLarge, message, false));
                }
                Err(VaultError::Unreadable { source, .. }) => {
                    // Marked fresh: permissions can be mended without a change of size or time.
                    let message = format!("the system refuses to read it: {source}");
                    return Looked::Update(unread(ProblemKind::Unreadable, message, true));
                }
                Err(error) if error.is_root() => return Looked::Nothing,
                Err(_) => return Looked::Update(update(Seen::Gone)),
            }
        }
        Looked::Nothing
    }

    fn read(
        &self,
        path: &VaultPath,
        bytes: &Bytes,
        fresh: bool,
        known: Option<&Known>,
        rules: &TaskRules,
    ) -> Seen {
        let hash = bytes.hash();
        let expected = rules.of(path.kind());
        let same = known.filter(|known| known.hash == Some(hash));
        let tasks_of = || catch_unwind(AssertUnwindSafe(|| rules.tasks_of(path, bytes)));
        let content = if same.is_some_and(|known| known.rules == expected) {
            Content::Same { hash, fresh }
        } else if same.is_some()
            && let Ok(tasks) = tasks_of()
        {
            Content::Tasks { hash, fresh, rules: expected, tasks }
        } else {
            // A fault in a parser must cost one note its text, never the vault its index.
            let rows = catch_unwind(AssertUnwindSafe(|| match path.kind() {
                FileKind::Note => note::read_note(path, bytes, &self.options.time_zone, rules),
                FileKind::Canvas => note::read_canvas(path, bytes, self.options.file_texts),
                _ => note::read_text(path, bytes),
            }));
            let rows = rows.unwrap_or_else(|_| {
                tracing::error!(
                    path = path.as_str(),
                    "a note could not be parsed: please report this as a bug"
                );
                self.unread(
                    path,
                    ProblemKind::Internal,
                    "a fault of the server: its text is not searched".to_owned(),
                )
            });
            Content::Read { hash: Some(hash), fresh, rows: Box::new(Rows { rules: expected, ..rows }) }
        };
        Seen::File { size: bytes.stat.size, modified_ns: bytes.stat.modified_ns, content }
    }

    /// Where a file really lies when a symbolic link is on the way; `None` when none is.
    fn real_path(&self, path: &VaultPath) -> Option<VaultPath> {
        let root = self.vault.root();
        let through_link = Path::new(path.as_str())
            .ancestors()
            .filter(|ancestor| !ancestor.as_os_str().is_empty())
            .any(|ancestor| root.join(ancestor).symlink_metadata().is_ok_and(|meta| meta.is_symlink()));
        if !through_link {
            return None;
        }
        self.vault.to_vault_path(&root.join(path.as_str()).canonicalize().ok()?)
    }

    fn unread(&self, path: &VaultPath, kind: ProblemKind, message: String) -> Rows {
        match path.kind() {
            FileKind::Note => note::unread_note(path, kind, message),
            _ => note::unread_file(path, self.options.file_texts, kind, message),
        }
    }
}
