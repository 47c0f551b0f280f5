//! The consent page in a real browser.

use base64::Engine as _;
use harness::{Browser, Callback, Request, Screen, Server, TestServer, TestVault, form, key};
use serde_json::{Value, json};

/// A verifier and its challenge (RFC 7636, appendix B).
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn server() -> Server {
    let vault = TestVault::new()
        .note("Projects/Garden.md", "# Garden\n\nbeans along the fence\n")
        .note("Archive/Old.md", "# Old\n\nnothing\n")
        .note("Diary.md", "# Diary\n\na secret about beans\n");
    TestServer::start().with_vault(vault).ready()
}

fn post_form(server: &Server, target: &str, fields: &[(&str, &str)]) -> harness::Response {
    let request = Request::new("POST", target)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form(fields));
    server.send(&request)
}

/// Registers a public client and gives its id.
fn register(server: &Server, name: &str, redirect_uri: &str) -> String {
    let metadata = json!({
        "client_name": name,
        "redirect_uris": [redirect_uri],
        "token_endpoint_auth_method": "none",
    });
    let response = server.send(&Request::new("POST", "/register").json(&metadata));
    assert_eq!(response.status, 201, "{}", response.text());
    response.json()["client_id"].as_str().unwrap().to_owned()
}

fn consent_url(server: &Server, client: &str, redirect_uri: &str) -> String {
    let query = form(&[
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", redirect_uri),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "a state & more"),
    ]);
    // As `PUBLIC_URL` has it: the form takes no answer from elsewhere.
    format!("{}/authorize?{query}", public_url(server))
}

fn public_url(server: &Server) -> String {
    format!("http://localhost:{}", server.address().port())
}

/// A server, a client of this name that waits for the answer, and the page, if there is a browser.
fn open_page(screen: Screen, name: &str) -> Option<(Server, Callback, String, Browser)> {
    let browser = Browser::start(screen)?;
    let (server, callback) = (server(), Callback::listen());
    let client = register(&server, name, &callback.uri());
    browser.open(&consent_url(&server, &client, &callback.uri()));
    Some((server, callback, client, browser))
}

fn parameter(parameters: &[(String, String)], name: &str) -> Option<String> {
    parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
}

/// The access token for the code that came.
fn exchange(server: &Server, client: &str, callback: &Callback) -> String {
    let answer = callback.wait();
    assert_eq!(parameter(&answer, "state").as_deref(), Some("a state & more"));
    assert!(parameter(&answer, "iss").is_some());
    let code = parameter(&answer, "code").expect("a code");
    let response = post_form(
        server,
        "/token",
        &[
            ("grant_type", "authorization_code"),
            ("client_id", client),
            ("code", &code),
            ("redirect_uri", &callback.uri()),
            ("code_verifier", VERIFIER),
        ],
    );
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()["access_token"].as_str().unwrap().to_owned()
}

fn call(server: &Server, token: &str, tool: &str, arguments: Value) -> Value {
    let body = harness::tool_call(1, tool, arguments);
    let request = server.post().without_header("authorization");
    let request = request.header("authorization", &format!("Bearer {token}")).json(&body);
    let response = server.send(&request);
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()["result"].clone()
}

#[test]
fn enter_in_the_token_field_lets_the_client_in() {
    let Some((server, callback, client, browser)) = open_page(Screen::DESK, "Claude") else { return };
    assert_eq!(browser.title(), "Allow Claude to use your vault?");
    browser.element("#token").type_in(&format!(" {}\n", server.token()));
    browser.wait_for_address(&callback.uri());
    let token = exchange(&server, &client, &callback);
    let found = call(&server, &token, "vault_search", json!({"query": "beans"}));
    assert_eq!(found["structuredContent"]["total"], 2);
    let cut = |line: &String| line.contains("Content Security Policy");
    assert_eq!(browser.console().into_iter().find(cut), None, "the policy of the page cuts something");
}

