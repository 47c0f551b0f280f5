//! Error policy: whatever goes wrong inside a tool becomes an answer with `isError` that the model
//! reads: what is wrong, and what to do. Messages name vault-relative paths only and never a
//! stack; the full cause goes to the log (`tool_error`). Only a call of a tool that is not served
//! is an error of the protocol; the policy of prompts stands in [`super::prompts`].

use serde_json::Value;
use vault::{JournalError, PathError, VaultError, WriteError};

use super::permission::Beyond;

/// Why a tool could not answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolError {
    /// A required argument was left out.
    #[error("argument {name} is missing: give {allowed}")]
    MissingArgument {
        /// The argument, with the names around it.
        name: String,
        /// What it may be.
        allowed: String,
    },
    /// An argument that the tool does not have.
    #[error("unknown argument {name}: {hint}")]
    UnknownArgument {
        /// The argument, with the names around it.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// A value that is not allowed.
    #[error("argument {name} is {got}: allowed is {allowed}")]
    InvalidArgument {
        /// The argument, with the names around it.
        name: String,
        /// The value, shortened.
        got: String,
        /// What it may be.
        allowed: String,
    },
    /// Arguments that do not go together, or a request that cannot be met; the text says why.
    #[error("{0}")]
    Refused(String),
    /// What was asked for does not exist; the text names what is near.
    #[error("{0}")]
    NotFound(String),
    /// Beyond the caller's rights or folders.
    #[error("not permitted: {0}")]
    Forbidden(#[from] Beyond),
    /// A path that breaks a rule.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A file that cannot be read.
    #[error(transparent)]
    Vault(VaultError),
    /// The index cannot answer.
    #[error("{0}")]
    Search(String),
    /// A change that was not made, with how to get past what stands in the way.
    #[error("{error}{hint}")]
    Write {
        /// Why not.
        error: Box<WriteError>,
        /// What to do, when the error alone does not say it.
        hint: String,
    },
    /// A fault of ours.
    #[error("internal error in {tool}: the server's log has the details")]
    Internal {
        /// The tool.
        tool: &'static str,
        /// For the log only.
        cause: String,
    },
}

impl ToolError {
    /// A value that is not allowed.
    pub(crate) fn argument(name: &str, allowed: impl Into<String>, got: &Value) -> Self {
        let name = if name.is_empty() { "arguments" } else { name };
        Self::InvalidArgument {
            name: name.to_owned(),
            got: shorten(&got.to_string()),
            allowed: allowed.into(),
        }
    }

    /// The short name that stands before the message, for callers that branch on it.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::MissingArgument { .. } | Self::UnknownArgument { .. } | Self::InvalidArgument { .. } => {
                "InvalidArgument"
            }
            Self::Refused(_) => "Refused",
            Self::NotFound(_) => "NotFound",
            Self::Forbidden(_) => "Forbidden",
            Self::Path(_) => "InvalidPath",
            Self::Vault(error) if error.is_not_found() => "NotFound",
            Self::Vault(_) => "Vault",
            Self::Search(_) => "Search",
            Self::Write { error, .. } => write_code(error),
            Self::Internal { .. } => "Internal",
        }
    }
}

/// What a call asked for beyond the caller's token, for the audit. Not which place: that is the caller's word,
/// and may be anything that was put there by mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Denial {
    /// The right it would have needed, or `folder`.
    pub(crate) what: &'static str,
}

impl ToolError {
    /// What lies beyond the caller's token; `None` for every other error.
    pub(crate) fn denial(&self) -> Option<Denial> {
        let what = match self {
            Self::Forbidden(Beyond::Right { action }) => action,
            Self::Forbidden(Beyond::Folder { .. }) => "folder",
            Self::Write { error, .. } => match &**error {
                WriteError::Forbidden { action } => action,
                WriteError::OutOfScope { .. } | WriteError::LinksOutOfScope { .. } => "folder",
                _ => return None,
            },
            _ => return None,
        };
        Some(Denial { what })
    }
}

/// The short name of a change that was not made.
fn write_code(error: &WriteError) -> &'static str {
    match error {
        WriteError::Forbidden { .. } | WriteError::OutOfScope { .. } | WriteError::LinksOutOfScope { .. } => {
            "Forbidden"
        }
        WriteError::Exists { .. } => "AlreadyExists",
        WriteError::Stale { .. } | WriteError::ChangedMeanwhile { .. } => "Stale",
        WriteError::Busy { .. } | WriteError::Unsteady { .. } => "Busy",
        WriteError::Protected { .. } | WriteError::ProtectionUnknown { .. } => "Protected",
        WriteError::UndoConflict { .. } | WriteError::MergeConflict { .. } => "Conflict",
        WriteError::Journal(JournalError::NoSuchChange(_)) => "NotFound",
        WriteError::Journal(_) => "Journal",
        WriteError::Incomplete { .. } => "Incomplete",
        WriteError::Io { .. } => "Vault",
        _ => "Refused",
    }
}

/// Whether something is wrong with the server or its disk, rather than with what the caller asked for.
pub(crate) fn is_trouble(error: &ToolError) -> bool {
    match error {
        ToolError::Vault(_) | ToolError::Search(_) | ToolError::Internal { .. } => true,
        ToolError::Write { error, .. } => {
            let of_disk = matches!(write_code(error), "Journal" | "Incomplete" | "Vault");
            of_disk || matches!(**error, WriteError::Links(_))
        }
        _ => false,
    }
}

fn vault_away() -> ToolError {
    ToolError::Refused(
        "the vault's folder is missing or cannot be read on the server: its operator must look (VAULT_PATH)"
            .to_owned(),
    )
}

impl From<VaultError> for ToolError {
    fn from(error: VaultError) -> Self {
        match error {
            VaultError::Path(error) => Self::Path(error),
            // Its text names a folder of the server's machine, which is for the log only.
            VaultError::Root { root, reason } => {
                tracing::error!(vault.root = %root.display(), reason, "the vault cannot be read");
                vault_away()
            }
            // The watcher logs it, once.
            VaultError::RootLost { .. } => vault_away(),
            error => Self::Vault(error),
        }
    }
}

/// An error with its causes.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        cause = error.source();
    }
    text
}

fn shorten(text: &str) -> String {
    const MOST: usize = 80;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain("…".chars()).collect()
}
