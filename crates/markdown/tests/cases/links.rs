//! `link-resolution.json`: link target to file.

use crate::{Failures, case_file, rows};
use vault_cortex_markdown::resolve::{file_key, name_key, resolve};

#[test]
fn resolves_as_obsidian() {
    let Some(file) = case_file("link-resolution.json") else { return };
    let mut failures = Failures::default();
    for row in rows(&file, "rows") {
        let files = row["files"].as_array().expect("files").iter().filter_map(|path| path.as_str());
        let (from, link) = (row["from"].as_str().expect("from"), row["link"].as_str().expect("link"));
        let key = name_key(link);
        let same_name = files.clone().filter(|path| file_key(path) == key);
        let name = format!("{from}: [[{link}]]");
        let actual = resolve(from, link, same_name);
        failures.check(&name, &actual, &row["to"].as_str());
        // The key narrows the files down, and loses none.
        failures.check(&format!("{name} among all files"), &resolve(from, link, files), &actual);
    }
    failures.report();
}
