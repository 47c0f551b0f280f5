//! What an HTTP request meets on its way, in which order: CORS, authentication, size, JSON, and
//! what is repaired rather than refused.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use harness::{Connection, Request, Response, Server, TestServer, request};
use serde_json::json;

/// The largest body that is read.
const BODY_LIMIT: usize = 10 * 1024 * 1024;

fn ping() -> serde_json::Value {
    request(1, "ping", json!({}))
}

/// A body refused before JSON-RPC begins is still JSON or JSON-RPC, never a page and never a 500.
#[track_caller]
fn refused(response: &Response, status: u16) -> serde_json::Value {
    assert_eq!(response.status, status, "{}", response.text());
    let body = response.json();
    assert!(body.is_object() && body.get("error").is_some(), "{body}");
    body
}

#[track_caller]
fn unauthorized(server: &Server, request: &Request) {
    let response = server.send(request);
    refused(&response, 401);
    let challenge = response.header("www-authenticate").expect("a 401 says how to authenticate");
    assert!(challenge.starts_with("Bearer"), "{challenge}");
}

#[test]
fn health_needs_no_token_and_tells_little() {
    let server = TestServer::start().ready();
    let response = server.send(&Request::new("GET", "/healthz"));
    assert_eq!(response.status, 200);
    assert_eq!(response.json()["ok"], true);
    assert!(!response.text().contains(server.vault().root().to_str().unwrap()), "{}", response.text());
}

#[test]
fn a_missing_or_wrong_token_is_unauthorized() {
    let server = TestServer::start().with_token("right-token-for-this-test").ready();
    let bare =
        Request::new("POST", "/mcp").header("accept", "application/json, text/event-stream").json(&ping());
    unauthorized(&server, &bare);
    for wrong in [
        "Bearer wrong",
        "Bearer right-token-for-this-tes",
        "Bearer right-token-for-this-test2",
        "Bearer RIGHT-TOKEN-FOR-THIS-TEST",
        "Bearer ",
        "Bearer",
        "Basic cmlnaHQ6dG9rZW4=",
        "right-token-for-this-test",
        "Bearer right-token-for-this-test, Bearer x",
    ] {
        unauthorized(&server, &bare.clone().header("authorization", wrong));
    }
    for right in ["Bearer right-token-for-this-test", "bearer right-token-for-this-test"] {
        let response = server.send(&bare.clone().header("authorization", right));
        assert_eq!(response.status, 200, "{right}: {}", response.text());
    }
}

#[test]
fn an_invalid_token_is_named_so_in_the_challenge() {
    let server = TestServer::start().ready();
    let response = server.send(
        &server.post().without_header("authorization").header("authorization", "Bearer no").json(&ping()),
    );
    let challenge = response.header("www-authenticate").unwrap();
    assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
    let bare = server.send(&server.post().without_header("authorization").json(&ping()));
    // RFC 6750 3.1: a request without credentials is told no error code.
    assert!(!bare.header("www-authenticate").unwrap().contains("error="), "{:?}", bare.headers);
}

#[test]
fn authentication_comes_before_method_size_and_json() {
    let server = TestServer::start().ready();
    unauthorized(&server, &Request::new("GET", "/mcp"));
    unauthorized(&server, &Request::new("DELETE", "/mcp"));
    unauthorized(&server, &Request::new("POST", "/mcp").header("content-type", "application/json").body("{"));
    unauthorized(
        &server,
        &Request::new("POST", "/mcp").header("content-type", "application/json").body("x".repeat(64 * 1024)),
    );
}

#[test]
fn only_post_is_served() {
    let server = TestServer::start().ready();
    for method in ["GET", "DELETE", "PUT", "PATCH"] {
        let http =
            Request::new(method, "/mcp").header("authorization", &format!("Bearer {}", server.token()));
        let response = server.send(&http);
        assert_eq!(response.status, 405, "{method}");
        assert_eq!(response.header("allow"), Some("POST"), "{method}");
    }
}

#[test]
fn malformed_json_is_a_parse_error() {
    let server = TestServer::start().ready();
    for body in ["", "{", "nonsense", "{\"jsonrpc\": \"2.0\", }", "\u{feff}", "[1"] {
        let response = server.send(&server.post().body(body));
        assert_eq!(refused(&response, 400)["error"]["code"], -32700, "{body:?}");
    }
    let not_utf8 =
        server.send(&server.post().body(&b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"[..]));
    assert_eq!(refused(&not_utf8, 400)["error"]["code"], -32700);
}

#[test]
fn json_that_is_no_request_is_an_invalid_request() {
    let server = TestServer::start().ready();
    for body in [
        json!({}),
        json!(1),
        json!("ping"),
        json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}),
        json!({"id": 1, "method": "ping"}),
    ] {
        let response = server.send(&server.post().json(&body));
        assert_eq!(refused(&response, 400)["error"]["code"], -32600, "{body}");
    }
}

