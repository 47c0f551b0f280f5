//! Configuration: a wrong value stops the boot and names its variable.

use std::fs;

use harness::{Run, TestServer, TestVault};
use serde_json::json;

#[track_caller]
fn refused(name: &str, value: &str) {
    TestServer::start().with_env(name, value).refused().fails_naming(&[name]);
}

#[test]
fn wrong_values_name_their_variable() {
    for (name, value) in [
        ("PORT", "eighty"),
        ("PORT", "65536"),
        ("PORT", "-1"),
        ("HOST", "not a host"),
        ("PUBLIC_URL", "vault.example.com"),
        ("PUBLIC_URL", "ftp://vault.example.com"),
        ("PUBLIC_URL", "http://vault.example.com"),
        ("READONLY_MODE", "yes"),
        ("MEMORY_ENABLED", "2"),
        ("FILE_TOOLS_ENABLED", "on"),
        ("WINDOWS_MODE", "maybe"),
        ("ALLOW_HARD_LINKS", "sometimes"),
        ("DISABLED_TOOLS", "vault_serch"),
        ("DISABLED_TOOLS", "vault_search,nonsense"),
        ("MEMORY_DIR", "../outside"),
        ("MEMORY_DIR", "/abs"),
        ("DAILY_NOTES_FOLDER", "../x"),
        ("FTS_RANKING", "best"),
        ("VAULT_FTS_LANGUAGES", "en,klingon"),
        ("MAX_ANSWER_CHARS", "0"),
        ("MAX_ANSWER_CHARS", "many"),
        ("LOG_LEVEL", "chatty"),
        ("LOG_RETENTION_DAYS", "-3"),
        ("TZ", "Mars/Olympus"),
        ("MAX_FILE_BYTES", "0"),
        ("TRUST_PROXY_HOPS", "-1"),
    ] {
        refused(name, value);
    }
}

#[test]
fn the_vault_must_be_there() {
    refused("VAULT_PATH", "");
    refused("VAULT_PATH", "/no/such/folder/anywhere");
    let file = TestVault::new().note("file.md", "");
    refused("VAULT_PATH", file.path("file.md").to_str().unwrap());
    TestServer::start().without_env("VAULT_PATH").refused().fails_naming(&["VAULT_PATH"]);
}

#[test]
fn serving_without_a_token_is_refused() {
    TestServer::start().without_token().refused().fails_naming(&["MCP_AUTH_TOKEN"]);
    refused("MCP_AUTH_TOKEN", "   ");
}

#[test]
fn an_empty_value_is_as_good_as_none() {
    let server = TestServer::start()
        .with_env("DISABLED_TOOLS", "")
        .with_env("LOG_DIR", "")
        .with_env("PUBLIC_URL", "")
        .with_env("FTS_RANKING", "")
        .ready();
    assert_eq!(server.tools().len(), crate::tools::tools().len());
}

#[test]
fn booleans_have_six_spellings() {
    for value in ["true", "TRUE", "1", "false", "FALSE", "0"] {
        TestServer::start().with_env("READONLY_MODE", value).ready();
    }
}

#[test]
fn http_is_allowed_for_private_addresses_with_a_warning() {
    for url in ["http://localhost:8000", "http://192.168.1.20:8000", "http://10.0.0.7"] {
        TestServer::start().with_env("PUBLIC_URL", url).ready();
    }
    let server = TestServer::start().with_env("PUBLIC_URL", "http://192.168.1.20:8000").ready();
    let warned = server.log().iter().filter_map(harness::LogLine::json).any(|event| event["level"] == "warn");
    assert!(warned, "a token over plain http deserves a warning");
}

/// A whole index path may be left out: it goes to the user's data folder, a vault each.
#[test]
fn the_index_goes_to_the_users_data_folder_by_default() {
    let vault = TestVault::new().note("a.md", "alphaword");
    let settings = TestServer::start().with_vault(vault).without_env("INDEX_DB_PATH");
    let server = settings.ready();
    assert!(server.finds("alphaword", "a.md"));
    let data = server.settings().data().join("xdg-data");
    let mut folders = vec![data];
    let mut found = false;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                folders.push(entry.path());
            }
            found |= entry.path().extension().is_some_and(|extension| extension == "db");
        }
    }
    assert!(found, "an index below XDG_DATA_HOME");
}

#[test]
fn times_are_shown_in_the_zone_of_tz() {
    let vault = TestVault::new().note("a.md", "alphaword").modified("a.md", 1_700_000_000);
    let server = TestServer::start().with_vault(vault).with_env("TZ", "Europe/Vienna").ready();
    let answer = server.call("vault_search", json!({"query": "alphaword"}));
    assert_eq!(answer.structured()["results"][0]["modified"], "2023-11-14T23:13:20.000+01:00");
    // A day of a filter is a day there.
    let found = server
        .call("vault_search", json!({"query": "alphaword", "filters": {"modified": {"on": "2023-11-14"}}}));
    assert_eq!(found.structured()["total"], 1);
}

#[test]
fn the_token_is_trimmed() {
    let server = TestServer::start().with_token("  spaced-token-for-this-test\n").ready();
    let request = server
        .post()
        .without_header("authorization")
        .header("authorization", "Bearer spaced-token-for-this-test");
    let response = server.send(&request.json(&harness::request(1, "ping", json!({}))));
    assert_eq!(response.status, 200);
}

#[test]
fn the_reference_pages_need_no_configuration() {
    let data = tempfile::tempdir().unwrap();
    let page = Run::new(&["reference", "config"], data.path()).output().success().stdout;
    for name in [
        "MCP_AUTH_TOKEN",
        "VAULT_PATH",
        "PUBLIC_URL",
        "INDEX_DB_PATH",
        "PORT",
        "HOST",
        "VAULT_FTS_LANGUAGES",
        "FTS_RANKING",
        "DISABLED_TOOLS",
        "READONLY_MODE",
        "LOG_DIR",
        "MAX_ANSWER_CHARS",
        "ALLOW_HARD_LINKS",
        "ALLOWED_HOSTS",
        "ALLOWED_ORIGINS",
        "TZ",
    ] {
        assert!(page.contains(name), "{name}");
    }
}
