//! The table of tools, and which of them are served.
//!
//! A tool is one row here and one file in `tools/`. What is served is the table filtered through
//! one chain of predicates; a tool that is not served is neither listed nor callable, and no text
//! names it.

use std::collections::HashMap;
use std::sync::Arc;

use rmcp::model::{CallToolResult, JsonObject, Tool as ToolDefinition, ToolAnnotations};
use serde_json::Value;

use super::arguments::Shape;
use super::error::ToolError;
use super::nearest::nearest;
use super::permission;
use super::schema::{self, Direction};
use super::text;
use super::tool::{Call, Tool, run};
use super::tools::{
    CreateTask, DeleteMemory, DeleteNote, DeleteSpan, Diff, FindOrphans, FtsSearch, GetBacklinks,
    GetDailyNote, GetMemory, GetOutgoingLinks, History, IndexStatus, InsertAtAnchor, ListFiles,
    ListMemoryFiles, ListNotes, ListPropertyKeys, ListPropertyValues, ListTags, ListTasks, MemoryRecall,
    MoveNote, PatchNote, ReadFile, ReadNote, RecentNotes, ReplaceInNote, ReplaceSpan, Search, SearchByFolder,
    SearchByProperty, SearchByTag, Undo, UpdateMemory, UpdateProperties, UpdateTask, WriteNote,
};
use crate::config::ToolsConfig;

/// Every tool of this version.
const TOOLS: &[Entry] = &[
    entry::<ReadNote>("vault_read_note", "Read Note", Group::Notes, READS),
    entry::<ListNotes>("vault_list_notes", "List Notes", Group::Notes, READS),
    entry::<Search>("vault_search", "Search Notes", Group::Search, READS),
    entry::<FtsSearch>("vault_fts_search", "Full-Text Search", Group::Search, READS),
    entry::<ListTags>("vault_list_tags", "List Tags", Group::Search, READS),
    entry::<SearchByTag>("vault_search_by_tag", "Search by Tag", Group::Search, READS),
    entry::<SearchByFolder>("vault_search_by_folder", "Search by Folder", Group::Search, READS),
    entry::<SearchByProperty>("vault_search_by_property", "Search by Property", Group::Search, READS),
    entry::<ListPropertyKeys>("vault_list_property_keys", "List Property Keys", Group::Search, READS),
    entry::<ListPropertyValues>("vault_list_property_values", "List Property Values", Group::Search, READS),
    entry::<RecentNotes>("vault_recent_notes", "Recent Notes", Group::Search, READS),
    entry::<GetBacklinks>("vault_get_backlinks", "Get Backlinks", Group::Links, READS),
    entry::<GetOutgoingLinks>("vault_get_outgoing_links", "Get Outgoing Links", Group::Links, READS),
    entry::<FindOrphans>("vault_find_orphans", "Find Orphans", Group::Links, READS),
    entry::<GetDailyNote>("vault_get_daily_note", "Get Daily Note", Group::Notes, READS),
    entry::<ListTasks>("vault_list_tasks", "List Tasks", Group::Notes, READS),
    entry::<ListFiles>("vault_list_files", "List Files", Group::Files, READS),
    entry::<ReadFile>("vault_read_file", "Read File", Group::Files, READS),
    entry::<ListMemoryFiles>("vault_list_memory_files", "List Memory Files", Group::Memory, READS),
    entry::<GetMemory>("vault_get_memory", "Get Memory", Group::Memory, READS),
    entry::<MemoryRecall>("vault_memory_recall", "Memory Recall", Group::Memory, READS),
    entry::<CreateTask>("vault_create_task", "Create Task", Group::Notes, ADDS),
    entry::<UpdateTask>("vault_update_task", "Update Task", Group::Notes, DESTROYS),
    entry::<UpdateMemory>("vault_update_memory", "Update Memory", Group::Memory, REMEMBERS),
    entry::<DeleteMemory>("vault_delete_memory", "Delete Memory Entry", Group::Memory, DESTROYS),
    entry::<WriteNote>("vault_write_note", "Write Note", Group::Notes, DESTROYS),
    entry::<PatchNote>("vault_patch_note", "Patch Note", Group::Notes, DESTROYS),
    entry::<ReplaceInNote>("vault_replace_in_note", "Replace in Note", Group::Notes, DESTROYS),
    entry::<DeleteSpan>("vault_delete_span", "Delete Span", Group::Notes, DESTROYS),
    entry::<ReplaceSpan>("vault_replace_span", "Replace Span", Group::Notes, DESTROYS),
    entry::<InsertAtAnchor>("vault_insert_at_anchor", "Insert at Anchor", Group::Notes, ADDS),
    entry::<UpdateProperties>("vault_update_properties", "Update Properties", Group::Notes, SETS),
    entry::<DeleteNote>("vault_delete_note", "Delete Note", Group::Notes, DESTROYS),
    entry::<MoveNote>("vault_move_note", "Move Note", Group::Notes, DESTROYS),
    entry::<History>("vault_history", "History", Group::Journal, READS),
    entry::<Diff>("vault_diff", "Diff", Group::Journal, READS),
    entry::<Undo>("vault_undo", "Undo", Group::Journal, DESTROYS),
    entry::<IndexStatus>("index_status", "Index Status", Group::Index, READS),
];

