//! What the `#` part of a link reaches: headings, headings below others, blocks.

use search::Index;
use vault::{Change, ChangeListener};

use crate::harness::{Disk, limited, owner, path, reconcile};

/// The subpaths of the links from one file to another that reach nothing.
#[track_caller]
fn missing(index: &Index, from: &str, to: &str) -> Vec<String> {
    let links = index.outgoing_links(&owner(), &path(from)).expect("links are known");
    let link = links.into_iter().find(|link| link.path == to).expect("a link to it");
    assert!(link.exists, "{to} is there");
    link.missing_subpaths
}

/// Whether a link with this subpath reaches something in a note with this text.
#[track_caller]
fn reaches(text: &str, subpath: &str, expected: bool) {
    let disk = Disk::with(&[("to.md", text), ("from.md", &format!("[[to{subpath}]]"))]);
    let found = missing(&disk.indexed(), "from.md", "to.md");
    let wanted = if expected { Vec::new() } else { vec![subpath.to_owned()] };
    assert_eq!(found, wanted, "{subpath} in {text:?}");
}

#[test]
fn headings_are_found_by_their_key() {
    reaches("# Part", "#Part", true);
    reaches("# Part", "#pART", true);
    reaches("# Part", "# Part ", true);
    reaches("# Part", "#Par", false);
    reaches("# wifi 2.4 vs 5.0", "#wifi 2 4 vs 5 0", true);
    reaches("# wifi 2.4 vs 5.0", "#wifi 2.4 vs 5.0", true);
    reaches("# wifi 2.4 vs 5.0", "#wifi-2-4-vs-5-0", false);
    reaches("# Is it?", "#Is it", true);
    reaches("# See [[Note]]", "#See Note", true);
    reaches("# C# and F#", "#C and F", true);
    reaches("# Ärger über Öl", "#ärger ÜBER öl", true);
    reaches("Title\n===\n\nOther\n---", "#other", true);
    reaches("## Todo ##", "#Todo", true);
    // Not headings, or not any that can be linked.
    reaches("text Part", "#Part", false);
    reaches("```\n# Part\n```", "#Part", false);
    reaches("%%\n# Part\n%%", "#Part", false);
    reaches("#Part", "#Part", false);
    reaches("# !", "#!", false);
    reaches("", "#Part", false);
}

#[test]
fn steps_walk_down() {
    let text = "# A\n## B\n#### Deep\n# D\n## B\n## E\n# A\n## F\n";
    reaches(text, "#A#B", true);
    reaches(text, "#D#B", true);
    reaches(text, "#a#b#DEEP", true);
    reaches(text, "#A#Deep", true);
    reaches(text, "##A##B", true);
    reaches(text, "#D#Deep", false);
    reaches(text, "#B#A", false);
    reaches(text, "#A#E", false);
    reaches(text, "#A#F", true);
    reaches(text, "#A#Nope", false);
    reaches(text, "#Nope#B", false);
}

#[test]
fn blocks_are_found_by_their_id_in_any_case() {
    let text = "# Head ^h1\n\nPara ^My-Id\n\n- item ^i1\n\n> quote\n\n^q1\n\nno ^my_id\n\n- [ ] job \u{1f4c5} 2026-01-01 ^t1\n\n```\ncode ^c1\n```\n";
    for id in ["#^My-Id", "#^my-id", "#^MY-ID", "#^i1", "#^q1", "#^h1", "#^t1", "#^T1"] {
        reaches(text, id, true);
    }
    for id in ["#^my", "#^my_id", "#^c1", "#^nope", "#^", "#My-Id", "#Para"] {
        reaches(text, id, false);
    }
    // A heading is none the less a heading.
    reaches(text, "#Head ^h1", true);
    reaches("# i1", "#^i1", false);
}

/// A footnote is not looked for, and a bare `#` asks for nothing.
#[test]
fn what_cannot_be_judged_is_not_called_missing() {
    reaches("text[^1]\n\n[^1]: note", "#", true);
    let disk = Disk::with(&[("to.md", "x"), ("from.md", "[x](to.md#%5B%5E1%5D) [y](to.md#)")]);
    assert_eq!(missing(&disk.indexed(), "from.md", "to.md"), [""; 0]);
}

/// A note whose text is not known may hold anything.
#[test]
fn nothing_is_missing_in_a_note_that_was_not_read() {
    let disk = Disk::with(&[("from.md", "[[big#a]] [[binary#a]] [[big#^b]]"), ("big.md", &"x".repeat(200))]);
    disk.write("binary.md", b"# a\0");
    let index = disk.open_with(search::IndexOptions { max_note_bytes: 100, ..disk.options() });
    reconcile(&index);
    assert_eq!(missing(&index, "from.md", "big.md"), [""; 0]);
    assert_eq!(missing(&index, "from.md", "binary.md"), [""; 0]);
}

