//! `docs/TOOLS.md`, printed from the tools and prompts themselves.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::prompts;
use super::registry::{ServedTool, Toolset};

const HEAD: &str = "\
# Tools

<!-- Printed by `vault-cortex reference tools`; edit the tools in `server/src/mcp/tools/` instead. -->

This is the surface with every group on. A tool that a setting hides is neither listed nor callable,
and no description names it (`docs/CONFIG.md`: `READONLY_MODE`, `DISABLED_TOOLS` and others).

## What holds for every tool

- **Arguments.** Unknown ones are an error that names the nearest known one. `\"\"` and null count as
  absent, except that `\"\"` is a text where one is required and may be empty (`body`, `content`, `new_text`).
  Digits in a text are taken as a number; a number out of range is an error that says what is
  allowed. Where a list is asked for, a single value is taken for a list of one.
- **Answers** come twice: as text, in the shape that clients of the reference server know, and as
  structured content with a schema. Fields without a value are absent from structured content; in the
  text some of them are null. Text of a note stands in a text block and in the field `text`.
- **Length.** An answer stays under `MAX_ANSWER_CHARS` (60,000). What is left out is counted in
  `left_out`, whose `continue_with` holds the arguments to add to the same call for the next part; the
  text says the same in a block of its own.
- **Errors** have `isError` and one text block, `[Code]: message`, and no structured content. The code
  is one of InvalidArgument, InvalidPath, NotFound, Refused, Vault, Search, Internal; of a change that was
  not made also Forbidden, AlreadyExists, Stale, Busy, Protected, Conflict, Journal, Incomplete.
- **Changes.** Every tool that changes notes takes `dry_run` (the answer has the difference, nothing is
  written) and `expected_hash` (the `hash` of a read or an earlier change; a note that has changed since is
  refused with what came between). Answers have the `hash` afterwards and the number of the `change` in the
  journal.
- **While the index is being built**, answers from it carry `indexing: {done, total}` and hold what
  there is so far.
- **Times** are RFC 3339 with milliseconds and the offset of `TZ`; sizes are bytes on disk; lines
  count from 1.

## Shapes
";

const PROMPTS_HEAD: &str = "
# Prompts

A prompt is a message that a person asks for (a menu or a slash command, by the client) and a model works
on. It is put together from the vault as it is at that moment, as the caller may see it: one message of the
user, in Markdown.

- **What the vault says** stands between `<vault-content source=\"…\" type=\"…\" date=\"…\">` and
  `</vault-content>`, names and paths included; nothing in it can end that.
- **Length.** At most `MAX_ANSWER_CHARS` in all, and at most `max_chars` between those tags. Each part says
  how much of it is left out.
- **Errors.** A part that cannot be shown is a line that says why. Only an unknown prompt and an argument that
  is unknown or not allowed are an error (-32602, naming it). An unknown memory file is answered with those
  there are.
- **Completion** (`completion/complete`) offers memory files, the last days that have a daily note (today
  first), and some lengths.
- `memory-review` is served only together with the tool that changes memory; it and the outline of memory in
  `vault-orientation` go with `MEMORY_ENABLED=false`.
";

/// The reference page.
pub(crate) fn page() -> String {
    let toolset = Toolset::with_everything();
    let mut page = HEAD.to_owned();
    page.push_str("\n| Tool | Text block | Structured content |\n| --- | --- | --- |\n");
    for tool in toolset.iter() {
        let _ = writeln!(page, "| `{}` | {} | {} |", tool.name(), text_shape(tool), fields(tool));
    }
    for tool in toolset.iter() {
        section(&mut page, tool);
    }
    page.push_str(PROMPTS_HEAD);
    for prompt in prompts::served(&toolset) {
        let _ = write!(page, "\n## {}\n\n**{}.** {}\n", prompt.name, prompt.title, prompt.text);
        if !prompt.arguments.is_empty() {
            page.push_str("\n| Argument | Takes |\n| --- | --- |\n");
        }
        for argument in prompt.arguments {
            let _ = writeln!(page, "| `{}` | {} |", argument.name(), argument.description());
        }
    }
    page
}

