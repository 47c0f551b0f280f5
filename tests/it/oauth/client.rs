//! A client, as bare as the wire, and an owner who types the token.

use std::sync::atomic::{AtomicU32, Ordering};

use harness::{Connection, Request, Response, Server, TestServer, TestVault, form, parameters, request};
use serde_json::{Value, json};

/// The example of RFC 7636, appendix B.
pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(super) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// Well-formed, and of another challenge.
pub(super) const OTHER_VERIFIER: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// Where the test's client waits.
pub(super) const REDIRECT: &str = "http://localhost:51234/callback";

/// A `PUBLIC_URL` that stays the same over a restart, on whatever port.
pub(super) const PUBLIC_URL: &str = "https://vault.example.com";

/// A server that believes its gateway about the client's address, so that a test need not share a limit.
pub(super) fn settings() -> TestServer {
    let vault = TestVault::new().note("Bread.md", "# Bread\n\nsourdough\n");
    TestServer::start().with_vault(vault).with_env("TRUST_FORWARDED_HOPS", "1")
}

pub(super) fn server() -> Server {
    settings().listening()
}

/// A request from an address of its own.
pub(super) fn from_somewhere(request: Request) -> Request {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let [_, b, c, d] = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    request.header("forwarded", &format!("for=10.{b}.{c}.{d}"))
}

/// A form that is posted.
pub(super) fn post(path: &str, fields: &[(&str, &str)]) -> Request {
    from_somewhere(Request::new("POST", path))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form(fields))
}

pub(super) fn get(path: &str, fields: &[(&str, &str)]) -> Request {
    from_somewhere(Request::new("GET", &format!("{path}?{}", form(fields))))
}

/// `fields` with some replaced or added; an empty value takes one away.
fn changed<'a>(
    mut fields: Vec<(&'a str, &'a str)>,
    changes: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    for (name, value) in changes {
        fields.retain(|(known, _)| known != name);
        if !value.is_empty() {
            fields.push((name, value));
        }
    }
    fields
}

/// What a client got for its code or refresh token.
#[derive(Clone, Debug)]
pub(super) struct Tokens {
    pub(super) access: String,
    pub(super) refresh: String,
}

/// A registered client.
pub(super) struct Client<'a> {
    pub(super) server: &'a Server,
    pub(super) id: String,
    pub(super) secret: Option<String>,
    pub(super) redirect: String,
}

impl<'a> Client<'a> {
    /// A public client.
    #[track_caller]
    pub(super) fn public(server: &'a Server) -> Self {
        Self::register(server, json!({"token_endpoint_auth_method": "none"}))
    }

    /// A client with a secret.
    #[track_caller]
    pub(super) fn confidential(server: &'a Server) -> Self {
        Self::register(server, json!({"token_endpoint_auth_method": "client_secret_post"}))
    }

    #[track_caller]
    pub(super) fn register(server: &'a Server, changes: Value) -> Self {
        let mut metadata = json!({"client_name": "Test client", "redirect_uris": [REDIRECT]});
        for (field, value) in changes.as_object().unwrap() {
            metadata[field] = value.clone();
        }
        let response = server.send(&register_request(&metadata));
        assert_eq!(response.status, 201, "{}", response.text());
        let answer = response.json();
        Self {
            server,
            id: answer["client_id"].as_str().unwrap().to_owned(),
            secret: answer["client_secret"].as_str().map(str::to_owned),
            redirect: answer["redirect_uris"][0].as_str().unwrap().to_owned(),
        }
    }

    /// Another client of the same name, so that one may try what is the other's.
    #[track_caller]
    pub(super) fn other(server: &'a Server) -> Self {
        Self::register(server, json!({"client_name": "Other client", "token_endpoint_auth_method": "none"}))
    }

    /// The request that the browser is sent to.
    pub(super) fn authorize_request(&self, changes: &[(&str, &str)]) -> Request {
        let fields = vec![
            ("response_type", "code"),
            ("client_id", self.id.as_str()),
            ("redirect_uri", self.redirect.as_str()),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "st&te=1"),
        ];
        get("/authorize", &changed(fields, changes))
    }

    pub(super) fn authorize(&self, changes: &[(&str, &str)]) -> Response {
        self.server.send(&self.authorize_request(changes))
    }

    /// The sealed request on the consent page.
    #[track_caller]
    pub(super) fn sealed(&self, changes: &[(&str, &str)]) -> String {
        let page = self.authorize(changes);
        assert_eq!(page.status, 200, "{}", page.text());
        sealed_in(page.text())
    }

    /// What the owner's browser posts.
    pub(super) fn decide_request(&self, sealed: &str, changes: &[(&str, &str)]) -> Request {
        let fields = vec![
            ("request", sealed),
            ("token", self.server.token()),
            ("action", "approve"),
            ("access", "full"),
        ];
        post("/oauth/decide", &changed(fields, changes))
    }

    pub(super) fn decide(&self, sealed: &str, changes: &[(&str, &str)]) -> Response {
        self.server.send(&self.decide_request(sealed, changes))
    }

    /// A code that the owner allowed.
    #[track_caller]
    pub(super) fn code(&self) -> String {
        let response = self.decide(&self.sealed(&[]), &[]);
        assert_eq!(response.status, 303, "{}", response.text());
        answer_in(&response, &self.redirect).get("code").to_owned()
    }

    /// The request that exchanges a code.
    pub(super) fn exchange_request(&self, code: &str, changes: &[(&str, &str)]) -> Request {
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", self.redirect.as_str()),
            ("client_id", self.id.as_str()),
            ("code_verifier", VERIFIER),
        ];
        if let Some(secret) = &self.secret {
            fields.push(("client_secret", secret));
        }
        post("/token", &changed(fields, changes))
    }

    pub(super) fn exchange(&self, code: &str, changes: &[(&str, &str)]) -> Response {
        self.server.send(&self.exchange_request(code, changes))
    }

    #[track_caller]
    pub(super) fn tokens(&self) -> Tokens {
        tokens_in(&self.exchange(&self.code(), &[]))
    }

    pub(super) fn refresh_request(&self, token: &str, changes: &[(&str, &str)]) -> Request {
        let mut fields =
            vec![("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", self.id.as_str())];
        if let Some(secret) = &self.secret {
            fields.push(("client_secret", secret));
        }
        post("/token", &changed(fields, changes))
    }

    pub(super) fn refresh(&self, token: &str, changes: &[(&str, &str)]) -> Response {
        self.server.send(&self.refresh_request(token, changes))
    }

    pub(super) fn revoke(&self, token: &str, changes: &[(&str, &str)]) -> Response {
        let mut fields = vec![("token", token), ("client_id", self.id.as_str())];
        if let Some(secret) = &self.secret {
            fields.push(("client_secret", secret));
        }
        self.server.send(&post("/revoke", &changed(fields, changes)))
    }
}

