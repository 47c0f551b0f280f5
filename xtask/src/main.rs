//! Chores of the workspace that need more than a line of shell: `cargo xtask vault` writes a
//! vault of any size, the same for the same seed, and `cargo xtask bench` measures the release
//! binary on such vaults and writes `docs/BENCHMARKS.md`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a tool for the terminal that makes the files it is asked for and measures time"
)]

mod bench;
mod generate;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Chores of the workspace")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Writes a vault of generated notes: the same bytes for the same number and seed
    Vault {
        /// How many notes, about 1 kB each
        #[arg(long, default_value_t = 1_000)]
        notes: u32,
        /// Seed of everything that looks random
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The folder to make; it must not exist, or be empty
        directory: PathBuf,
    },
    /// Measures the binary beside this one and writes docs/BENCHMARKS.md
    Bench {
        /// Numbers of notes to measure at
        #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 40_000])]
        notes: Vec<u32>,
        /// Seed of the vaults
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Print the report instead of writing it
        #[arg(long)]
        print: bool,
    },
    /// Measures the edge's function alone and prints what `bench` writes of it
    Authorizer,
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().chore {
        Chore::Vault { notes, seed, directory } => {
            let bytes = generate::Generator::new(notes, seed).write_to(&directory)?;
            println!("{notes} notes, {bytes} bytes in {}", directory.display());
            Ok(())
        }
        Chore::Bench { notes, seed, print } => bench::run(&notes, seed, print),
        Chore::Authorizer => bench::authorizer(),
    }
}
