//! Stopping: what was begun is finished, what is new is refused, and the end is clean.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use harness::{Connection, Request, TestServer, TestVault};
use serde_json::json;

use crate::fixtures;

#[test]
fn it_stops_at_once_when_nothing_runs() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    // A client that keeps its connection open does not hold the server up.
    server.rpc("ping", json!({}));
    let start = Instant::now();
    server.stop();
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn it_stops_while_indexing() {
    let vault = (0..3_000).fold(TestVault::new(), |vault, number| {
        vault.note(&format!("{number}.md"), &"some words ".repeat(100))
    });
    let server = TestServer::start().with_vault(vault).listening();
    let start = Instant::now();
    let settings = server.stop();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let server = settings.ready();
    assert_eq!(server.call("index_status", json!({})).structured()["notes"], 3_000);
}

/// A request that never ends is given time, then given up: the stop stays under the ten seconds after which
/// container engines kill, and is still a clean one.
#[test]
fn a_hanging_request_does_not_hold_the_stop_up() {
    const DRAIN: Duration = Duration::from_secs(8);
    let server = TestServer::start().with_vault(TestVault::new().note("a.md", "x")).ready();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    // The headers promise more than is ever sent; the answer to the first request shows that it is served.
    let request = server.post().json(&harness::request(1, "ping", json!({}))).to_bytes("localhost");
    stream.write_all(&request).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    let head = request.split(|byte| *byte == b'\n').filter(|line| line.len() > 1);
    let hanging: Vec<u8> = head
        .take_while(|line| !line.starts_with(b"{"))
        .filter(|line| !line.to_ascii_lowercase().starts_with(b"content-length"))
        .flat_map(|line| [line, b"\n"].concat())
        .chain(*b"content-length: 100\r\n\r\n{")
        .collect();
    stream.write_all(&hanging).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    // `stop` holds that the process exits with 0.
    server.stop();
    let took = start.elapsed();
    assert!(took >= DRAIN - Duration::from_secs(1), "the request was given its time: {took:?}");
    // The forced end has a second of its own, and the process half a second to go.
    assert!(took < DRAIN + Duration::from_secs(2), "{took:?}");
}

/// Calls in flight are answered, each with a whole answer and none with a fault.
#[test]
fn calls_in_flight_are_answered() {
    let vault = (0..500).fold(TestVault::new(), |vault, number| {
        vault.note(&format!("{number}.md"), &format!("commonword {number}"))
    });
    let server = TestServer::start().with_vault(vault).ready();
    let request = server.post().json(&harness::tool_call(
        1,
        "vault_search",
        json!({"query": "commonword", "limit": 50}),
    ));
    let address = server.address();
    let workers: Vec<_> = (0..8)
        .map(|_| {
            let request = request.clone();
            std::thread::spawn(move || {
                let mut connection = Connection::new(address);
                let mut answered = 0;
                // Ends with the refused connection after the server is gone.
                while let Ok(response) = connection.try_send(&request) {
                    assert!(matches!(response.status, 200 | 503), "{}: {}", response.status, response.text());
                    if response.status == 200 {
                        assert!(response.json()["result"]["content"].is_array(), "{}", response.text());
                    }
                    answered += 1;
                }
                answered
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    server.stop();
    for worker in workers {
        assert!(worker.join().unwrap() > 0);
    }
    assert!(
        Connection::new(address).try_send(&Request::new("GET", "/healthz")).is_err(),
        "nobody listens any more"
    );
}
