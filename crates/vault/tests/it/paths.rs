//! Vault paths: one rule after the other, then any text at all.

use std::path::{Component, Path};

use proptest::prelude::*;
use vault::{FileKind, PathError, VaultPath};

use crate::vault;

#[track_caller]
fn parses(raw: &str, expected: &str) {
    assert_eq!(VaultPath::parse(raw).unwrap().as_str(), expected, "{raw:?}");
}

#[track_caller]
fn refused(raw: &str, rule: &str) {
    let error = VaultPath::parse(raw).unwrap_err();
    assert!(format!("{error:?}").starts_with(rule), "{raw:?} is {error:?}, not {rule}");
}

#[test]
fn separators_and_dots_are_normalised() {
    parses("Note.md", "Note.md");
    parses("a/b/c.md", "a/b/c.md");
    parses(r"\a\\b/", "a/b");
    parses("a//b///c.md/", "a/b/c.md");
    parses(r"Folder\Sub/Note.md", "Folder/Sub/Note.md");
    parses("./a.md", "a.md");
    parses("notes/./plan.md", "notes/plan.md");
    parses("A/../B.md", "B.md");
    parses("A/B/../../C/D.md", "C/D.md");
    parses(r"X\..\About Me\Principles.md", "About Me/Principles.md");
}

#[test]
fn names_are_composed_and_spaces_are_plain() {
    parses("Cafe\u{301}.md", "Café.md");
    parses("a\u{a0}b\u{202f}c.md", "a b c.md");
    parses("\u{1100}\u{1161}.md", "가.md");
    parses("日本語/ノート.md", "日本語/ノート.md");
}

#[test]
fn odd_but_possible_names_stay() {
    parses("~/a.md", "~/a.md");
    parses("a: b.md", "a: b.md");
    parses("C: notes.md", "C: notes.md");
    parses("50% & more?*.md", "50% & more?*.md");
    parses("%2e%2e/a.md", "%2e%2e/a.md");
    parses("a..b/c...md", "a..b/c...md");
    parses(" a .md", " a .md");
    parses("\u{2024}\u{2024}/a.md", "\u{2024}\u{2024}/a.md");
}

#[test]
fn each_rule_has_its_error() {
    for raw in ["", " ", "/ "].iter().take(2).chain(&[".", "./", "a/..", "\u{a0}"]) {
        refused(raw, "Empty");
    }
    for raw in
        ["/etc/passwd", "/", "/a.md", "//a.md", r"\\server\share\a.md", "C:/a.md", r"c:\a.md", "Z:", "./C:/x"]
    {
        refused(raw, "Absolute");
    }
    for raw in ["..", "../a.md", "a/../../b.md", r"..\a.md", "a/b/../../../c", "./../x", r"\..\x"] {
        refused(raw, "EscapesVault");
    }
    for raw in [".obsidian/app.json", ".a.md", "a/.b/c.md", "a/.trash", "...", "a/.../b", "a/../.obsidian/x"]
    {
        refused(raw, "Hidden");
    }
    for raw in ["a\0.md", "a\nb.md", "\t", "a\u{7f}", "a\u{85}b.md", "x\u{9b}"] {
        refused(raw, "ControlCharacter");
    }
    refused(&"é".repeat(128), "NameTooLong");
    parses(&"é".repeat(127), &"é".repeat(127));
    refused(&"a/".repeat(1600), "TooLong");
}

#[test]
fn errors_say_the_rule_and_quote_only_what_was_sent() {
    let text = |raw: &str| VaultPath::parse(raw).unwrap_err().to_string();
    assert!(
        text("../../etc/passwd").contains("path traversal blocked: \"../../etc/passwd\" escapes the vault")
    );
    assert!(text("a/.git/config").contains("hidden path blocked: \"a/.git/config\""));
    assert!(text("a\u{1b}[2J").contains("U+001B as its character 2"));
    assert!(!text("a\u{1b}[2J").contains('\u{1b}'));
    assert!(text(&"a/".repeat(100_000)).len() < 1000);
}

#[test]
fn a_position_is_a_character_s() {
    let error = VaultPath::parse("ä日\u{7}").unwrap_err();
    assert!(matches!(error, PathError::ControlCharacter { code: 7, position: 3, .. }), "{error:?}");
}

#[test]
fn folders_may_be_the_vault_itself() {
    for raw in ["", "/", ".", "./", " "] {
        assert_eq!(VaultPath::parse_folder(raw), Ok(None), "{raw:?}");
    }
    assert_eq!(VaultPath::parse_folder("a/b/").unwrap().unwrap().as_str(), "a/b");
    assert!(matches!(VaultPath::parse_folder("/etc"), Err(PathError::Absolute { .. })));
    assert!(matches!(VaultPath::parse_folder(".git"), Err(PathError::Hidden { .. })));
}

