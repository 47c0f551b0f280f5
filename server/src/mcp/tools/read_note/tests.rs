//! Every shape of `vault_read_note`, and what happens at their edges.

use rmcp::model::CallToolResult;
use serde_json::{Value, json};

use crate::app::App;

const ALPHA: &str = "---\ntitle: Alpha\ntags: [a, b]\n---\n\n> [!Info]+ About\n> this note\n\nIntro text.\n\n\
# Alpha\n\none\n\n## Notes\n\ntwo\n\n### Deep\n\nthree\n\n## Tasks\n\nfour\n\n# Notes\n\nfive\n";

fn read(notes: &[(&str, &str)], most: usize, arguments: Value) -> Result<(Vec<String>, Value), String> {
    let (app, _folder) = App::over_notes(notes, most);
    app.call("vault_read_note", arguments).map(|result| unpack(&result))
}

fn unpack(result: &CallToolResult) -> (Vec<String>, Value) {
    let blocks = result.content.iter().map(|block| block.as_text().unwrap().text.clone()).collect();
    (blocks, result.structured_content.clone().unwrap())
}

fn alpha(arguments: Value) -> Result<(Vec<String>, Value), String> {
    read(&[("Projects/alpha.md", ALPHA)], 60_000, with_path("Projects/alpha.md", arguments))
}

fn with_path(path: &str, mut arguments: Value) -> Value {
    arguments["path"] = path.into();
    arguments
}

#[test]
fn a_whole_note_comes_byte_for_byte_and_with_its_hash() {
    let (blocks, structured) = alpha(json!({})).unwrap();
    assert_eq!(blocks, [ALPHA]);
    assert_eq!(structured["text"], ALPHA);
    assert_eq!(structured["hash"].as_str().map(str::len), Some(64));
    assert_eq!(structured["bytes"], ALPHA.len());
    assert!(structured.get("left_out").is_none());
    let crlf = "one\r\ntwo";
    let (blocks, _) = read(&[("a.md", crlf)], 60_000, json!({"path": "a.md"})).unwrap();
    assert_eq!(blocks, [crlf]);
}

/// The text is without the mark, the hash is that of the bytes with it: a client must be able to tell.
#[test]
fn a_byte_order_mark_is_told_as_an_encoding() {
    let plain = read(&[("a.md", "one\n")], 60_000, json!({"path": "a.md"})).unwrap().1;
    assert!(plain.get("encoding").is_none());
    let notes = [("a.md", "\u{feff}---\nk: v\n---\n# H\none\n")];
    for arguments in
        [json!({}), json!({"heading": "H"}), json!({"outline": true}), json!({"properties_only": true})]
    {
        let (blocks, marked) = read(&notes, 60_000, with_path("a.md", arguments.clone())).unwrap();
        assert_eq!(marked["encoding"], "utf-8-bom", "{arguments}");
        assert!(!blocks[0].starts_with('\u{feff}'), "{arguments}");
        assert_eq!(marked["bytes"], notes[0].1.len());
        assert_eq!(marked["hash"], vault::ContentHash::of(notes[0].1.as_bytes()).to_string());
    }
}

#[test]
fn properties_are_indented_json() {
    let (blocks, structured) = alpha(json!({"properties_only": true})).unwrap();
    assert_eq!(blocks, ["{\n  \"title\": \"Alpha\",\n  \"tags\": [\n    \"a\",\n    \"b\"\n  ]\n}"]);
    assert_eq!(structured["properties"], json!({"title": "Alpha", "tags": ["a", "b"]}));
    let (blocks, _) =
        read(&[("a.md", "text")], 60_000, json!({"path": "a.md", "properties_only": true})).unwrap();
    assert_eq!(blocks, ["{}"]);
}

#[test]
fn invalid_properties_name_line_and_column_and_leave_the_other_shapes() {
    let notes = [("bad.md", "---\ntitle: \"open\nx: y\n---\n# H\ntext\n")];
    let error = read(&notes, 60_000, json!({"path": "bad.md", "properties_only": true})).unwrap_err();
    assert!(error.contains("not valid YAML: line "), "{error}");
    let (blocks, _) = read(&notes, 60_000, json!({"path": "bad.md", "heading": "H"})).unwrap();
    assert_eq!(blocks, ["# H\ntext\n"]);
    assert!(read(&notes, 60_000, json!({"path": "bad.md", "outline": true})).is_ok());
}

