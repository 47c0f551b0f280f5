//! What the sources may hold: sizes, SQL, file writes, places of one machine, forgotten modules.

use std::collections::BTreeSet;
use std::path::Path;

use harness::repository_root;

use super::{files, is_under, no_rows, rust_sources};

/// The longest a source file may grow. The aim is 100 to 250 lines.
const LONGEST_FILE: usize = 800;

/// Who owns database files and may speak SQL.
const SPEAK_SQL: [&str; 4] =
    ["crates/store", "crates/search", "crates/vault/src/journal", "server/src/oauth/store"];

/// Who may write files, read the environment or ask the clock, each with a reason in the source.
/// The lint is `clippy::disallowed_methods`; this list says where it may be silenced.
const MAY_ACT: [&str; 13] = [
    "crates/store",
    "crates/vault",
    "crates/search",
    "functions/authorizer/src/main.rs",
    "server/src/main.rs",
    "server/src/app.rs",
    "server/src/cli",
    "server/src/config",
    "server/src/logging",
    "server/src/logging.rs",
    "server/src/search_service.rs",
    "tests",
    "xtask",
];

/// Whether the file holds tests only.
fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs")
}

#[test]
fn no_source_file_is_too_long() {
    let rows = rust_sources()
        .into_iter()
        .filter(|(_, text)| text.lines().count() > LONGEST_FILE)
        .map(|(path, text)| format!("{}: {} lines", path.display(), text.lines().count()))
        .collect();
    no_rows("no file over 800 lines", rows);
}

#[test]
fn sql_is_spoken_where_a_database_is_owned() {
    // In two halves, so that this file does not find itself.
    let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE FROM", "CREATE TABLE", "CREATE VIRTUAL", "PRAGMA "];
    let rows = rust_sources()
        .into_iter()
        .filter(|(path, _)| !is_under(path, &SPEAK_SQL) && !is_test(path))
        .flat_map(|(path, text)| {
            let found: Vec<_> = text
                .lines()
                .enumerate()
                .filter(|(_, line)| verbs.iter().any(|verb| line.contains(&format!("\"{verb}"))))
                .map(|(number, line)| format!("{}:{}: {}", path.display(), number + 1, line.trim()))
                .collect();
            found
        })
        .collect();
    no_rows("SQL outside the crates that own a database", rows);
}

#[test]
fn the_house_lint_is_silenced_only_where_it_may_be() {
    let rows = rust_sources()
        .into_iter()
        .filter(|(path, _)| !is_under(path, &MAY_ACT) && !is_test(path))
        .filter(|(_, text)| text.contains("clippy::disallowed_methods"))
        .map(|(path, _)| path.display().to_string())
        .collect();
    no_rows("files are written, the environment read and the clock asked only by their owners", rows);
}

#[test]
fn no_test_is_ignored_and_nothing_is_left_unfinished() {
    let marks = ["#[ignore", "todo!(", "unimplemented!(", "FIXME", "XXX"];
    let rows = rust_sources()
        .into_iter()
        .filter(|(path, _)| !path.ends_with("house/sources.rs"))
        .flat_map(|(path, text)| {
            let found: Vec<_> = marks
                .iter()
                .filter(|mark| text.contains(**mark))
                .map(|mark| format!("{}: {mark}", path.display()))
                .collect();
            found
        })
        .collect();
    no_rows("unfinished", rows);
}

