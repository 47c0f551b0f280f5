//! The command line: what each command prints, and the exit code that a script relies on.

use harness::{Output, Run, Server, TestServer, TestVault, shared_folder};

use crate::fixtures;

/// A terminal's escape sequences have no place in a pipe.
#[track_caller]
fn plain(output: &Output) {
    for text in [&output.stdout, &output.stderr] {
        assert!(!text.contains('\u{1b}'), "escape sequences in a pipe: {text:?}");
    }
}

fn indexed(vault: TestVault) -> TestServer {
    let settings = TestServer::start().with_vault(vault);
    let path = settings.vault().root().to_str().unwrap().to_owned();
    plain(&settings.command(&["index", &path]).success());
    settings
}

#[test]
fn help_and_version_need_nothing() {
    let data = tempfile::tempdir().unwrap();
    let help = Run::new(&["--help"], data.path()).output().success().stdout;
    for command in ["serve", "index", "search", "status", "healthcheck", "history", "undo", "eval"] {
        assert!(help.lines().any(|line| line.trim_start().starts_with(command)), "{command} in {help}");
    }
    let version = Run::new(&["--version"], data.path()).output().success().stdout;
    assert_eq!(version.trim(), format!("vault-cortex {}", env!("CARGO_PKG_VERSION")));
    for command in ["serve", "index", "search", "status", "healthcheck", "history", "undo", "eval"] {
        Run::new(&[command, "--help"], data.path()).output().success();
    }
}

#[test]
fn a_wrong_command_line_is_refused_with_code_two() {
    let data = tempfile::tempdir().unwrap();
    for arguments in [
        &["nonsense"][..],
        &[],
        &["search"],
        &["search", ""],
        &["search", " \t"],
        &["search", "x", "--limit", "none"],
        &["index", "--nope"],
    ] {
        let output = Run::new(arguments, data.path()).output();
        assert_eq!(output.code, Some(2), "{arguments:?}: {}{}", output.stdout, output.stderr);
    }
}

#[test]
fn index_builds_and_says_what_it_found() {
    let settings = TestServer::start().with_vault(fixtures::full());
    let path = settings.vault().root().to_str().unwrap().to_owned();
    let output = settings.command(&["index", &path]).success();
    plain(&output);
    let said = format!("{}{}", output.stdout, output.stderr);
    assert!(said.contains("10 notes") || said.contains("notes: 10") || said.contains("10"), "{said}");
    assert!(
        said.contains("Broken/bad-yaml.md") || said.contains("problem"),
        "it reports the broken note: {said}"
    );
    assert!(settings.index_path().exists());
    // A second run has nothing to do.
    let again = settings.command(&["index", &path]).success();
    let said = format!("{}{}", again.stdout, again.stderr);
    assert!(said.contains("unchanged") || said.contains("0 indexed"), "{said}");
}

#[test]
fn index_of_a_missing_vault_fails() {
    let data = tempfile::tempdir().unwrap();
    let output = Run::new(&["index", "/no/such/vault"], data.path()).output();
    output.fails_naming(&["/no/such/vault"]);
}

/// A name of a file can hold what a terminal acts on; a pipe may end at one.
#[test]
fn names_of_files_do_not_steer_the_terminal() {
    let vault = TestVault::new()
        .note("2J\u{202e}dm.txt.md", "---\n: [\n---\nalphaword")
        // Rules keep this one out; the status names it.
        .named_by_bytes(b"c\x1b[2Jd.md", "text");
    let settings = TestServer::start().with_vault(vault);
    let path = settings.vault().root().to_str().unwrap().to_owned();
    let runs: [&[&str]; 6] = [
        &["index", &path],
        &["index", &path, "--json"],
        &["search", "alphaword"],
        &["search", "alphaword", "--json"],
        &["status"],
        &["status", "--json"],
    ];
    let mut named = 0;
    for arguments in runs {
        let output = settings.command(arguments);
        for text in [&output.stdout, &output.stderr] {
            let steers = |letter: char| letter.is_control() && letter != '\n' || letter == '\u{202e}';
            assert!(!text.contains(steers), "{arguments:?}: {text:?}");
            named += usize::from(text.contains("2J"));
        }
    }
    assert!(named >= 5, "the file is named all the same, in {named} of them");
}

#[test]
fn search_prints_a_table() {
    let settings = indexed(fixtures::full());
    let output = settings.command(&["search", "renew wildcard certificate", "--limit", "3"]).success();
    plain(&output);
    assert!(output.stdout.contains("howto/renew-wildcard-certificate.md"), "{}", output.stdout);
    let nothing = settings.command(&["search", "zzzunfindable"]);
    assert_eq!(nothing.code, Some(0), "nothing found is an answer: {}", nothing.stderr);
}

#[test]
fn search_prints_json_that_a_script_can_read() {
    let settings = indexed(fixtures::full());
    let found = settings.command(&["search", "kubernetes", "--json"]).success().json();
    let hits = found["results"].as_array().or(found.as_array()).unwrap().clone();
    let hit = &hits[0];
    assert_eq!(hit["path"], "Projects/Cluster.md");
    for field in ["score", "snippet", "section", "lines"] {
        assert!(hit.get(field).is_some(), "{field} in {hit}");
    }
    let score = hit["score"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&score), "{score}");
}

