//! A Lambda function: the built program, run in the environment that Lambda makes and asked through the Runtime
//! API, which is served here on loopback.
//!
//! One execution environment at a time. It is started with its first event, started anew when the program has
//! ended, and thrown away when an answer takes too long, as Lambda does.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use crate::process::{LogLine, Process};

/// How long a function may take, as README.md of infra/ deploys it.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The program ended.
    Ended,
    /// It reported an error, or an answer that is no JSON.
    Reported(String),
    /// It took longer than it may.
    TimedOut,
}

/// What the gateway asks before a protected request goes on.
pub trait Authorizer: Send + Sync {
    /// Answers an event.
    ///
    /// # Errors
    /// One [`Failure`] for each way to have no answer.
    fn invoke(&self, event: &Value) -> Result<Value, Failure>;
}

impl<F: Fn(&Value) -> Result<Value, Failure> + Send + Sync> Authorizer for F {
    fn invoke(&self, event: &Value) -> Result<Value, Failure> {
        self(event)
    }
}

/// A deployed function.
pub struct Function {
    program: PathBuf,
    settings: Mutex<Deployed>,
    environment: Mutex<Option<Environment>>,
}

struct Deployed {
    variables: Vec<(String, String)>,
    timeout: Duration,
}

impl Function {
    /// Deploys a program with these variables. It starts with its first event.
    pub fn deploy(program: &Path, variables: &[(&str, &str)]) -> Self {
        let settings = Deployed { variables: owned(variables), timeout: TIMEOUT };
        Self { program: program.to_path_buf(), settings: Mutex::new(settings), environment: Mutex::new(None) }
    }

    /// Deploys it again: the next event is answered by a program that was started with these variables.
    pub fn redeploy(&self, variables: &[(&str, &str)]) {
        lock(&self.settings).variables = owned(variables);
        *lock(&self.environment) = None;
    }

    /// Gives it less or more time.
    pub fn set_timeout(&self, timeout: Duration) {
        lock(&self.settings).timeout = timeout;
    }

    /// Starts it now, and gives the time from there to its first question for an event: the phase that Lambda
    /// calls initialisation. `None` when it ends instead.
    pub fn initialise(&self) -> Option<Duration> {
        let start = Instant::now();
        let environment = Environment::start(&self.program, &lock(&self.settings).variables);
        let ready = environment.ready.recv_timeout(Duration::from_secs(10)).is_ok();
        let took = start.elapsed();
        *lock(&self.environment) = Some(environment);
        ready.then_some(took)
    }

    /// The id of the running process.
    pub fn process_id(&self) -> Option<u32> {
        lock(&self.environment).as_ref().map(|environment| environment.process.id())
    }

    /// Stops its work without ending it, as a machine that hangs would.
    pub fn hang(&self) {
        if let Some(environment) = &*lock(&self.environment) {
            environment.process.signal(Signal::STOP);
        }
    }

    /// What the running process has written.
    pub fn log(&self) -> Vec<LogLine> {
        lock(&self.environment).as_ref().map(|environment| environment.process.lines()).unwrap_or_default()
    }
}

impl Authorizer for Function {
    fn invoke(&self, event: &Value) -> Result<Value, Failure> {
        let (variables, timeout) = {
            let settings = lock(&self.settings);
            (settings.variables.clone(), settings.timeout)
        };
        let mut place = lock(&self.environment);
        if place.as_mut().is_some_and(|environment| environment.process.has_ended()) {
            *place = None;
        }
        let environment = place.get_or_insert_with(|| Environment::start(&self.program, &variables));
        let answer = environment.invoke(event, timeout);
        if matches!(answer, Err(Failure::TimedOut | Failure::Ended)) {
            *place = None;
        }
        answer
    }
}

impl<A: Authorizer + ?Sized> Authorizer for Arc<A> {
    fn invoke(&self, event: &Value) -> Result<Value, Failure> {
        (**self).invoke(event)
    }
}

