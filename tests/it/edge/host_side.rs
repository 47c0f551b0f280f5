//! What the gateway makes of a request on its way to the host, and of an answer on its way back.

use std::time::{Duration, Instant};

use harness::{Connection, Gateway, Request};

use super::gateway::{open_gateway, own_answer, send};
use super::listening_host::{ListeningHost, Step};

#[track_caller]
fn forwarded(headers: &[(&str, &str)], client: &str, expected: &str) {
    let (gateway, host) = open_gateway();
    let entrance = gateway.entrance(client.parse().unwrap());
    let mut request = Request::new("GET", "/healthz").header("host", "vault.example.com");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    assert_eq!(Connection::new(entrance).send(&request).text(), "ok");
    assert_eq!(host.header("forwarded").as_deref(), Some(expected));
    for name in ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "via"] {
        assert_eq!(host.header(name), None, "{name}");
    }
}

#[test]
fn the_gateway_appends_its_element_to_what_the_client_wrote() {
    let own = "by=10.0.0.1;for=203.0.113.7;host=vault.example.com;proto=https";
    forwarded(&[], "203.0.113.7", own);
    forwarded(&[("Forwarded", "for=1.2.3.4")], "203.0.113.7", &format!("for=1.2.3.4, {own}"));
    forwarded(
        &[("forwarded", "for=1.2.3.4;proto=http"), ("Forwarded", "for=5.6.7.8")],
        "203.0.113.7",
        &format!("for=1.2.3.4;proto=http,for=5.6.7.8, {own}"),
    );
    forwarded(
        &[
            ("X-Forwarded-For", "1.2.3.4, 2001:db8::1"),
            ("X-Forwarded-Proto", "http"),
            ("X-Forwarded-Host", "evil.example"),
        ],
        "203.0.113.7",
        &format!("for=1.2.3.4, for=\"[2001:db8::1]\", {own}"),
    );
    forwarded(
        &[("X-Forwarded-For", "5.6.7.8"), ("Forwarded", "for=1.2.3.4")],
        "203.0.113.7",
        &format!("for=1.2.3.4, for=5.6.7.8, {own}"),
    );
    forwarded(&[], "2001:db8::7", "by=10.0.0.1;for=\"[2001:db8::7]\";host=vault.example.com;proto=https");
}

#[test]
fn host_is_the_host_s_own_and_the_rest_arrives_as_sent() {
    let (gateway, host) = open_gateway();
    let request = Request::new("POST", "/mcp?x=%2F&y=a+b")
        .header("host", "vault.example.com")
        .header("authorization", "Bearer x")
        .header("mcp-protocol-version", "2025-11-25")
        .header("accept", "application/json")
        .header("accept", "text/event-stream")
        .header("connection", "keep-alive, x-private")
        .header("x-private", "1")
        .header("te", "trailers")
        .header("upgrade", "h2c")
        .body("{\"a\":\"ä\"}");
    assert_eq!(send(&gateway, &request).text(), "ok");
    assert!(host.last().starts_with("POST /mcp?x=%2F&y=a+b HTTP/1.1\r\n"), "{}", host.last());
    assert!(host.last().ends_with("\r\n\r\n{\"a\":\"ä\"}"), "{}", host.last());
    for (name, value) in [
        ("host", "192.0.2.10:8000"),
        ("authorization", "Bearer x"),
        ("mcp-protocol-version", "2025-11-25"),
        ("accept", "application/json,text/event-stream"),
        ("content-length", "10"),
    ] {
        assert_eq!(host.header(name).as_deref(), Some(value), "{name}");
    }
    for name in ["x-private", "te", "upgrade", "transfer-encoding"] {
        assert_eq!(host.header(name), None, "{name}");
    }
    assert_eq!(gateway.events()[0]["requestContext"]["domainName"], "vault.example.com");
}

fn answering(steps: Vec<Step>) -> (Gateway, ListeningHost) {
    let (gateway, _) = open_gateway();
    let host = ListeningHost::answering(steps);
    gateway.integrate(host.address, "192.0.2.10:8000");
    (gateway, host)
}