/// Every module file is declared by its parent: a file that nobody declares is compiled by nobody,
/// and its tests never run.
#[test]
fn no_module_lies_forgotten() {
    let sources = rust_sources();
    let declared_in = |parent: &Path, name: &str| {
        sources.iter().find(|(path, _)| path == parent).is_some_and(|(_, text)| {
            text.lines().map(str::trim).any(|line| {
                let line = line.strip_prefix("pub ").unwrap_or(line);
                let line = line.strip_prefix("pub(crate) ").unwrap_or(line);
                let line = line.strip_prefix("pub(super) ").unwrap_or(line);
                line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) == Some(name)
            })
        })
    };
    let mut rows = Vec::new();
    for (path, _) in &sources {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let folder = path.parent().unwrap();
        let folder_name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        // Roots of a target, which the manifest or cargo's conventions name.
        let is_root = matches!(stem, "lib" | "main" | "build")
            || matches!(folder_name, "tests" | "benches" | "examples" | "fuzz_targets" | "bin");
        if is_root {
            continue;
        }
        let (name, above) =
            if stem == "mod" { (folder_name, folder.parent().unwrap()) } else { (stem, folder) };
        let parents =
            [above.join("mod.rs"), above.with_extension("rs"), above.join("lib.rs"), above.join("main.rs")];
        if !parents.iter().any(|parent| declared_in(parent, name)) {
            rows.push(format!("{}: no `mod {name};` above it", path.display()));
        }
    }
    no_rows("forgotten modules", rows);
}

#[test]
fn snapshots_belong_to_a_test() {
    let texts: Vec<String> = rust_sources().into_iter().map(|(_, text)| text).collect();
    let rows = files()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "snap"))
        .filter(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let name = name.rsplit("__").next().unwrap();
            !texts.iter().any(|text| text.contains(&format!("\"{name}\"")))
        })
        .map(|path| path.display().to_string())
        .collect();
    no_rows("snapshots that no test names", rows);
}

#[test]
fn nothing_names_a_place_of_one_machine() {
    let mut places: BTreeSet<String> = BTreeSet::from([["/ro", "ot/"].concat()]);
    if let Some(home) = std::env::var_os("HOME").and_then(|home| home.into_string().ok()) {
        places.insert(format!("{home}/"));
    }
    let above = repository_root().parent().map(|folder| format!("{}/", folder.display()));
    // A clone in the system's temporary folder or at the root of the disk says nothing.
    let temporary = format!("{}/", std::env::temp_dir().display());
    places.extend(above.filter(|above| *above != temporary && above.len() > 2));
    places.remove("/");
    let rows = text_files()
        .into_iter()
        .flat_map(|(path, text)| {
            let found: Vec<_> = text
                .lines()
                .enumerate()
                .filter(|(_, line)| places.iter().any(|place| names(line, place)))
                .map(|(number, line)| format!("{path}:{}: {}", number + 1, line.trim()))
                .collect();
            found
        })
        .collect();
    no_rows("a path of one machine", rows);
}

/// Whether the line names the path, and not another one that only ends so.
fn names(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(start, _)| {
        !line[..start].ends_with(|before: char| before.is_alphanumeric() || matches!(before, '_' | '-' | '.'))
    })
}

/// The repository explains itself: it cites standards and products, never notes that lie beside it.
#[test]
fn nothing_cites_a_text_that_readers_do_not_have() {
    let names = ["rulings", "obsidian", "product", "reference-contract", "libsql", "mcp", "search", "models"];
    let rows = text_files()
        .into_iter()
        .filter(|(path, _)| !path.ends_with("house/sources.rs"))
        .flat_map(|(path, text)| {
            let found: Vec<_> = text
                .lines()
                .enumerate()
                .filter(|(_, line)| {
                    line.contains("shared/spec")
                        || names.iter().any(|name| cites(line, &format!("{name}.md")))
                })
                .map(|(number, line)| format!("{path}:{}: {}", number + 1, line.trim()))
                .collect();
            found
        })
        .collect();
    no_rows("cites a text outside the repository", rows);
}

/// Whether the line speaks of `name` followed by a section, as in "notes.md 1.4".
fn cites(line: &str, name: &str) -> bool {
    line.split(name).skip(1).any(|rest| {
        rest.trim_start_matches(['`', ' ']).starts_with(|next: char| next.is_ascii_digit())
            && rest.contains(' ')
    }) && line.contains(&format!("{name} "))
}

fn text_files() -> Vec<(String, String)> {
    files()
        .into_iter()
        .filter(|path| !path.ends_with("Cargo.lock"))
        .filter_map(|path| {
            let text = std::fs::read_to_string(repository_root().join(&path)).ok()?;
            Some((path.display().to_string(), text))
        })
        .collect()
}
