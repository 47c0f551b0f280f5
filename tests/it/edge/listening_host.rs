//! A host that keeps what it was sent and answers what it was told: shows what the gateway passes on, and what
//! it makes of answers that the real server would never give.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One step of an answer.
#[derive(Clone)]
pub(super) enum Step {
    /// These bytes.
    Send(Vec<u8>),
    /// Nothing for a while.
    Wait(Duration),
}

/// The listening host. It ends with the test.
pub(super) struct ListeningHost {
    pub(super) address: SocketAddr,
    received: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl ListeningHost {
    /// Answers every request with 200 and `ok`.
    pub(super) fn start() -> Self {
        Self::answering(vec![Step::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok".to_vec())])
    }

    /// Answers every request with these steps, then closes the connection.
    pub(super) fn answering(steps: Vec<Step>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let received = Arc::<Mutex<Vec<Vec<u8>>>>::default();
        let kept = Arc::clone(&received);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                kept.lock().unwrap().push(read_request(&mut stream));
                for step in &steps {
                    match step {
                        Step::Send(bytes) => {
                            let _ = stream.write_all(bytes);
                        }
                        Step::Wait(time) => std::thread::sleep(*time),
                    }
                }
            }
        });
        Self { address, received }
    }

    /// How many requests came.
    pub(super) fn count(&self) -> usize {
        self.received.lock().unwrap().len()
    }

    /// The last request as text.
    #[track_caller]
    pub(super) fn last(&self) -> String {
        let received = self.received.lock().unwrap();
        String::from_utf8_lossy(received.last().expect("a request came")).into_owned()
    }

    /// The value of a header of the last request; `None` when it is not there, a failure when it is repeated.
    #[track_caller]
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let last = self.last();
        let mut found = last.lines().skip(1).take_while(|line| !line.is_empty()).filter_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then(|| value.to_owned())
        });
        let first = found.next();
        assert_eq!(found.next(), None, "{name} is repeated:\n{last}");
        first
    }
}

fn read_request(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    let mut missing = None;
    loop {
        let count = stream.read(&mut buffer).unwrap_or(0);
        bytes.extend_from_slice(&buffer[..count]);
        let end = missing.or_else(|| {
            let head = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
            let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            Some(head + length.unwrap_or(0))
        });
        missing = end;
        if count == 0 || end.is_some_and(|end| bytes.len() >= end) {
            return bytes;
        }
    }
}
