//! What a walk costs. Run by hand: `cargo test -p vault-cortex-vault --release -- --ignored speed --nocapture`.

use std::time::Instant;

use crate::Fixture;

#[test]
#[ignore = "a measurement"]
fn speed_of_a_walk_of_ten_thousand_files() {
    let fixture = Fixture::new();
    for number in 0..10_000 {
        let (one, two) = (number % 20, number / 20 % 10);
        fixture.write(format!("Folder {one}/Sub {two}/Note {number}.md"), "x".repeat(1000));
    }
    let vault = fixture.vault();
    vault.walk().unwrap();
    let mut times: Vec<_> = (0..20)
        .map(|_| {
            let begun = Instant::now();
            assert_eq!(vault.walk().unwrap().files.len(), 10_000);
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    let files = vault.walk().unwrap().files;
    let begun = Instant::now();
    let bytes: usize = files.iter().map(|file| vault.read(&file.path).unwrap().bytes.len()).sum();
    let read = begun.elapsed() / 10_000;
    println!("walk: best {:?}, median {:?}; read of one file {read:?} ({bytes} bytes)", times[0], times[10]);
}