fn text(text: &str) -> Step {
    Step::Send(text.as_bytes().to_vec())
}

fn health() -> Request {
    Request::new("GET", "/healthz")
}

#[test]
fn the_challenge_comes_back_under_another_name() {
    let answer = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer x=\"1\"\r\nCache-Control: no-store\r\ncontent-length: 2\r\n\r\nno";
    let (gateway, _host) = answering(vec![text(answer)]);
    let response = send(&gateway, &health());
    assert_eq!((response.status, response.text()), (401, "no"));
    assert_eq!(response.header("www-authenticate"), None);
    assert_eq!(response.header("x-amzn-remapped-www-authenticate"), Some("Bearer x=\"1\""));
    assert_eq!(response.header("cache-control"), Some("no-store"));
    assert!(response.header("apigw-requestid").is_some());
    gateway.rename_challenge(false);
    assert_eq!(send(&gateway, &health()).header("www-authenticate"), Some("Bearer x=\"1\""));
}

#[test]
fn an_answer_that_streams_arrives_whole_at_its_end() {
    let pause = Duration::from_millis(150);
    let (gateway, _host) = answering(vec![
        text(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n8\r\ndata: 1\n\r\n",
        ),
        Step::Wait(pause),
        text("8\r\ndata: 2\n\r\n"),
        Step::Wait(pause),
        text("0\r\n\r\n"),
    ]);
    let start = Instant::now();
    let response = send(&gateway, &health());
    assert_eq!(response.text(), "data: 1\ndata: 2\n");
    assert!(start.elapsed() >= 2 * pause);
    assert_eq!(response.header("content-length"), Some("16"));
    assert_eq!(response.header("transfer-encoding"), None);
}

#[test]
fn a_host_that_is_slow_or_gone_is_503() {
    let (gateway, _host) = answering(vec![
        Step::Wait(Duration::from_secs(2)),
        text("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    ]);
    assert_eq!(
        gateway.settings().integration_patience,
        Duration::from_secs(30),
        "as planned, and the most there is"
    );
    gateway.settings().integration_patience = Duration::from_millis(200);
    let start = Instant::now();
    own_answer(&send(&gateway, &health()), 503, "Service Unavailable");
    assert!(start.elapsed() < Duration::from_millis(1500));

    // One that never stops sending is as slow as one that never begins.
    let mut trickle = vec![text("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n")];
    trickle.extend((0..40).flat_map(|_| [text("x"), Step::Wait(Duration::from_millis(50))]));
    let (gateway, _host) = answering(trickle);
    gateway.settings().integration_patience = Duration::from_millis(200);
    own_answer(&send(&gateway, &health()), 503, "Service Unavailable");

    // One that closes in the middle, one that is no web server, one that is not there.
    for answer in ["HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", "", "nonsense\r\n\r\n"] {
        let (gateway, _host) = answering(vec![text(answer)]);
        own_answer(&send(&gateway, &health()), 503, "Service Unavailable");
    }
    let (gateway, _host) = open_gateway();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    gateway.integrate(closed, "192.0.2.10:8000");
    own_answer(&send(&gateway, &health()), 503, "Service Unavailable");
}

#[test]
fn answers_without_a_body_stay_without() {
    for (answer, status) in [
        ("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n", 202),
        ("HTTP/1.1 204 No Content\r\n\r\n", 204),
        ("HTTP/1.1 303 See Other\r\nlocation: https://claude.ai/cb?code=x\r\ncontent-length: 0\r\n\r\n", 303),
    ] {
        let (gateway, _host) = answering(vec![text(answer)]);
        let mut connection = Connection::new(gateway.address());
        for _ in 0..2 {
            let response = connection.send(&health());
            assert_eq!((response.status, response.text()), (status, ""));
        }
    }
    let (gateway, _host) = answering(vec![text("HTTP/1.1 200 OK\r\ncontent-length: 1234\r\n\r\n")]);
    let response = send(&gateway, &Request::new("HEAD", "/healthz"));
    assert_eq!((response.header("content-length"), response.body.len()), (Some("1234"), 0));
}
