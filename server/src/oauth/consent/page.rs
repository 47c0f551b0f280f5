//! The page as HTML, and the policy that goes with it.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::shown::shown;
use super::{ConsentPage, ConsentProblem, ConsentView};

const STYLE: &str = include_str!("style.css");

/// The one style sheet that may apply, by its hash (CSP Level 3, section 6.7.3.2).
static STYLE_SOURCE: LazyLock<String> =
    LazyLock::new(|| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(STYLE))));

/// The question whether a client may use the vault.
///
/// No control but the token field and the buttons sends the form when Enter is pressed in it: choices are a
/// list and a text area, since Enter on a radio button or a check box would press "Allow".
pub(crate) fn page(view: &ConsentView<'_>) -> ConsentPage {
    let name = view.client_name.and_then(shown);
    let title = match &name {
        Some(name) => format!("Allow {name} to use your vault?"),
        None => "Allow an unnamed program to use your vault?".to_owned(),
    };
    let body = html! {
        h1 {
            @match &name {
                Some(name) => { "Allow " bdi { (name) } " to use your vault?" }
                None => { "Allow an unnamed program to use your vault?" }
            }
        }
        @if let Some(problem) = &view.problem {
            p.problem id="problem" role="alert" { (problem.to_string()) }
        }
        dl {
            dt { "It calls itself" }
            dd { @match &name { Some(name) => { bdi { (name) } } None => { "nothing" } } }
            dt { "It is published by" }
            dd {
                @match view.client_host.and_then(shown) {
                    Some(host) => { bdi { (host) } }
                    None => { "nobody: it registered itself, and any program can use any name" }
                }
            }
            dt { "Your answer is sent to" }
            dd { (destination(view.redirect_host)) }
            dt { "It asks for" }
            dd { (view.scopes.join(", ")) ": search, read and edit your notes" }
        }
        p { "Allow it only if you have just asked this program to connect. What it may do stays in force until you revoke it: " code { "vault-cortex client list" } " shows how." }
        form method="post" action="/oauth/decide" {
            input type="hidden" name="request" value=(view.sealed_request);
            @if let Some(ConsentProblem::MissingFolders(missing)) = &view.problem {
                input type="hidden" name="missing" value=(missing.join("\n"));
            }
            label for="access" { "It may" }
            select id="access" name="access" {
                option value="full" selected[!view.chosen.read_only && view.chosen.may_delete] { "read, change and delete notes" }
                option value="edit" selected[!view.chosen.read_only && !view.chosen.may_delete] { "read and change notes, but delete none" }
                option value="read" selected[view.chosen.read_only] { "only read notes" }
            }
            label for="folders" { "In these folders only (optional)" }
            // The parser drops the first line end of a text area, and the owner's own must stay.
            textarea id="folders" name="folders" rows="3" spellcheck="false" autocapitalize="off"
                aria-describedby="folders-hint" { "\n" (view.chosen.folders.join("\n")) }
            p.hint id="folders-hint" { "One folder on each line, such as Projects/Garden. Empty: the whole vault." }
            // Password managers file a password under a name.
            input name="username" value="Vault Cortex" autocomplete="username" hidden;
            label for="token" { "Access token of this server" }
            input id="token" name="token" type="password" required autocomplete="current-password"
                autocapitalize="off" spellcheck="false" aria-describedby="token-hint";
            p.hint id="token-hint" { "MCP_AUTH_TOKEN, which only you know. It is checked here and never passed on." }
            div.answers {
                button.allow type="submit" name="action" value="approve" { "Allow" }
                button type="submit" name="action" value="deny" formnovalidate { "Deny" }
            }
        }
    };
    // Without `form-action`: Chromium holds every redirect that follows a form against it, those of the client
    // as well, and a client may send the browser on to its app.
    ConsentPage { html: document(&title, &body), csp: policy("") }
}

/// A page that only says something: what went wrong, and what to do.
pub(crate) fn notice(title: &str, paragraphs: &[&str]) -> ConsentPage {
    let body = html! {
        h1 { (title) }
        @for paragraph in paragraphs {
            p { (paragraph) }
        }
    };
    ConsentPage { html: document(title, &body), csp: policy("form-action 'none'; ") }
}

