//! The edge's function, as Lambda runs it: how large it is, how soon it asks for its first event, how long an
//! answer takes, what memory it holds.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use harness::{Authorizer as _, Function, repository_root};
use serde_json::{Value, json};

use super::latency::Times;
use super::machine;

/// Starts of the program; the median counts, and the worst is told.
const STARTS: usize = 15;

/// Events of each start.
const EVENTS: usize = 500;

/// What is around a file in a zip archive: local header, directory entry and end, with its name twice.
const ZIP_FRAME: usize = 30 + 46 + 22 + 2 * "bootstrap".len();

/// A token for [`URL`], signed by [`SECRET`], that expires in 2096: the way that costs most.
const SIGNED: &str = concat!(
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.",
    "eyJzdWIiOiJjbGllbnQtMSIsInNjb3BlIjoidmF1bHQiLCJpYXQiOjE3MDAwMDAwMDAsImV4cCI6NDAwMDAwMDAwMCwiaX",
    "NzIjoiaHR0cHM6Ly92YXVsdC5leGFtcGxlLmNvbS8iLCJhdWQiOiJodHRwczovL3ZhdWx0LmV4YW1wbGUuY29tL21jcCJ9",
    ".lNifAVlM1Lb0l4urPGHHJIyByneOZxotnWA7CHawN8U"
);
const SECRET: &str = "measured-token-of-nobody";
const URL: &str = "https://vault.example.com";

/// What came out.
pub(crate) struct Figures {
    pub(crate) executable: usize,
    pub(crate) zip: usize,
    /// Start of the process to its first question for an event.
    pub(crate) initialisation: Times,
    pub(crate) first_answer: Times,
    pub(crate) answer: Times,
    /// Resident memory after all events, the highest of all starts, in megabytes of 2^20 bytes.
    pub(crate) memory: f64,
}

pub(crate) fn measure() -> anyhow::Result<Figures> {
    eprintln!("the authorizer:");
    let program = build()?;
    let bytes = std::fs::read(&program).with_context(|| format!("cannot read {}", program.display()))?;
    let (mut initialisation, mut first, mut answers, mut memory) =
        (Vec::new(), Vec::new(), Vec::new(), 0.0_f64);
    for _ in 0..STARTS {
        let function = Function::deploy(&program, &[("MCP_AUTH_TOKEN", SECRET), ("PUBLIC_URL", URL)]);
        initialisation.push(function.initialise().context("the authorizer ended at its start")?);
        let event = event();
        for number in 0..EVENTS {
            let start = Instant::now();
            let answer =
                function.invoke(&event).map_err(|failure| anyhow::anyhow!("no answer: {failure:?}"))?;
            let took = start.elapsed();
            ensure!(answer["context"]["grounds"] == "signed", "a valid token is answered {answer}");
            if number == 0 { first.push(took) } else { answers.push(took) }
        }
        let process = function.process_id().context("it runs")?;
        memory = memory.max(machine::resident(process).now);
    }
    let figures = Figures {
        executable: bytes.len(),
        zip: zipped(&bytes)?,
        initialisation: Times::new(initialisation),
        first_answer: Times::new(first),
        answer: Times::new(answers),
        memory,
    };
    Ok(figures)
}

/// Builds it as it is deployed.
fn build() -> anyhow::Result<PathBuf> {
    let root = repository_root();
    let status = Command::new("cargo")
        .args(["build", "--quiet", "--locked", "--profile", "edge", "--package", "authorizer"])
        .current_dir(&root)
        .status()
        .context("cargo does not start")?;
    ensure!(status.success(), "the authorizer does not build");
    // Beside the folder of this build's own profile.
    let executable = std::env::current_exe()?;
    let target = executable.ancestors().nth(2).map_or_else(|| root.join("target"), Path::to_path_buf);
    Ok(target.join("edge/authorizer"))
}

fn zipped(bytes: &[u8]) -> anyhow::Result<usize> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len() + ZIP_FRAME)
}

fn event() -> Value {
    json!({
        "version": "2.0",
        "type": "REQUEST",
        "routeArn": "arn:aws:execute-api:eu-central-1:123456789012:abcdef1234/$default/POST/mcp",
        "identitySource": [format!("Bearer {SIGNED}")],
        "routeKey": "ANY /mcp",
        "rawPath": "/mcp",
        "rawQueryString": "",
        "headers": {
            "authorization": format!("Bearer {SIGNED}"),
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
            "mcp-protocol-version": "2025-11-25",
            "user-agent": "bench",
        },
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "abcdef1234",
            "domainName": "vault.example.com",
            "http": {"method": "POST", "path": "/mcp", "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1", "userAgent": "bench"},
            "requestId": "JKJaXmPLvHcESHA=",
            "routeKey": "ANY /mcp",
            "stage": "$default",
            "timeEpoch": 1_773_119_783_000_u64,
        },
    })
}

/// The rows of a table: what, median, worst.
pub(crate) fn rows(figures: &Figures) -> Vec<[String; 3]> {
    let time = |what: &str, times: &Times| {
        let text = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1_000.0);
        [what.to_owned(), text(times.median()), text(times.rank(1_000))]
    };
    vec![
        ["executable".to_owned(), format!("{} bytes", figures.executable), String::new()],
        ["zip".to_owned(), format!("{} bytes", figures.zip), String::new()],
        time("start of the process to its first question for an event", &figures.initialisation),
        time("first answer", &figures.first_answer),
        time("answer", &figures.answer),
        [
            format!("resident memory after {EVENTS} events"),
            String::new(),
            format!("{:.2} MB", figures.memory),
        ],
    ]
}