#[test]
fn a_batch_is_refused_as_an_invalid_request() {
    let server = TestServer::start().ready();
    for body in [json!([]), json!([ping()]), json!([ping(), ping()])] {
        let response = server.send(&server.post().json(&body));
        assert_eq!(refused(&response, 400)["error"]["code"], -32600, "{body}");
    }
}

#[test]
fn a_body_at_the_limit_is_read_and_one_over_it_is_not() {
    let server = TestServer::start().ready();
    let shell = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"padding": ""}}).to_string();
    let padded = |length: usize| shell.replace("\"\"", &format!("\"{}\"", "x".repeat(length - shell.len())));
    let at_limit = server.send(&server.post().body(padded(BODY_LIMIT)));
    assert_eq!(at_limit.status, 200, "{}", at_limit.text());
    refused(&server.send(&server.post().body(padded(BODY_LIMIT + 1))), 413);
}

/// Most clients write the whole body before they read. What is decided before that must reach them, and the
/// connection must be usable or said to end: a client whose token has run out sees 401 and gets a new one.
#[test]
fn a_refusal_reaches_a_client_that_writes_first_and_leaves_its_connection_usable() {
    let server = TestServer::start().ready();
    let no_token = || server.post().without_header("authorization").header("authorization", "Bearer no");
    let text = || server.post().without_header("content-type").header("content-type", "text/plain");
    let form = || Request::new("POST", "/token").header("content-type", "text/plain");
    for (name, http, length, status) in [
        ("too long", server.post(), 11_000_000, 413),
        ("no token", no_token(), 300_000, 401),
        ("no token, long", no_token(), 5_000_000, 401),
        ("no token, too long", no_token(), 12_000_000, 401),
        ("no JSON", text(), 5_000_000, 415),
        ("another method", Request::new("PUT", "/mcp"), 5_000_000, 401),
        ("no form", form(), 1_000_000, 400),
        ("no such route", Request::new("POST", "/nothing"), 1_000_000, 404),
    ] {
        let mut connection = Connection::new(server.address());
        for _ in 0..3 {
            let response = connection.send(&http.clone().body("x".repeat(length)));
            assert_eq!(response.status, status, "{name}");
            assert_eq!(response.header("connection"), None, "{name}");
            let next = connection.send(&server.post().json(&ping()));
            assert_eq!(next.status, 200, "{name}: the next request on the connection");
        }
    }
}

#[test]
fn what_is_not_read_to_its_end_ends_the_connection_and_says_so() {
    let server = TestServer::start().ready();
    let refused = |headers: &str, sent: &[u8]| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
            .write_all(format!("POST /mcp HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n").as_bytes())
            .unwrap();
        stream.write_all(sent).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 401"), "{headers:?}: {answer}");
        assert!(answer.to_ascii_lowercase().contains("\r\nconnection: close\r\n"), "{headers:?}: {answer}");
    };
    // Far too much to be thrown away.
    refused("content-length: 100000000000\r\n", b"");
    // The client asks whether to send it at all.
    let start = std::time::Instant::now();
    refused("content-length: 1000\r\nexpect: 100-continue\r\n", b"");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    // It never comes.
    refused("content-length: 1000\r\n", b"the beginning");
}

#[test]
fn a_body_in_chunks_counts_against_the_limit_too() {
    let server = TestServer::start().ready();
    let mut body = Vec::new();
    for _ in 0..11 {
        body.extend_from_slice(b"100000\r\n");
        body.extend(std::iter::repeat_n(b' ', 0x10_0000));
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"0\r\n\r\n");
    refused(&server.send(&server.post().header("transfer-encoding", "chunked").body(body)), 413);
}

#[test]
fn the_accept_header_is_repaired_unless_it_excludes_json() {
    let server = TestServer::start().ready();
    let bare = server.post().without_header("accept");
    assert_eq!(server.send(&bare.clone().json(&ping())).status, 200, "none");
    for accept in
        ["*/*", "application/json", "text/event-stream", "application/*", "application/json;q=0.9, text/html"]
    {
        let response = server.send(&bare.clone().header("accept", accept).json(&ping()));
        assert_eq!(response.status, 200, "{accept}: {}", response.text());
    }
    refused(&server.send(&bare.header("accept", "text/html").json(&ping())), 406);
}

