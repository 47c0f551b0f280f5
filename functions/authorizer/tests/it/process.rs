//! The built process, asked as Lambda asks.

use std::io::Read;

use serde_json::json;

use crate::rows::{event, rows};
use crate::runtime_api::{Function, Outcome, command};
use crate::signing::{SECRET, URL};

const VARIABLES: [(&str, &str); 2] = [("MCP_AUTH_TOKEN", SECRET), ("PUBLIC_URL", URL)];

#[test]
fn every_row_against_the_process() {
    let function = Function::start(&VARIABLES);
    for row in rows() {
        let expected = json!({"isAuthorized": row.allowed, "context": {"grounds": row.grounds}});
        match function.invoke(&row.event) {
            Outcome::Response(answer) => assert_eq!(answer, expected, "{}", row.name),
            Outcome::Error(error) => panic!("{}: {error}", row.name),
        }
    }
}

#[test]
fn nothing_of_a_token_is_logged() {
    let function = Function::start(&VARIABLES);
    let rows = rows();
    for row in &rows {
        function.invoke(&row.event);
    }
    let log = function.stop();
    let denied = rows.iter().filter(|row| !row.allowed).count();
    assert_eq!(log.lines().count(), denied, "one line for each denial: {log}");
    assert!(
        log.lines().all(|line| line.starts_with("{\"level\":\"warn\",\"message\":\"request denied\"")),
        "{log}"
    );
    for secret in [SECRET, "eyJ", "Bearer", "dXNlcjpwYXNz", "client-1"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}

#[test]
fn a_replaced_secret_ends_every_token_of_the_old_one() {
    let rows: Vec<_> = rows().into_iter().filter(|row| row.allowed && row.grounds != "open_route").collect();
    let function = Function::start(&[
        ("MCP_AUTH_TOKEN", "the new secret".split(' ').next_back().unwrap()),
        VARIABLES[1],
    ]);
    for row in rows {
        let Outcome::Response(answer) = function.invoke(&row.event) else { panic!("{}", row.name) };
        assert_eq!(answer["isAuthorized"], json!(false), "{}", row.name);
    }
}

#[test]
fn it_does_not_start_without_its_settings_and_says_which() {
    for (variables, says) in [
        (&[][..], "MCP_AUTH_TOKEN is not set"),
        (&[("MCP_AUTH_TOKEN", SECRET)], "PUBLIC_URL is not set"),
        (&[("PUBLIC_URL", URL)], "MCP_AUTH_TOKEN is not set"),
        (&[("MCP_AUTH_TOKEN", ""), ("PUBLIC_URL", URL)], "MCP_AUTH_TOKEN is not set"),
        (&[("MCP_AUTH_TOKEN", "hunter2 hunter2"), ("PUBLIC_URL", URL)], "MCP_AUTH_TOKEN must be made of"),
        (
            &[("MCP_AUTH_TOKEN", SECRET), ("PUBLIC_URL", "https://a.b/path")],
            "PUBLIC_URL is not usable: the URL must be an origin",
        ),
    ] {
        // Nobody listens there: it must not come that far.
        let mut process = command(([127, 0, 0, 1], 9).into(), variables).spawn().unwrap();
        let status = process.wait().unwrap();
        let mut written = String::new();
        process.stderr.take().unwrap().read_to_string(&mut written).unwrap();
        assert!(!status.success() && written.contains(says), "{says}: {status} {written}");
        assert!(!written.contains(SECRET) && !written.contains("hunter2"), "{written}");
    }
}

/// Far above what it takes (docs/design/tokens.md), and of a build that is not optimised: a guard against a
/// dependency that brings a runtime along.
#[test]
#[cfg(target_os = "linux")]
fn it_stays_small() {
    let function = Function::start(&VARIABLES);
    function.wait_until_ready();
    for _ in 0..100 {
        function.invoke(&event("/mcp", &json!({"authorization": format!("Bearer {SECRET}")})).to_string());
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", function.id())).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kibibytes: u64 = resident.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kibibytes < 12 * 1024, "{kibibytes} KiB");
}
