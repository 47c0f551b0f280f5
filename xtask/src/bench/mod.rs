//! `cargo xtask bench`: the release binary on generated vaults, measured from outside as a client
//! sees it, and written to `docs/BENCHMARKS.md` beside the targets. A target that is missed is
//! printed as missed.
//!
//! Bounded in count and time: a fixed number of calls of each kind, a load of a few seconds, and
//! three runs where a run is short enough to vary.

mod authorizer;
mod latency;
mod load;
mod machine;
mod queries;
mod report;
mod subject;
mod writes;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use harness::repository_root;

use crate::generate::Generator;

/// Runs everything and writes, or prints, the report.
pub(crate) fn run(sizes: &[u32], seed: u64, print: bool) -> anyhow::Result<()> {
    ensure!(
        !cfg!(debug_assertions),
        "the figures are those of a release build: `make bench`, or `cargo run --release --package xtask -- bench`"
    );
    let machine = machine::describe();
    let mut figures = Vec::new();
    for &notes in sizes {
        eprintln!("{notes} notes:");
        let generator = Generator::new(notes, seed);
        let vault = vault(&generator, seed)?;
        figures.push(subject::measure(&generator, &vault)?);
    }
    let authorizer = authorizer::measure()?;
    let report = report::render(&machine, seed, &figures, &authorizer);
    println!("{report}");
    if !print {
        let path = repository_root().join("docs/BENCHMARKS.md");
        fs::write(&path, &report).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Measures the edge's function alone and prints its part of the report.
pub(crate) fn authorizer() -> anyhow::Result<()> {
    println!("{}", report::edge_alone(&authorizer::measure()?));
    Ok(())
}

/// The vault of this size and seed in `.bench`, made when it is not there yet.
fn vault(generator: &Generator, seed: u64) -> anyhow::Result<PathBuf> {
    let folder = repository_root().join(".bench");
    let path = folder.join(format!("vault-{}-{seed}", generator.len()));
    // The name carries no version of the generator: a marker does, so that a changed one starts anew.
    let marker = folder.join(format!("vault-{}-{seed}.made-by", generator.len()));
    let identity = generator.identity();
    if fs::read_to_string(&marker).is_ok_and(|made_by| made_by == identity) {
        return Ok(path);
    }
    if path.exists() {
        fs::remove_dir_all(&path)?;
    }
    eprintln!("  writing the vault");
    generator.write_to(&path)?;
    fs::write(marker, identity)?;
    Ok(path)
}
