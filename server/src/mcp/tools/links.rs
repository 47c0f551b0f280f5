//! What both directions of the link graph share: the arguments, and the frame around the list.

use ::search::{Index, SearchError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::VaultPath;

use super::support::Indexing;
use crate::mcp::answer::{LeftOut, Shorten, fit};
use crate::mcp::error::ToolError;
use crate::mcp::tool::Call;

/// Of which file.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Path in the vault, with its extension.
    #[schemars(length(min = 1))]
    path: String,
    /// Links to skip.
    #[schemars(range(min = 0))]
    offset: Option<usize>,
}

/// What stands around the list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Frame {
    /// How many there are.
    count: usize,
    /// The same.
    total: usize,
    /// True when the vault has no such file.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<bool>,
    /// Files that may have been meant, when it has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<Vec<String>>,
    /// What is not in this part.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
    /// Set while the index is being built.
    #[serde(skip_serializing_if = "Option::is_none")]
    indexing: Option<Indexing>,
}

/// An answer in its parts.
pub(super) struct Links<R> {
    /// The path asked for, in the letter case of the file.
    pub(super) path: String,
    /// The links of this part.
    pub(super) rows: Vec<R>,
    /// What stands around them.
    pub(super) frame: Frame,
}

/// Answers with the links that `find` finds, each as `row` shows it; `unit` says what they are.
pub(super) fn list<L, R: Serialize + Shorten>(
    call: &Call<'_>,
    arguments: &Arguments,
    unit: &'static str,
    find: impl FnOnce(&Index, &VaultPath) -> Result<Vec<L>, SearchError>,
    row: impl Fn(L) -> R,
) -> Result<Links<R>, ToolError> {
    let asked = call.path(&arguments.path)?;
    let index = call.index()?;
    let (path, near) = match call.file_meant(&asked, |_| true) {
        Ok(path) => (path, None),
        Err(near) => (asked, Some(near)),
    };
    let links = find(&index, &path).map_err(|error| call.search_error(&error))?;
    let total = links.len();
    let offset = arguments.offset.unwrap_or(0);
    let rows = links.into_iter().skip(offset).map(row).collect();
    let fitted = fit(rows, offset, total, call.app.max_answer_chars, unit);
    Ok(Links {
        path: path.as_str().to_owned(),
        rows: fitted.rows,
        frame: Frame {
            count: total,
            total,
            missing: near.as_ref().map(|_| true),
            did_you_mean: near.filter(|near| !near.is_empty()),
            left_out: fitted.left_out,
            indexing: index.progress().map(Indexing::from),
        },
    })
}

impl Call<'_> {
    /// Whether the vault has a file that the caller may know of, also where a link leads to.
    pub(super) fn knows(&self, path: &VaultPath) -> bool {
        self.who.sees(path) && self.app.vault.real_path(path).is_ok_and(|real| self.who.sees(&real))
    }
}