#[test]
fn a_body_that_is_no_json_by_its_type_is_refused() {
    let server = TestServer::start().ready();
    let bare = server.post().without_header("content-type");
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        refused(&server.send(&bare.clone().header("content-type", kind).body(ping().to_string())), 415);
    }
    let with_charset =
        bare.header("content-type", "application/json; charset=utf-8").body(ping().to_string());
    assert_eq!(server.send(&with_charset).status, 200);
}

#[test]
fn a_revision_nobody_knows_is_refused() {
    let server = TestServer::start().ready();
    for revision in ["1999-12-31", "2099-01-01", "nonsense"] {
        let http =
            server.post().without_header("mcp-protocol-version").header("mcp-protocol-version", revision);
        refused(&server.send(&http.json(&ping())), 400);
    }
}

#[test]
fn the_host_header_must_be_ours() {
    let server = TestServer::start()
        .with_env("PUBLIC_URL", "https://vault.example.com")
        .with_env("ALLOWED_HOSTS", "origin.internal,10.1.2.3:8000")
        .ready();
    let port = server.address().port();
    let status = |host: &str| server.send(&server.post().header("host", host).json(&ping())).status;
    for ours in [
        "vault.example.com".to_owned(),
        "VAULT.example.com".to_owned(),
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        "origin.internal".to_owned(),
        "10.1.2.3:8000".to_owned(),
    ] {
        assert_eq!(status(&ours), 200, "{ours}");
    }
    for other in ["evil.example.com", "vault.example.com.evil.com", "10.1.2.4:8000"] {
        assert_eq!(
            status(other),
            403,
            "{other:?}: a page of another site must not reach the vault by DNS rebinding"
        );
    }
}

#[test]
fn the_origin_header_must_be_ours_when_there_is_one() {
    let server = TestServer::start()
        .with_env("PUBLIC_URL", "https://vault.example.com")
        .with_env("ALLOWED_ORIGINS", "https://claude.ai")
        .ready();
    let status = |origin: &str| server.send(&server.post().header("origin", origin).json(&ping())).status;
    for ours in
        ["https://vault.example.com", "https://claude.ai", "http://localhost:6274", "http://127.0.0.1:6274"]
    {
        assert_eq!(status(ours), 200, "{ours}");
    }
    for other in ["https://evil.example.com", "https://claude.ai.evil.com", "null"] {
        assert_eq!(status(other), 403, "{other}");
    }
}

#[test]
fn a_browser_asks_first_and_needs_no_token_for_that() {
    let server = TestServer::start().with_env("ALLOWED_ORIGINS", "https://claude.ai").ready();
    let preflight = Request::new("OPTIONS", "/mcp")
        .header("origin", "https://claude.ai")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization,content-type,mcp-protocol-version");
    let response = server.send(&preflight);
    assert!(matches!(response.status, 200 | 204), "{}", response.status);
    let allowed = response.header("access-control-allow-headers").unwrap().to_ascii_lowercase();
    for name in ["authorization", "content-type", "mcp-protocol-version"] {
        assert!(allowed.contains(name), "`*` does not cover {name}: {allowed}");
    }
    let refused = server.send(
        &server.post().without_header("authorization").header("origin", "https://claude.ai").json(&ping()),
    );
    assert_eq!(refused.status, 401);
    assert!(refused.header("access-control-allow-origin").is_some(), "a page can read why it was refused");
    let exposed = refused.header("access-control-expose-headers").unwrap_or_default().to_ascii_lowercase();
    assert!(exposed.contains("www-authenticate"), "{exposed}");
}

#[test]
fn an_unknown_route_is_not_found_and_shows_nothing() {
    let server = TestServer::start().ready();
    for target in ["/", "/mcp/x", "/..%2f..%2fetc/passwd", "/index.html"] {
        let response = server.send(&Request::new("GET", target));
        assert_eq!(response.status, 404, "{target}");
        assert!(!response.text().contains("panic"), "{}", response.text());
    }
}

/// Small answers go out at once: with Nagle's algorithm and delayed acknowledgements each would
/// wait for 40 milliseconds.
#[test]
fn answers_are_not_held_back() {
    let server = TestServer::start().ready();
    server.rpc("ping", json!({}));
    let start = std::time::Instant::now();
    for _ in 0..50 {
        server.rpc("ping", json!({}));
    }
    assert!(start.elapsed() < Duration::from_secs(1), "{:?} for 50 calls", start.elapsed());
}

#[test]
fn bytes_that_are_no_http_do_not_disturb_others() {
    let server = TestServer::start().ready();
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00"[..],
        b"GET\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"),
            "{:?}",
            String::from_utf8_lossy(&answer)
        );
    }
    server.rpc("ping", json!({}));
}