/// With the token filled in by a password manager, only the token field and the button let a client in.
#[test]
fn enter_elsewhere_allows_nothing() {
    let Some((server, callback, _, browser)) = open_page(Screen::DESK, "Claude") else { return };
    let page = browser.address();
    browser.element("#token").type_in(server.token());
    browser.element("#folders").type_in(&format!("Projects{}", key::ENTER));
    browser.run("document.activeElement.blur()");
    browser.press(key::ENTER);
    browser.run("document.querySelector('#access').focus()");
    browser.press(key::ENTER);
    browser.press(key::ENTER);
    assert_eq!(browser.address(), page);
    assert_eq!(callback.targets(), [""; 0]);
    let button = browser.element("button[value=deny]");
    button.click();
    assert_eq!(parameter(&callback.wait(), "error").as_deref(), Some("access_denied"));
}

#[test]
fn a_wrong_token_shows_the_page_again_with_what_was_chosen() {
    let Some((server, callback, client, browser)) = open_page(Screen::DESK, "Claude") else { return };
    browser.element("#access option[value=read]").click();
    browser.element("#folders").type_in("Projects\nArchive");
    browser.element("#token").type_in("not the token");
    browser.element("button[value=approve]").click();
    let problem = browser.element("[role=alert]");
    assert!(problem.text().contains("not the access token"), "{}", problem.text());
    assert_eq!(browser.element("#access").property("value"), "read");
    assert_eq!(browser.element("#folders").property("value"), "Projects\nArchive");
    assert_eq!(browser.element("#token").property("value"), "");
    assert_eq!(callback.targets(), [""; 0]);

    browser.element("#token").type_in(&format!("{}\n", server.token()));
    let token = exchange(&server, &client, &callback);
    let found = call(&server, &token, "vault_search", json!({"query": "beans"}));
    assert_eq!(found["structuredContent"]["total"], 1, "{found}");
    let hidden = call(&server, &token, "vault_read_note", json!({"path": "Diary.md"}));
    assert_eq!(hidden["isError"], true);
    let write = json!({"path": "Projects/New.md", "content": "x"});
    assert_eq!(call(&server, &token, "vault_write_note", write)["isError"], true);
}

/// The whole page with keys alone, in the order in which it reads; and as a screen reader tells it.
#[test]
fn the_page_is_used_by_keyboard_and_read_aloud() {
    let Some((server, callback, _, browser)) = open_page(Screen::DESK, "Claude") else { return };
    let expected = [
        ("combobox", "It may"),
        ("textbox", "In these folders only (optional)"),
        ("textbox", "Access token of this server"),
        ("button", "Allow"),
        ("button", "Deny"),
    ];
    for (role, label) in expected {
        browser.press(key::TAB);
        let focused = browser.focused();
        assert_eq!((focused.role().as_str(), focused.label().as_str()), (role, label));
        let outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle");
        assert_ne!(outline, "none", "the focus on {label} is not seen");
    }
    assert_eq!(browser.run("return document.documentElement.lang"), "en");
    assert_eq!(browser.element("h1").role(), "heading");
    assert_eq!(browser.element("main").role(), "main");
    browser.run("document.querySelector('#token').focus()");
    browser.press(server.token());
    browser.press(key::TAB);
    browser.press(key::SPACE);
    assert!(parameter(&callback.wait(), "code").is_some());
}

