//! Which properties there are, their values, and the notes that have one.

use search::{Index, PropertyKey};
use vault::{Principal, VaultPath};

use crate::harness::{Disk, limited, owner, reconcile};

fn folder(text: &str) -> Option<VaultPath> {
    VaultPath::parse_folder(text).unwrap()
}

fn keys(index: &Index, who: &Principal, within: &str) -> Vec<(String, u64, Vec<String>)> {
    let keys = index.list_property_keys(who, folder(within).as_ref()).unwrap();
    keys.into_iter().map(|PropertyKey { key, count, sample_values }| (key, count, sample_values)).collect()
}

fn key(name: &str, count: u64, samples: &[&str]) -> (String, u64, Vec<String>) {
    (name.to_owned(), count, samples.iter().map(|sample| (*sample).to_owned()).collect())
}

#[track_caller]
fn values(index: &Index, name: &str, expected: &[(&str, u64)]) {
    let found = index.list_property_values(&owner(), name, None, 50).unwrap();
    let shown: Vec<_> = found.items.iter().map(|value| (value.value.as_str(), value.count)).collect();
    assert_eq!(shown, expected, "{name}");
    assert_eq!(found.total, expected.len());
}

#[track_caller]
fn with(index: &Index, name: &str, value: &str, expected: &[&str]) {
    let found = index.search_by_property(&owner(), name, value, None, 20).unwrap();
    let mut paths: Vec<_> = found.items.iter().map(|note| note.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, expected, "{name} = {value:?}");
    assert_eq!(found.total, expected.len());
}

#[test]
fn keys_are_counted_by_note_with_their_most_used_values() {
    let index = Disk::with(&[
        ("a.md", "---\ntitle: A\ntags: [x, y]\nstatus: open\nrating: 4\n---\n"),
        ("b.md", "---\nstatus: open\ntags: x\nempty: []\nnothing:\nmap: {k: v}\n---\n"),
        ("Sub/c.md", "---\nstatus: closed\nflag: true\nlist: [1, two, two]\n---\n"),
        ("d.md", "no properties"),
    ])
    .indexed();
    // The promoted ones are listed like the others; values of equal use come in order.
    assert_eq!(
        keys(&index, &owner(), ""),
        [
            key("status", 3, &["open", "closed"]),
            key("tags", 2, &["x", "y"]),
            key("empty", 1, &[]),
            key("flag", 1, &["true"]),
            key("list", 1, &["two", "1"]),
            key("map", 1, &[]),
            key("nothing", 1, &[]),
            key("rating", 1, &["4"]),
            key("title", 1, &["A"]),
        ]
    );
    assert_eq!(
        keys(&index, &owner(), "sub"),
        [key("flag", 1, &["true"]), key("list", 1, &["two", "1"]), key("status", 1, &["closed"])]
    );
    assert_eq!(keys(&index, &owner(), "Nowhere"), []);
}

#[test]
fn at_most_three_samples_are_chosen_after_all_is_counted() {
    let disk = Disk::new();
    for (number, value) in ["z", "z", "y", "y", "y", "a", "b", "c", "c"].iter().enumerate() {
        disk.write(&format!("{number}.md"), format!("---\nk: {value}\n---\n"));
    }
    let index = disk.indexed();
    assert_eq!(keys(&index, &owner(), ""), [key("k", 9, &["y", "c", "z"])]);
    let first = index.list_property_values(&owner(), "k", None, 1).unwrap();
    assert_eq!((first.items[0].value.as_str(), first.items[0].count, first.total), ("y", 3, 5));
}

#[test]
fn spellings_of_a_key_are_one_property() {
    let index = Disk::with(&[
        ("a.md", "---\nStatus: open\n---\n"),
        ("b.md", "---\nStatus: open\n---\n"),
        ("c.md", "---\nstatus: closed\nSTATUS: twice\n---\n"),
    ])
    .indexed();
    assert_eq!(keys(&index, &owner(), ""), [key("Status", 3, &["open", "closed", "twice"])]);
    values(&index, "sTATUS", &[("open", 2), ("closed", 1), ("twice", 1)]);
    with(&index, "status", "open", &["a.md", "b.md"]);
}

#[test]
fn what_is_counted_follows_every_write() {
    let disk = Disk::with(&[("a.md", "---\nk: 1\n---\n")]);
    let index = disk.indexed();
    assert_eq!(keys(&index, &owner(), ""), [key("k", 1, &["1"])]);
    disk.write("b.md", "---\nk: 2\nl: 3\n---\n");
    disk.remove("a.md");
    reconcile(&index);
    assert_eq!(keys(&index, &owner(), ""), [key("k", 1, &["2"]), key("l", 1, &["3"])]);
}

