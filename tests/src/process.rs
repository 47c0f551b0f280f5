//! A child process whose two output streams are read to the end, line by line, while it runs.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// One line that the process wrote.
#[derive(Clone, Debug)]
pub struct LogLine {
    /// Whether it came on standard error.
    pub stderr: bool,
    /// The line, without its break.
    pub text: String,
}

impl LogLine {
    /// The line as a JSON object, when it is one.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_str(&self.text).ok().filter(Value::is_object)
    }

    /// Whether it is the log event of that name.
    pub fn is_event(&self, message: &str) -> bool {
        self.json().is_some_and(|event| event["message"] == message)
    }
}

/// What the reader threads have collected, and how to wait for more.
#[derive(Default)]
struct Lines {
    lines: Mutex<Vec<LogLine>>,
    arrived: Condvar,
}

/// A running child. Dropping it kills it.
pub(crate) struct Process {
    child: Child,
    lines: Arc<Lines>,
    readers: Vec<JoinHandle<()>>,
}

impl Process {
    /// Starts the command with both outputs piped.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {:?}: {error}", command.get_program()));
        let lines = Arc::<Lines>::default();
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take().expect("stderr is piped");
        let readers = vec![collect(stdout, false, &lines), collect(stderr, true, &lines)];
        Self { child, lines, readers }
    }

    /// The child's standard input, when it was piped and not taken yet.
    pub(crate) fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Everything written so far.
    pub(crate) fn lines(&self) -> Vec<LogLine> {
        self.lines.lines.lock().unwrap().clone()
    }

    /// Waits for a line from the `from`-th on that `pick` turns into a value; `None` when the
    /// process ended without one.
    #[track_caller]
    pub(crate) fn wait_for_line<T>(
        &mut self,
        what: &str,
        from: usize,
        limit: Duration,
        mut pick: impl FnMut(&LogLine) -> Option<T>,
    ) -> Option<T> {
        let deadline = Instant::now() + limit;
        let mut seen = from;
        loop {
            let ended = self.readers.iter().all(JoinHandle::is_finished);
            {
                let mut lines = self.lines.lines.lock().unwrap();
                if lines.len() <= seen && !ended {
                    (lines, _) = self.lines.arrived.wait_timeout(lines, Duration::from_millis(50)).unwrap();
                }
                for line in lines.iter().skip(seen) {
                    if let Some(value) = pick(line) {
                        return Some(value);
                    }
                }
                seen = lines.len().max(from);
            }
            if ended {
                return None;
            }
            if Instant::now() > deadline {
                panic!("not within {limit:?}: {what}; the process wrote:\n{}", self.transcript());
            }
        }
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.id()).expect("a process id fits"))
            .expect("a process id is positive");
        // An error means that it has ended already, which waiting will show.
        let _ = kill_process(pid, signal);
    }

    /// Whether it is no longer running.
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for the end; `None` when it does not come within `limit`.
    pub(crate) fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                for reader in self.readers.drain(..) {
                    reader.join().expect("a reader thread");
                }
                return Some(status);
            }
            if Instant::now() > deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// All lines in one text, for a failure's message.
    pub(crate) fn transcript(&self) -> String {
        self.lines()
            .iter()
            .map(|line| format!("{} {}\n", if line.stderr { "!" } else { " " }, line.text))
            .collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn collect(stream: impl Read + Send + 'static, stderr: bool, lines: &Arc<Lines>) -> JoinHandle<()> {
    let lines = Arc::clone(lines);
    std::thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut bytes = Vec::new();
        while stream.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
            bytes.clear();
            lines.lines.lock().unwrap().push(LogLine { stderr, text });
            lines.arrived.notify_all();
        }
    })
}
