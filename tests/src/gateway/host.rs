//! The host's side: the request as the gateway passes it on, and the answer, read whole before anything of it
//! goes to the client.

use std::io::{BufReader, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::limits::PAYLOAD_BYTES;
use super::wire::{Incoming, latin_1, message};
use crate::http::{Response, read_response};

/// Between two neighbours on the wire only (RFC 9110 section 7.6.1), or written anew.
const NOT_PASSED_ON: [&str; 12] = [
    "connection",
    "content-length",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];

/// Where the host is, and how it is called.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) address: SocketAddr,
    /// What `Host` is rewritten to.
    pub(super) name: String,
}

/// Asks the host and gives its whole answer, or the gateway's own when it does not answer in time.
pub(super) fn ask(origin: &Origin, request: &Incoming, client: IpAddr, patience: Duration) -> Response {
    match exchange(origin, request, client, Instant::now() + patience) {
        Ok(response) if response.body.len() > PAYLOAD_BYTES => message(500, "Internal Server Error"),
        Ok(response) => response,
        Err(_) => message(503, "Service Unavailable"),
    }
}

fn exchange(
    origin: &Origin,
    request: &Incoming,
    client: IpAddr,
    deadline: Instant,
) -> std::io::Result<Response> {
    let mut stream = TcpStream::connect_timeout(&origin.address, left(deadline)?)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(left(deadline)?))?;
    stream.write_all(&passed_on(origin, request, client))?;
    let mut reader = BufReader::new(Timed { stream, deadline });
    read_response(&mut reader, request.method == "HEAD")
}

/// The bytes that go to the host.
fn passed_on(origin: &Origin, request: &Incoming, client: IpAddr) -> Vec<u8> {
    let mut head = format!("{} {} HTTP/1.1\r\nHost: {}\r\n", request.method, request.target, origin.name);
    let named_by_connection = request.header("connection").unwrap_or_default().to_ascii_lowercase();
    let mut written: Vec<String> = Vec::new();
    for (name, _) in &request.headers {
        let lower = name.to_ascii_lowercase();
        let kept = !NOT_PASSED_ON.contains(&lower.as_str())
            && !lower.starts_with("x-forwarded-")
            && !named_by_connection.split(',').any(|named| named.trim() == lower)
            && !written.contains(&lower);
        if kept {
            // Repeated ones arrive as one.
            let value = request.header(&lower).unwrap_or_default();
            head.push_str(&format!("{name}: {value}\r\n"));
            written.push(lower);
        }
    }
    head.push_str(&format!("Forwarded: {}\r\n", forwarded(request, client)));
    let bodyless =
        request.body.is_empty() && matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "DELETE");
    if !bodyless {
        head.push_str(&format!("Content-Length: {}\r\n", request.body.len()));
    }
    head.push_str("Connection: close\r\n\r\n");
    let mut bytes = latin_1(&head);
    bytes.extend_from_slice(&request.body);
    bytes
}

/// The only carrier of the client's address: what the client wrote itself comes first, its `X-Forwarded-For`
/// among it, and the gateway's own element last.
fn forwarded(request: &Incoming, client: IpAddr) -> String {
    let mut elements: Vec<String> = request.header("forwarded").into_iter().collect();
    if let Some(list) = request.header("x-forwarded-for") {
        let named = list.split(',').map(str::trim).filter(|one| !one.is_empty());
        elements.extend(named.map(|one| format!("for={}", node(one))));
    }
    let host = request.header("host").unwrap_or_default();
    // A port makes it no token (RFC 7239 section 4).
    let host = if host.contains(':') { format!("\"{host}\"") } else { host };
    elements.push(format!("by=10.0.0.1;for={};host={host};proto=https", node(&client.to_string())));
    elements.join(", ")
}

/// An address as RFC 7239 section 6 writes it: IPv6 in brackets and quotes.
fn node(address: &str) -> String {
    match address.parse() {
        Ok(IpAddr::V6(address)) => format!("\"[{address}]\""),
        _ => address.to_owned(),
    }
}

fn left(deadline: Instant) -> std::io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// A stream whose reads all end by the same time.
struct Timed {
    stream: TcpStream,
    deadline: Instant,
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.stream.set_read_timeout(Some(left(self.deadline)?))?;
        self.stream.read(buffer)
    }
}