#[test]
fn the_outline_measures_what_heading_returns() {
    let (blocks, structured) = alpha(json!({"outline": true})).unwrap();
    let text: Value = serde_json::from_str(&blocks[0]).unwrap();
    assert_eq!(text["leading_callout"], json!({"type": "info", "title": "About", "body": "this note"}));
    assert_eq!(text["leading_content"], "Intro text.");
    assert_eq!(text["bytes"], ALPHA.len());
    assert_eq!(text["headings"], structured["headings"]);
    for heading in text["headings"].as_array().unwrap() {
        let arguments = json!({"heading": heading["text"], "heading_level": heading["level"]});
        let (section, _) = alpha(arguments).unwrap();
        assert_eq!(heading["bytes"], section[0].len(), "{heading}");
    }
}

#[test]
fn a_section_ends_at_the_next_heading_of_its_level_or_above() {
    let section = |heading: &str, level: u8| {
        alpha(json!({"heading": heading, "heading_level": level})).unwrap().0.remove(0)
    };
    assert_eq!(section("Notes", 2), "## Notes\n\ntwo\n\n### Deep\n\nthree\n\n");
    assert_eq!(section("Notes", 1), "# Notes\n\nfive\n");
    let (blocks, structured) = alpha(json!({"heading": "## tasks"})).unwrap();
    assert_eq!(blocks, ["## Tasks\n\nfour\n\n"]);
    assert_eq!((&structured["heading"], &structured["heading_level"]), (&json!("Tasks"), &json!(2)));
}

/// What looks the same is the same heading, however the accents are written.
#[test]
fn a_heading_is_found_in_either_form_of_its_accents() {
    let notes = [("a.md", "# Café\nopen\n# Cafe\u{301} 2\nshut\n")];
    for (wanted, text) in [("Cafe\u{301}", "open"), ("Café 2", "shut"), ("# cafe\u{301}", "open")] {
        let (blocks, _) = read(&notes, 60_000, json!({"path": "a.md", "heading": wanted})).unwrap();
        assert!(blocks[0].contains(text), "{wanted}: {blocks:?}");
    }
}

#[test]
fn headings_that_are_missing_or_ambiguous_say_what_there_is() {
    assert_eq!(
        alpha(json!({"heading": "Nope"})).unwrap_err(),
        "heading not found: \"Nope\". Available headings: # Alpha, ## Notes, ### Deep, ## Tasks, # Notes"
    );
    assert_eq!(
        alpha(json!({"heading": "Notes"})).unwrap_err(),
        "ambiguous heading: \"Notes\" matches 2 sections: ## Notes (line 15), # Notes (line 27); \
         choose one with heading_level, or read from its line with start_line"
    );
    let same = [("a.md", "# A\n1\n# A\n2\n")];
    let error = read(&same, 60_000, json!({"path": "a.md", "heading": "A"})).unwrap_err();
    assert!(error.contains("# A (line 1), # A (line 3); they have the same level"), "{error}");
}

#[test]
fn lines_come_behind_a_block_that_says_which() {
    let (blocks, structured) = alpha(json!({"start_line": 2, "limit": 2})).unwrap();
    assert_eq!(
        blocks,
        ["Projects/alpha.md — lines 2–3 of 29 (continue with start_line: 4)", "title: Alpha\ntags: [a, b]\n"]
    );
    assert_eq!(structured["end_line"], 3);
    assert_eq!(structured["left_out"]["continue_with"], json!({"start_line": 4}));
    let (blocks, structured) = alpha(json!({"start_line": 28})).unwrap();
    assert_eq!(blocks, ["Projects/alpha.md — lines 28–29 of 29 (end of file)", "\nfive\n"]);
    assert!(structured.get("left_out").is_none());
    let (blocks, _) = alpha(json!({"heading": "Tasks", "start_line": 3, "limit": 1})).unwrap();
    assert_eq!(
        blocks,
        ["Projects/alpha.md § Tasks — lines 3–3 of 4 (continue with start_line: 4)", "four\n"]
    );
    let error = alpha(json!({"start_line": 30})).unwrap_err();
    assert_eq!(error, "start_line is past the end: \"Projects/alpha.md\" has 29 lines");
}

#[test]
fn an_empty_note_can_be_read_by_lines() {
    let (blocks, _) = read(&[("a.md", "")], 60_000, json!({"path": "a.md", "start_line": 1})).unwrap();
    assert_eq!(blocks, ["a.md — lines 0–0 of 0 (end of file)", ""]);
}

#[test]
fn arguments_that_do_not_go_together_are_refused() {
    for arguments in [
        json!({"outline": true, "properties_only": true}),
        json!({"outline": true, "heading": "A"}),
        json!({"heading_level": 2}),
        json!({"outline": true, "start_line": 1}),
        json!({"properties_only": true, "limit": 1}),
        json!({"start_char": 3}),
        json!({"offset": 3}),
        json!({"offset": 3, "heading": "Tasks"}),
    ] {
        assert!(alpha(arguments.clone()).is_err(), "{arguments}");
    }
    assert!(alpha(json!({"outline": false, "heading": "Tasks"})).is_ok());
}

