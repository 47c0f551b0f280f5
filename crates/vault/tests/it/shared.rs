//! Real vaults, where they are at hand.

use std::path::Path;

use vault::{Vault, VaultOptions};

use crate::vault;

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/vaults");

#[test]
fn real_vaults_are_found_whole_and_read() {
    let Ok(vaults) = Path::new(SHARED).read_dir() else {
        assert!(std::env::var_os("REQUIRE_SHARED").is_none_or(|value| value != "1"), "{SHARED} is required");
        println!("skipped: {SHARED} is not present");
        return;
    };
    for folder in vaults.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let vault = Vault::open(&folder, VaultOptions::default()).unwrap();
        let walk = vault.walk().unwrap();
        assert!(walk.skipped.is_empty(), "{}: {:?}", folder.display(), walk.skipped);
        assert!(walk.files.len() > 100, "{}: {}", folder.display(), walk.files.len());
        for file in walk.files {
            let content = vault.read(&file.path).unwrap();
            assert_eq!(content.stat, file.stat);
            assert_eq!(vault.to_vault_path(&vault.root().join(file.path.as_str())), Some(file.path));
        }
    }
}