pub(super) fn register_request(metadata: &Value) -> Request {
    from_somewhere(Request::new("POST", "/register")).json(metadata)
}

/// A call to `/mcp` with this token.
pub(super) fn call(server: &Server, access: &str) -> Response {
    let list = server
        .post()
        .without_header("authorization")
        .header("authorization", &format!("Bearer {access}"))
        .json(&request(1, "tools/list", json!({})));
    server.send(&from_somewhere(list))
}

#[track_caller]
pub(super) fn works(server: &Server, access: &str) {
    let response = call(server, access);
    assert_eq!(response.status, 200, "{}", response.text());
}

/// A 401 upon which clients refresh or log in.
#[track_caller]
pub(super) fn refused(server: &Server, access: &str) {
    let response = call(server, access);
    assert_eq!(response.status, 401, "{}", response.text());
    let challenge = response.header("www-authenticate").unwrap();
    assert!(challenge.contains("/.well-known/oauth-protected-resource/mcp"), "{challenge}");
}

#[track_caller]
pub(super) fn tokens_in(response: &Response) -> Tokens {
    assert_eq!(response.status, 200, "{}", response.text());
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let body = response.json();
    assert_eq!(body["token_type"], "Bearer");
    assert_eq!(body["scope"], "vault");
    let text = |field: &str| body[field].as_str().unwrap().to_owned();
    Tokens { access: text("access_token"), refresh: text("refresh_token") }
}

/// The hidden field of a consent page.
#[track_caller]
pub(super) fn sealed_in(page: &str) -> String {
    let field =
        page.split('<').find(|tag| tag.contains("name=\"request\"")).expect("the page has its request");
    let (_, value) = field.split_once("value=\"").expect("a value");
    value.split('"').next().unwrap().to_owned()
}

/// An answer through a redirect.
#[derive(Debug)]
pub(super) struct Redirected(Vec<(String, String)>);

impl Redirected {
    #[track_caller]
    pub(super) fn get(&self, name: &str) -> &str {
        self.find(name).unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }

    pub(super) fn find(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The parameters of a redirect to exactly this URI.
#[track_caller]
pub(super) fn answer_in(response: &Response, redirect: &str) -> Redirected {
    assert_eq!(response.status, 303, "{}", String::from_utf8_lossy(&response.body));
    let location = response.header("location").unwrap();
    let query = location
        .strip_prefix(redirect)
        .and_then(|rest| rest.strip_prefix(['?', '&']))
        .unwrap_or_else(|| panic!("{location} does not go to {redirect}"));
    Redirected(parameters(query))
}

/// An error in JSON, as RFC 6749 section 5.2 has it.
#[track_caller]
pub(super) fn error(response: &Response, status: u16, code: &str) {
    let text = String::from_utf8_lossy(&response.body);
    assert_eq!(response.status, status, "{text}");
    assert_eq!(response.header("location"), None);
    assert_eq!(response.header("content-type"), Some("application/json"), "{text}");
    assert_eq!(response.header("cache-control"), Some("no-store"));
    let body = response.json();
    assert_eq!(body["error"], code, "{body}");
    let description = body["error_description"].as_str().unwrap();
    assert!(description.is_ascii() && !description.contains(['"', '\\']), "{description}");
}

/// None of these texts is in the log.
#[track_caller]
pub(super) fn not_logged(server: &Server, secrets: &[&str]) {
    for line in server.log() {
        for secret in secrets {
            assert!(!line.text.contains(secret), "a secret in the log: {}", line.text);
        }
    }
}

/// Whether an event of this name was logged so far.
pub(super) fn has_logged(server: &Server, event: &str) -> bool {
    server.log().iter().any(|line| line.is_event(event))
}

/// Waits for an event of this name: the log is read by a thread of its own.
#[track_caller]
pub(super) fn logs(server: &Server, event: &str) {
    harness::eventually(event, std::time::Duration::from_secs(5), || has_logged(server, event).then_some(()));
}

/// Another connection to the server, for a thread of its own.
pub(super) fn connection(server: &Server) -> Connection {
    Connection::new(server.address())
}
