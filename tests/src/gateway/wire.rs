//! The client's side of the wire: requests read as strictly as the gateway reads them, within its limits, and
//! answers written whole.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::limits::{HEAD_BYTES, PAYLOAD_BYTES};
use crate::http::Response;

/// A request as it came in. Header values are ISO 8859-1, byte for byte.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    pub(super) method: String,
    /// Path and query as sent.
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    /// Whether the client will send another on the same connection.
    pub(super) keep_alive: bool,
}

impl Incoming {
    pub(super) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    pub(super) fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }

    /// All values of a header, joined by commas, as the gateway hands them on. `None` when it is not there.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let all: Vec<&str> = self
            .headers
            .iter()
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
            .collect();
        (!all.is_empty()).then(|| all.join(","))
    }
}

/// Why a request is answered by the gateway itself and its connection closed.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// The client closed the connection, or was too slow.
    Gone,
    /// It is not HTTP, or two readers could understand it differently.
    Malformed,
    /// Request line and headers are longer than [`HEAD_BYTES`].
    HeadTooLong,
    /// The body is longer than [`PAYLOAD_BYTES`].
    BodyTooLong,
}

impl Unreadable {
    /// What the client is told, if anybody listens.
    pub(super) fn answer(&self) -> Option<Response> {
        match self {
            Self::Gone => None,
            Self::Malformed => Some(message(400, "Bad Request")),
            Self::HeadTooLong => Some(message(431, "Request Header Fields Too Large")),
            Self::BodyTooLong => Some(message(413, "Request Entity Too Large")),
        }
    }
}

/// An answer of the gateway's own.
pub(super) fn message(status: u16, text: &str) -> Response {
    Response {
        status,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: json!({"message": text}).to_string().into_bytes(),
    }
}

/// Reads one request.
pub(super) fn read(stream: &mut BufReader<TcpStream>) -> Result<Incoming, Unreadable> {
    let mut left = HEAD_BYTES;
    let line = line(stream, &mut left)?;
    let mut words = line.split(' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Unreadable::Malformed);
    };
    if !is_token(method) || !target.starts_with('/') || !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        return Err(Unreadable::Malformed);
    }
    let mut request = Incoming {
        method: method.to_owned(),
        target: target.to_owned(),
        headers: headers(stream, &mut left)?,
        body: Vec::new(),
        keep_alive: version == "HTTP/1.1",
    };
    request.keep_alive &=
        !request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    if request.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
        stream.get_mut().write_all(b"HTTP/1.1 100 Continue\r\n\r\n").map_err(|_| Unreadable::Gone)?;
    }
    request.body = body(stream, &request)?;
    Ok(request)
}

fn headers(stream: &mut BufReader<TcpStream>, left: &mut usize) -> Result<Vec<(String, String)>, Unreadable> {
    let mut headers = Vec::new();
    loop {
        let line = line(stream, left)?;
        if line.is_empty() {
            return Ok(headers);
        }
        let (name, value) = line.split_once(':').ok_or(Unreadable::Malformed)?;
        // A line that begins with a space would continue the one before: nobody sends that honestly.
        if !is_token(name) || value.chars().any(|character| character.is_control() && character != '\t') {
            return Err(Unreadable::Malformed);
        }
        headers.push((name.to_owned(), value.trim_matches([' ', '\t']).to_owned()));
    }
}

fn body(stream: &mut BufReader<TcpStream>, request: &Incoming) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    match (request.header("transfer-encoding"), request.header("content-length")) {
        (None, None) => {}
        // Two lengths are how one request is made to look like two.
        (Some(_), Some(_)) => return Err(Unreadable::Malformed),
        (Some(coding), None) if coding.eq_ignore_ascii_case("chunked") => loop {
            let size = line(stream, &mut 1024)?;
            let size = size.split(';').next().unwrap_or_default();
            let size = usize::from_str_radix(size, 16).map_err(|_| Unreadable::Malformed)?;
            if bytes.len().saturating_add(size) > PAYLOAD_BYTES {
                return Err(Unreadable::BodyTooLong);
            }
            append(stream, &mut bytes, size)?;
            // What follows a chunk, or the trailers.
            while !line(stream, &mut 1024)?.is_empty() {}
            if size == 0 {
                break;
            }
        },
        (Some(_), None) => return Err(Unreadable::Malformed),
        (None, Some(length)) => {
            if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Unreadable::Malformed);
            }
            let length = length.parse().unwrap_or(usize::MAX);
            if length > PAYLOAD_BYTES {
                return Err(Unreadable::BodyTooLong);
            }
            append(stream, &mut bytes, length)?;
        }
    }
    Ok(bytes)
}

fn append(stream: &mut impl Read, bytes: &mut Vec<u8>, count: usize) -> Result<(), Unreadable> {
    let start = bytes.len();
    bytes.resize(start + count, 0);
    stream.read_exact(&mut bytes[start..]).map_err(|_| Unreadable::Gone)
}

/// One line, ended by CR LF, counted against what is left.
fn line(stream: &mut impl BufRead, left: &mut usize) -> Result<String, Unreadable> {
    let mut bytes = Vec::new();
    let most = u64::try_from(*left).unwrap_or(u64::MAX);
    let count = stream.take(most).read_until(b'\n', &mut bytes).map_err(|_| Unreadable::Gone)?;
    *left -= count;
    if count == 0 && most > 0 {
        return Err(Unreadable::Gone);
    }
    let Some(text) = bytes.strip_suffix(b"\n") else {
        return Err(if *left == 0 { Unreadable::HeadTooLong } else { Unreadable::Gone });
    };
    let text = text.strip_suffix(b"\r").ok_or(Unreadable::Malformed)?;
    Ok(text.iter().copied().map(char::from).collect())
}

fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// ISO 8859-1, the way header values came in.
pub(super) fn latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(u32::from(character)).unwrap_or(b'?')).collect()
}

/// Writes an answer, its length known beforehand: the gateway never streams.
pub(super) fn write(
    stream: &mut TcpStream,
    response: &Response,
    headless: bool,
    keep_alive: bool,
) -> std::io::Result<()> {
    let mut head = format!("HTTP/1.1 {} -\r\n", response.status).into_bytes();
    for (name, value) in &response.headers {
        head.extend(latin_1(&format!("{name}: {value}\r\n")));
    }
    if !keep_alive {
        head.extend_from_slice(b"connection: close\r\n");
    }
    // The length of an answer without body may be that of the body it would have.
    let has_length = response.header("content-length").is_some();
    if !has_length && !matches!(response.status, 204 | 304) {
        head.extend_from_slice(format!("content-length: {}\r\n", response.body.len()).as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    if !headless {
        head.extend_from_slice(&response.body);
    }
    stream.write_all(&head)
}
