//! Any properties block is read without a panic, and its error lies in the block.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vault_cortex_markdown::frontmatter::{Properties, locate, properties};

fuzz_target!(|yaml: &str| {
    let text = format!("---\n{yaml}\n---\nbody\n");
    let block = locate(&text).expect("a block: its first and last lines are there");
    match properties(&text) {
        Properties::Map(map) => {
            for link in map.links() {
                assert!(block.yaml.start <= link.source.start && link.source.end <= block.yaml.end);
                let _ = &text[link.source.clone()];
            }
            let _ = (map.tags(), map.aliases());
        }
        Properties::Invalid(error) => {
            let lines = text[..block.span.end].lines().count();
            assert!((1..=lines).contains(&error.line) && error.column >= 1);
        }
        Properties::None | Properties::Other => {}
    }
});
