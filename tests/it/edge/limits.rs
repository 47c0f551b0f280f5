//! What the gateway refuses by its size, its number or its shape, before anybody behind it sees it.

use std::io::{Read, Write};
use std::net::TcpStream;

use harness::Request;

use super::gateway::{open_gateway, own_answer, send};
use super::listening_host::{ListeningHost, Step};

const MEBIBYTE: usize = 1024 * 1024;

#[test]
fn headers_are_limited() {
    let (gateway, host) = open_gateway();
    let plain = Request::new("GET", "/healthz").to_bytes(&gateway.address().to_string()).len();
    let filled = |bytes: usize| {
        let rest = bytes - plain - "x-fill: \r\n".len();
        Request::new("GET", "/healthz").header("x-fill", &"x".repeat(rest))
    };
    assert_eq!(send(&gateway, &filled(10_240)).text(), "ok");
    own_answer(&send(&gateway, &filled(10_241)), 431, "Request Header Fields Too Large");
    own_answer(
        &send(&gateway, &Request::new("GET", &format!("/{}", "x".repeat(20_000)))),
        431,
        "Request Header Fields Too Large",
    );
    assert_eq!(host.count(), 1);
}

#[test]
fn bodies_are_limited() {
    let (gateway, host) = open_gateway();
    let post = |bytes: usize| {
        Request::new("POST", "/mcp").header("authorization", "Bearer x").body(vec![b'x'; bytes])
    };
    assert_eq!(send(&gateway, &post(10 * MEBIBYTE)).text(), "ok");
    own_answer(&send(&gateway, &post(10 * MEBIBYTE + 1)), 413, "Request Entity Too Large");
    // Its length untold.
    let chunked = |bytes: usize| {
        let mut body = format!("{bytes:x}\r\n").into_bytes();
        body.extend(std::iter::repeat_n(b'x', bytes));
        body.extend_from_slice(b"\r\n0\r\n\r\n");
        Request::new("POST", "/mcp")
            .header("authorization", "Bearer x")
            .header("transfer-encoding", "chunked")
            .body(body)
    };
    assert_eq!(send(&gateway, &chunked(1000)).text(), "ok");
    assert_eq!(host.header("content-length").as_deref(), Some("1000"));
    own_answer(&send(&gateway, &chunked(10 * MEBIBYTE + 1)), 413, "Request Entity Too Large");
    assert_eq!((host.count(), gateway.invocations()), (2, 2));
}

#[test]
fn answers_are_limited() {
    let (gateway, _) = open_gateway();
    for (bytes, passes) in [(10 * MEBIBYTE, true), (10 * MEBIBYTE + 1, false)] {
        let mut answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {bytes}\r\n\r\n").into_bytes();
        answer.extend(std::iter::repeat_n(b'x', bytes));
        let host = ListeningHost::answering(vec![Step::Send(answer)]);
        gateway.integrate(host.address, "192.0.2.10:8000");
        let response = send(&gateway, &Request::new("GET", "/healthz"));
        if passes {
            assert_eq!((response.status, response.body.len()), (200, bytes));
        } else {
            own_answer(&response, 500, "Internal Server Error");
        }
    }
}

#[test]
fn too_many_at_once_are_429() {
    let (gateway, host) = open_gateway();
    let first = (0..400)
        .map(|_| send(&gateway, &Request::new("GET", "/healthz")))
        .find(|response| response.status != 200);
    own_answer(
        &first.expect("400 in a row are more than the throttle lets through"),
        429,
        "Too Many Requests",
    );
    assert!(host.count() >= 40, "the burst passes: {}", host.count());
}

/// Whoever reads these differently than the next one sees two requests where one was, or the other way round.
#[test]
fn what_two_readers_could_understand_differently_is_refused() {
    let (gateway, host) = open_gateway();
    let begin = "POST /mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\n";
    for request in [
        format!("{begin}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
        format!("{begin}content-length: 5\r\ncontent-length: 6\r\n\r\nabcdef"),
        format!("{begin}content-length: +5\r\n\r\nabcde"),
        format!("{begin}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        format!("{begin}transfer-encoding: x\r\n\r\n0\r\n\r\n"),
        format!("{begin}transfer-encoding : chunked\r\n\r\n0\r\n\r\n"),
        format!("{begin}x-a: 1\r\n folded: 2\r\n\r\n"),
        format!("{begin}x-a: 1\nforwarded: for=127.0.0.1\r\n\r\n"),
        format!("{begin}x-a: a\rb\r\n\r\n"),
        format!("{begin}x-a: a\0b\r\n\r\n"),
        format!("{begin}: empty\r\n\r\n"),
        format!("{begin}no colon\r\n\r\n"),
        "POST http://evil.example/mcp HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(),
        "POST /mcp extra HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(),
        "POST /mcp HTTP/2.0\r\nhost: x\r\n\r\n".to_owned(),
        "CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
    ] {
        let mut stream = TcpStream::connect(gateway.address()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        // Closed with something unread, the connection may end by a reset.
        let _ = stream.read_to_string(&mut answer);
        assert!(answer.starts_with("HTTP/1.1 400 "), "{request:?}: {answer:?}");
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{request:?}: {answer:?}");
    }
    assert_eq!((host.count(), gateway.invocations()), (0, 0));
}
