//! Generated documents say what the binary does.

use harness::{Run, repository_root};

#[track_caller]
fn equals_output(document: &str, arguments: &[&str]) {
    let data = tempfile::tempdir().unwrap();
    let output = Run::new(arguments, data.path()).output().success().stdout;
    let written = std::fs::read_to_string(repository_root().join(document)).unwrap_or_default();
    if output == written {
        return;
    }
    let differing = output.lines().zip(written.lines()).position(|(now, then)| now != then);
    let place = differing.unwrap_or_else(|| output.lines().count().min(written.lines().count()));
    panic!(
        "{document} is not what `vault-cortex {}` prints (line {}): run `make docs`\n now: {:?}\nfile: {:?}",
        arguments.join(" "),
        place + 1,
        output.lines().nth(place),
        written.lines().nth(place)
    );
}

#[test]
fn the_configuration_page_is_what_the_binary_prints() {
    equals_output("docs/CONFIG.md", &["reference", "config"]);
}

#[test]
fn the_tools_page_is_what_the_binary_prints() {
    equals_output("docs/TOOLS.md", &["reference", "tools"]);
}
