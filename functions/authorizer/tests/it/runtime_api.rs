//! A stand-in for the Lambda Runtime API on loopback: hands out events one by one, takes the answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use serde_json::Value;

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the function did with an event.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It answered.
    Response(Value),
    /// It reported an error: the gateway would answer 500.
    Error(String),
}

/// The function's process, and the API it talks to.
pub(crate) struct Function {
    process: Child,
    events: Sender<String>,
    outcomes: Receiver<Outcome>,
    asked: Receiver<()>,
}

impl Function {
    /// Starts the built binary with an environment of these variables and Lambda's own, and nothing else.
    pub(crate) fn start(variables: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (events, next_event) = channel();
        let (report, outcomes) = channel();
        let (ask, asked) = channel();
        std::thread::spawn(move || {
            let mut invocation = 0;
            for stream in listener.incoming() {
                serve(stream.unwrap(), &next_event, &report, &ask, &mut invocation);
            }
        });
        let process = command(address, variables).spawn().expect("the binary starts");
        Self { process, events, outcomes, asked }
    }

    /// Waits until it asks for its first event, as Lambda does to end the phase of initialisation.
    pub(crate) fn wait_until_ready(&self) {
        self.asked.recv_timeout(PATIENCE).expect("the function asks for an event");
    }

    /// Hands out an event and waits for what becomes of it.
    pub(crate) fn invoke(&self, event: &str) -> Outcome {
        self.events.send(event.to_owned()).unwrap();
        self.outcomes.recv_timeout(PATIENCE).expect("the function answers")
    }

    /// The process id, to read its memory.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Ends it and gives what it wrote to standard output and error.
    pub(crate) fn stop(mut self) -> String {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let mut written = String::new();
        self.process.stdout.take().unwrap().read_to_string(&mut written).unwrap();
        self.process.stderr.take().unwrap().read_to_string(&mut written).unwrap();
        written
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The binary, in the environment that Lambda makes.
pub(crate) fn command(address: SocketAddr, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_authorizer"));
    command
        .env_clear()
        .env("AWS_LAMBDA_RUNTIME_API", address.to_string())
        .env("AWS_LAMBDA_FUNCTION_NAME", "authorizer")
        .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128")
        .env("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST")
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// One connection, request after request, until the other side closes it.
fn serve(
    stream: TcpStream,
    events: &Receiver<String>,
    report: &Sender<Outcome>,
    ask: &Sender<()>,
    invocation: &mut u64,
) {
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some((line, body)) = read_request(&mut reader) {
        if line.starts_with("GET /2018-06-01/runtime/invocation/next ") {
            // Whoever started the function may be gone by now.
            let _ = ask.send(());
            let Ok(event) = events.recv() else { return };
            *invocation += 1;
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nLambda-Runtime-Aws-Request-Id: request-{invocation}\r\n\
                 Lambda-Runtime-Deadline-Ms: 4000000000000\r\nLambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:eu-central-1:1:function:authorizer\r\n\
                 Content-Length: {}\r\n\r\n{event}",
                event.len()
            );
            writer.write_all(answer.as_bytes()).unwrap();
            continue;
        }
        let outcome = if line.contains(&format!("/invocation/request-{invocation}/response ")) {
            serde_json::from_str(&body).map_or_else(|_| Outcome::Error(body.clone()), Outcome::Response)
        } else {
            Outcome::Error(format!("{line}: {body}"))
        };
        let _ = report.send(outcome);
        writer.write_all(b"HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{}").unwrap();
    }
}

/// Request line and body of the next request, or nothing at the end of the connection.
fn read_request(reader: &mut BufReader<TcpStream>) -> Option<(String, String)> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let header = header.trim_end().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        chunked |= header == "transfer-encoding: chunked";
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    while chunked {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = usize::from_str_radix(size.trim_end(), 16).unwrap();
        let start = body.len();
        body.resize(start + size + 2, 0);
        reader.read_exact(&mut body[start..]).ok()?;
        body.truncate(start + size);
        chunked = size != 0;
    }
    Some((line.trim_end().to_owned(), String::from_utf8(body).unwrap()))
}