#[track_caller]
fn parts(path: &str, folder: &str, name: &str, stem: &str, extension: Option<&str>) {
    let path = VaultPath::parse(path).unwrap();
    assert_eq!((path.folder(), path.file_name(), path.stem()), (folder, name, stem));
    assert_eq!(path.extension().as_deref(), extension);
}

#[test]
fn folder_name_stem_and_extension() {
    parts("a.md", "", "a.md", "a", Some("md"));
    parts("x/y/a.MD", "x/y", "a.MD", "a", Some("md"));
    parts("x.y/a", "x.y", "a", "a", None);
    parts("a.", "", "a.", "a.", None);
    parts("a.tar.gz", "", "a.tar.gz", "a.tar", Some("gz"));
    parts("v1.2", "", "v1.2", "v1", Some("2"));
    parts("note.md.", "", "note.md.", "note.md.", None);
}

#[test]
fn kinds_by_extension() {
    let kind = |path: &str| VaultPath::parse(path).unwrap().kind();
    assert_eq!(kind("a.md"), FileKind::Note);
    assert_eq!(kind("a.MD"), FileKind::Note);
    assert_eq!(kind("a.markdown"), FileKind::Other);
    assert_eq!(kind("a.canvas"), FileKind::Canvas);
    assert_eq!(kind("a.base"), FileKind::Base);
    for extension in ["svg", "json", "txt", "csv", "xml", "log", "yaml", "yml"] {
        assert_eq!(kind(&format!("a.{extension}")), FileKind::Text, "{extension}");
    }
    assert_eq!(kind("a.pdf"), FileKind::Pdf);
    assert_eq!(kind("a.JPG"), FileKind::Image);
    assert_eq!(kind("a.opus"), FileKind::Audio);
    assert_eq!(kind("a.mkv"), FileKind::Video);
    assert_eq!(kind("md"), FileKind::Other);
}

#[test]
fn keys_ignore_case_and_composition() {
    let key = |path: &str| VaultPath::parse(path).unwrap().key();
    assert_eq!(key("Ordner/ÄPFEL.md"), key("ordner/a\u{308}pfel.MD"));
    assert_ne!(key("a.md"), key("á.md"));
    assert_eq!(VaultPath::fold("ΑΣ"), "ας");
    assert_eq!(VaultPath::fold("İ"), "i\u{307}");
}

#[test]
fn paths_that_differ_in_case_are_two() {
    assert_ne!(VaultPath::parse("A.md"), VaultPath::parse("a.md"));
}

/// Text with what paths are made of, in unlikely orders.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "/", "\\", ".", "..", "...", "a", "B", " ", "\u{a0}", "\u{202f}", "C:", ":", "é", "e\u{301}",
        "\u{301}", "\u{338}", "md", ".md", "~", "%2e", "\u{2024}", "\u{ff0f}", "日", "\0", "\n", "🦀",
        ".git", "//", "\\\\",
    ]);
    prop_oneof![prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat()), any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_safe_path_or_an_error(raw in hostile()) {
        let Ok(path) = VaultPath::parse(&raw) else { return Ok(()) };
        let text = path.as_str();
        prop_assert!(!text.is_empty());
        for segment in text.split('/') {
            prop_assert!(!segment.is_empty(), "empty segment in {text:?}");
            prop_assert!(!segment.starts_with('.'), "hidden segment in {text:?}");
            let forbidden = ['\\', '\0', '\u{a0}', '\u{202f}'];
            prop_assert!(!segment.contains(forbidden), "{segment:?}");
            prop_assert!(segment.len() <= 255);
        }
        prop_assert_eq!(VaultPath::parse(text), Ok(path.clone()), "not idempotent");
        let root = Path::new("/some/vault");
        let joined = root.join(text);
        prop_assert!(joined.starts_with(root) && joined != root);
        prop_assert!(joined.components().skip(1).all(|part| matches!(part, Component::Normal(_))));
        let folder = path.folder();
        let whole = if folder.is_empty() { path.file_name().to_owned() } else { format!("{folder}/{}", path.file_name()) };
        prop_assert_eq!(whole.as_str(), text);
        prop_assert!(path.file_name().starts_with(path.stem()) && !path.stem().is_empty());
        prop_assert_eq!(VaultPath::fold(&path.key()), path.key());
    }

    #[test]
    fn any_folder_is_safe_too(raw in hostile()) {
        if let Ok(Some(path)) = VaultPath::parse_folder(&raw) {
            prop_assert_eq!(VaultPath::parse(path.as_str()), Ok(path));
        }
    }

    #[test]
    fn folding_is_stable(text in any::<String>()) {
        let folded = VaultPath::fold(&text);
        prop_assert_eq!(VaultPath::fold(&folded), folded);
    }
}
