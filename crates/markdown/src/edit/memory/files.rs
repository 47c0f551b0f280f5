//! Texts of memory files that are new.

use crate::memory::EntryPolicy;

/// The text of a memory file that is made because an entry needs it: without entries, its scope still to be
/// written.
#[must_use]
pub fn new_file(name: &str) -> String {
    file(
        name,
        EntryPolicy::AppendOnly,
        "Not written yet. Say here in one or two sentences what belongs in this file and what does not.",
        "",
    )
}

/// The files that a vault without memory starts with: name without extension, and text.
#[must_use]
pub fn starter_files() -> Vec<(&'static str, String)> {
    STARTERS.iter().map(|(name, policy, scope, body)| (*name, file(name, *policy, scope, body))).collect()
}

const STARTERS: &[(&str, EntryPolicy, &str, &str)] = &[
    (
        "Me",
        EntryPolicy::AppendOnly,
        "Facts about the owner of this vault: who they are, what they do, the people and places in their life. No opinions and no instructions.",
        "## Facts (newest first)\n\n## People (newest first)\n",
    ),
    (
        "Opinions",
        EntryPolicy::AppendOnly,
        "What the owner thinks and likes, each with the day it was said. An opinion that has changed gets a new entry; the old one stays and shows the way.",
        "## Preferences (newest first)\n\n## Views (newest first)\n",
    ),
    (
        "Principles",
        EntryPolicy::AppendOnly,
        "Rules the owner decides by, and where they come from. Few and lasting: a passing preference belongs in Opinions.",
        "## Working (newest first)\n\n## Living (newest first)\n",
    ),
    (
        "Routines",
        EntryPolicy::Living,
        "How days and weeks run at present. This file describes the present: an entry that no longer holds may be taken out.",
        "## Daily (newest first)\n\n## Weekly (newest first)\n",
    ),
    (
        "Agents",
        EntryPolicy::AppendOnly,
        "How agents should work with the owner and with this vault: tone, formats, tools, things to ask before doing.",
        "## Working together (newest first)\n\n## This vault (newest first)\n",
    ),
];

fn file(name: &str, policy: EntryPolicy, scope: &str, body: &str) -> String {
    let space = if body.is_empty() { "" } else { "\n" };
    format!(
        "---\ntype: memory\ntags:\n  - memory\nentry-policy: {}\n---\n\n> [!info] Scope of this file\n> {scope}\n\n# {name}\n{space}{body}",
        policy.name()
    )
}
