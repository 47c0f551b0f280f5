//! What the memory tools share: the memory files that a caller sees, and their text.

use markdown::document::Document;
use markdown::memory::EntryPolicy;
use vault::{Decoding, VaultPath};

use crate::mcp::error::ToolError;
use crate::mcp::nearest::nearest;
use crate::mcp::tool::Call;

/// The most names that an error lists.
pub(super) const MOST_LISTED: usize = 40;

/// A memory file.
pub(in crate::mcp) struct MemoryFile {
    pub(in crate::mcp) path: VaultPath,
    /// Size on disk.
    pub(in crate::mcp) bytes: u64,
    /// SHA-256 of the file.
    pub(in crate::mcp) hash: String,
    pub(in crate::mcp) text: String,
}

impl Call<'_> {
    /// The memory files that the caller sees, by path.
    pub(in crate::mcp) fn memory_files(&self) -> Result<Vec<VaultPath>, ToolError> {
        let files = self.app.memory.files(&self.app.vault)?;
        Ok(files.into_iter().map(|file| file.path).filter(|path| self.who.sees(path)).collect())
    }

    /// The memory file of a name, or the one whose name differs in letter case only.
    pub(in crate::mcp) fn memory_file(&self, name: &str) -> Result<VaultPath, ToolError> {
        let wanted = self.app.memory.path_of(name).map_err(|error| ToolError::Refused(error.to_string()))?;
        let files = self.memory_files()?;
        let exact = files.iter().find(|path| **path == wanted);
        let found = exact.or_else(|| files.iter().find(|path| path.key() == wanted.key()));
        found.cloned().ok_or_else(|| self.memory_file_not_found(&wanted, &files))
    }

    /// Reads a memory file.
    pub(in crate::mcp) fn read_memory(&self, path: &VaultPath) -> Result<MemoryFile, ToolError> {
        let content = match self.app.vault.read(path) {
            // A symbolic link may lead to a folder that the caller does not see.
            Ok(content) if self.who.sees(&content.path) => content,
            Ok(_) => return Err(self.memory_file_not_found(path, &[])),
            Err(error) => return Err(error.into()),
        };
        let (text, decoding) = content.text();
        if decoding == Decoding::Binary {
            return Err(ToolError::Refused(format!("not text: {:?} holds NUL bytes", path.as_str())));
        }
        Ok(MemoryFile {
            path: path.clone(),
            bytes: content.stat.size,
            hash: content.hash().to_string(),
            text: text.into_owned(),
        })
    }

    /// What is said when there is no memory file.
    pub(super) fn no_memory_files(&self) -> String {
        format!(
            "There are no memory files: they are looked for as notes directly in the folder {:?}.",
            self.app.memory.path().as_str()
        )
    }

    fn memory_file_not_found(&self, wanted: &VaultPath, files: &[VaultPath]) -> ToolError {
        let near = nearest(wanted.stem(), files.iter().map(VaultPath::stem));
        let rest = files.iter().map(VaultPath::stem).filter(|name| Some(*name) != near);
        let listed = listed(near.into_iter().chain(rest), files.len());
        let available = match files {
            [] => self.no_memory_files(),
            _ => format!("Available files: {listed}"),
        };
        ToolError::NotFound(format!("memory file not found: {:?}. {available}", wanted.as_str()))
    }
}

/// What a memory file says of its old entries.
pub(in crate::mcp) fn entry_policy(document: &Document) -> EntryPolicy {
    let property = |key: &str| document.properties.map().and_then(|map| map.text(key));
    let policy = property("entry-policy").or_else(|| property("entry_policy"));
    EntryPolicy::from_property(policy.as_deref())
}

/// Names as an error lists them.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>, total: usize) -> String {
    let mut shown: Vec<String> =
        names.take(MOST_LISTED).map(|name| name.chars().take(120).collect::<String>()).collect();
    if total > shown.len() {
        shown.push(format!("and {} more", total - shown.len()));
    }
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

