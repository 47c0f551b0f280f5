//! What holds for every text, checked on random ones: arbitrary strings, and strings rich in Markdown.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use vault_cortex_markdown::document::{self, Document};
use vault_cortex_markdown::frontmatter::{self, Properties};
use vault_cortex_markdown::lines::{self, LineState};
use vault_cortex_markdown::{Span, canvas, headings, plain, resolve, yaml};

/// Pieces that Markdown texts are made of, marks more often than words.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "\n\n",
    " ",
    " ",
    "  ",
    "    ",
    "\t",
    "a",
    "word",
    "é",
    "日本",
    "🎉",
    "\u{a0}",
    "[[",
    "]]",
    "[[a]]",
    "![[b#c|d]]",
    "|",
    "\\|",
    "[",
    "]",
    "](",
    "(",
    ")",
    "[x](y.md)",
    "![](z.png \"t\")",
    "<",
    ">",
    "> ",
    "> [!note]+ ",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "- [ ] ",
    "- [x] ",
    "#",
    "# ",
    "## ",
    "#tag",
    "#a/b/",
    "_",
    "__",
    "*",
    "**",
    "~~",
    "==",
    "`",
    "``",
    "```",
    "```\n",
    "~~~\n",
    "$",
    "$$",
    "$$\n",
    "%%",
    "%%\n",
    "<!--",
    "-->",
    "<div>",
    "</div>",
    "<br>",
    "---",
    "---\n",
    "===",
    "\\",
    "^id",
    " ^b-1",
    "[^1]",
    "[^1]: ",
    "^[",
    "| a | b |\n|---|---|\n",
    "a: b\n",
    "k: [",
    "\"",
    "'",
    "%20",
    "https://x.y/#z",
    "<https://a.b>",
    "\u{200b}",
    "\u{feff}",
    "!",
    "{",
    "}",
    "&",
    ":",
];

fn rich() -> impl Strategy<Value = String> {
    vec(select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => rich(),
        1 => any::<String>(),
        2 => (rich(), rich()).prop_map(|(yaml, body)| format!("---\n{yaml}\n---\n{body}")),
    ]
}

fn on_borders(text: &str, span: &Span) -> bool {
    text.get(span.clone()).is_some()
}

fn ascending<'a>(spans: impl Iterator<Item = &'a Span>) -> bool {
    let starts: Vec<usize> = spans.map(|span| span.start).collect();
    starts.is_sorted()
}

/// What must not depend on the kind of line breaks.
fn shape(text: &str) -> impl PartialEq + std::fmt::Debug + use<> {
    let Document { properties, lines, headings, links, tags, block_ids, structure, leading_callout, .. } =
        document::parse(text);
    let plain = |text: &str| text.replace('\r', "");
    let properties = match properties {
        Properties::Map(map) => format!("{:?}", map.values()),
        other => format!("{other:?}"),
    };
    (
        properties,
        lines.iter().map(|line| line.state).collect::<Vec<_>>(),
        headings.iter().map(|h| (h.level, plain(&h.text), h.line)).collect::<Vec<_>>(),
        links
            .iter()
            .map(|l| (plain(&l.target), l.embed, l.display.as_deref().map(plain), l.line))
            .collect::<Vec<_>>(),
        tags.iter().map(|tag| tag.name.clone()).collect::<Vec<_>>(),
        block_ids.iter().map(|id| (id.id.clone(), id.line)).collect::<Vec<_>>(),
        structure.sections.iter().map(|section| (section.kind, section.id.clone())).collect::<Vec<_>>(),
        structure.list_items.iter().map(|item| (item.line, item.parent, item.task)).collect::<Vec<_>>(),
        leading_callout.map(|callout| (callout.kind, plain(&callout.title), plain(&callout.body))),
    )
}

