//! The owner in front of a browser: reads the page that a client had opened, types the token, presses Approve, and
//! is sent back to the client. In headless Chromium where it is installed; else by posting the page's form.

use harness::{Browser, Edge, Request, Screen, form, parameters};

pub(super) struct Owner {
    browser: Option<Browser>,
}

impl Owner {
    pub(super) fn sit_down() -> Self {
        Self { browser: Browser::start(Screen::DESK) }
    }

    /// Whether what the owner is sent back to has been asked for, as a browser does.
    pub(super) fn has_a_browser(&self) -> bool {
        self.browser.is_some()
    }

    /// Lets the client in, for all or for reading only, and gives the address that the browser is sent back to.
    #[track_caller]
    pub(super) fn approve(&self, edge: &Edge, address: &str, access: &str) -> String {
        match &self.browser {
            Some(browser) => in_the_browser(browser, edge, address, access),
            None => by_posting(edge, address, access),
        }
    }
}

#[track_caller]
fn in_the_browser(browser: &Browser, edge: &Edge, address: &str, access: &str) -> String {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let (_, redirect) = parameters(query).into_iter().find(|(name, _)| name == "redirect_uri").unwrap();
    browser.open(address);
    browser.element(&format!("#access option[value={access}]")).click();
    browser.element("input[name=token]").type_in(edge.server().token());
    browser.element("button[name=action][value=approve]").click();
    browser.wait_for_address(&format!("{redirect}?"))
}

#[track_caller]
fn by_posting(edge: &Edge, address: &str, access: &str) -> String {
    let target = address.strip_prefix(&edge.gateway().url());
    let target = target.unwrap_or_else(|| panic!("{address} is not below {}", edge.gateway().url()));
    let page = edge.send(&Request::new("GET", target).header("accept", "text/html"));
    assert_eq!(page.status, 200, "{}", page.text());
    let request = hidden(page.text(), "request");
    let fields = [
        ("request", request.as_str()),
        ("token", edge.server().token()),
        ("action", "approve"),
        ("access", access),
        ("folders", ""),
    ];
    let decision = edge.send(
        &Request::new("POST", "/oauth/decide")
            .header("origin", &edge.gateway().url())
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form(&fields)),
    );
    assert_eq!(decision.status, 303, "{}", decision.text());
    decision.header("location").expect("a redirect leads somewhere").to_owned()
}

/// The value of a hidden field.
#[track_caller]
fn hidden(html: &str, name: &str) -> String {
    let tag =
        html.split('<').find(|tag| tag.starts_with("input") && tag.contains(&format!("name=\"{name}\"")));
    let value = tag.and_then(|tag| tag.split("value=\"").nth(1)?.split('"').next());
    value.unwrap_or_else(|| panic!("no field {name}:\n{html}")).to_owned()
}
