//! Client ID metadata documents, and what fetching them must not be talked into.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use harness::Server;
use serde_json::{Value, json};

use super::client::{
    Client, PUBLIC_URL, REDIRECT, answer_in, error, logs, server, settings, tokens_in, works,
};

/// A web server of somebody else: answers by path, counted.
struct Site {
    address: SocketAddr,
    pages: Arc<Mutex<BTreeMap<String, String>>>,
    asked: Arc<AtomicUsize>,
}

impl Site {
    fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let pages = Arc::<Mutex<BTreeMap<String, String>>>::default();
        let asked = Arc::<AtomicUsize>::default();
        let (served, counter) = (Arc::clone(&pages), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counter.fetch_add(1, Ordering::SeqCst);
                let served = Arc::clone(&served);
                std::thread::spawn(move || answer(stream, &served));
            }
        });
        Self { address, pages, asked }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Answers a path with these bytes from now on.
    fn serve(&self, path: &str, status: &str, headers: &str, body: &str) {
        let length = body.len();
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
        self.pages.lock().unwrap().insert(path.to_owned(), answer);
    }

    /// Serves a document at this path, with changes, and gives its URL.
    fn document(&self, path: &str, changes: Value) -> String {
        let url = self.url(path);
        let mut document = json!({
            "client_id": url,
            "client_name": "Documented client",
            "redirect_uris": ["http://localhost/callback", "http://127.0.0.1/callback"],
            "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "jwks_uri": "https://client.example/keys",
        });
        for (field, value) in changes.as_object().unwrap() {
            document[field] = value.clone();
        }
        self.serve(path, "200 OK", "content-type: application/json\r\n", &document.to_string());
        url
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn answer(mut stream: TcpStream, pages: &Mutex<BTreeMap<String, String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut first = String::new();
    let _ = reader.read_line(&mut first);
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
        line.clear();
    }
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let answer = pages.lock().unwrap().get(&path).cloned();
    if path.starts_with("/slow") {
        // A byte now and then keeps a connection that counts only silence.
        for byte in answer.unwrap_or_default().bytes() {
            std::thread::sleep(Duration::from_millis(200));
            if stream.write_all(&[byte]).is_err() {
                return;
            }
        }
        return;
    }
    let missing = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_owned();
    let _ = stream.write_all(answer.unwrap_or(missing).as_bytes());
}

fn documented<'a>(server: &'a Server, url: &str) -> Client<'a> {
    Client { server, id: url.to_owned(), secret: None, redirect: REDIRECT.to_owned() }
}

/// As Claude Code has it: a document without ports, a request with one, grant types of other servers beside.
#[test]
fn a_client_is_known_by_its_document_and_needs_no_registration() {
    let (server, site) = (server(), Site::start());
    let url = site.document("/client.json", json!({}));
    let client = documented(&server, &url);
    let page = client.authorize(&[]);
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(page.text().contains("Documented client"));
    assert!(page.text().contains(&site.address.to_string()), "the document's host is shown: {}", page.text());
    let tokens = client.tokens();
    works(&server, &tokens.access);
    tokens_in(&client.refresh(&tokens.refresh, &[]));
    assert_eq!(site.asked(), 1, "it is kept for a while");
}

/// Documents of large clients have been out of reach, or behind a page against robots. (How long an old one is
/// served is a unit test: it needs a clock.)
#[test]
fn trap_a_document_out_of_reach_is_served_from_before_and_registration_stays_open() {
    let site = Site::start();
    let url = site.document("/client.json", json!({}));
    // The same name again after a restart, whatever the port.
    let server = settings().listening();
    documented(&server, &url).tokens();
    site.serve(
        "/client.json",
        "403 Forbidden",
        "content-type: text/html\r\n",
        "<html>are you a robot?</html>",
    );
    let server = server.stop().listening();
    documented(&server, &url).tokens();
    let unknown = site.url("/never-seen.json");
    error(&documented(&server, &unknown).authorize(&[]), 400, "invalid_client");
    logs(&server, "oauth_metadata_document_not_fetched");
    Client::public(&server).tokens();
}

/// Its address stands in a document that its publisher answers for, so it is told what is wrong.
#[test]
fn what_is_wrong_with_a_request_goes_to_a_client_of_a_document() {
    let server = settings().listening();
    let site = Site::start();
    let uri = "https://client.example/callback";
    let url = site.document("/client.json", json!({"redirect_uris": [uri]}));
    let client = Client { redirect: uri.to_owned(), ..documented(&server, &url) };
    let answer = answer_in(&client.authorize(&[("response_type", "token")]), uri);
    assert_eq!(answer.get("error"), "unsupported_response_type");
}