/// The number 1 and the text "1" share a count; the text "1.0" keeps its own.
#[test]
fn values_are_counted_by_the_text_they_are_shown_with() {
    let index = Disk::with(&[
        ("a.md", "---\nk: 1\n---\n"),
        ("b.md", "---\nk: \"1\"\n---\n"),
        ("c.md", "---\nk: \"1.0\"\n---\n"),
        ("d.md", "---\nk: 1.0\n---\n"),
        ("e.md", "---\nk: [1, 1, x]\n---\n"),
        ("f.md", "---\nk: true\n---\n"),
        ("g.md", "---\nk: \"true\"\n---\n"),
        ("h.md", "---\nk:\n---\n"),
        ("i.md", "---\nk: [[1], {a: b}]\n---\n"),
        ("j.md", "---\nother: 1\n---\n"),
    ])
    .indexed();
    values(&index, "k", &[("1", 5), ("true", 2), ("1.0", 1), ("[1]", 1), ("x", 1), ("{\"a\":\"b\"}", 1)]);
    values(&index, "unknown", &[]);
    let within = index.list_property_values(&owner(), "k", folder("Nowhere").as_ref(), 50).unwrap();
    assert_eq!((within.items.len(), within.total), (0, 0));
}

#[test]
fn text_matches_exactly_and_numbers_by_what_they_are_worth() {
    let index = Disk::with(&[
        ("number.md", "---\nk: 4\n---\n"),
        ("text.md", "---\nk: \"4\"\n---\n"),
        ("padded.md", "---\nk: \"04\"\n---\n"),
        ("half.md", "---\nk: -0.5\n---\n"),
        ("thousand.md", "---\nk: 1000\n---\n"),
        ("hexadecimal.md", "---\nk: 31\n---\n"),
        ("octal.md", "---\nk: 15\n---\n"),
        ("large.md", "---\nk: 9007199254740993\n---\n"),
        ("word.md", "---\nk: Open\n---\n"),
        ("spaced.md", "---\nk: \" 4\"\n---\n"),
        ("endless.md", "---\nk: .inf\n---\n"),
        ("nested.md", "---\nk: [[4]]\n---\n"),
    ])
    .indexed();
    with(&index, "k", "4", &["number.md", "text.md"]);
    with(&index, "k", "04", &["number.md", "padded.md"]);
    with(&index, "k", "4.0", &["number.md"]);
    with(&index, "k", " 4", &["spaced.md"]);
    with(&index, "k", "-0.5", &["half.md"]);
    with(&index, "k", "1e3", &["thousand.md"]);
    with(&index, "k", "0x1F", &["hexadecimal.md"]);
    with(&index, "k", "0o17", &["octal.md"]);
    // Equal as JavaScript has numbers: a double.
    with(&index, "k", "9007199254740992", &["large.md"]);
    with(&index, "k", "Open", &["word.md"]);
    with(&index, "k", "open", &[]);
    with(&index, "k", "Ope", &[]);
    with(&index, "k", "%", &[]);
    with(&index, "k", "1e999", &[]);
    with(&index, "k", "[4]", &["nested.md"]);
}

#[test]
fn checkboxes_match_true_and_false_as_well_as_1_and_0() {
    let index = Disk::with(&[
        ("yes.md", "---\ndone: true\n---\n"),
        ("no.md", "---\ndone: false\n---\n"),
        ("one.md", "---\ndone: 1\n---\n"),
        ("text.md", "---\ndone: \"true\"\n---\n"),
    ])
    .indexed();
    with(&index, "done", "true", &["text.md", "yes.md"]);
    with(&index, "done", "1", &["one.md", "yes.md"]);
    with(&index, "done", "false", &["no.md"]);
    with(&index, "done", "0", &["no.md"]);
    with(&index, "done", "True", &[]);
    with(&index, "done", "1.0", &["one.md"]);
    with(&index, "done", "yes", &[]);
}

#[test]
fn lists_match_by_their_items_and_once_a_note() {
    let index = Disk::with(&[
        ("list.md", "---\nk: [one, 2, 2, true]\n---\n"),
        ("single.md", "---\nk: one\n---\n"),
        ("promoted.md", "---\ntags: [one]\ntype: t\nrelated: [\"[[single]]\"]\ncreated: 2026-01-02\n---\n"),
    ])
    .indexed();
    with(&index, "k", "one", &["list.md", "single.md"]);
    with(&index, "k", "2", &["list.md"]);
    with(&index, "k", "true", &["list.md"]);
    with(&index, "k", "one, 2", &[]);
    with(&index, "tags", "one", &["promoted.md"]);
    with(&index, "type", "t", &["promoted.md"]);
    with(&index, "related", "[[single]]", &["promoted.md"]);
    with(&index, "created", "2026-01-02", &["promoted.md"]);
}

