//! Why properties cannot be edited.
//!
//! Error policy: a block is either kept whole or not touched. Each error names what stands in the way and
//! where, one-based as an editor shows it; how to repair it depends on the tools at hand, so the caller says.

use crate::edit::ControlCharacter;
use crate::yaml::YamlError;

/// A properties block that cannot be read or kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// It is not valid YAML; the position is one in the file.
    #[error("the properties block is not valid YAML: {0}")]
    Invalid(#[from] YamlError),
    /// It holds a list, so there are no properties.
    #[error("the properties block holds a list instead of properties")]
    List,
    /// It holds a single value, so there are no properties; often prose between two rules.
    #[error("the properties block holds a single value instead of properties")]
    SingleValue,
    /// A value has an explicit tag, whose meaning neither the app nor this program keeps.
    #[error(
        "line {line}, column {column}: the property \"{key}\" has an explicit YAML tag, which saving properties would lose"
    )]
    Tagged {
        /// The property it belongs to; empty for a tag of the whole block.
        key: String,
        /// One-based line in the file.
        line: usize,
        /// One-based column, in characters.
        column: usize,
    },
}

impl BlockError {
    /// Whether the block may hold prose that somebody would miss, so that a repair should put it back.
    #[must_use]
    pub fn may_hold_prose(&self) -> bool {
        !matches!(self, Self::Tagged { .. })
    }
}

/// Why single properties cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PropertiesError {
    /// The note's block cannot be read or kept.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// The note would open with a block that cannot be read or kept.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// Two of the keys asked for are the same property: names are compared without case.
    #[error("\"{one}\" and \"{other}\" are the same property: pass it once")]
    SameKey {
        /// The first.
        one: String,
        /// The second.
        other: String,
    },
    /// A property needs a name.
    #[error("a property needs a name")]
    EmptyKey,
    /// A value nests deeper than a block may.
    #[error("the value of \"{key}\" nests deeper than {limit} levels")]
    TooDeep {
        /// The property.
        key: String,
        /// How many levels there may be.
        limit: usize,
    },
    /// The properties would not read back: they are too large for a block, or a name is too long for YAML.
    #[error(
        "the properties cannot be written so that they read back: they are too large, or a name is too long"
    )]
    TooLarge,
    /// A text holds a character that cannot be written.
    #[error("the property \"{key}\" {character}")]
    Character {
        /// The property.
        key: String,
        /// The character.
        character: ControlCharacter,
    },
    /// Another property repeats the value that would go.
    #[error(
        "line {line}: the property \"{user}\" repeats the value of \"{key}\" (`*`): change \"{user}\" first"
    )]
    AnchorInUse {
        /// The property asked for.
        key: String,
        /// The property that repeats it.
        user: String,
        /// One-based line of the latter in the file.
        line: usize,
    },
    /// The block is written in a way in which the change cannot be made without touching other properties.
    #[error(
        "the properties block is written in a way that does not let {} be changed without rewriting others: replace the whole block",
        .keys.join(", ")
    )]
    CannotKeep {
        /// The properties asked for.
        keys: Vec<String>,
    },
}

/// A write after which the note would open with a block that cannot be read or kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the note would open with a properties block that cannot be kept: {block}")]
pub struct GuardError {
    /// What is wrong with it.
    #[from]
    pub block: BlockError,
}
