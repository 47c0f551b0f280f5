//! Many callers at once.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use vault::{
    ChangeId, ChangeState, HistoryFilter, Lock, Undo, UndoOptions, VaultPath, WriteError, WriteOptions,
};

use super::writer::parse;
use super::*;

/// The journal of every file is a chain: each change begins where the one before it ended, and the last one
/// ends with what is there. Nothing that was acknowledged is missing.
#[test]
fn eight_callers_change_the_same_notes_and_no_change_is_lost() {
    const NAMES: [&str; 4] = ["a.md", "b/b.md", "B/B.md", "c.md"];
    let fixture = Fixture::with(&["a.md", "b/b.md"]);
    let writing = fixture.writing();
    let acknowledged: Mutex<Vec<(VaultPath, ChangeId)>> = Mutex::default();
    let end = Instant::now() + Duration::from_secs(3);
    std::thread::scope(|scope| {
        for thread in 0..8_usize {
            let (writing, acknowledged) = (&writing, &acknowledged);
            scope.spawn(move || {
                let mut round = thread;
                while Instant::now() < end {
                    round += 1;
                    let name = NAMES[round * 7 % NAMES.len()];
                    let lock = if round.is_multiple_of(3) { Lock::FailFast } else { Lock::Wait };
                    let append = |text: &str| Ok((format!("{text}\n{thread} {round}"), ()));
                    let options = WriteOptions::default();
                    let result = match round % 11 {
                        0 => writing.delete(name).map(|deleted| deleted.written),
                        1 | 2 => writing.create(name, &format!("{thread} {round}")),
                        3 => {
                            let page = writing.writer.history(&writing.owner, &HistoryFilter::default());
                            let Some(last) = page.unwrap().changes.first().map(|change| change.id) else {
                                continue;
                            };
                            let undo = Undo::Change(last);
                            let undone = writing.writer.undo(writing.caller(), &undo, UndoOptions::default());
                            undone.map(|mut undone| undone.written.remove(0))
                        }
                        _ => writing
                            .writer
                            .edit(writing.caller(), &parse(name), &options, lock, append)
                            .map(|(written, ())| written),
                    };
                    match result {
                        Ok(written) => {
                            let change = written.change.unwrap();
                            acknowledged.lock().unwrap().push((written.path, change));
                        }
                        Err(
                            WriteError::Busy { .. }
                            | WriteError::Exists { .. }
                            | WriteError::CaseTwin { .. }
                            | WriteError::Vault(_)
                            | WriteError::AlreadyUndone { .. }
                            | WriteError::NotMade { .. }
                            | WriteError::UndoConflict { .. },
                        ) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
    });
    let filter = HistoryFilter { limit: usize::from(u16::MAX), ..HistoryFilter::default() };
    let mut history = writing.writer.history(&writing.owner, &filter).unwrap().changes;
    history.reverse();
    let mut last = HashMap::new();
    for change in &history {
        assert_eq!(change.state, ChangeState::Done);
        if let Some(before) = last.insert(change.path.clone(), change.after) {
            assert_eq!(change.before, before, "change {} does not follow the one before", change.id);
        }
    }
    for (path, after) in last {
        let found = writing.writer.vault().read(&path).ok().map(|content| content.hash());
        assert_eq!(found, after, "{path}");
    }
    let acknowledged = acknowledged.into_inner().unwrap();
    let known: HashMap<ChangeId, &VaultPath> =
        history.iter().map(|change| (change.id, &change.path)).collect();
    assert!(acknowledged.len() > 50, "only {} changes", acknowledged.len());
    assert_eq!(acknowledged.len(), history.len());
    for (path, change) in &acknowledged {
        assert_eq!(known.get(change), Some(&path));
    }
    assert_eq!(writing.heard().len(), history.iter().filter(|change| change.before != change.after).count());
}

#[test]
fn of_many_first_entries_none_is_lost() {
    for round in 0..20 {
        let fixture = Fixture::in_memory();
        // Two writers, as two processes have them.
        let writings = [fixture.writing(), fixture.writing()];
        std::thread::scope(|scope| {
            for thread in 0..6_usize {
                let writing = &writings[thread % 2];
                scope.spawn(move || {
                    let new = || Ok("made\n".to_owned());
                    let add = |text: &str| Ok((format!("{text}{thread}\n"), ()));
                    let (path, options) = (parse("About Me/Me.md"), WriteOptions::default());
                    let writer = &writing.writer;
                    writer.edit_or_create(writing.caller(), &path, &options, Lock::Wait, new, add).unwrap();
                });
            }
        });
        let text = fs::read_to_string(fixture.on_disk("About Me/Me.md")).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.remove(0), "made", "{round}");
        lines.sort_unstable();
        assert_eq!(lines, ["0", "1", "2", "3", "4", "5"], "{round}");
        let changes = writings[0].writer.history(&writings[0].owner, &HistoryFilter::default()).unwrap();
        assert_eq!(changes.total, 6);
        assert_eq!(changes.changes.last().unwrap().kind, vault::ChangeKind::Create);
    }
}
