//! Which tools are served, and how long an answer may be.

use super::environment::Environment;
use super::error::ConfigError;
use super::variable::{DefaultValue, Stage, Variable, VariableGroup};
use crate::mcp::registry;

const READONLY_MODE: Variable = Variable {
    name: "READONLY_MODE",
    default: DefaultValue::Text("false"),
    accepts: "true, false, 1 or 0",
    effect: "Serves only tools that do not write to the vault: no others are listed, and nothing in the vault \
             is ever changed, vault_undo and the first memory files included. The index and its journal lie \
             outside the vault.",
    stage: Stage::Effective,
};
const MEMORY_ENABLED: Variable = Variable {
    name: "MEMORY_ENABLED",
    default: DefaultValue::Text("true"),
    accepts: "true, false, 1 or 0",
    effect: "Serves the memory tools, which read and write dated entries in the notes of MEMORY_DIR; \
             without it no text names them. A vault that has no such folder gets it at start, with five \
             first files to be filled. A vault with nothing in it at all does not: its volume may not be \
             mounted or its first sync not begun. Nothing is ever overwritten, and what is deleted later \
             stays away as long as the folder is there.",
    stage: Stage::Effective,
};
const FILE_TOOLS_ENABLED: Variable = Variable {
    name: "FILE_TOOLS_ENABLED",
    default: DefaultValue::Text("true"),
    accepts: "true, false, 1 or 0",
    effect: "Serves vault_list_files and vault_read_file, for files that are not notes. Without it no \
             description names them. Links to such files are told all the same.",
    stage: Stage::Effective,
};
const DISABLED_TOOLS: Variable = Variable {
    name: "DISABLED_TOOLS",
    default: DefaultValue::Unset,
    accepts: "tool names separated by commas",
    effect: "Hides the named tools, and what other tools' descriptions say of them. It only takes \
             away: it cannot bring back a tool that another setting hides. An unknown name stops \
             the boot.",
    stage: Stage::Effective,
};
const MAX_ANSWER_CHARS: Variable = Variable {
    name: "MAX_ANSWER_CHARS",
    default: DefaultValue::Text("60000"),
    accepts: "a whole number from 2000 to 10000000",
    effect: "The most characters a tool answers with. A longer answer is cut, says what was left \
             out and names the argument that continues it.",
    stage: Stage::Effective,
};

/// The variables of this concern.
pub(crate) const GROUP: VariableGroup = VariableGroup {
    title: "Tools",
    variables: &[READONLY_MODE, MEMORY_ENABLED, FILE_TOOLS_ENABLED, DISABLED_TOOLS, MAX_ANSWER_CHARS],
};

/// Which tools are served, and how long an answer may be.
#[derive(Debug, Clone)]
pub(crate) struct ToolsConfig {
    /// `READONLY_MODE`, default false: no tool that writes the vault is served.
    pub(crate) read_only: bool,
    /// `MEMORY_ENABLED`, default true: the memory tools are served.
    pub(crate) memory: bool,
    /// `FILE_TOOLS_ENABLED`, default true: the file tools are served.
    pub(crate) files: bool,
    /// `DISABLED_TOOLS`, default none: names of tools that are not served. All are known names.
    pub(crate) disabled: Vec<String>,
    /// `MAX_ANSWER_CHARS`, default 60,000: the longest answer, in characters.
    pub(crate) max_answer_chars: usize,
}

impl ToolsConfig {
    /// Reads and checks the variables.
    pub(crate) fn from_environment(environment: &Environment) -> Result<Self, ConfigError> {
        let disabled = environment.list(&DISABLED_TOOLS)?.unwrap_or_default();
        if let Some(unknown) = disabled.iter().find(|name| !registry::is_known(name)) {
            let hint = registry::nearest_known(unknown)
                .map(|name| format!("; did you mean {name}?"))
                .unwrap_or_default();
            return Err(ConfigError::invalid_because(
                &DISABLED_TOOLS,
                &disabled.join(","),
                format!("there is no tool {unknown:?}{hint}"),
            ));
        }
        let max_answer_chars = environment.integer(&MAX_ANSWER_CHARS, 2_000..=10_000_000)?;
        Ok(Self {
            read_only: environment.boolean(&READONLY_MODE)?,
            memory: environment.boolean(&MEMORY_ENABLED)?,
            files: environment.boolean(&FILE_TOOLS_ENABLED)?,
            disabled,
            max_answer_chars: usize::try_from(max_answer_chars).unwrap_or(usize::MAX),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_tool_stops_the_boot_and_the_nearest_name_is_offered() {
        let environment = Environment::of_pairs([("DISABLED_TOOLS", "vault_search,vault_red_note")]);
        let error = ToolsConfig::from_environment(&environment).unwrap_err().to_string();
        assert!(
            error.contains("there is no tool \"vault_red_note\"; did you mean vault_read_note?"),
            "{error}"
        );
    }

    #[test]
    fn names_of_tools_to_come_may_be_disabled() {
        let environment = Environment::of_pairs([("DISABLED_TOOLS", "vault_delete_note, vault_search")]);
        let config = ToolsConfig::from_environment(&environment).unwrap();
        assert_eq!(config.disabled, ["vault_delete_note", "vault_search"]);
    }

    #[test]
    fn an_answer_has_room_for_something() {
        let environment = Environment::of_pairs([("MAX_ANSWER_CHARS", "100")]);
        assert!(ToolsConfig::from_environment(&environment).is_err());
        let config = ToolsConfig::from_environment(&Environment::default()).unwrap();
        assert_eq!(config.max_answer_chars, 60_000);
    }
}
