//! Ranked full-text search, sentence by sentence: what the documentation of the full-text tool has
//! always promised. The sentences about ranking are tested under `FTS_RANKING=seed`, which ranks
//! exactly so; all others hold under the default ranking, and where both must hold, under both.

mod answer;
mod languages;
mod ranking;
mod reading;
mod syntax;

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

/// A server with the default ranking.
fn serve(vault: TestVault) -> Server {
    TestServer::start().with_vault(vault).ready()
}

/// A server that ranks as the documentation says.
fn serve_seed_ranking(vault: TestVault) -> Server {
    TestServer::start().with_vault(vault).with_env("FTS_RANKING", "seed").ready()
}

/// One server of each ranking on the same vault, each with an index of its own.
fn serve_both(vault: TestVault) -> [Server; 2] {
    [serve(vault.clone()), serve_seed_ranking(vault)]
}

#[track_caller]
fn ask(server: &Server, query: &str) -> Value {
    server.call("vault_fts_search", json!({"query": query})).structured().clone()
}

/// The paths found, best first.
#[track_caller]
fn found(server: &Server, query: &str) -> Vec<String> {
    ask(server, query)["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["path"].as_str().unwrap().to_owned())
        .collect()
}

/// The paths found, sorted: for sentences that say what is found and not in which order.
#[track_caller]
fn found_set(server: &Server, query: &str) -> Vec<String> {
    let mut paths = found(server, query);
    paths.sort();
    paths
}

/// A vault of one-line notes.
fn notes(rows: &[(&str, &str)]) -> TestVault {
    rows.iter().fold(TestVault::new(), |vault, (path, text)| vault.note(path, text))
}
