//! What walking and reading cost, in a made vault of 10,000 notes or in the folder that is given:
//! `cargo run --release -p vault-cortex-vault --example vault_speed [FOLDER]`.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement makes its vault and prints"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use vault::{Vault, VaultOptions};
use vault_cortex_vault as vault;

const ROUNDS: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let made = tempfile::tempdir()?;
    let root = match std::env::args_os().nth(1) {
        Some(folder) => PathBuf::from(folder),
        None => {
            make(made.path())?;
            made.path().to_owned()
        }
    };
    let vault = Vault::open(&root, VaultOptions::default())?;
    let files = vault.walk()?.files;
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        vault.walk()?;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    println!("walk of {} files: best {:.1?}, median {:.1?}", files.len(), times[0], times[ROUNDS / 2]);

    let begun = Instant::now();
    let mut bytes = 0;
    for file in &files {
        bytes += vault.read(&file.path)?.bytes.len();
    }
    println!("read of all, one after the other: {:.1?} ({bytes} bytes)", begun.elapsed());
    Ok(())
}

/// 10,000 notes of 1,000 bytes in 200 folders.
fn make(root: &Path) -> std::io::Result<()> {
    for number in 0..10_000 {
        let folder = root.join(format!("Folder {}/Sub {}", number % 20, number / 20 % 10));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("Note {number}.md")), "x".repeat(1000))?;
    }
    Ok(())
}
