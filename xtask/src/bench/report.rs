//! The report: targets first, then the tables they come from.

use std::fmt::Write;
use std::time::Duration;

use super::authorizer;
use super::latency::Times;
use super::load::CONNECTIONS;
use super::machine::Resident;
use super::queries::CALLS;
use super::subject::Figures;
use super::writes::{FSYNCS_OF_A_MOVE, FSYNCS_OF_A_WRITE, LINKING};

/// A row of the table by size: its name and what it shows of one size.
type Row = (&'static str, fn(&Figures) -> String);

/// One target and what was measured.
struct Target {
    what: String,
    target: String,
    measured: String,
    met: bool,
}

pub(crate) fn render(
    machine: &[String],
    seed: u64,
    figures: &[Figures],
    edge: &authorizer::Figures,
) -> String {
    let mut text = String::from(
        "# Benchmarks\n\nMeasured by `make bench` from outside, over HTTP on the loopback address, as a client sees it. \
         Vaults are generated\n(`cargo xtask vault`, about 1 kB a note, ",
    );
    let _ = writeln!(text, "seed {seed}); their files are in the page cache.\n");
    for line in machine {
        let _ = writeln!(text, "- {line}");
    }
    text.push_str("\n## Targets\n\n");
    write_targets(&mut text, targets(figures).into_iter().chain(edge_targets(edge)));
    overview(&mut text, figures);
    latencies(&mut text, figures);
    loads(&mut text, figures);
    edge_figures(&mut text, edge);
    text
}

/// The part that is about the edge's function.
pub(crate) fn edge_alone(edge: &authorizer::Figures) -> String {
    let mut text = String::new();
    write_targets(&mut text, edge_targets(edge).into_iter());
    edge_figures(&mut text, edge);
    text
}

fn write_targets(text: &mut String, targets: impl Iterator<Item = Target>) {
    text.push_str("| what | target | measured | |\n|---|---|---|---|\n");
    for target in targets {
        let verdict = if target.met { "met" } else { "**missed**" };
        let _ = writeln!(text, "| {} | {} | {} | {verdict} |", target.what, target.target, target.measured);
    }
}

fn edge_targets(edge: &authorizer::Figures) -> [Target; 3] {
    let megabytes = edge.zip as f64 / 1_048_576.0;
    [
        below("authorizer: zip", 1.0, megabytes, "MB"),
        below("authorizer: initialisation, median", 5.0, milliseconds(edge.initialisation.median()), "ms"),
        below("authorizer: resident memory", 6.0, edge.memory, "MB"),
    ]
}

fn edge_figures(text: &mut String, edge: &authorizer::Figures) {
    text.push_str(
        "\n## The authorizer\n\nProfile `edge`, asked through a stand-in for Lambda's Runtime API with a signed token. A cold start at AWS adds\n\
         the sandbox and the download.\n\n| | median | worst |\n|---|---|---|\n",
    );
    for [what, median, worst] in authorizer::rows(edge) {
        let _ = writeln!(text, "| {what} | {median} | {worst} |");
    }
}

fn targets(figures: &[Figures]) -> Vec<Target> {
    let mut targets = Vec::new();
    let at = |notes: u32| figures.iter().find(|figures| figures.notes == notes);
    if let Some(ten) = at(10_000) {
        let (index, restart) = (ten.full_index.median(), ten.restart.median());
        targets.push(below("full index, 10,000 notes", 3.0, index.as_secs_f64(), "s"));
        if let Some(forty) = at(40_000) {
            let ratio = forty.full_index.median().as_secs_f64() / index.as_secs_f64();
            targets.push(below("full index, 40,000 notes against 10,000", 4.5, ratio, "times"));
        }
        targets.push(below(
            "restart to the first right answer, 10,000 notes",
            0.5,
            restart.as_secs_f64(),
            "s",
        ));
        let search = keyword(ten);
        targets.push(below("keyword search, 10,000 notes, p50", 1.5, milliseconds(search.median()), "ms"));
        targets.push(below("keyword search, 10,000 notes, p99", 8.0, milliseconds(search.rank(990)), "ms"));
        // The list of notes is asked of the file system, note by note.
        let quick =
            |(_, tool, keyword, _): &&(&str, &str, bool, Times)| !keyword && *tool != "vault_list_notes";
        for (name, tool, _, times) in ten.kinds.iter().filter(quick) {
            let what = format!("{tool} ({name}), 10,000 notes, p50");
            targets.push(below(&what, 10.0, milliseconds(times.median()), "ms"));
        }
        let writes = &ten.writes;
        for (tool, times) in [("vault_write_note", &writes.create), ("vault_patch_note", &writes.patch)] {
            let what = format!("{tool}, answered and found by the next call, 10,000 notes, p50");
            targets.push(net(&what, 20.0, times, FSYNCS_OF_A_WRITE, ten.fsync));
        }
        let what = format!("vault_move_note with {LINKING} backlinks, 10,000 notes, p50");
        targets.push(net(&what, 100.0, &writes.moves, FSYNCS_OF_A_MOVE, ten.fsync));
        targets.push(below("resident memory at its highest, 10,000 notes", 150.0, highest(ten), "MB"));
        // Every call that does little, each against the same figure: which of them is "cheap" is not
        // for the table to choose after the fact.
        for (tool, load) in ten.loads.iter().filter(|(tool, _)| *tool != "vault_search") {
            targets.push(Target {
                what: format!("requests a second, {tool}, {CONNECTIONS} connections"),
                target: "≥ 5,000".to_owned(),
                measured: format!("{:.0}", load.per_second),
                met: load.per_second >= 5_000.0,
            });
            targets.push(below(
                &format!("p99 of {tool} under that load"),
                20.0,
                milliseconds(load.times.rank(990)),
                "ms",
            ));
        }
    }
    if let Some(small) = at(1_000) {
        targets.push(below("resident memory at its highest, 1,000 notes", 60.0, highest(small), "MB"));
    }
    targets
}

fn below(what: &str, target: f64, measured: f64, unit: &str) -> Target {
    Target {
        what: what.to_owned(),
        target: format!("≤ {target} {unit}"),
        measured: format!("{} {unit}", digits(measured)),
        met: measured <= target,
    }
}

/// The same for what waits for the disk: its own time, `fsyncs` times the median of one, does not count.
fn net(what: &str, target: f64, times: &Times, fsyncs: u32, fsync: Duration) -> Target {
    let whole = milliseconds(times.median());
    let net = (whole - milliseconds(fsync) * f64::from(fsyncs)).max(0.0);
    Target {
        what: what.to_owned(),
        target: format!("≤ {target} ms net of fsync"),
        measured: format!("{} ms, net of {fsyncs} fsyncs {} ms", digits(whole), digits(net)),
        met: net <= target,
    }
}

fn keyword(figures: &Figures) -> Times {
    Times::all(figures.kinds.iter().filter(|(_, _, keyword, _)| *keyword).map(|(_, _, _, times)| times))
}

fn highest(figures: &Figures) -> f64 {
    figures.memory_indexing.highest.max(figures.memory_serving.highest)
}

fn overview(text: &mut String, figures: &[Figures]) {
    text.push_str("\n## By size\n\n| |");
    row(text, figures, |figures| format!("{} notes", figures.notes));
    text.push_str("|---|");
    row(text, figures, |_| "---".to_owned());
    let rows: [Row; 12] = [
        ("full index, start of the process to complete", |f| seconds(f.full_index.median())),
        ("restart, start of the process to the first right answer", |f| seconds(f.restart.median())),
        ("an edit outside to the answer that has it (debounce included)", |f| seconds(f.freshness.median())),
        ("all keyword searches, p50 / p99", |f| pair(&keyword(f))),
        ("two rare words of a note: the note among the first three", |f| {
            format!("{:.0} %", f.found_in_three * 100.0)
        }),
        ("resident memory after the full index: now / highest / without file pages", |f| {
            memory(f.memory_indexing)
        }),
        ("resident memory after a restart, all queries and loads: the same", |f| memory(f.memory_serving)),
        ("index on disk", |f| format!("{:.1} MB", f.index_megabytes)),
        ("a new note, p50 / p99, fsyncs included", |f| pair(&f.writes.create)),
        ("text added to a note, the same", |f| pair(&f.writes.patch)),
        ("a move that rewrites 50 notes, the same", |f| pair(&f.writes.moves)),
        ("fsync of 4 KiB on the index's disk, median", |f| format!("{} ms", digits(milliseconds(f.fsync)))),
    ];
    for (name, value) in rows {
        let _ = write!(text, "| {name} |");
        row(text, figures, value);
    }
}

fn pair(times: &Times) -> String {
    format!("{} / {} ms", digits(milliseconds(times.median())), digits(milliseconds(times.rank(990))))
}

fn row(text: &mut String, figures: &[Figures], value: impl Fn(&Figures) -> String) {
    for figures in figures {
        let _ = write!(text, " {} |", value(figures));
    }
    text.push('\n');
}

fn latencies(text: &mut String, figures: &[Figures]) {
    let _ = write!(
        text,
        "\n## Calls, one after the other on one connection\n\nMilliseconds, p50 / p99 of {CALLS} calls, the client's own time included.\n\n| kind | tool |"
    );
    row(text, figures, |figures| format!("{} notes", figures.notes));
    text.push_str("|---|---|");
    row(text, figures, |_| "---".to_owned());
    let Some(first) = figures.first() else { return };
    for (index, (name, tool, _, _)) in first.kinds.iter().enumerate() {
        let _ = write!(text, "| {name} | `{tool}` |");
        row(text, figures, |figures| {
            figures.kinds.get(index).filter(|(_, _, _, times)| times.count() > 0).map_or_else(
                String::new,
                |(_, _, _, times)| {
                    format!(
                        "{} / {}",
                        digits(milliseconds(times.median())),
                        digits(milliseconds(times.rank(990)))
                    )
                },
            )
        });
    }
}

fn loads(text: &mut String, figures: &[Figures]) {
    let _ = write!(
        text,
        "\n## Load: {CONNECTIONS} kept-alive connections, the load on the same cores\n\nRequests a second (p50 / p99 in milliseconds).\n\n| tool |"
    );
    row(text, figures, |figures| format!("{} notes", figures.notes));
    text.push_str("|---|");
    row(text, figures, |_| "---".to_owned());
    let Some(first) = figures.first() else { return };
    for (index, (tool, _)) in first.loads.iter().enumerate() {
        let _ = write!(text, "| `{tool}` |");
        row(text, figures, |figures| {
            figures.loads.get(index).map_or_else(String::new, |(_, load)| {
                let (half, most) = (load.times.median(), load.times.rank(990));
                format!(
                    "{:.0} ({} / {})",
                    load.per_second,
                    digits(milliseconds(half)),
                    digits(milliseconds(most))
                )
            })
        });
    }
}

fn memory(resident: Resident) -> String {
    format!("{:.0} / {:.0} / {:.0} MB", resident.now, resident.highest, resident.own)
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn digits(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") }
}