/// Keys are data, never a path into a document or a pattern.
#[test]
fn a_key_may_hold_any_characters() {
    let index = Disk::with(&[
        ("dot.md", "---\na.b: dotted\n---\n"),
        ("nested.md", "---\na: {b: nested}\n---\n"),
        ("bracket.md", "---\n\"k[0]\": bracket\n---\n"),
        ("list.md", "---\nk: [item]\n---\n"),
        ("quote.md", "---\n\"it's\": quoted\n\"$\": dollar\n\"a%\": percent\n---\n"),
    ])
    .indexed();
    with(&index, "a.b", "dotted", &["dot.md"]);
    with(&index, "a.b", "nested", &[]);
    with(&index, "k[0]", "bracket", &["bracket.md"]);
    with(&index, "k[0]", "item", &[]);
    with(&index, "it's", "quoted", &["quote.md"]);
    with(&index, "$", "dollar", &["quote.md"]);
    with(&index, "a%", "percent", &["quote.md"]);
    with(&index, "a_", "percent", &[]);
    values(&index, "a.b", &[("dotted", 1)]);
    values(&index, "k[0]", &[("bracket", 1)]);
    let names: Vec<_> = keys(&index, &owner(), "").into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["$", "a", "a%", "a.b", "it's", "k", "k[0]"]);
}

#[test]
fn properties_are_those_of_the_callers_notes() {
    let index = Disk::with(&[
        ("Open/a.md", "---\nk: shared\n---\n"),
        ("Open/Deep/b.md", "---\nk: shared\n---\n"),
        ("Hidden/c.md", "---\nk: [shared, secret]\nhidden: yes\n---\n"),
    ])
    .indexed();
    let who = limited(&["open"]);
    // The owner's answer is kept, and is not for others.
    assert_eq!(keys(&index, &owner(), "").len(), 2);
    assert_eq!(keys(&index, &who, ""), [key("k", 2, &["shared"])]);
    assert_eq!(keys(&index, &who, "Hidden"), []);
    assert_eq!(keys(&index, &who, "open/deep"), [key("k", 1, &["shared"])]);
    let found = index.list_property_values(&who, "k", None, 50).unwrap();
    assert_eq!((found.total, found.items[0].count), (1, 2));
    assert_eq!(index.search_by_property(&who, "k", "secret", None, 20).unwrap().total, 0);
    let one = index.search_by_property(&who, "k", "shared", None, 1).unwrap();
    assert_eq!((one.items.len(), one.total), (1, 2));
    let deep = folder("Open/Deep");
    assert_eq!(index.search_by_property(&owner(), "k", "shared", deep.as_ref(), 20).unwrap().total, 1);
}

/// Tags are listed and matched as Obsidian shows them, whatever stands in the file.
#[test]
fn tags_are_what_obsidian_takes_for_tags() {
    let disk = Disk::with(&[
        ("hash.md", "---\ntags: [\"#e\", f/, 12, g]\n---\n"),
        ("text.md", "---\nTags: a, b\n---\n"),
        ("map.md", "---\ntags: {a: b}\n---\n"),
        ("one.md", "---\ntags: g\ntagS: second\n---\n"),
    ]);
    let index = disk.indexed();
    let values = index.list_property_values(&owner(), "tags", None, 50).unwrap();
    let values: Vec<_> = values.items.iter().map(|value| (value.value.as_str(), value.count)).collect();
    assert_eq!(values, [("g", 2), ("e", 1), ("f", 1), ("second", 1)]);
    with(&index, "tags", "e", &["hash.md"]);
    with(&index, "tags", "#e", &[]);
    with(&index, "tags", "a, b", &[]);
}

/// `created: {{date}}` of a template that was never filled in is a map to YAML.
#[test]
fn every_value_that_is_listed_is_found() {
    let disk = Disk::with(&[
        ("template.md", "---\ncreated: {{date}}\nlist: [a, [b, c], {d: 1}]\n---\n"),
        ("text.md", "---\nlist: '{\"d\":1}'\n---\n"),
    ]);
    let index = disk.indexed();
    for key in ["created", "list"] {
        for value in index.list_property_values(&owner(), key, None, 50).unwrap().items {
            let found = index.search_by_property(&owner(), key, &value.value, None, 50).unwrap();
            assert_eq!(found.total as u64, value.count, "{key}: {value:?}");
        }
    }
}