/// Tools that other versions serve: `DISABLED_TOOLS` may name them, so that one configuration fits
/// several versions.
const ELSEWHERE: &[&str] = &["search_documentation", "reindex_documentation"];

/// A family of tools that is switched as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// Reading and writing notes.
    Notes,
    /// Finding notes.
    Search,
    /// The link graph.
    Links,
    /// The index itself.
    Index,
    /// The memory files.
    Memory,
    /// The journal of changes.
    Journal,
    /// Files that are not notes.
    Files,
}

/// What a tool does to the vault: the hints that the protocol has for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effect {
    /// It writes nothing.
    pub(crate) read_only: bool,
    /// It may change or remove what is there.
    pub(crate) destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub(crate) idempotent: bool,
}

/// A tool that only reads.
const READS: Effect = Effect { read_only: true, destructive: false, idempotent: true };

/// A tool that may take away what is there.
const DESTROYS: Effect = Effect { read_only: false, destructive: true, idempotent: false };

/// A tool that only adds.
const ADDS: Effect = Effect { read_only: false, destructive: false, idempotent: false };

/// A tool that adds what is not there yet.
const REMEMBERS: Effect = Effect { read_only: false, destructive: false, idempotent: true };
/// A tool that sets values in the place of others: a second time it has nothing to do.
const SETS: Effect = Effect { read_only: false, destructive: true, idempotent: true };

/// A row of the table.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    name: &'static str,
    title: &'static str,
    group: Group,
    effect: Effect,
    text: &'static str,
    input_schema: fn() -> JsonObject,
    output_schema: fn() -> JsonObject,
    run: Run,
}

/// Answers a call from checked arguments.
type Run = fn(&'static str, &Call<'_>, Value) -> Result<CallToolResult, ToolError>;

const fn entry<T: Tool>(name: &'static str, title: &'static str, group: Group, effect: Effect) -> Entry {
    Entry {
        name,
        title,
        group,
        effect,
        text: T::TEXT,
        input_schema: || schema::of::<T::Arguments>(Direction::Input),
        output_schema: || schema::of::<T::Answer>(Direction::Output),
        run: run::<T>,
    }
}

/// Why an entry is not served, as callers are told: none of these may say so.
const PREDICATES: &[fn(&Entry, &ToolsConfig) -> Option<&'static str>] = &[
    |entry, config| match entry.group {
        Group::Memory if !config.memory => Some("the memory tools are switched off (MEMORY_ENABLED=false)"),
        Group::Files if !config.files => Some("the file tools are switched off (FILE_TOOLS_ENABLED=false)"),
        _ => None,
    },
    |entry, config| {
        let writes = config.read_only && !entry.effect.read_only;
        writes.then_some("the server is read-only (READONLY_MODE=true) and changes nothing in the vault")
    },
    |entry, config| {
        let disabled = config.disabled.iter().any(|name| name == entry.name);
        disabled.then_some("it is switched off (DISABLED_TOOLS)")
    },
];

/// Why an entry is not served.
fn hidden_because(entry: &Entry, config: &ToolsConfig) -> Option<&'static str> {
    PREDICATES.iter().find_map(|predicate| predicate(entry, config))
}

/// Whether a tool of this name exists, in this version or another.
pub(crate) fn is_known(name: &str) -> bool {
    TOOLS.iter().any(|entry| entry.name == name) || ELSEWHERE.contains(&name)
}

/// The known tool that is nearest to a name that is not known.
pub(crate) fn nearest_known(name: &str) -> Option<&'static str> {
    nearest(name, TOOLS.iter().map(|entry| entry.name).chain(ELSEWHERE.iter().copied()))
}

/// A served tool, with everything that a call needs made beforehand.
pub(crate) struct ServedTool {
    /// As it is listed.
    pub(crate) definition: ToolDefinition,
    /// What its arguments must look like.
    pub(crate) shape: Shape,
    name: &'static str,
    reads_only: bool,
    run: Run,
}

