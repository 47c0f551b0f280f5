//! The owner in front of a browser, as far as a consent needs one: reads the page, types the token, presses
//! Approve, and is sent back to the client.

use harness::{Edge, Request, Response, form};

/// Opens the address of a client through the gateway.
#[track_caller]
pub(super) fn open(edge: &Edge, address: &str) -> Response {
    let target = address.strip_prefix(&edge.gateway().url());
    let target = target.unwrap_or_else(|| panic!("{address} is not below {}", edge.gateway().url()));
    let page = edge.send(&Request::new("GET", target).header("accept", "text/html"));
    assert_eq!(page.status, 200, "{}", page.text());
    page
}

/// Lets the client in, narrowed by these fields of the page, and gives the address that the browser goes to.
#[track_caller]
pub(super) fn approve(edge: &Edge, address: &str, narrowing: &[(&str, &str)]) -> String {
    let page = open(edge, address);
    let request = hidden(page.text(), "request");
    let mut fields =
        vec![("request", request.as_str()), ("token", edge.server().token()), ("action", "approve")];
    fields.extend(narrowing);
    if !narrowing.iter().any(|(name, _)| *name == "access") {
        fields.extend([("access", "full"), ("folders", "")]);
    }
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