#[cfg(test)]
mod tests {
    use rmcp::model::CallToolResult;
    use serde_json::{Value, json};
    use vault::{FolderScope, Principal, Rights};

    use crate::app::App;

    const ME: &str =
        "# Me\n\n## Tools (newest first)\n\n- **2026-01-12**: dark mode\n- **2026-01-08**: Vim\n";

    fn limited(folder: &str) -> Principal {
        Principal {
            name: "limited".to_owned(),
            rights: Rights { read: true, write: false, delete: false },
            folders: FolderScope::Only(vec![folder.to_owned()]),
        }
    }

    fn structured(result: &CallToolResult) -> &Value {
        result.structured_content.as_ref().unwrap()
    }

    /// Calls until the index is open.
    fn recall(app: &App, who: &Principal, arguments: &Value) -> CallToolResult {
        for _ in 0..500 {
            let answer = app.call_as(who, "vault_memory_recall", arguments.clone());
            match answer {
                Ok(result) if structured(&result).get("indexing").is_none() => return result,
                _ => std::thread::sleep(std::time::Duration::from_millis(10)),
            }
        }
        panic!("the index never opened");
    }

    #[test]
    fn who_does_not_see_the_folder_learns_nothing_of_it() {
        let (app, _folder) = App::over_notes(&[("About Me/Me.md", ME), ("Open/a.md", "a")], 60_000);
        let (empty, _folder) = App::over_notes(&[("Open/a.md", "a")], 60_000);
        let who = limited("Open");
        for (tool, arguments) in [
            ("vault_list_memory_files", json!({})),
            ("vault_get_memory", json!({})),
            ("vault_get_memory", json!({"file": "Me"})),
            ("vault_get_memory", json!({"file": "Me", "section": "Tools"})),
            ("vault_get_memory", json!({"on_or_after": "2026-01-01"})),
            ("vault_memory_recall", json!({"query": "vim", "file": "Me"})),
        ] {
            let text = |app: &App| format!("{:?}", app.call_as(&who, tool, arguments.clone()));
            assert_eq!(text(&app), text(&empty), "{tool} {arguments}");
        }
        let found = recall(&app, &who, &json!({"query": "dark mode vim"}));
        assert_eq!(structured(&found)["total"], 0);
        let found = recall(&app, &limited("about me"), &json!({"query": "dark mode"}));
        assert_eq!(structured(&found)["total"], 1);
    }

    #[test]
    fn a_section_that_is_there_twice_is_refused_unless_it_is_written_exactly() {
        let text = "## Tools (newest first)\n\n- **2026-01-12**: new\n\n## tools\n\n- **2026-01-08**: old\n\n\
                    ## Food\n\ntea\n\n### Food\n\nrice\n";
        let (app, _folder) = App::over_notes(&[("About Me/Me.md", text)], 60_000);
        let read = |section: &str| {
            let result = app.call("vault_get_memory", json!({"file": "Me", "section": section}))?;
            Ok::<String, String>(structured(&result)["text"].as_str().unwrap().to_owned())
        };
        assert_eq!(read("Tools (newest first)").as_deref(), Ok("- **2026-01-12**: new"));
        assert_eq!(read("## tools").as_deref(), Ok("- **2026-01-08**: old"));
        assert_eq!(
            read("Tools").unwrap_err(),
            "ambiguous section: \"Tools\" matches 2 sections in \"About Me/Me.md\": ## Tools (newest first) \
             (line 1), ## tools (line 5); give one exactly as it is written"
        );
        assert_eq!(
            read("Food").unwrap_err(),
            "ambiguous section: \"Food\" matches 2 sections in \"About Me/Me.md\": ## Food (line 9), ### Food \
             (line 13); they are written alike: read the file without section"
        );
    }

