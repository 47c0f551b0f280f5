//! `vault-orientation`: how the vault is built, for whoever works in it for the first time.

use ::search::{FolderCount, NoteMeta, PropertyKey, SortBy, TagCount};

use super::arguments::Given;
use super::ask::Ask;
use super::boundary::{Label, one_line};
use super::memory::{self, Remembered};
use super::message::{Data, Message, Part};
use crate::mcp::error::ToolError;
use crate::mcp::tools::shorten_text;

const MOST_FOLDERS: usize = 60;
const MOST_TAGS: usize = 30;
const MOST_KEYS: usize = 40;
const MOST_RECENT: usize = 10;
const MOST_ORPHANS: usize = 5;
/// A property that fewer notes have is marked: it is a habit of few notes, or a slip.
const LOW_PERCENT: u64 = 5;

const TASK: &str = "\
Get your bearings in my Obsidian vault before you work in it. Below is how it is built right now. Tell me in a few \
sentences what kind of vault this is and by which conventions it is kept, then wait for what I ask.";

const DEEPER: &str = "\
## Go deeper

{vault_search?- What a note says: vault_search.
}{vault_read_note?- One note: vault_read_note, its outline first when it is long.
}{vault_search_by_folder?- A folder: vault_search_by_folder.
}{vault_search_by_tag?- A tag: vault_search_by_tag.
}{vault_list_property_values?- The values of a property: vault_list_property_values.
}{vault_list_tasks?- Tasks and boards: vault_list_tasks.
}{vault_get_daily_note?- A day: vault_get_daily_note.
}{vault_get_backlinks?- What links to a note: vault_get_backlinks.
}{vault_get_outgoing_links?- What a note links to, and what is broken there: vault_get_outgoing_links.
}{vault_get_memory?- What is remembered about me: vault_get_memory.
}{vault_list_files?- Files that are not notes: vault_list_files.
}";

/// Puts the message together.
pub(super) fn assemble(ask: &Ask<'_>, _given: &Given) -> Message {
    let mut parts = vec![
        ask.part("Numbers", || numbers(ask)),
        ask.part("Folders", || folders(ask)),
        ask.part("Tags", || tags(ask)),
        ask.part("Properties", || properties(ask)),
        ask.part("Changed last", || recent(ask)),
        ask.part("Notes that nothing links to", || orphans(ask)),
        ask.part("Broken links", || broken(ask)),
    ];
    let remembers = ["vault_list_memory_files", "vault_get_memory", "vault_memory_recall"];
    if remembers.iter().any(|tool| ask.call.app.tools.serves(tool)) {
        parts.push(ask.part("Memory", || memory(ask)));
    }
    ask.message(TASK, parts, DEEPER)
}

fn numbers(ask: &Ask<'_>) -> Result<Part, ToolError> {
    let stats = ask.found(ask.index()?.vault_stats(ask.call.who))?;
    let folders = ask.found(ask.index()?.folder_counts(ask.call.who))?;
    let folders = folders.iter().filter(|folder| !folder.folder.is_empty()).count();
    let lines = [
        ("Notes", stats.notes),
        ("Folders with notes", folders as u64),
        ("Tags", stats.tags),
        ("Property keys", stats.property_keys),
        ("Notes without a tag", stats.untagged),
        ("Notes without properties", stats.without_properties),
    ];
    let lines: Vec<String> = lines.iter().map(|(name, count)| format!("- {name}: {count}")).collect();
    Ok(Part::saying("Numbers", lines.join("\n")))
}

fn folders(ask: &Ask<'_>) -> Result<Part, ToolError> {
    let folders = ask.found(ask.index()?.folder_counts(ask.call.who))?;
    if folders.is_empty() {
        return Ok(Part::saying("Folders", "There are no notes."));
    }
    // As deep as there is room for; at least the top.
    let depth = |folder: &FolderCount| match folder.folder.as_str() {
        "" => 0,
        name => name.split('/').count(),
    };
    let fits = |most: &usize| folders.iter().filter(|folder| depth(folder) <= *most).count() <= MOST_FOLDERS;
    let deepest = (1..=folders.iter().map(depth).max().unwrap_or(1)).take_while(fits).last().unwrap_or(1);
    let shown = folders.iter().filter(|folder| depth(folder) <= deepest).take(MOST_FOLDERS);
    let rows: Vec<String> = shown
        .map(|folder| {
            let name = if folder.folder.is_empty() { "(top of the vault)" } else { &folder.folder };
            let below = match folder.with_subfolders - folder.notes {
                0 => String::new(),
                below => format!(", {below} more below"),
            };
            format!("- {}: {}{below}", row(name), notes(folder.notes))
        })
        .collect();
    let rest = ask.say("{vault_list_notes?vault_list_notes shows what lies deeper.}");
    Ok(list("Folders", "folders", &rows, folders.len(), rest))
}