/// Follows `continue_with` to the end and gives the parts together.
#[track_caller]
fn read_in_parts(text: &str, most: usize) -> String {
    let (app, _folder) = App::over_notes(&[("long.md", text)], most);
    let mut arguments = json!({"path": "long.md"});
    let mut whole = String::new();
    for _ in 0..1_000 {
        let (blocks, structured) = unpack(&app.call("vault_read_note", arguments.clone()).unwrap());
        let characters: usize = blocks.iter().map(|block| block.chars().count()).sum();
        assert!(characters <= most, "{characters} characters");
        assert!(structured.to_string().chars().count() <= most);
        assert_eq!(structured["text"].as_str(), blocks.last().map(String::as_str));
        whole.push_str(structured["text"].as_str().unwrap());
        let Some(left_out) = structured.get("left_out") else { return whole };
        for (name, value) in left_out["continue_with"].as_object().unwrap() {
            arguments[name] = value.clone();
        }
        if left_out["continue_with"].get("start_char").is_none() {
            arguments.as_object_mut().unwrap().remove("start_char");
        }
    }
    panic!("it does not end");
}

#[test]
fn a_note_longer_than_an_answer_is_read_in_parts_without_loss() {
    let lines: String = (0..500).map(|number| format!("line {number} \"quoted\" \\ ünï 👨‍👩‍👧‍👦\n")).collect();
    assert_eq!(read_in_parts(&lines, 2_000), lines);
    let one_line = "👨‍👩‍👧‍👦 e\u{301} ".repeat(2_000);
    assert_eq!(read_in_parts(&one_line, 2_000), one_line);
    let mixed = format!("short\n{}\nend\n{}", "x".repeat(9_000), "y\n".repeat(3_000));
    assert_eq!(read_in_parts(&mixed, 2_000), mixed);
    let crlf = "a\r\n".repeat(2_000);
    assert_eq!(read_in_parts(&crlf, 2_000), crlf);
    let combining = format!("e{}", "\u{301}".repeat(5_000));
    assert_eq!(read_in_parts(&combining, 2_000), combining);
}

#[test]
fn a_limit_larger_than_an_answer_is_cut_too() {
    let text = "some words here\n".repeat(1_000);
    let (blocks, structured) =
        read(&[("a.md", &text)], 2_000, json!({"path": "a.md", "start_line": 10, "limit": 900})).unwrap();
    assert!(blocks[0].contains("cut to the longest answer; continue with start_line: "), "{}", blocks[0]);
    assert!(structured["left_out"]["count"].as_u64().unwrap() > 900);
}

/// Follows `continue_with`, put into the same call as it is, to the end; gives every part.
#[track_caller]
fn parts(app: &App, most: usize, mut arguments: Value) -> Vec<Value> {
    let mut all = Vec::new();
    loop {
        let (blocks, structured) = unpack(&app.call("vault_read_note", arguments.clone()).unwrap());
        assert!(blocks.iter().map(|block| block.chars().count()).sum::<usize>() <= most);
        assert!(structured.to_string().chars().count() <= most);
        let next = structured.get("left_out").map(|left_out| left_out["continue_with"].clone());
        all.push(structured);
        assert!(all.len() < 500, "it does not end");
        let Some(next) = next else { return all };
        for (name, value) in next.as_object().unwrap() {
            arguments[name] = value.clone();
        }
    }
}

#[test]
fn an_outline_of_many_headings_is_continued_to_its_end_and_has_each_once() {
    let headings: String = (0..50_000).map(|number| format!("# Heading {number}\n")).collect();
    let text = format!("> [!info] Callout\n\nOpening.\n\n{headings}");
    let (app, _folder) = App::over_notes(&[("a.md", &text)], 60_000);
    let parts = parts(&app, 60_000, json!({"path": "a.md", "outline": true}));
    assert!(parts.len() > 10, "{} parts", parts.len());
    let found: Vec<&str> = parts
        .iter()
        .flat_map(|part| part["headings"].as_array().unwrap())
        .map(|heading| heading["text"].as_str().unwrap())
        .collect();
    let expected: Vec<String> = (0..50_000).map(|number| format!("Heading {number}")).collect();
    assert_eq!(found, expected);
    // What stands before the headings comes once.
    let openings = parts.iter().filter(|part| part.get("leading_content").is_some()).count();
    assert_eq!(openings, 1);
    let callouts = parts.iter().filter(|part| part.get("leading_callout").is_some()).count();
    assert_eq!(callouts, 1);
    let last = parts.last().unwrap()["headings"].as_array().unwrap().len();
    let before: usize = 50_000 - last;
    let (blocks, _) = unpack(
        &app.call("vault_read_note", json!({"path": "a.md", "outline": true, "offset": before})).unwrap(),
    );
    assert_eq!(blocks.len(), 1, "nothing is left out of the last part");
}

