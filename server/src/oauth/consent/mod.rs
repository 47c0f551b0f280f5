//! The page on which the owner lets a client in.
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

/// What the page shows. Every text but `sealed_request` comes from the client and is to be escaped.
#[derive(Debug, Clone)]
pub(crate) struct ConsentView<'a> {
    /// What the client calls itself.
    pub(crate) client_name: &'a str,
    /// The host of the client's metadata document, which is checked, unlike the name; `None` for a client
    /// that registered itself.
    pub(crate) client_host: Option<&'a str>,
    /// Where the browser goes with the answer: a host with its port, or the scheme of an app.
    pub(crate) redirect_host: &'a str,
    /// The scopes that will be granted.
    pub(crate) scopes: &'a [&'a str],
    /// The value of the field `request`.
    pub(crate) sealed_request: &'a str,
    /// Sources for `form-action` beside `'self'`, separated by spaces: where the redirect leads. Chromium holds
    /// every redirect that follows a form against that directive.
    pub(crate) form_action_extra: &'a str,
    /// What the owner had chosen, when the page is shown again.
    pub(crate) chosen: Narrowing,
    /// Why the page is shown again.
    pub(crate) problem: Option<ConsentProblem>,
}

/// Why the page is shown again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConsentProblem {
    /// The token was wrong or missing.
    WrongToken,
    /// A folder is no path in a vault.
    BadFolder,
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

/// Makes the page.
pub(crate) fn page(view: &ConsentView<'_>) -> ConsentPage {
    let problem = match view.problem {
        None => "",
        Some(ConsentProblem::WrongToken) => "<p role=\"alert\">Invalid token.</p>",
        Some(ConsentProblem::BadFolder) => "<p role=\"alert\">A folder is not a path in the vault.</p>",
    };
    let from = view.client_host.map(|host| format!(" ({})", escape(host))).unwrap_or_default();
    let access = |value: &str, label: &str, checked: bool| {
        let checked = if checked { " checked" } else { "" };
        format!("<label><input type=\"radio\" name=\"access\" value=\"{value}\"{checked}> {label}</label>")
    };
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Vault Cortex</title>\
         <h1>Let {name}{from} into the vault?</h1>{problem}\
         <p>It asks for: {scopes}. The answer goes to <strong>{redirect}</strong>.</p>\
         <form method=\"post\" action=\"/oauth/decide\">\
         <input type=\"hidden\" name=\"request\" value=\"{sealed}\">\
         <fieldset>{full}{edit}{read}</fieldset>\
         <label>Only these folders, one a line <textarea name=\"folders\">{folders}</textarea></label>\
         <label>MCP_AUTH_TOKEN <input type=\"password\" name=\"token\" autocomplete=\"current-password\"></label>\
         <button name=\"action\" value=\"approve\">Approve</button>\
         <button name=\"action\" value=\"deny\">Deny</button></form></html>",
        name = escape(view.client_name),
        scopes = escape(&view.scopes.join(", ")),
        redirect = escape(view.redirect_host),
        sealed = escape(view.sealed_request),
        full = access("full", "everything", !view.chosen.read_only && view.chosen.may_delete),
        edit = access("edit", "everything but deleting", !view.chosen.read_only && !view.chosen.may_delete),
        read = access("read", "reading", view.chosen.read_only),
        folders = escape(&view.chosen.folders.join("\n")),
    );
    let csp = format!(
        "default-src 'none'; form-action 'self' {}; frame-ancestors 'none'; base-uri 'none'",
        view.form_action_extra
    );
    ConsentPage { html, csp }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