    #[test]
    fn a_long_memory_comes_in_parts_that_together_are_all_of_it() {
        let long: String =
            (1..=28).map(|day| format!("- **2026-01-{day:02}**: {}\n", "words ".repeat(20))).collect();
        let text = format!("---\ntitle: x\n---\n## Log\n\n{long}");
        let (app, _folder) = App::over_notes(&[("About Me/Log.md", &text), ("About Me/Me.md", ME)], 2_000);
        for arguments in [json!({}), json!({"file": "Log"}), json!({"on_or_after": "2026-01-05"})] {
            let mut arguments = arguments;
            let mut whole = String::new();
            for part in 0.. {
                assert!(part < 20, "it ends");
                let result = app.call("vault_get_memory", arguments.clone()).unwrap();
                let answer = structured(&result);
                let length = serde_json::to_string(answer).unwrap().chars().count();
                assert!(length <= 2_000, "{length} characters");
                whole.push_str(answer["text"].as_str().unwrap());
                let Some(left_out) = answer.get("left_out") else { break };
                for (name, value) in left_out["continue_with"].as_object().unwrap() {
                    arguments[name] = value.clone();
                }
            }
            assert!(whole.contains("2026-01-28") && whole.contains("2026-01-05"), "{arguments}");
            assert!(!whole.contains("title: x"), "properties are left out");
            assert_eq!(whole.contains("2026-01-04"), arguments.get("on_or_after").is_none());
        }
    }

    #[test]
    fn many_files_and_long_headings_are_listed_in_parts() {
        let text = format!(
            "---\ntitle: {}\n---\n{}",
            "t".repeat(900),
            format!("## {}\n", "h".repeat(300)).repeat(40)
        );
        let files: Vec<(String, &str)> =
            (10..30).map(|n| (format!("About Me/f{n}.md"), text.as_str())).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let (app, _folder) = App::over_notes(&files, 8_000);
        let mut names = Vec::new();
        let mut offset = 0;
        loop {
            let result = app.call("vault_list_memory_files", json!({"offset": offset})).unwrap();
            let answer = structured(&result);
            assert!(serde_json::to_string(answer).unwrap().chars().count() <= 8_000);
            for file in answer["files"].as_array().unwrap() {
                assert_eq!(file["headings_total"], 40);
                names.push(file["file"].as_str().unwrap().to_owned());
            }
            let Some(left_out) = answer.get("left_out") else { break };
            offset = usize::try_from(left_out["continue_with"]["offset"].as_u64().unwrap()).unwrap();
        }
        assert_eq!(names, (10..30).map(|n| format!("f{n}")).collect::<Vec<_>>());
    }

    #[test]
    fn what_does_not_fit_of_a_recall_is_what_matters_least() {
        let mut text = "# Log\n".to_owned();
        for day in 1..=28 {
            text.push_str(&format!("- **2026-01-{day:02}**: the sea and {}\n", "other words ".repeat(10)));
        }
        text.push_str("- **2020-01-01**: sea\n- **2030-01-01**: sea\n");
        let (app, _folder) = App::over_notes(&[("About Me/Log.md", &text)], 2_000);
        let result = recall(&app, &Principal::owner("test"), &json!({"query": "sea"}));
        let answer = structured(&result);
        assert!(serde_json::to_string(answer).unwrap().chars().count() <= 2_000);
        assert_eq!((answer["total"].clone(), answer["truncated"].clone()), (json!(30), json!(true)));
        let days: Vec<&str> = answer["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["date"].as_str().unwrap())
            .collect();
        assert!(days.is_sorted() && days.len() < 28, "{days:?}");
        assert_eq!((days.first(), days.last()), (Some(&"2020-01-01"), Some(&"2030-01-01")));
        let next = answer["left_out"]["continue_with"].clone();
        assert_eq!(next, json!({"offset": days.len()}));
        let result =
            recall(&app, &Principal::owner("test"), &json!({"query": "sea", "offset": next["offset"]}));
        let more = structured(&result)["entries"].as_array().unwrap().clone();
        assert!(!more.is_empty());
        assert!(more.iter().all(|entry| !days.contains(&entry["date"].as_str().unwrap())), "{more:?}");
    }
}