/// Where the answer goes, in words.
fn destination(shown: &str) -> Markup {
    let name = shown.rsplit_once(':').map_or(shown, |(name, _)| name);
    html! {
        @if shown.ends_with(':') {
            "the app that opens " bdi { (shown) } " links"
        } @else if matches!(name, "localhost" | "127.0.0.1" | "[::1]") || matches!(shown, "[::1]") {
            "a program on this computer (" bdi { (shown) } ")"
        } @else {
            bdi { (shown) }
        }
    }
}

fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                // No icon is asked for: there is none, and the policy would refuse it.
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (body) } }
        }
    };
    page.into_string()
}

fn policy(form_action: &str) -> String {
    format!(
        "default-src 'none'; style-src {}; img-src data:; {form_action}base-uri 'none'; frame-ancestors 'none'",
        *STYLE_SOURCE
    )
}

#[cfg(test)]
mod tests {
    use super::super::Narrowing;
    use super::*;

    fn view<'a>(name: Option<&'a str>, redirect_host: &'a str) -> ConsentView<'a> {
        ConsentView {
            client_name: name,
            client_host: None,
            redirect_host,
            scopes: &["vault"],
            sealed_request: "c2VhbGVk.bWFj",
            chosen: Narrowing::default(),
            problem: None,
        }
    }

    #[test]
    fn what_a_client_or_a_form_sent_is_text_and_nothing_else() {
        let folders = vec!["</textarea><script>1</script>".to_owned()];
        let page = page(&ConsentView {
            client_host: Some("<i>host"),
            sealed_request: "\"><img src=x>",
            chosen: Narrowing { folders, ..Narrowing::default() },
            problem: Some(ConsentProblem::BadFolder),
            ..view(Some("<script>alert(1)</script> & \"Co\""), "<b>")
        });
        assert!(!page.html.contains("<script") && !page.html.contains("<img") && !page.html.contains("<i>"));
        assert!(page.html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot;"));
        assert_eq!(page.html.matches("</textarea>").count(), 1);
        assert!(page.html.contains("role=\"alert\""));
    }

    #[test]
    fn folders_that_are_missing_are_named_and_may_be_confirmed() {
        let missing = vec!["Cookng".to_owned(), "<b>".to_owned()];
        let problem = Some(ConsentProblem::MissingFolders(missing));
        let html = page(&ConsentView { problem, ..view(None, "claude.ai") }).html;
        assert!(html.contains("The vault has no folder “Cookng”, “&lt;b&gt;”."), "{html}");
        assert!(html.contains("name=\"missing\" value=\"Cookng\n&lt;b&gt;\""), "{html}");
        assert!(!page(&view(None, "claude.ai")).html.contains("name=\"missing\""));
    }

    #[test]
    fn the_policy_allows_our_style_and_no_frame() {
        let page = page(&view(None, "claude.ai"));
        assert_eq!(
            page.csp,
            format!(
                "default-src 'none'; style-src {}; img-src data:; \
                 base-uri 'none'; frame-ancestors 'none'",
                *STYLE_SOURCE
            )
        );
        assert!(page.html.contains("<style>:root {"));
    }

    #[test]
    fn the_destination_is_told_in_words() {
        for (shown, expected) in [
            ("claude.ai", "<bdi>claude.ai</bdi>"),
            ("localhost:33418", "a program on this computer (<bdi>localhost:33418</bdi>)"),
            ("[::1]", "a program on this computer (<bdi>[::1]</bdi>)"),
            ("[::1]:80", "a program on this computer (<bdi>[::1]:80</bdi>)"),
            ("localhost.evil.example", "<bdi>localhost.evil.example</bdi>"),
            ("cursor:", "the app that opens <bdi>cursor:</bdi> links"),
        ] {
            assert_eq!(destination(shown).into_string(), expected);
        }
    }

    /// The first submit button of a form is the one that Enter presses.
    #[test]
    fn enter_in_the_token_field_presses_allow_and_nothing_else_presses_anything() {
        let page = page(&view(Some("Claude"), "localhost:1"));
        let allow = page.html.find("value=\"approve\"").unwrap();
        assert!(allow < page.html.find("value=\"deny\"").unwrap());
        assert!(!page.html.contains("autofocus"));
        for kind in ["radio", "checkbox", "type=\"text\""] {
            assert!(!page.html.contains(kind), "{kind} sends the form upon Enter");
        }
    }
}
