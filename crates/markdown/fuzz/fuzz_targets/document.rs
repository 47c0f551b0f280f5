//! Any text is read without a panic, and what is said about it is true of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vault_cortex_markdown::{document, lines, plain};

fuzz_target!(|text: &str| {
    let document = document::parse(text);
    for link in &document.links {
        assert!(text[link.span.clone()].starts_with(if link.embed { '!' } else { '[' }));
        assert!(link.span.start <= link.target_span.start && link.target_span.end <= link.span.end);
        let _ = &text[link.path_span(text)];
    }
    for tag in &document.tags {
        assert_eq!(text[tag.span.clone()].strip_prefix('#'), Some(tag.name.as_str()));
    }
    for heading in &document.headings {
        let _ = (&text[heading.span.clone()], &text[heading.section.clone()], &text[heading.own.clone()]);
    }
    for id in &document.block_ids {
        assert_eq!(text[id.span.clone()].strip_prefix('^'), Some(id.id.as_str()));
        let _ = &text[id.block.clone()];
    }
    for section in &document.structure.sections {
        let _ = &text[section.span.clone()];
    }
    for item in &document.structure.list_items {
        let _ = &text[item.span.clone()];
    }
    let joined: String = lines::scan(text).iter().map(|line| &text[line.span.start..line.end]).collect();
    assert_eq!(joined, text);
    let plain = plain::plain(text, 0..text.len());
    for (offset, source) in &plain.map {
        let _ = (&plain.text[*offset..], &text[*source..]);
    }
});