/// One running program and the Runtime API it talks to.
struct Environment {
    process: Process,
    events: Sender<String>,
    outcomes: Receiver<Result<Value, Failure>>,
    ready: Receiver<()>,
}

impl Environment {
    fn start(program: &Path, variables: &[(String, String)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let (events, next_event) = channel();
        let (report, outcomes) = channel();
        let (tell, ready) = channel();
        std::thread::spawn(move || {
            // One process, so one connection; an error ends it with the program.
            let Ok((stream, _)) = listener.accept() else { return };
            let _ = Runtime { next_event, report, tell }.serve(stream);
        });
        Self { process: Process::spawn(&mut command(program, address, variables)), events, outcomes, ready }
    }

    fn invoke(&mut self, event: &Value, timeout: Duration) -> Result<Value, Failure> {
        self.events.send(event.to_string()).map_err(|_| Failure::Ended)?;
        let deadline = Instant::now() + timeout;
        loop {
            match self.outcomes.recv_timeout(Duration::from_millis(20)) {
                Ok(outcome) => return outcome,
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Ended),
                Err(RecvTimeoutError::Timeout) if self.process.has_ended() => return Err(Failure::Ended),
                Err(RecvTimeoutError::Timeout) if Instant::now() > deadline => return Err(Failure::TimedOut),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The program, in the environment that Lambda makes and nothing else.
fn command(program: &Path, runtime: SocketAddr, variables: &[(String, String)]) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("AWS_LAMBDA_RUNTIME_API", runtime.to_string())
        .env("AWS_LAMBDA_FUNCTION_NAME", "authorizer")
        .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128")
        .env("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST")
        .envs(variables.iter().cloned())
        .stdin(Stdio::null());
    command
}

/// The Runtime API for one process: hands out events one by one and takes what becomes of them.
struct Runtime {
    next_event: Receiver<String>,
    report: Sender<Result<Value, Failure>>,
    tell: Sender<()>,
}

impl Runtime {
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream.try_clone()?);
        let mut writer = stream;
        let mut invocation = 0_u64;
        while let Some((line, body)) = read_request(&mut reader) {
            if line.starts_with("GET /2018-06-01/runtime/invocation/next ") {
                // Whoever started the function may be gone by now.
                let _ = self.tell.send(());
                let Ok(event) = self.next_event.recv() else { return Ok(()) };
                invocation += 1;
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\
                     Lambda-Runtime-Aws-Request-Id: request-{invocation}\r\n\
                     Lambda-Runtime-Deadline-Ms: 4000000000000\r\n\
                     Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:eu-central-1:123456789012:function:authorizer\r\n\
                     Content-Length: {}\r\n\r\n{event}",
                    event.len()
                );
                writer.write_all(head.as_bytes())?;
                continue;
            }
            let outcome = if line.contains(&format!("/invocation/request-{invocation}/response ")) {
                serde_json::from_slice(&body)
                    .map_err(|_| Failure::Reported(String::from_utf8_lossy(&body).into_owned()))
            } else {
                Err(Failure::Reported(format!("{line}: {}", String::from_utf8_lossy(&body))))
            };
            let _ = self.report.send(outcome);
            writer.write_all(b"HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{}")?;
        }
        Ok(())
    }
}

/// Request line and body of the next request, or nothing at the end of the connection.
fn read_request(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let line = read_line(reader)?;
    let (mut length, mut chunked) = (0, false);
    loop {
        let header = read_line(reader)?.to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length: ") {
            length = value.parse().ok()?;
        }
        chunked |= header == "transfer-encoding: chunked";
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    while chunked {
        let size = usize::from_str_radix(&read_line(reader)?, 16).ok()?;
        let start = body.len();
        body.resize(start + size + 2, 0);
        reader.read_exact(&mut body[start..]).ok()?;
        body.truncate(start + size);
        chunked = size != 0;
    }
    Some((line, body))
}

fn read_line(reader: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    let count = reader.read_line(&mut line).ok()?;
    (count > 0).then(|| line.trim_end().to_owned())
}

fn owned(variables: &[(&str, &str)]) -> Vec<(String, String)> {
    variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