/// On a phone and a desk, by day and by night: nothing is cut, every letter can be read, fingers find the
/// buttons. With `PICTURES` set to a folder, pictures of the pages are put there.
#[test]
fn the_page_fits_every_screen() {
    let long = "A program with a name that is as long as names may be, and then some more words";
    for (name, screen) in [
        ("phone", Screen::PHONE),
        ("phone-dark", Screen::PHONE.in_the_dark()),
        ("desk", Screen::DESK),
        ("desk-dark", Screen::DESK.in_the_dark()),
    ] {
        let Some((server, _callback, _, browser)) = open_page(screen, long) else { return };
        browser.element("#token").type_in("wrong\n");
        browser.element("[role=alert]");
        let wide = "return document.documentElement.scrollWidth > window.innerWidth";
        assert_eq!(browser.run(wide), false, "{name}: the page is wider than the screen");
        assert_eq!(browser.run(include_str!("contrast.js")), json!([]), "{name}: hard to read");
        let small =
            "return [...document.querySelectorAll('button, input:not([type=hidden], [hidden]), select')]
            .filter(part => part.getBoundingClientRect().height < 40).length";
        assert_eq!(browser.run(small), 0, "{name}: too small for a finger");
        let loaded = "return performance.getEntriesByType('resource').map(part => part.name)";
        assert_eq!(browser.run(loaded), json!([]), "{name}: something is loaded");
        if let Some(folder) = std::env::var_os("PICTURES") {
            let picture = base64::engine::general_purpose::STANDARD.decode(browser.picture()).unwrap();
            std::fs::write(std::path::Path::new(&folder).join(format!("consent-{name}.png")), picture)
                .unwrap();
        }
        drop(server);
    }
}

#[test]
fn the_page_is_shown_in_no_frame_and_keeps_no_copy() {
    let (server, callback) = (server(), Callback::listen());
    let client = register(&server, "Claude", &callback.uri());
    let url = consent_url(&server, &client, &callback.uri());
    let target = url.strip_prefix(&public_url(&server)).unwrap();
    let response = server.send(&Request::new("GET", target));
    assert_eq!(response.header("x-frame-options"), Some("DENY"));
    assert!(response.header("content-security-policy").unwrap().contains("frame-ancestors 'none'"));
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let Some(browser) = Browser::start(Screen::DESK) else { return };
    browser.open(&callback.uri());
    browser.run(&format!(
        "const frame = document.createElement('iframe'); frame.src = {}; document.body.append(frame);",
        json!(url)
    ));
    harness::eventually("the frame is refused", std::time::Duration::from_secs(10), || {
        browser.console().iter().any(|line| line.contains("frame")).then_some(())
    });
}

/// What a client calls itself is shown as text on one line, whatever it is.
#[test]
fn a_hostile_name_is_text() {
    let name = "Claude\u{202e}\n<img src=x onerror=alert(1)>\u{0}&quot;";
    let Some((_server, _callback, _, browser)) = open_page(Screen::DESK, name) else { return };
    assert_eq!(browser.elements("img").len(), 0);
    assert_eq!(browser.element("h1 bdi").text(), "Claude <img src=x onerror=alert(1)> &quot;");
}

/// A client may send the browser on from where it waits: to its app, or to a page of its own.
#[test]
fn a_client_may_send_the_browser_on() {
    let Some(browser) = Browser::start(Screen::DESK) else { return };
    let (server, last) = (server(), Callback::listen());
    let first = Callback::listen_and_redirect(&last.uri().replace("127.0.0.1", "localhost"));
    let client = register(&server, "Claude", &first.uri());
    browser.open(&consent_url(&server, &client, &first.uri()));
    browser.element("#token").type_in(&format!("{}\n", server.token()));
    assert!(parameter(&last.wait(), "code").is_some());
}

/// What cannot be sent back to the client is told to the person, in words.
#[test]
fn an_error_is_a_page_for_people_and_json_for_programs() {
    let server = server();
    let target = format!("/authorize?{}", form(&[("client_id", "nobody"), ("response_type", "code")]));
    let response = server.send(&Request::new("GET", &target));
    assert_eq!((response.status, response.header("content-type")), (400, Some("application/json")));
    assert_eq!(response.json()["error"], "invalid_client");
    let response = server.send(&Request::new("GET", &target).header("accept", "text/html,*/*;q=0.8"));
    assert_eq!(response.status, 400);
    assert!(response.header("content-type").unwrap().starts_with("text/html"));
    assert!(response.text().contains("<h1>"), "{}", response.text());
    assert!(response.header("content-security-policy").unwrap().contains("frame-ancestors 'none'"));
}