impl ServedTool {
    /// Checks the arguments and answers. May block.
    pub(crate) fn call(
        &self,
        call: &Call<'_>,
        arguments: Option<JsonObject>,
    ) -> Result<CallToolResult, ToolError> {
        let arguments = self.shape.check(arguments)?;
        if let Value::Object(arguments) = &arguments {
            permission::check(call.who, self.reads_only, arguments, &call.app.memory)?;
        }
        (self.run)(self.name, call, arguments)
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }
}

/// The tools that are served, in the order of the table.
pub(crate) struct Toolset {
    tools: Vec<Arc<ServedTool>>,
    by_name: HashMap<&'static str, Arc<ServedTool>>,
    /// Tools that are not served, and why.
    hidden: HashMap<&'static str, &'static str>,
    writes: bool,
}

impl Toolset {
    /// The tools that the settings leave.
    pub(crate) fn new(config: &ToolsConfig) -> Self {
        Self::of(TOOLS, config)
    }

    /// Every tool there is, for the documentation.
    pub(crate) fn with_everything() -> Self {
        Self::new(&ToolsConfig {
            read_only: false,
            memory: true,
            files: true,
            disabled: Vec::new(),
            max_answer_chars: 0,
        })
    }

    fn of(entries: &[Entry], config: &ToolsConfig) -> Self {
        let hidden: HashMap<_, _> =
            entries.iter().filter_map(|entry| Some((entry.name, hidden_because(entry, config)?))).collect();
        let served: Vec<Entry> =
            entries.iter().filter(|entry| !hidden.contains_key(entry.name)).copied().collect();
        let serves = |name: &str| served.iter().any(|entry| entry.name == name);
        let tools: Vec<_> = served.iter().map(|entry| Arc::new(prepare(entry, serves))).collect();
        let by_name = tools.iter().map(|tool| (tool.name, Arc::clone(tool))).collect();
        Self { tools, by_name, hidden, writes: served.iter().any(|entry| !entry.effect.read_only) }
    }

    /// Every served tool, in the order of the table.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &ServedTool> {
        self.tools.iter().map(AsRef::as_ref)
    }

    /// A served tool by name.
    pub(crate) fn get(&self, name: &str) -> Option<&Arc<ServedTool>> {
        self.by_name.get(name)
    }

    /// Whether a tool of this name is served.
    pub(crate) fn serves(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Why a tool that exists is not served.
    pub(crate) fn hidden_because(&self, name: &str) -> Option<&'static str> {
        self.hidden.get(name).copied()
    }

    /// Whether any served tool writes the vault.
    pub(crate) fn writes(&self) -> bool {
        self.writes
    }

    /// The served tool whose name is nearest to this one.
    pub(crate) fn nearest(&self, name: &str) -> Option<&'static str> {
        nearest(name, self.tools.iter().map(|tool| tool.name))
    }
}