#[test]
fn a_document_that_is_not_the_clients_own_is_refused() {
    let (server, site) = (server(), Site::start());
    for (number, changes) in [
        json!({"client_id": "https://client.example/client.json"}),
        json!({"client_id": null}),
        json!({"client_secret": "everybody knows"}),
        json!({"token_endpoint_auth_method": "client_secret_post"}),
        json!({"token_endpoint_auth_method": "private_key_jwt"}),
        json!({"redirect_uris": []}),
        json!({"redirect_uris": ["javascript:alert(1)"]}),
        json!({"grant_types": ["client_credentials"]}),
    ]
    .into_iter()
    .enumerate()
    {
        let url = site.document(&format!("/{number}.json"), changes.clone());
        let response = documented(&server, &url).authorize(&[]);
        error(&response, 400, "invalid_client");
    }
    let url = site.document("/right.json", json!({}));
    let elsewhere = [("redirect_uri", "https://evil.example/callback")];
    error(&documented(&server, &url).authorize(&elsewhere), 400, "invalid_request");
}

#[test]
fn what_is_no_document_is_refused() {
    let (server, site) = (server(), Site::start());
    site.serve("/page", "200 OK", "content-type: text/html\r\n", "<html></html>");
    site.serve("/text", "200 OK", "content-type: application/json\r\n", "not json");
    site.serve("/error", "500 Internal Server Error", "", "{}");
    for path in ["/page", "/text", "/error", "/missing"] {
        error(&documented(&server, &site.url(path)).authorize(&[]), 400, "invalid_client");
    }
}

#[test]
fn ssrf_a_redirect_is_not_followed() {
    let (server, site, inner) = (server(), Site::start(), Site::start());
    let target = inner.document("/secret.json", json!({}));
    for status in ["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect"] {
        site.serve("/moved", status, &format!("location: {target}\r\n"), "");
        error(&documented(&server, &site.url("/moved")).authorize(&[]), 400, "invalid_client");
    }
    assert_eq!(inner.asked(), 0);
}

#[test]
fn ssrf_a_huge_or_a_slow_body_holds_nothing_up() {
    let (server, site) = (server(), Site::start());
    let url = site.document("/huge.json", json!({"client_name": "a".repeat(6_000)}));
    error(&documented(&server, &url).authorize(&[]), 400, "invalid_client");
    let url = site.document("/slow.json", json!({}));
    let begun = Instant::now();
    error(&documented(&server, &url).authorize(&[]), 400, "invalid_client");
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
}

/// A server on the internet fetches nothing from its own machine or network, however the address is written.
#[test]
fn ssrf_nothing_nearer_than_the_internet_is_asked() {
    let site = Site::start();
    let server = settings().with_env("PUBLIC_URL", PUBLIC_URL).listening();
    let port = site.address.port();
    let tried = |scheme: &str, host: &str| {
        let url = format!("{scheme}://{host}:{port}/client.json");
        error(&documented(&server, &url).authorize(&[]), 400, "invalid_client");
    };
    for host in [
        "127.0.0.1",
        "localhost",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.100.100.200",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
    ] {
        tried("https", host);
        tried("http", host);
    }
    assert_eq!(site.asked(), 0);
}

/// A server on loopback is for development: it may ask its own machine, and nothing else nearby.
#[test]
fn ssrf_a_development_server_asks_only_its_own_machine_beside_the_internet() {
    let (server, site) = (server(), Site::start());
    let port = site.address.port();
    for host in ["10.0.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0", "[::ffff:7f00:1]", "127.0.0.2"] {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/client.json");
            error(&documented(&server, &url).authorize(&[]), 400, "invalid_client");
        }
    }
    assert_eq!(site.asked(), 0);
}

#[test]
fn urls_that_name_no_document_are_refused_unasked() {
    let (server, site) = (server(), Site::start());
    let at = site.address;
    for url in [
        format!("http://{at}"),
        format!("http://{at}/"),
        format!("http://user@{at}/client.json"),
        format!("http://user:password@{at}/client.json"),
        format!("http://{at}/a/../client.json"),
        format!("http://{at}/client.json#fragment"),
        format!("HTTP://{at}/client.json"),
        format!("ftp://{at}/client.json"),
        format!("file://{at}/etc/passwd"),
        "javascript:alert(1)".to_owned(),
        "urn:example:client".to_owned(),
        format!("http://{at}/{}", "a".repeat(1_100)),
    ] {
        error(&documented(&server, &url).authorize(&[]), 400, "invalid_client");
    }
    assert_eq!(site.asked(), 0);
}

/// Its id is public: whoever uses it still needs the code that goes to its redirect URI, and the verifier.
#[test]
fn a_documents_client_has_no_secret_and_its_tokens_are_its_own() {
    let (server, site) = (server(), Site::start());
    let (one, other) = (site.document("/one.json", json!({})), site.document("/other.json", json!({})));
    let (one, other) = (documented(&server, &one), documented(&server, &other));
    let (code, tokens) = (one.code(), one.tokens());
    error(&other.exchange(&code, &[]), 400, "invalid_grant");
    error(&other.refresh(&tokens.refresh, &[]), 400, "invalid_grant");
    error(&one.exchange(&code, &[("client_secret", "made up")]), 401, "invalid_client");
    let response = one.decide(&one.sealed(&[]), &[("action", "deny")]);
    assert_eq!(answer_in(&response, REDIRECT).get("error"), "access_denied");
    tokens_in(&one.exchange(&code, &[]));
}