fn tags(ask: &Ask<'_>) -> Result<Part, ToolError> {
    let tags = ask.found(ask.index()?.list_tags(ask.call.who))?;
    if tags.is_empty() {
        return Ok(Part::saying("Tags", "No note has a tag."));
    }
    let show = |tag: &TagCount| {
        let nested = match tag.with_children - tag.count {
            0 => String::new(),
            _ => format!(" ({} with nested tags)", tag.with_children),
        };
        format!("- #{}: {}{nested}", row(&tag.tag), notes(tag.count))
    };
    let rows: Vec<String> = tags.iter().take(MOST_TAGS).map(show).collect();
    let rest = ask.say("{vault_list_tags?vault_list_tags lists all.}");
    Ok(list("Tags", "tags", &rows, tags.len(), rest))
}

fn properties(ask: &Ask<'_>) -> Result<Part, ToolError> {
    let notes = ask.found(ask.index()?.vault_stats(ask.call.who))?.notes;
    let keys = ask.found(ask.index()?.list_property_keys(ask.call.who, None))?;
    if keys.is_empty() {
        return Ok(Part::saying("Properties", "No note has properties."));
    }
    let rows: Vec<String> = keys.iter().take(MOST_KEYS).map(|key| property_row(key, notes)).collect();
    let rest = ask.say("{vault_list_property_keys?vault_list_property_keys lists all.}");
    let said = format!("How many of the notes have each; low means under {LOW_PERCENT} %.");
    Ok(list("Properties", "properties", &rows, keys.len(), rest).with(said))
}

fn property_row(key: &PropertyKey, notes: u64) -> String {
    let hundredfold = key.count.saturating_mul(100);
    let percent = hundredfold / notes.max(1);
    let of = self::notes(key.count);
    let percent = if percent == 0 { "under 1".to_owned() } else { percent.to_string() };
    let low = if hundredfold < notes.saturating_mul(LOW_PERCENT) { ", low" } else { "" };
    let samples: Vec<String> =
        key.sample_values.iter().map(|value| one_line(value).chars().take(40).collect()).collect();
    let samples = if samples.is_empty() { String::new() } else { format!("; often {}", samples.join(" | ")) };
    format!("- {}: {percent} % ({of}{low}){samples}", row(&key.key))
}

fn recent(ask: &Ask<'_>) -> Result<Part, ToolError> {
    let page = ask.found(ask.index()?.recent_notes(ask.call.who, SortBy::Modified, MOST_RECENT))?;
    if page.items.is_empty() {
        return Ok(Part::saying("Changed last", "There are no notes."));
    }
    let rows: Vec<String> = page.items.iter().map(note_row).collect();
    let rest = ask.say("{vault_recent_notes?vault_recent_notes goes on.}");
    Ok(list("Changed last", "notes", &rows, page.total, rest))
}

fn orphans(ask: &Ask<'_>) -> Result<Part, ToolError> {
    const TITLE: &str = "Notes that nothing links to";
    let excluded = ask.call.app.orphan_exclude_folders();
    let page = ask.found(ask.index()?.find_orphans(ask.call.who, &excluded, MOST_ORPHANS))?;
    if page.items.is_empty() {
        return Ok(Part::saying(TITLE, "None."));
    }
    let rows: Vec<String> = page.items.iter().map(note_row).collect();
    let rest = ask.say("{vault_find_orphans?vault_find_orphans lists all.}");
    Ok(list(TITLE, "notes", &rows, page.total, rest))
}

fn broken(ask: &Ask<'_>) -> Result<Part, ToolError> {
    let daily = ask.call.app.daily_notes();
    let broken = ask.found(ask.index()?.broken_links(ask.call.who, &|path| daily.holds(path)))?;
    let said = match broken.links {
        0 => "None; links to daily notes that are not written yet are no broken links.".to_owned(),
        links => {
            format!(
                "{links} in {} files. Links to daily notes that are not written yet are not counted.",
                broken.files
            )
        }
    };
    Ok(Part::saying("Broken links", said))
}

fn memory(ask: &Ask<'_>) -> Result<Part, ToolError> {
    let paths = ask.call.memory_files()?;
    if paths.is_empty() {
        return Ok(Part::saying("Memory", "There are no memory files."));
    }
    // What cannot be read is told by the tools that read it; here the others count.
    let files: Vec<Remembered> = paths.iter().filter_map(|path| memory::read(ask.call, path).ok()).collect();
    let rows: Vec<String> = files.iter().map(Remembered::structure).collect();
    let label = Label::new(ask.call.app.memory.path().as_str(), "memory-structure");
    let rest = ask.say("{vault_list_memory_files?vault_list_memory_files lists all.}");
    Ok(Part::showing("Memory", Data::rows(label, &rows, paths.len(), "files", rest)))
}

fn list(title: &str, unit: &'static str, rows: &[String], total: usize, rest: String) -> Part {
    Part::showing(title, Data::rows(Label::new("index", unit), rows, total, unit, rest))
}

fn notes(count: u64) -> String {
    format!("{count} note{}", if count == 1 { "" } else { "s" })
}

/// A note in a list.
pub(super) fn note_row(note: &NoteMeta) -> String {
    let title =
        if note.title == note.path.stem() { String::new() } else { format!(" — {}", row(&note.title)) };
    let minute = note.modified.get(..16).unwrap_or(&note.modified).replace('T', " ");
    format!("- {}{title} (changed {minute})", one_line(note.path.as_str()))
}

/// A name as a part of a row.
pub(super) fn row(text: &str) -> String {
    let mut text = one_line(text);
    shorten_text(&mut text);
    text
}