/// How the text block of a tool looks: the one thing about it that no schema says.
fn text_shape(tool: &ServedTool) -> &'static str {
    let writes =
        tool.definition.annotations.as_ref().is_some_and(|hints| hints.read_only_hint == Some(false));
    match tool.name() {
        "vault_read_note" => {
            "the note as it is; by lines or cut: a block about the lines, then the lines; \
             `properties_only`: indented JSON object; `outline`: JSON object"
        }
        "vault_get_daily_note" => {
            "JSON object {path, content, exists}, content null when there is no note; when cut, a block \
             about the lines"
        }
        "vault_read_file" => {
            "an image block and a caption; or the text as it is; by lines or cut, or when something must be \
             said of it: a block about that, then the text"
        }
        "vault_list_notes" => "JSON array of paths; when cut, a block about the rest",
        "vault_list_memory_files" => {
            "JSON array; when cut, a block about the rest; when there are none, a block that says where \
             they are looked for"
        }
        "vault_get_memory" => {
            "the text as it is, before each of several files a comment with its path; by lines or cut: a \
             block about the lines, then the lines"
        }
        "vault_list_tags"
        | "vault_search_by_tag"
        | "vault_search_by_folder"
        | "vault_search_by_property"
        | "vault_list_property_keys"
        | "vault_list_property_values"
        | "vault_recent_notes"
        | "vault_find_orphans" => "JSON array; when cut, a block about the rest",
        "vault_diff" => "a line about the change, then the diff",
        "vault_undo" => "what was undone and the files, a line each; of a dry run, diffs",
        "vault_create_task" | "vault_update_task" => "the structured content as JSON",
        "vault_move_note" => {
            "JSON object {moved_to, links_updated, updated_notes, pruned_empty_folders}; of a dry run, a block \
             with the diffs"
        }
        _ if writes => "a sentence; of a dry run, the diff after it",
        _ => "the structured content as JSON, null where a field has no value",
    }
}

/// The fields of the structured content in one cell; those that may be absent carry a `?`.
fn fields(tool: &ServedTool) -> String {
    let Some(schema) = &tool.definition.output_schema else { return String::new() };
    let required = required(schema);
    let names: Vec<String> = properties(schema)
        .map(|(name, schema)| {
            let optional = if required.contains(&name.as_str()) { "" } else { "?" };
            let list = if schema.get("type").is_some_and(|kind| kind == "array") { "[]" } else { "" };
            format!("`{name}{list}{optional}`")
        })
        .collect();
    names.join(", ")
}

fn section(page: &mut String, tool: &ServedTool) {
    let definition = &tool.definition;
    let title = definition.title.as_deref().unwrap_or_default();
    let description = definition.description.as_deref().unwrap_or_default();
    let _ = write!(page, "\n## {}\n\n**{title}.** {description}\n", tool.name());
    let required = required(&definition.input_schema);
    let mut rows = String::new();
    arguments(&mut rows, "", &definition.input_schema, &required);
    if !rows.is_empty() {
        page.push_str("\n| Argument | Takes | |\n| --- | --- | --- |\n");
        page.push_str(&rows);
    }
    if let Some(schema) = &definition.output_schema {
        page.push_str("\n<details><summary>Schema of the structured content</summary>\n\n```json\n");
        page.push_str(&serde_json::to_string_pretty(schema.as_ref()).unwrap_or_default());
        page.push_str("\n```\n\n</details>\n");
    }
}

fn arguments(rows: &mut String, prefix: &str, schema: &Map<String, Value>, required: &[&str]) {
    for (name, schema) in properties(schema) {
        let place = format!("{prefix}{name}");
        let must = if required.contains(&name.as_str()) { " (required)" } else { "" };
        let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let _ =
            writeln!(rows, "| `{place}`{must} | {} | {} |", kind(schema), description.replace('|', "\\|"),);
        if let Some(schema) = schema.as_object() {
            arguments(rows, &format!("{place}."), schema, &[]);
        }
    }
}

/// What a value may be, in a few words.
fn kind(schema: &Value) -> String {
    let number = |name: &str| schema.get(name).and_then(Value::as_i64);
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => "text".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("array") => "list of texts, or one".to_owned(),
        Some("integer") => match (number("minimum"), number("maximum")) {
            (Some(least), Some(most)) => format!("whole number from {least} to {most}"),
            (Some(least), None) => format!("whole number from {least}"),
            _ => "whole number".to_owned(),
        },
        Some("object") => "object".to_owned(),
        _ => String::new(),
    }
}

fn properties(schema: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn required(schema: &Map<String, Value>) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_in_docs_is_the_printed_one() {
        let committed = include_str!("../../../docs/TOOLS.md");
        assert!(committed == super::page(), "docs/TOOLS.md is out of date: run `make docs`");
    }
}
