//! The page on which the owner lets a client in.
//!
//! Plain HTML and CSS: no script, and nothing that is loaded from anywhere. What the page shows of a client was
//! written by the client, so it is escaped, cut and set apart from our own words.
//!
//! A form that posts to `/oauth/decide`:
//!
//! | field | what |
//! | --- | --- |
//! | `request` | the request, sealed, as [`ConsentView::sealed_request`] has it |
//! | `token` | `MCP_AUTH_TOKEN`, typed by the owner |
//! | `action` | `approve` or `deny` |
//! | `access` | `full` (the default), `edit` (all but deleting) or `read` |
//! | `folders` | vault folders, one a line; empty is the whole vault |
//! | `missing` | those of them, one a line, of which the owner was told that the vault lacks them |

mod page;
mod shown;

pub(crate) use page::{notice, page};

/// What the page shows. Every text but `sealed_request` comes from the client.
#[derive(Debug, Clone)]
pub(crate) struct ConsentView<'a> {
    /// What the client calls itself, if it does.
    pub(crate) client_name: Option<&'a str>,
    /// The host of the client's metadata document, which is checked, unlike the name; `None` for a client
    /// that registered itself.
    pub(crate) client_host: Option<&'a str>,
    /// Where the browser goes with the answer: a host with its port, or the scheme of an app.
    pub(crate) redirect_host: &'a str,
    /// The scopes that will be granted.
    pub(crate) scopes: &'a [&'a str],
    /// The value of the field `request`.
    pub(crate) sealed_request: &'a str,
    /// What the owner had chosen, when the page is shown again.
    pub(crate) chosen: Narrowing,
    /// Why the page is shown again.
    pub(crate) problem: Option<ConsentProblem>,
}

/// Why the page is shown again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ConsentProblem {
    /// The token was wrong or missing.
    #[error("That is not the access token of this server. Nothing was allowed; try again.")]
    WrongToken,
    /// A folder is no path in a vault, or there are too many.
    #[error(
        "A line of the folders cannot be a folder of the vault, or there are more than can be held. Write one \
         on each line as Obsidian shows it, such as Projects/Garden. Nothing was allowed."
    )]
    BadFolder,
    /// These folders are not in the vault. They may come later; a slip of the pen is more likely.
    #[error(
        "The vault has no folder {}. Correct it, or type the token again and press Allow to go on: the client \
         then sees nothing there until the folder comes. Nothing was allowed yet.",
        quoted(.0)
    )]
    MissingFolders(Vec<String>),
}

/// As a list in a sentence.
fn quoted(folders: &[String]) -> String {
    folders.iter().map(|folder| format!("“{folder}”")).collect::<Vec<_>>().join(", ")
}

/// What the owner lets a client do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Narrowing {
    /// Nothing may be changed.
    pub(crate) read_only: bool,
    /// Notes may be deleted. Means nothing when `read_only`.
    pub(crate) may_delete: bool,
    /// The folders that may be seen, normalised; empty is the whole vault.
    pub(crate) folders: Vec<String>,
}

impl Default for Narrowing {
    fn default() -> Self {
        Self { read_only: false, may_delete: true, folders: Vec::new() }
    }
}

/// A page and the policy it is served with.
#[derive(Debug, Clone)]
pub(crate) struct ConsentPage {
    /// The document.
    pub(crate) html: String,
    /// `Content-Security-Policy`.
    pub(crate) csp: String,
}
