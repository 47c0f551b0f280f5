//! One vault measured from its first index to its last answer.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use harness::{Connection, Request, Server, TestServer, TestVault, is_indexed, tool_call};
use serde_json::{Value, json};

use super::latency::Times;
use super::load::{self, Load};
use super::machine::{self, Resident};
use super::queries::{Kind, kinds};
use super::writes::{self, Writes};
use crate::generate::{Generator, Random};

/// Runs of what is measured once a run; the median counts.
const RUNS: usize = 3;

/// Calls before the measurement, so that files and pages are warm for all kinds alike.
const WARM_UP_CALLS: usize = 20;

/// What came out for one size.
pub(crate) struct Figures {
    pub(crate) notes: u32,
    /// Start of the process to a complete index, from nothing.
    pub(crate) full_index: Times,
    /// Start of the process to the first answer that names the right note, nothing changed.
    pub(crate) restart: Times,
    /// An edit outside the server to the answer that has it: the watcher's debounce included.
    pub(crate) freshness: Times,
    pub(crate) kinds: Vec<(&'static str, &'static str, bool, Times)>,
    /// Known-item queries of two words that name their note among the first three.
    pub(crate) found_in_three: f64,
    pub(crate) loads: Vec<(&'static str, Load)>,
    /// After the full index.
    pub(crate) memory_indexing: Resident,
    /// The same of a process that found its index complete, after all queries and loads.
    pub(crate) memory_serving: Resident,
    pub(crate) index_megabytes: f64,
    pub(crate) fsync: Duration,
    pub(crate) writes: Writes,
}

pub(crate) fn measure(generator: &Generator, vault: &Path) -> anyhow::Result<Figures> {
    let vault = TestVault::at(vault);
    let (full_index, memory_indexing, settings) = full_index(&vault)?;
    let index_megabytes =
        folder_megabytes(settings.index_path().parent().context("the index has a folder")?)?;
    let (restart, server) = restart(generator, settings)?;
    eprintln!("  queries");
    let kinds = kinds(generator);
    for kind in &kinds {
        calls(&server, kind, WARM_UP_CALLS)?;
    }
    let mut measured = Vec::new();
    for kind in &kinds {
        measured.push((kind.name, kind.tool, kind.keyword, calls(&server, kind, usize::MAX)?));
    }
    let found_in_three = found_in_three(generator, &server);
    eprintln!("  load");
    let mut loads = Vec::new();
    for (tool, arguments) in [
        ("index_status", json!({})),
        ("vault_read_note", json!({"path": generator.note(1).path})),
        ("vault_get_backlinks", json!({"path": generator.note(generator.len() - 1).path})),
        ("vault_search", json!({"query": "certificate renewed", "limit": 5})),
    ] {
        loads.push((tool, load::run(server.address(), &raw_call(&server, tool, &arguments))?));
    }
    let memory_serving = machine::resident(server.id());
    eprintln!("  edits from outside");
    let freshness = freshness(&server)?;
    let fsync = machine::fsync_time(server.settings().data())?;
    server.stop();
    eprintln!("  changes");
    let writes = writes::measure(generator)?;
    Ok(Figures {
        notes: generator.len(),
        full_index,
        restart,
        freshness,
        kinds: measured,
        found_in_three,
        loads,
        memory_indexing,
        memory_serving,
        index_megabytes,
        fsync,
        writes,
    })
}

/// Indexes from nothing, several times, each with a data folder of its own.
fn full_index(vault: &TestVault) -> anyhow::Result<(Times, Resident, TestServer)> {
    let mut times = Vec::new();
    let mut last = None;
    for run in 1..=RUNS {
        let settings = TestServer::start().with_vault(vault.clone());
        let start = Instant::now();
        let server = settings.listening();
        wait_for_index(&server)?;
        times.push(start.elapsed());
        eprintln!("  full index, run {run} of {RUNS}: {:.2} s", start.elapsed().as_secs_f64());
        let memory = machine::resident(server.id());
        last = Some((memory, server.stop()));
    }
    let (memory, settings) = last.context("at least one run")?;
    Ok((Times::new(times), memory, settings))
}

fn wait_for_index(server: &Server) -> anyhow::Result<()> {
    let limit = Instant::now() + Duration::from_secs(300);
    let mut connection = Connection::new(server.address());
    loop {
        let health = connection.try_send(&Request::new("GET", "/healthz"))?.json();
        if is_indexed(&health) {
            return Ok(());
        }
        ensure!(Instant::now() < limit, "not indexed within five minutes: {health}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts on the complete index until a search names the right note.
fn restart(generator: &Generator, mut settings: TestServer) -> anyhow::Result<(Times, Server)> {
    let mut times = Vec::new();
    let note = generator.note(generator.len() / 2);
    let title = note.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md").to_owned();
    for run in 1..=RUNS {
        let start = Instant::now();
        let server = settings.listening();
        loop {
            let answer = server.call("vault_search", json!({"query": title, "limit": 3}));
            let complete = answer.structured().get("indexing").is_none();
            if complete && answer.list("results", "path").contains(&note.path) {
                break;
            }
            ensure!(
                start.elapsed() < Duration::from_secs(60),
                "no right answer within a minute of a restart"
            );
        }
        times.push(start.elapsed());
        eprintln!("  restart, run {run} of {RUNS}: {:.3} s", start.elapsed().as_secs_f64());
        if run == RUNS {
            return Ok((Times::new(times), server));
        }
        settings = server.stop();
    }
    anyhow::bail!("at least one run")
}

fn calls(server: &Server, kind: &Kind, at_most: usize) -> anyhow::Result<Times> {
    let mut connection = Connection::new(server.address());
    let mut times = Vec::new();
    for arguments in kind.arguments.iter().take(at_most) {
        let request = server.post().json(&tool_call(1, kind.tool, arguments.clone()));
        let start = Instant::now();
        let response = connection.try_send(&request)?;
        times.push(start.elapsed());
        let result = &response.json()["result"];
        ensure!(response.status == 200 && result["isError"] != true, "{} {arguments}: {result}", kind.tool);
    }
    Ok(Times::new(times))
}

/// A sanity figure beside the times: fast wrong answers are worth nothing.
fn found_in_three(generator: &Generator, server: &Server) -> f64 {
    let mut random = Random::new(11, 0);
    let (mut found, mut asked) = (0, 0);
    while asked < 100 {
        let number = random.below(usize::try_from(generator.len()).unwrap_or(1));
        let note = generator.note(u32::try_from(number).unwrap_or_default());
        let mut rare: Vec<&String> = note.words.iter().filter(|word| generator.is_subject(word)).collect();
        rare.sort_by_key(|word| std::cmp::Reverse(word.len()));
        rare.dedup();
        let [first, second, ..] = rare[..] else { continue };
        asked += 1;
        let answer = server.call("vault_search", json!({"query": format!("{first} {second}"), "limit": 3}));
        found += i32::from(answer.list("results", "path").contains(&note.path));
    }
    f64::from(found) / f64::from(asked)
}

/// Edits from outside until the search has them. The edited note is new and goes again.
fn freshness(server: &Server) -> anyhow::Result<Times> {
    let mut times = Vec::new();
    for round in 0..RUNS {
        let (path, word) = (format!("Freshness {round}.md"), format!("freshlywritten{round}"));
        server.vault().write(&path, format!("# Freshness\n\n{word}\n"));
        let start = Instant::now();
        while !server.finds(&word, &path) {
            ensure!(start.elapsed() < Duration::from_secs(30), "an edit is not found after 30 s");
            std::thread::sleep(Duration::from_millis(2));
        }
        times.push(start.elapsed());
        server.vault().remove(&path);
    }
    Ok(Times::new(times))
}

/// The bytes of a call on a kept-alive connection.
fn raw_call(server: &Server, tool: &str, arguments: &Value) -> Vec<u8> {
    server.post().json(&tool_call(1, tool, arguments.clone())).to_bytes(&server.address().to_string())
}

fn folder_megabytes(folder: &Path) -> anyhow::Result<f64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes as f64 / 1_048_576.0)
}
