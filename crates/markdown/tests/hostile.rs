//! Large and hostile texts. That work is linear is held inside the crate (`work.rs`), step by step; these
//! tests run the real sizes through the public functions. They would take hours were anything quadratic, and
//! overflow the stack were anything recursive.

use vault_cortex_markdown::frontmatter::{Properties, locate, properties};
use vault_cortex_markdown::{callouts, canvas, document, lines, plain, resolve, yaml};

const MEGABYTE: usize = 1 << 20;

/// Reads a text in every way there is.
fn read(text: &str) -> document::Document {
    let document = document::parse(text);
    let plain = plain::plain(text, 0..text.len());
    assert!(plain.map.len() <= text.len() + 1);
    assert_eq!(lines::scan(text).len(), document.lines.len());
    document
}

#[test]
fn ten_megabytes_of_prose() {
    let paragraph = "Some **bold** words, a [[link|shown]], `code`, #tag and a [web](https://x.y) link.\n\n";
    let count = 10 * MEGABYTE / paragraph.len();
    let document = read(&paragraph.repeat(count));
    assert_eq!((document.links.len(), document.tags.len()), (count, count));
}

#[test]
fn fifty_thousand_headings() {
    let text: String =
        (0..50_000).map(|number| format!("{} Heading {number}\n", "#".repeat(number % 6 + 1))).collect();
    let document = read(&text);
    assert_eq!(document.headings.len(), 50_000);
    assert_eq!(document.headings[0].section.end, document.headings[6].section.start);
    assert_eq!(
        vault_cortex_markdown::headings::resolve_subpath(&document.headings, "#Heading 49999"),
        Some(49_999)
    );
}

#[test]
fn one_line_of_a_megabyte() {
    for piece in ["word ", "[[a]] ", "`a` ", "#a ", "a|", "日本", "\u{301}", "[a](b.md) "] {
        let document = read(&piece.repeat(MEGABYTE / piece.len()));
        assert_eq!(document.lines.len(), 1);
    }
}

#[test]
fn a_hundred_thousand_unclosed_brackets() {
    for open in ["[[", "![[", "[", "![", "[a](", "[a](<", "<!--", "$a ", "`", "**", "[^", "%%"] {
        let document = read(&open.repeat(100_000));
        assert!(document.links.is_empty(), "{open}");
        assert!(read(&format!("{}\n\n[[a]]", open.repeat(100_000))).links.len() <= 1, "{open}");
    }
    assert_eq!(read(&format!("{}a]]", "[[".repeat(100_000))).links.len(), 1);
}

#[test]
fn backtick_runs_of_every_length() {
    let text: String = (1..1500).map(|length| format!("{} [[a]] ", "`".repeat(length))).collect();
    assert!(text.len() > MEGABYTE);
    assert_eq!(read(&text).links.len(), 1499);
}

#[test]
fn nesting_of_ten_thousand() {
    for mark in ["> ", ">", "- ", "1. ", "- [ ] ", "- > ", "[^a]: "] {
        let nest = mark.repeat(10_000);
        read(&nest);
        read(&format!("{nest}[[a]]\n{}", "lazy\n".repeat(10_000)));
        read(&format!("{nest}a{}", "\n".repeat(100_000)));
        read(&format!("{nest}```\n{}", ">\n".repeat(10_000)));
    }
    for (open, close) in
        [("[", "](x)"), ("![", "](x)"), ("*", "*"), ("**", "**"), ("<b>", "</b>"), ("(", ")")]
    {
        read(&format!("{}a{}", open.repeat(10_000), close.repeat(10_000)));
    }
    assert_eq!(read(&format!("{}a{}", "![".repeat(10_000), "](x)".repeat(10_000))).links.len(), 10_000);
}

#[test]
fn lists_as_stairs() {
    let text: String = (0..2000).map(|depth| format!("{}- item\n", "  ".repeat(depth))).collect();
    assert_eq!(read(&text).structure.list_items.len(), 2000);
}

#[test]
fn line_breaks_only() {
    assert_eq!(read(&"\n".repeat(2 * MEGABYTE)).lines.len(), 2 * MEGABYTE);
    assert_eq!(read(&"\r\n".repeat(MEGABYTE)).lines.len(), MEGABYTE);
    assert_eq!(read(&"\r".repeat(MEGABYTE)).lines.len(), 1);
}

#[test]
fn odd_characters() {
    for text in [
        "\0",
        "\u{feff}",
        "\u{feff}\u{feff}---\na: 1\n---\n",
        "\u{200b}",
        "\u{10ffff}",
        "\r",
        "\n\r",
        "\u{85}",
    ] {
        read(text);
        read(&text.repeat(1000));
        read(&format!("[[{text}]] #{text} `{text}` [{text}]({text}) ^{text}\n---\n{text}\n---"));
    }
}

#[test]
fn blocks_of_properties() {
    let open = format!("---\n{}", "a: b\n".repeat(2 * MEGABYTE));
    assert_eq!((locate(&open), properties(&open)), (None, Properties::None));
    let huge = format!("---\n{}---\n[[a]]", "a\n".repeat(MEGABYTE));
    assert!(matches!(properties(&huge), Properties::Invalid(_)));
    assert_eq!(read(&huge).links.len(), 1);
    let keys: String = (0..40_000).map(|number| format!("key{number}: v\n")).collect();
    let Properties::Map(map) = properties(&format!("---\n{keys}---\n")) else { panic!("no map") };
    assert_eq!(map.values().len(), 40_000);
    for open in ["[", "{", "[[", "{a: [", "\"", "'", "a: |\n", "- ", "? ", "&a ", "*a ", "!!str "] {
        let _ = yaml::parse(&open.repeat(200_000 / open.len()));
        let _ = yaml::parse(&format!("a: {}", open.repeat(200_000 / open.len())));
    }
}

#[test]
fn callouts_and_canvases() {
    let text = format!("> [!note] T\n{}", "> > x\n".repeat(100_000));
    assert_eq!(callouts::leading(&text).map(|callout| callout.body.len()), Some("> x\n".len() * 100_000 - 1));
    let nodes = vec![r#"{"type":"file","file":"a.md"}"#; 50_000].join(",");
    assert_eq!(
        canvas::file_nodes(&format!(r#"{{"nodes":[{nodes}]}}"#)).map(|nodes| nodes.len()).ok(),
        Some(50_000)
    );
    assert!(canvas::file_nodes(&"[".repeat(100_000)).is_err());
    assert!(canvas::file_nodes(&format!(r#"{{"nodes":{}"#, "[".repeat(100_000))).is_err());
}

#[test]
fn many_files_of_one_name() {
    let paths: Vec<String> = (0..10_000).map(|number| format!("folder {number}/index.md")).collect();
    let candidates = resolve::Candidates::new(paths.iter().map(String::as_str));
    for number in (0..10_000).step_by(100) {
        let from = format!("folder {number}/note.md");
        let own = format!("folder {number}/index.md");
        assert_eq!(candidates.resolve(&from, "index"), Some(own.as_str()));
    }
    let deep = "../".repeat(100_000);
    assert_eq!(candidates.resolve("a/b.md", &deep), None);
}
