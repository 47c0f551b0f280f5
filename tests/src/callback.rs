//! Where a client waits for the answer of a log-in: a listener on loopback that writes down what is asked.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// A listener that answers every request with a short page. Dropping it closes it.
pub struct Callback {
    address: SocketAddr,
    targets: Arc<Mutex<Vec<String>>>,
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Callback {
    /// Listens on a free port of loopback.
    pub fn listen() -> Self {
        Self::listen_and(None)
    }

    /// The same; whoever comes is sent on to this address, with what it came with. Some clients do that.
    pub fn listen_and_redirect(to: &str) -> Self {
        Self::listen_and(Some(to.to_owned()))
    }

    fn listen_and(redirect: Option<String>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let targets = Arc::<Mutex<Vec<String>>>::default();
        let closing = Arc::<AtomicBool>::default();
        let thread = std::thread::spawn({
            let (targets, closing) = (Arc::clone(&targets), Arc::clone(&closing));
            move || {
                for stream in listener.incoming() {
                    if closing.load(Ordering::Relaxed) {
                        return;
                    }
                    if let Some(target) = stream.ok().and_then(|stream| answer(stream, redirect.as_deref())) {
                        targets.lock().unwrap().push(target);
                    }
                }
            }
        });
        Self { address, targets, closing, thread: Some(thread) }
    }

    /// The redirect URI, on 127.0.0.1.
    pub fn uri(&self) -> String {
        format!("http://{}/callback", self.address)
    }

    /// The targets that were asked for so far, favicons aside.
    pub fn targets(&self) -> Vec<String> {
        self.targets.lock().unwrap().clone()
    }

    /// Waits for the answer and gives its parameters, decoded.
    #[track_caller]
    pub fn wait(&self) -> Vec<(String, String)> {
        let target = crate::eventually("the redirect arrives", Duration::from_secs(10), || {
            self.targets().last().cloned()
        });
        parameters(target.split_once('?').map_or("", |(_, query)| query))
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
        // Wakes the listener, which then sees that it is to end.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Reads a request's head, answers it, and gives its target. A browser also opens connections that it does
/// not use.
fn answer(mut stream: TcpStream, redirect: Option<&str>) -> Option<String> {
    stream.set_read_timeout(Some(Duration::from_secs(2))).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut line = String::new();
    while reader.read_line(&mut line).ok()? > 2 {
        line.clear();
    }
    if let Some(to) = redirect {
        let query = first.split(' ').nth(1)?.split_once('?').map_or("", |(_, query)| query);
        let location = format!("{to}?{query}");
        write!(
            stream,
            "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        .ok()?;
        return None;
    }
    let page = "<!doctype html><title>Connected</title><p>You may close this page.";
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
        page.len()
    )
    .ok()?;
    let target = first.split(' ').nth(1)?.to_owned();
    (!target.starts_with("/favicon")).then_some(target)
}

/// The parameters of a query or a form, decoded.
pub fn parameters(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), decoded(value))
        })
        .collect()
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 3).and_then(|code| std::str::from_utf8(code).ok());
        match (byte, code.and_then(|code| u8::from_str_radix(code, 16).ok())) {
            (b'%', Some(byte)) => {
                decoded.push(byte);
                at += 3;
            }
            (b'+', _) => {
                decoded.push(b' ');
                at += 1;
            }
            (byte, _) => {
                decoded.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).expect("parameters are UTF-8")
}

/// Parameters as the body of a form or as a query.
pub fn form(parameters: &[(&str, &str)]) -> String {
    let pairs = parameters.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
