//! `memory-review`: what is remembered, read as a timeline.

use markdown::memory::EntryPolicy;
use vault::VaultPath;

use super::arguments::Given;
use super::ask::Ask;
use super::boundary::{Label, wrap_words};
use super::memory::{self, Remembered};
use super::message::{Data, Message, Part};
use crate::mcp::error::ToolError;

/// The tool that a review ends in.
pub(super) const NEEDS: &str = "vault_update_memory";

const TASK: &str = "\
Review, together with me, what is remembered about me. Read it as a timeline: each dated entry was true when it \
was written. A later entry shows a change; it does not make an earlier one wrong.";

const HOW: &str = "\
## How to review

1. Evolution: tell what changed over time and what stayed, with dates.
2. Scope: which entries do not fit the declared scope of their file and belong in another? Which file declares none?
3. Gaps: which sections are empty, and which months say nothing? Ask me what belongs there; backfill with the date \
it was true, not today's.
4. Coverage: what do our conversations rely on that stands nowhere?

Append-only files: never propose to remove or rewrite an entry because it is old; add a new one instead. Files whose \
policy is living describe the present: only there may entries that have expired be proposed for pruning.

Propose first; change nothing before I agree.{vault_update_memory? New entries: vault_update_memory.}\
{vault_delete_memory? Pruning in living files: vault_delete_memory.}{vault_get_memory? Whole files: vault_get_memory.}";

const REST: &str = "{vault_get_memory?vault_get_memory reads the rest.}";

/// Puts the message together.
pub(super) fn assemble(ask: &Ask<'_>, given: &Given) -> Message {
    let files = match ask.call.memory_files() {
        Ok(files) => files,
        Err(error) => return ask.message(TASK, vec![ask.part("Memory files", || Err(error))], HOW),
    };
    if files.is_empty() {
        return ask.message(TASK, vec![Part::saying("Memory files", none(ask))], "");
    }
    let shown: Vec<&VaultPath> = match &given.file {
        None => files.iter().collect(),
        Some(name) => match ask.call.memory_file(name) {
            Ok(path) => files.iter().filter(|file| **file == path).collect(),
            Err(_) => return ask.message(TASK, vec![unknown(ask, name, &files)], ""),
        },
    };
    let mut parts = Vec::new();
    let mut read = Vec::new();
    // The others' scopes tell where an entry belongs, so the structure is that of all files.
    for path in &files {
        match memory::read(ask.call, path) {
            Ok(file) => read.push(file),
            Err(ToolError::NotFound(_)) => {}
            Err(error) => parts.push(ask.part("A memory file that cannot be read", || Err(error))),
        }
    }
    parts.insert(0, structure(ask, &read));
    let read: Vec<&Remembered> = read.iter().filter(|file| shown.contains(&&file.path)).collect();
    let count = read.len();
    parts.extend(read.into_iter().enumerate().map(|(index, file)| timeline(ask, file, index + 1, count)));
    ask.message(TASK, parts, HOW)
}

fn structure(ask: &Ask<'_>, files: &[Remembered]) -> Part {
    let dates = || files.iter().flat_map(|file| file.entries.iter().map(|entry| entry.date));
    let span = match (dates().min(), dates().max()) {
        (Some(first), Some(last)) => format!(", from {first} to {last}"),
        _ => String::new(),
    };
    let said = format!("Files: {}. Dated entries: {}{span}.", files.len(), dates().count());
    let rows: Vec<String> = files.iter().map(Remembered::structure).collect();
    let label = Label::new(ask.call.app.memory.path().as_str(), "memory-structure");
    let rest = ask.say("{vault_list_memory_files?vault_list_memory_files lists all.}");
    Part::showing("Structure", Data::rows(label, &rows, rows.len(), "files", rest)).with(said)
}

fn timeline(ask: &Ask<'_>, file: &Remembered, number: usize, count: usize) -> Part {
    let title = format!("File {number} of {count}, {}: newest first", policy(file.policy));
    let mut label = Label::new(file.path.as_str(), "memory");
    let Some(latest) = file.entries.first() else {
        let name = wrap_words(&label, file.path.stem());
        return Part::saying(&title, format!("No dated entries in {name}"));
    };
    label = label.dated(&latest.date);
    let text: Vec<&str> = file.entries.iter().map(|entry| entry.text.as_str()).collect();
    let data = Data::text(label, &text.join("\n"), ask.say(REST));
    Part::showing(&title, data).with(format!("Dated entries: {}.", file.entries.len()))
}

fn policy(policy: EntryPolicy) -> &'static str {
    match policy {
        EntryPolicy::AppendOnly => "append-only",
        EntryPolicy::Living => "living (expired entries may be pruned)",
    }
}

fn none(ask: &Ask<'_>) -> String {
    let folder = wrap_words(&Label::new("server", "folder"), ask.call.app.memory.path().as_str());
    let how = ask.say("{vault_update_memory? vault_update_memory makes the first.}");
    let space = if how.is_empty() { "" } else { " " };
    format!("There are no memory files: they are notes directly in the folder {folder}.{space}{how}")
}

fn unknown(ask: &Ask<'_>, name: &str, files: &[VaultPath]) -> Part {
    let name: String = name.chars().take(100).collect();
    let name = wrap_words(&Label::new("argument", "name"), &name);
    let rows: Vec<String> =
        files.iter().map(|path| format!("- {}", super::boundary::one_line(path.stem()))).collect();
    let label = Label::new(ask.call.app.memory.path().as_str(), "memory-files");
    let data = Data::rows(label, &rows, rows.len(), "files", String::new());
    let said =
        format!("There is no memory file called {name}. Ask again with one of these, or without file.");
    Part::showing("Memory files", data).with(said)
}