#[test]
fn each_is_told_once_in_the_order_and_spelling_of_the_links() {
    let disk = Disk::with(&[
        (
            "from.md",
            "---\nup: \"[[to#Of a property]]\"\n---\n[[to]] [[to#z]] [[to#Head]] ![[to#^b]] [[to#z|again]] [[To.md#Z]] [md](to.md#a%20b) [[pic.png#x]] [[gone#y]] [[board.canvas#q]]",
        ),
        ("to.md", "# Head"),
        ("pic.png", "1"),
        ("board.canvas", "{}"),
        ("plain.md", "[[to#Head]]"),
    ]);
    let index = disk.indexed();
    assert_eq!(missing(&index, "from.md", "to.md"), ["#z", "#^b", "#Z", "#a b", "#Of a property"]);
    // Only notes have headings and blocks to miss.
    assert_eq!(missing(&index, "from.md", "pic.png"), [""; 0]);
    assert_eq!(missing(&index, "from.md", "board.canvas"), [""; 0]);
    let links = index.outgoing_links(&owner(), &path("from.md")).unwrap();
    let gone = links.iter().find(|link| link.path == "gone").expect("an unresolved link");
    assert!(gone.missing_subpaths.is_empty());
    let plain = index.outgoing_links(&owner(), &path("plain.md")).unwrap();
    let shown = serde_json::to_value(&plain).unwrap();
    assert!(shown[0].get("missing_subpaths").is_none(), "absent when there are none: {shown}");
}

#[test]
fn links_into_the_own_note_are_judged() {
    let disk = Disk::with(&[(
        "own.md",
        "# Here\n[[#Here]] [[#There]] [md](#Nowhere) [[own#^b]] text ^c\n\n[[#^c]]",
    )]);
    assert_eq!(missing(&disk.indexed(), "own.md", "own.md"), ["#There", "#Nowhere", "#^b"]);
}

#[test]
fn cards_of_a_canvas_show_parts_of_notes() {
    let card = |id: u8, subpath: &str| {
        format!(
            r#"{{"id":"{id}","type":"file","file":"n.md","subpath":"{subpath}","x":0,"y":0,"width":1,"height":1}}"#
        )
    };
    let cards = [card(1, "#Head"), card(2, "#Gone"), card(3, "#^b"), card(4, "#^B2"), card(5, "#Head#Sub")];
    let canvas = format!(r#"{{"nodes":[{}],"edges":[]}}"#, cards.join(","));
    let disk = Disk::with(&[("x.canvas", &canvas), ("n.md", "# Head\n## Sub\ntext ^b")]);
    assert_eq!(missing(&disk.indexed(), "x.canvas", "n.md"), ["#Gone", "#^B2"]);
}

/// Nothing of it is stored with the link: an edit of the target counts at once.
#[test]
fn an_edit_of_the_target_is_followed_at_once() {
    let disk = Disk::with(&[("from.md", "[[to#Head]] [[to#^b]]"), ("to.md", "# Head\ntext ^b")]);
    let index = disk.indexed();
    let told = |text: &str| {
        disk.write("to.md", text);
        index.changed(&[Change::Written(path("to.md"))]).expect("a change is indexed");
        missing(&index, "from.md", "to.md")
    };
    assert_eq!(missing(&index, "from.md", "to.md"), [""; 0]);
    assert_eq!(told("# Heading\ntext ^b"), ["#Head"]);
    assert_eq!(told("# Heading\ntext ^c"), ["#Head", "#^b"]);
    assert_eq!(told("## head\n- item ^B"), [""; 0]);
    // The note that has the name is the one that counts.
    disk.remove("to.md");
    disk.write("a/to.md", "# Other");
    index.changed(&[Change::Removed(path("to.md")), Change::Written(path("a/to.md"))]).unwrap();
    assert_eq!(missing(&index, "from.md", "a/to.md"), ["#Head", "#^b"]);
}

/// What a hidden note holds is not told by what is missing in it.
#[test]
fn a_hidden_target_tells_nothing() {
    let disk = Disk::with(&[("Open/a.md", "[[Secret/x#Head]] [[Secret/x#None]]"), ("Secret/x.md", "# Head")]);
    let index = disk.indexed();
    let links = index.outgoing_links(&limited(&["Open"]), &path("Open/a.md")).unwrap();
    assert_eq!(links.len(), 1);
    assert!(!links[0].exists && links[0].missing_subpaths.is_empty(), "{links:?}");
}

/// Thousands of links with steps into thousands of equal headings end in time, right or unsaid.
#[test]
fn many_links_into_many_headings_are_answered_in_time() {
    use std::fmt::Write as _;
    let mut text = "# a\n".repeat(20_000);
    for number in 0..20_000 {
        write!(text, "# b{number}\n[[#a#b{number}]] [[#b{number}]]\n").unwrap();
    }
    let disk = Disk::with(&[("own.md", &text)]);
    let index = disk.indexed();
    let started = std::time::Instant::now();
    let found = missing(&index, "own.md", "own.md");
    assert!(found.iter().all(|subpath| subpath.starts_with("#a#b")), "single steps are all there");
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}