#[test]
fn a_long_opening_is_continued_as_text_from_where_it_was_cut() {
    for opening in ["word ".repeat(50_000), "a line of words\n".repeat(20_000)] {
        let text = format!("---\na: 1\n---\n\n{opening}\n# H\n");
        let (app, _folder) = App::over_notes(&[("a.md", &text)], 60_000);
        let mut arguments = json!({"path": "a.md", "outline": true});
        let (blocks, structured) = unpack(&app.call("vault_read_note", arguments.clone()).unwrap());
        assert!(blocks.iter().map(|block| block.chars().count()).sum::<usize>() <= 60_000);
        assert_eq!(structured["headings"][0]["text"], "H");
        let shown = structured["leading_content"].as_str().unwrap();
        let rest = &structured["leading_content_left_out"];
        assert_eq!(rest["bytes"], opening.trim_end().len() - shown.len());
        for (name, value) in rest["continue_with"].as_object().unwrap() {
            arguments[name] = value.clone();
        }
        let (_, structured) = unpack(&app.call("vault_read_note", arguments).unwrap());
        let next = structured["text"].as_str().unwrap();
        assert!(format!("{opening}\n# H\n").starts_with(&format!("{shown}{next}")), "it goes on there");
    }
}

#[test]
fn many_properties_are_continued_to_their_end() {
    let mut properties: String =
        (0..5_000).map(|number| format!("key{number}: \"some \\\" text\"\n")).collect();
    properties.insert_str(0, &format!("long: {}\n", "x".repeat(20_000)));
    let text = format!("---\n{properties}---\n");
    let (app, _folder) = App::over_notes(&[("a.md", &text)], 5_000);
    let parts = parts(&app, 5_000, json!({"path": "a.md", "properties_only": true}));
    let found: Vec<&String> =
        parts.iter().flat_map(|part| part["properties"].as_object().unwrap().keys()).collect();
    let expected: Vec<String> = (0..5_000).map(|number| format!("key{number}")).collect();
    assert_eq!(found, expected.iter().collect::<Vec<_>>());
    // One that no part could hold is named, with arguments that read it.
    let too_long = &parts[0]["too_long"];
    assert_eq!(too_long["names"], json!(["long"]));
    let mut arguments = json!({"path": "a.md", "properties_only": true});
    for (name, value) in too_long["read_with"].as_object().unwrap() {
        arguments[name] = value.clone();
    }
    let (_, structured) = unpack(&app.call("vault_read_note", arguments).unwrap());
    assert!(structured["text"].as_str().unwrap().starts_with("---\n"));
}

#[test]
fn a_missing_note_suggests_near_names() {
    let notes = [("Projects/alpha.md", "x"), ("Other/Beta.md", "x"), ("Gamma plan.md", "x")];
    for (asked, offered) in [
        ("Projects/alpha", "\"Projects/alpha.md\""),
        ("projects/Alpha.md", "\"Projects/alpha.md\""),
        ("alpha.md", "\"Projects/alpha.md\""),
        ("Projects/alhpa.md", "\"Projects/alpha.md\""),
        ("beta.md", "\"Other/Beta.md\""),
        ("Gamma.md", "\"Gamma plan.md\""),
    ] {
        let error = read(&notes, 60_000, json!({"path": asked})).unwrap_err();
        assert_eq!(error, format!("note not found: {asked:?}. Did you mean {offered}?"));
    }
    let error = read(&notes, 60_000, json!({"path": "entirely else.md"})).unwrap_err();
    assert_eq!(error, "note not found: \"entirely else.md\"");
}

#[test]
fn paths_that_break_a_rule_are_refused_with_the_rule() {
    for (path, rule) in [
        ("../x.md", "path traversal blocked"),
        ("/etc/passwd", "absolute path blocked"),
        (".obsidian/app.json", "hidden path blocked"),
        ("a\u{7}.md", "control character blocked"),
    ] {
        let error = read(&[("a.md", "x")], 60_000, json!({"path": path})).unwrap_err();
        assert!(error.starts_with(rule), "{error}");
    }
}

#[test]
fn other_files_and_binary_notes_are_refused() {
    let notes = [("data.csv", "a,b"), ("zero.md", "a\0b")];
    let error = read(&notes, 60_000, json!({"path": "data.csv"})).unwrap_err();
    assert_eq!(error, "not a note: \"data.csv\" does not end in .md; use vault_read_file");
    let error = read(&notes, 60_000, json!({"path": "zero.md"})).unwrap_err();
    assert_eq!(error, "not text: \"zero.md\" holds NUL bytes");
}