proptest! {
    // A failure becomes a named test, not a line in a file of seeds.
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_lie_on_borders_and_in_order(text in any_text()) {
        let document = document::parse(&text);
        for link in &document.links {
            let written = text.get(link.span.clone());
            let mark = if link.embed { '!' } else { '[' };
            prop_assert!(written.is_some_and(|written| written.starts_with(mark)));
            prop_assert!(on_borders(&text, &link.target_span));
            prop_assert!(link.span.start < link.target_span.start && link.target_span.end < link.span.end);
            prop_assert!(on_borders(&text, &link.path_span(&text)));
            prop_assert_eq!(link.line, document.lines.line_of(link.span.start));
            prop_assert_eq!(format!("{}{}", link.path, link.subpath.as_deref().unwrap_or("")), link.target.as_str());
        }
        prop_assert!(ascending(document.links.iter().map(|link| &link.span)));
        for tag in &document.tags {
            let written = format!("#{}", tag.name);
            prop_assert_eq!(text.get(tag.span.clone()), Some(written.as_str()));
            prop_assert!(vault_cortex_markdown::tags::is_tag_name(&tag.name));
        }
        prop_assert!(ascending(document.tags.iter().map(|tag| &tag.span)));
        for id in &document.block_ids {
            let written = format!("^{}", id.id);
            prop_assert_eq!(text.get(id.span.clone()), Some(written.as_str()));
            prop_assert!(on_borders(&text, &id.block));
            prop_assert!(id.block.start <= id.span.start && id.span.end <= id.block.end);
        }
        for item in &document.structure.list_items {
            prop_assert!(on_borders(&text, &item.span));
        }
        prop_assert!(ascending(document.structure.list_items.iter().map(|item| &item.span)));
        let sections = &document.structure.sections;
        prop_assert!(sections.iter().all(|section| on_borders(&text, &section.span)));
        prop_assert!(sections.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        if let Some(callout) = &document.leading_callout {
            prop_assert!(on_borders(&text, &callout.span));
        }
        if let Some(map) = document.properties.map() {
            for link in map.links() {
                prop_assert!(on_borders(&text, &link.source));
                prop_assert_eq!(link.link.line, document.lines.line_of(link.source.start));
            }
        }
    }

    #[test]
    fn lines_give_the_text_back(text in any_text()) {
        let lines = lines::scan(&text);
        let joined: String = lines.iter().map(|line| &text[line.span.start..line.end]).collect();
        prop_assert_eq!(&joined, &text);
        for (number, line) in lines.iter().enumerate() {
            prop_assert!(matches!(&text[line.span.end..line.end], "" | "\n" | "\r\n"));
            prop_assert!(!text[line.span.clone()].contains('\n'));
            prop_assert_eq!(lines.line_of(line.span.start), number);
            prop_assert_eq!(lines::line_column(&text, line.span.start), (number, 0));
        }
        prop_assert_eq!(lines.get(lines.len()), None);
    }

    #[test]
    fn headings_part_the_body(text in any_text()) {
        let document = document::parse(&text);
        let mut end = None;
        for heading in &document.headings {
            prop_assert!(on_borders(&text, &heading.span) && on_borders(&text, &heading.section));
            prop_assert!(heading.section.start <= heading.span.start && heading.span.end <= heading.own.end);
            prop_assert_eq!(heading.section.start, heading.own.start);
            prop_assert!(heading.own.end <= heading.section.end);
            prop_assert!(end.is_none_or(|end| end == heading.own.start));
            end = Some(heading.own.end);
        }
        prop_assert!(end.is_none_or(|end| end == text.len()));
        for (index, heading) in document.headings.iter().enumerate() {
            let after = &document.headings[index + 1..];
            let next = after.iter().find(|next| next.level <= heading.level);
            prop_assert_eq!(heading.section.end, next.map_or(text.len(), |next| next.section.start));
        }
    }

    #[test]
    fn nothing_is_read_from_code(text in any_text()) {
        let document = document::parse(&text);
        let state = |offset| document.lines.get(document.lines.line_of(offset)).map(|line| line.state);
        let readable = |offset| matches!(state(offset), Some(LineState::Text | LineState::Comment));
        prop_assert!(document.links.iter().all(|link| readable(link.span.start)));
        prop_assert!(document.tags.iter().all(|tag| readable(tag.span.start)));
        prop_assert!(document.headings.iter().all(|heading| state(heading.span.start) == Some(LineState::Text)));
        prop_assert!(document.block_ids.iter().all(|id| state(id.span.start) == Some(LineState::Text)));
    }

    #[test]
    fn fences_hide_what_they_hold(inner in rich(), before in "[a-z \n]{0,20}", after in rich()) {
        let inner = inner.replace('`', "");
        let text = format!("{before}\n\n```\n{inner}\n```\n{after}");
        let fence = before.len() + 2..before.len() + 2 + 4 + inner.len() + 4;
        let written = format!("```\n{inner}\n```");
        prop_assert_eq!(&text[fence.clone()], written.as_str());
        let document = document::parse(&text);
        let inside = |span: &Span| span.start < fence.end && fence.start < span.end;
        prop_assert!(!document.links.iter().any(|link| inside(&link.span)));
        prop_assert!(!document.tags.iter().any(|tag| inside(&tag.span)));
        prop_assert!(!document.headings.iter().any(|heading| inside(&heading.span)));
        prop_assert!(!document.block_ids.iter().any(|id| inside(&id.span)));
    }

    #[test]
    fn line_breaks_of_either_kind_mean_the_same(text in any_text()) {
        let unix = text.replace('\r', "");
        let windows = unix.replace('\n', "\r\n");
        prop_assert_eq!(shape(&unix), shape(&windows));
    }

    #[test]
    fn plain_text_knows_its_source(text in any_text(), from in 0..200_usize, to in 0..200_usize) {
        for body in [0..text.len(), from..to, to..from] {
            let plain = plain::plain(&text, body);
            prop_assert!(plain.map.windows(2).all(|pair| pair[0].0 < pair[1].0));
            for (offset, source) in &plain.map {
                let here = plain.text.get(*offset..).and_then(|rest| rest.chars().next());
                let there = text.get(*source..).and_then(|rest| rest.chars().next());
                // A bar of a table is a space in the plain text.
                prop_assert!(here == there || (here == Some(' ') && there == Some('|')));
                prop_assert_eq!(plain.source_of(*offset), *source);
            }
        }
    }

    #[test]
    fn properties_are_where_they_are_said_to_be(text in any_text()) {
        if let Some(block) = frontmatter::locate(&text) {
            let without_mark = text.trim_start_matches('\u{feff}');
            prop_assert!(without_mark.starts_with("---"));
            let closing = &text[block.yaml.end..block.span.end];
            prop_assert_eq!(closing.trim_end(), "---");
            let line_break = closing.trim_start_matches("---").trim_start_matches([' ', '\t']);
            prop_assert!(matches!(line_break, "" | "\n" | "\r\n"));
            if let Properties::Invalid(error) = frontmatter::properties(&text) {
                let lines = text[..block.span.end].lines().count();
                prop_assert!((1..=lines).contains(&error.line), "{} of {}", error, lines);
                prop_assert!(error.column >= 1);
            }
        } else {
            prop_assert_eq!(frontmatter::properties(&text), Properties::None);
        }
    }

    #[test]
    fn nothing_panics(text in any_text(), other in any::<String>()) {
        let _ = yaml::parse(&text);
        let _ = canvas::file_nodes(&text);
        let _ = resolve::resolve(&text, &other, [text.as_str(), other.as_str()].into_iter());
        let document = document::parse(&text);
        let _ = headings::resolve_subpath(&document.headings, &other);
        let _ = lines::line_column(&text, other.len());
    }

    #[test]
    fn every_link_to_a_file_has_its_key(
        folders in vec("[aB/é#.]{0,3}", 0..3), name in "[aBé .]{1,4}(\\.md)?", from in "[aB/]{0,5}"
    ) {
        let path = folders.iter().map(|folder| format!("{folder}/")).collect::<String>() + &name;
        let key = resolve::file_key(&path);
        for link in [path.as_str(), path.trim_end_matches(".md"), &name, name.trim_end_matches(".md")] {
            if resolve::resolve(&from, link, std::iter::once(path.as_str())) == Some(path.as_str()) && path != from {
                prop_assert_eq!(resolve::name_key(link), key.as_str());
            }
        }
    }

    #[test]
    fn match_keys_are_stable(text in any::<String>()) {
        let key = headings::match_key(&text);
        prop_assert_eq!(headings::match_key(&key), key.as_str());
        prop_assert_eq!(headings::match_key(&headings::link_text(&text)), key);
    }
}
