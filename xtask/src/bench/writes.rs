//! Changes: made over HTTP on a vault of the bench's own, each looked for by the next call.

use std::time::Instant;

use anyhow::ensure;
use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

use super::latency::Times;
use crate::generate::Generator;

/// Calls of each kind; a move is made fewer times, since each rewrites all that link.
const WRITES: usize = 100;
const MOVES: usize = 30;
/// Notes that link to the one that moves.
pub(crate) const LINKING: usize = 50;

/// How often a write brings something to the disk: the journal before and after, the file and its folder.
pub(crate) const FSYNCS_OF_A_WRITE: u32 = 4;
/// The same of a move: the journal twice, two for each file that is rewritten or new, one where the old one was.
pub(crate) const FSYNCS_OF_A_MOVE: u32 = 2 + 2 * (LINKING as u32 + 1) + 1;

/// Times of changes.
pub(crate) struct Writes {
    /// `vault_write_note` of a new note.
    pub(crate) create: Times,
    /// `vault_patch_note` at the end of a note that is there.
    pub(crate) patch: Times,
    /// `vault_move_note` of a note with [`LINKING`] backlinks.
    pub(crate) moves: Times,
}

/// Changes a vault of this size. The measured time is that of the change; whether the next call finds it is
/// checked apart.
pub(crate) fn measure(generator: &Generator) -> anyhow::Result<Writes> {
    let vault = TestVault::bare();
    generator.write_to(vault.root())?;
    vault.write("Hub of the bench.md", "# Hub\n");
    for number in 0..LINKING {
        vault.write(
            &format!("Linking/{number}.md"),
            format!("Note {number} of those that link to [[Hub of the bench]].\n\nSee [it](<../Hub of the bench.md>).\n"),
        );
    }
    let server = TestServer::start().with_vault(vault).ready();
    let create = timed(WRITES, |number| {
        let word = format!("createdword{number}");
        let arguments =
            json!({"path": format!("Made/{number}.md"), "body": format!("# {number}\n\n{word}\n")});
        (("vault_write_note", arguments), (word, format!("Made/{number}.md")))
    })(&server)?;
    let patch = timed(WRITES, |number| {
        let path = generator.note(u32::try_from(number).unwrap_or_default()).path;
        let word = format!("patchedword{number}");
        (("vault_patch_note", json!({"path": path, "operation": "append", "content": word})), (word, path))
    })(&server)?;
    let moves = moves(&server)?;
    server.vault().accept();
    server.stop();
    Ok(Writes { create, patch, moves })
}

/// A call, and the word and path by which the next one finds what it did.
type Change = ((&'static str, Value), (String, String));

fn timed(count: usize, change: impl Fn(usize) -> Change) -> impl Fn(&Server) -> anyhow::Result<Times> {
    move |server| {
        let mut times = Vec::with_capacity(count);
        for number in 0..count {
            let ((tool, arguments), (word, path)) = change(number);
            let start = Instant::now();
            let answer = server.call(tool, arguments);
            times.push(start.elapsed());
            ensure!(!answer.is_error(), "{tool}: {}", answer.text());
            ensure!(server.finds(&word, &path), "{path} is not found right after {tool}");
        }
        Ok(Times::new(times))
    }
}

fn moves(server: &Server) -> anyhow::Result<Times> {
    // A new name each time: a link that is only a name stays right when its note changes folders.
    let path = |number: usize| match number {
        0 => "Hub of the bench.md".to_owned(),
        _ => format!("Moved/Hub of the bench {number}.md"),
    };
    let mut times = Vec::with_capacity(MOVES);
    for number in 0..MOVES {
        let (from, to) = (path(number), path(number + 1));
        let start = Instant::now();
        let answer = server.call("vault_move_note", json!({"old_path": from, "new_path": to}));
        times.push(start.elapsed());
        ensure!(!answer.is_error(), "{}", answer.text());
        let rewritten = answer.structured()["updated_notes"].as_array().map_or(0, Vec::len);
        ensure!(rewritten == LINKING, "{rewritten} notes were rewritten, not {LINKING}");
        let links = server.call("vault_get_backlinks", json!({"path": to}));
        ensure!(links.structured()["count"] == LINKING, "the links are not found right after the move");
    }
    Ok(Times::new(times))
}