fn prepare(entry: &Entry, serves: impl Fn(&str) -> bool) -> ServedTool {
    let input = (entry.input_schema)();
    let shape = Shape::read(&input);
    let annotations = ToolAnnotations::new()
        .read_only(entry.effect.read_only)
        .destructive(entry.effect.destructive)
        .idempotent(entry.effect.idempotent)
        .open_world(false);
    let definition = ToolDefinition::new(entry.name, text::render(entry.text, serves), input)
        .with_title(entry.title)
        .with_raw_output_schema(Arc::new((entry.output_schema)()))
        .with_annotations(annotations);
    ServedTool { definition, shape, name: entry.name, reads_only: entry.effect.read_only, run: entry.run }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Tools that may take away what is there.
    const WRITERS: &[&str] = &[
        "vault_write_note",
        "vault_patch_note",
        "vault_replace_in_note",
        "vault_delete_span",
        "vault_replace_span",
        "vault_delete_note",
        "vault_move_note",
        "vault_delete_memory",
        "vault_update_task",
        "vault_undo",
    ];

    fn config() -> ToolsConfig {
        ToolsConfig {
            read_only: false,
            memory: true,
            files: true,
            disabled: Vec::new(),
            max_answer_chars: 60_000,
        }
    }

    fn names(toolset: &Toolset) -> Vec<&'static str> {
        toolset.iter().map(ServedTool::name).collect()
    }

    #[test]
    fn names_are_unique_and_not_also_elsewhere() {
        let unique: BTreeSet<_> = TOOLS.iter().map(|entry| entry.name).collect();
        assert_eq!(unique.len(), TOOLS.len());
        assert!(ELSEWHERE.iter().all(|name| !unique.contains(name)));
    }

    #[test]
    fn every_predicate_takes_away_and_none_gives_back() {
        const WRITES: Effect = Effect { read_only: false, destructive: true, idempotent: false };
        let entries = [
            entry::<ListTags>("reads", "", Group::Notes, READS),
            entry::<ListTags>("writes", "", Group::Notes, WRITES),
            entry::<ListTags>("remembers", "", Group::Memory, READS),
            entry::<ListTags>("files", "", Group::Files, READS),
        ];
        let served = |config: &ToolsConfig| names(&Toolset::of(&entries, config));
        assert_eq!(served(&config()), ["reads", "writes", "remembers", "files"]);
        assert_eq!(served(&ToolsConfig { read_only: true, ..config() }), ["reads", "remembers", "files"]);
        assert_eq!(served(&ToolsConfig { memory: false, ..config() }), ["reads", "writes", "files"]);
        assert_eq!(served(&ToolsConfig { files: false, ..config() }), ["reads", "writes", "remembers"]);
        let disabled = vec!["reads".to_owned(), "remembers".to_owned()];
        assert_eq!(served(&ToolsConfig { disabled, memory: false, ..config() }), ["writes", "files"]);
        assert!(Toolset::of(&entries, &config()).writes());
        assert!(!Toolset::of(&entries, &ToolsConfig { read_only: true, ..config() }).writes());
    }

    #[test]
    fn no_description_names_a_tool_that_is_not_served() {
        for gone in TOOLS {
            let disabled = vec![gone.name.to_owned()];
            let toolset = Toolset::new(&ToolsConfig { disabled, ..config() });
            assert!(!toolset.serves(gone.name));
            for tool in toolset.iter() {
                let listed = serde_json::to_string(&tool.definition).unwrap();
                let named = listed.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_');
                assert!(
                    !named.into_iter().any(|word| word == gone.name),
                    "{} names {}",
                    tool.name,
                    gone.name
                );
                assert!(!listed.contains("{vault_"), "{}: a part was not rendered", tool.name);
            }
        }
    }

    fn listed_bytes(config: &ToolsConfig) -> usize {
        let size = |tool: &ServedTool| {
            let mut definition = tool.definition.clone();
            definition.output_schema = None;
            let size = serde_json::to_string(&definition).unwrap().len();
            assert!(size <= 3_200, "{} takes {size} bytes", tool.name);
            size
        };
        Toolset::new(config).iter().map(size).sum()
    }

    #[test]
    fn the_list_is_short() {
        let disabled = ["vault_history", "vault_diff"].map(str::to_owned).to_vec();
        let reading = listed_bytes(&ToolsConfig { read_only: true, disabled, ..config() });
        assert!(reading <= 24_000, "{reading} bytes");
        // 40,000 at most, with room for tools to come.
        let everything = listed_bytes(&config());
        assert!(everything <= 38_700, "{everything} bytes");
    }

    #[test]
    fn the_memory_tools_take_little_room() {
        for tool in Toolset::new(&config()).iter().filter(|tool| tool.name().contains("memory")) {
            let definition = &tool.definition;
            let schema = serde_json::to_string(&definition.input_schema).unwrap();
            let text = definition.description.as_deref().unwrap();
            let size = tool.name().len() + text.len() + schema.len();
            assert!(size <= 700, "{} takes {size} bytes: {schema}", tool.name());
        }
    }

    #[test]
    fn every_tool_has_the_hints_a_title_and_closed_schemas() {
        for tool in Toolset::new(&config()).iter() {
            let listed = serde_json::to_value(&tool.definition).unwrap();
            let (read_only, destructive, idempotent) = match tool.name {
                "vault_insert_at_anchor" | "vault_create_task" => (false, false, false),
                "vault_update_memory" => (false, false, true),
                "vault_update_properties" => (false, true, true),
                name if WRITERS.contains(&name) => (false, true, false),
                _ => (true, false, true),
            };
            assert_eq!(
                listed["annotations"],
                serde_json::json!({
                    "readOnlyHint": read_only,
                    "destructiveHint": destructive,
                    "idempotentHint": idempotent,
                    "openWorldHint": false,
                }),
                "{}",
                tool.name
            );
            assert!(listed["title"].is_string());
            for schema in ["inputSchema", "outputSchema"] {
                assert_eq!(listed[schema]["type"], "object", "{} {schema}", tool.name);
                let text = listed[schema].to_string();
                for foreign in ["\"format\":\"", "$ref", "$defs", "\"null\"", "x-nullable", "$schema"] {
                    // Where null means "clear" it is advertised.
                    if foreign == "\"null\"" && tool.name == "vault_update_task" && schema == "inputSchema" {
                        continue;
                    }
                    assert!(!text.contains(foreign), "{} {schema} has {foreign}", tool.name);
                }
            }
        }
    }
}
