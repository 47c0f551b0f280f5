//! A small HTTP/1.1 client with nothing between the test and the wire: any method, any header (or
//! none), any bytes, one kept-alive connection. A full client library would repair what the tests
//! want to send broken.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A request as it goes out. `Host` and `Content-Length` are added unless they are given.
#[derive(Clone, Debug)]
pub struct Request {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// A request without headers and body.
    pub fn new(method: &str, target: &str) -> Self {
        Self { method: method.to_owned(), target: target.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// Adds a header; repeated names are sent repeatedly.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Drops every header of that name.
    #[must_use]
    pub fn without_header(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// Sets the body, byte for byte.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Sets a JSON body and its content type.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.without_header("content-type").header("content-type", "application/json").body(body.to_string())
    }

    fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// The bytes that go out to this host.
    pub fn to_bytes(&self, host: &str) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        if !self.has("host") {
            head.push_str(&format!("host: {host}\r\n"));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let bodyless =
            self.body.is_empty() && matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "DELETE");
        if !bodyless && !self.has("content-length") && !self.has("transfer-encoding") {
            head.push_str(&format!("content-length: {}\r\n", self.body.len()));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

/// A response with its whole body.
#[derive(Clone, Debug)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Headers in the order received, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, chunks joined.
    pub body: Vec<u8>,
}

impl Response {
    /// The first header of that name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is UTF-8")
    }

    /// The body as JSON; fails with the body when it is none.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!(
                "the body of a {} is not JSON ({error}): {:?}",
                self.status,
                String::from_utf8_lossy(&self.body)
            )
        })
    }
}

/// One connection, kept alive between requests and opened again when the server closed it.
pub struct Connection {
    address: SocketAddr,
    stream: Option<BufReader<TcpStream>>,
    last_used: Instant,
}

impl Connection {
    /// A connection that is opened with its first request.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, stream: None, last_used: Instant::now() }
    }

    /// Sends the whole request, then reads the whole response, as most client libraries do: a server that
    /// closes the connection before it has read all of the request, or that closes one without saying so in
    /// the answer before, fails the test.
    #[track_caller]
    pub fn send(&mut self, request: &Request) -> Response {
        let bytes = request.to_bytes(&self.address.to_string());
        if self.last_used.elapsed() > Duration::from_secs(60) {
            // It may be closed by now.
            self.stream = None;
        }
        self.exchange(&bytes, request.method == "HEAD")
            .unwrap_or_else(|error| panic!("{} {}: {error}", request.method, request.target))
    }

    /// Like [`Self::send`], with transport errors given back: for a server that may be going away.
    ///
    /// # Errors
    /// Whatever connecting, writing or reading reports.
    pub fn try_send(&mut self, request: &Request) -> std::io::Result<Response> {
        let bytes = request.to_bytes(&self.address.to_string());
        let reused = self.stream.is_some();
        match self.exchange(&bytes, request.method == "HEAD") {
            // A kept-alive connection may have been closed meanwhile; a new one must work.
            Err(_) if reused => {
                self.stream = None;
                self.exchange(&bytes, request.method == "HEAD")
            }
            other => other,
        }
    }

    fn exchange(&mut self, bytes: &[u8], headless: bool) -> std::io::Result<Response> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect_timeout(&self.address, Duration::from_secs(5))?;
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(Duration::from_secs(60)))?;
                self.stream.insert(BufReader::with_capacity(64 * 1024, stream))
            }
        };
        let response = match stream.get_mut().write_all(bytes) {
            Ok(()) => read_response(stream, headless),
            Err(error) => Err(error),
        };
        let keep = response.as_ref().is_ok_and(|response| {
            !response.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
        });
        if !keep {
            self.stream = None;
        }
        self.last_used = Instant::now();
        response
    }
}

/// Reads a whole response; the one to HEAD has no body.
pub(crate) fn read_response(stream: &mut impl BufRead, headless: bool) -> std::io::Result<Response> {
    let malformed = |what: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, what.to_owned());
    let status_line = read_line(stream)?;
    let status = status_line
        .split_ascii_whitespace()
        .nth(1)
        .and_then(|code| code.parse().ok())
        .ok_or_else(|| malformed(&format!("no status line: {status_line:?}")))?;
    let mut headers = Vec::new();
    loop {
        let line = read_line(stream)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| malformed("a header without a colon"))?;
        headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut response = Response { status, headers, body: Vec::new() };
    if headless || status == 204 || status == 304 {
        return Ok(response);
    }
    if response.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        loop {
            let size = read_line(stream)?;
            let size = size.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).map_err(|_| malformed("a chunk without a size"))?;
            if size == 0 {
                while !read_line(stream)?.is_empty() {}
                return Ok(response);
            }
            let start = response.body.len();
            response.body.resize(start + size, 0);
            stream.read_exact(&mut response.body[start..])?;
            read_line(stream)?;
        }
    }
    match response.header("content-length").map(str::parse::<usize>) {
        Some(Ok(length)) => {
            response.body.resize(length, 0);
            stream.read_exact(&mut response.body)?;
        }
        Some(Err(_)) => return Err(malformed("a content-length that is no number")),
        None => {
            stream.read_to_end(&mut response.body)?;
        }
    }
    Ok(response)
}

fn read_line(stream: &mut impl BufRead) -> std::io::Result<String> {
    let mut line = Vec::new();
    if stream.read_until(b'\n', &mut line)? == 0 {
        return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
    }
    while matches!(line.last(), Some(b'\n' | b'\r')) {
        line.pop();
    }
    String::from_utf8(line).map_err(|_| std::io::Error::from(std::io::ErrorKind::InvalidData))
}