#[test]
fn search_keeps_limit_and_least_score() {
    let settings = indexed(fixtures::full());
    let count = |arguments: &[&str]| {
        let found = settings
            .command(&[&["search", "traefik wildcard certificate", "--json"], arguments].concat())
            .success()
            .json();
        found["results"].as_array().or(found.as_array()).unwrap().len()
    };
    assert_eq!(count(&["--limit", "1"]), 1);
    let all = count(&["--limit", "50"]);
    let some = count(&["--limit", "50", "--min-score", "0.9"]);
    assert!(some >= 1 && some < all, "{some} of {all}");
    settings.command(&["search", "x", "--limit", "0"]).fails_naming(&["limit"]);
    settings.command(&["search", "x", "--min-score", "7"]).fails_naming(&["min-score"]);
}

#[test]
fn search_without_an_index_says_what_to_do() {
    let settings = TestServer::start().with_vault(fixtures::sparse());
    let output = settings.command(&["search", "lonely"]);
    // It may build the index itself, or say how.
    assert!(
        output.code == Some(0) && output.stdout.contains("One.md") || output.stderr.contains("index"),
        "{output:?}"
    );
}

#[test]
fn status_tells_what_the_index_holds() {
    let settings = indexed(fixtures::full());
    let output = settings.command(&["status"]).success();
    plain(&output);
    assert!(output.stdout.contains("10"), "{}", output.stdout);
    assert!(output.stdout.contains("Broken/bad-yaml.md"), "{}", output.stdout);
    let json = settings.command(&["status", "--json"]).success().json();
    assert_eq!(json["notes"], 10, "{json}");
}

/// Beside a running server the commands read its index; what would write it says so.
#[test]
fn commands_beside_a_running_server_read_and_do_not_write() {
    let server = TestServer::start().with_vault(fixtures::full()).ready();
    let settings = server.settings().clone();
    let found = settings.command(&["search", "kubernetes", "--json"]).success().json();
    assert!(found.to_string().contains("Projects/Cluster.md"), "{found}");
    settings.command(&["status"]).success();
    let path = settings.vault().root().to_str().unwrap().to_owned();
    let refused = settings.command(&["index", &path]);
    assert_ne!(refused.code, Some(0), "the running server holds the index: {refused:?}");
    assert!(refused.stderr.contains("running") || refused.stderr.contains("server"), "{}", refused.stderr);
    assert!(server.finds("kubernetes", "Projects/Cluster.md"));
}

fn healthcheck(server: &Server) -> Output {
    let port = server.address().port().to_string();
    Run::new(&["healthcheck"], server.settings().data()).env("PORT", &port).output()
}

#[test]
fn healthcheck_knows_a_server_that_is_up_from_one_that_is_not() {
    let server = TestServer::start().with_vault(fixtures::sparse()).ready();
    healthcheck(&server).success();
    let (port, settings) = (server.address().port().to_string(), server.stop());
    let down = Run::new(&["healthcheck"], settings.data()).env("PORT", &port).output();
    assert_eq!(down.code, Some(1), "{down:?}");
}

#[test]
fn eval_asks_for_known_items_and_writes_tables() {
    let vault = TestVault::at(&harness::repository_root().join("examples/vault"));
    let settings = indexed(vault);
    let path = settings.vault().root().to_str().unwrap().to_owned();
    let output = settings.command(&["eval", "known-item", &path, "--queries", "20"]).success();
    plain(&output);
    assert!(output.stdout.contains('|'), "a Markdown table: {}", output.stdout);
    assert!(output.stdout.to_lowercase().contains("grep"), "beside grep: {}", output.stdout);
}

#[test]
fn eval_measures_a_labelled_set() {
    let Some(folder) = shared_folder("eval/cranfield") else { return };
    let data = tempfile::tempdir().unwrap();
    let output = Run::new(&["eval", "sets"], data.path()).arg(folder).output().success();
    plain(&output);
    assert!(output.stdout.contains("nDCG@10"), "{}", output.stdout);
}

#[test]
fn no_command_prints_the_token() {
    let settings = indexed(fixtures::sparse());
    for arguments in [&["status"][..], &["search", "lonely"], &["reference", "config"]] {
        let output = settings.command(arguments);
        assert!(!format!("{}{}", output.stdout, output.stderr).contains("harness-token"), "{arguments:?}");
    }
}

/// What is measured is the vault and nothing of the clock: two runs print the same.
#[test]
fn eval_is_the_same_twice() {
    let vault = TestVault::at(&harness::repository_root().join("examples/vault"));
    let settings = indexed(vault);
    let path = settings.vault().root().to_str().unwrap().to_owned();
    let run = || {
        let output = settings.command(&["eval", "known-item", &path, "--queries", "20"]).success().stdout;
        // Times differ; hit rates do not.
        output.lines().filter(|line| !line.contains("ms")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(run(), run());
}

/// The index of a vault is named by the vault: two vaults never share one by default.
#[test]
fn every_vault_has_an_index_of_its_own_by_default() {
    let data = tempfile::tempdir().unwrap();
    let (one, other) = (TestVault::new().note("a.md", "oneword"), TestVault::new().note("b.md", "otherword"));
    for vault in [&one, &other] {
        Run::new(&["index"], data.path()).arg(vault.root()).output().success();
    }
    let search = |vault: &TestVault, word: &str| {
        let run = Run::new(&["search", word, "--json"], data.path()).env("VAULT_PATH", vault.root());
        run.output().success().stdout
    };
    assert!(search(&one, "oneword").contains("a.md"));
    assert!(!search(&one, "otherword").contains("b.md"));
    assert!(search(&other, "otherword").contains("b.md"));
}
