//! Every question, asked of small vaults written by hand.

use jiff::civil::date;
use search::{
    DateRange, Filters, FtsQuery, IndexOptions, Kind, LeadingCallout, LineRange, SearchError, SearchQuery,
};
use serde_json::json;

use crate::harness::{Disk, first, found, found_by, owner, path, reconcile};

const ALPHA: &str = "---
title: Project Alpha
type: project
tags: [project, active, Area/Job]
status: active
rating: 4
done: false
related:
  - \"[[beta]]\"
created: 2026-01-10T10:00:00-05:00
aliases: [First]
description: The first of two
---

> [!info] Scope
> What this is about.

# Alpha

A test of rockets #inline and #project.

## Fuel

Kerosene is stored in barrels.
";

const BETA: &str = "---
type: project
tags: [project]
created: 2026-02-03
status: waiting
rating: 2.5
done: true
list: [one, 2, true]
---
Rockets again, and barrels.
";

fn projects() -> Disk {
    Disk::with(&[
        ("Projects/alpha.md", ALPHA),
        ("Projects/Deep/beta.md", BETA),
        ("Other/gamma.md", "Rockets of nobody. #area/job/late"),
        ("pictures/rocket.png", "no picture"),
    ])
}

#[test]
fn a_note_is_described_without_reading_it() {
    let disk = projects();
    disk.age("Projects/alpha.md", 1_000_000);
    let index = disk.indexed();
    let meta = index.note_meta(&owner(), &path("Projects/alpha.md")).unwrap().unwrap();
    assert_eq!(meta.title, "Project Alpha");
    assert_eq!(meta.tags, ["project", "active", "Area/Job", "inline"]);
    assert_eq!(meta.related, ["[[beta]]"]);
    assert_eq!(meta.folder, "Projects");
    assert_eq!(meta.type_.as_deref(), Some("project"));
    assert_eq!(meta.created.as_deref(), Some("2026-01-10T15:00:00.000+00:00"));
    assert_eq!(meta.bytes, ALPHA.len() as u64);
    assert_eq!(
        meta.leading_callout,
        Some(LeadingCallout {
            type_: "info".to_owned(),
            title: "Scope".to_owned(),
            body: "What this is about.".to_owned()
        })
    );
    let expected = json!({"status": "active", "rating": 4, "done": false, "aliases": ["First"],
                          "description": "The first of two"});
    assert_eq!(serde_json::Value::Object(meta.additional_properties), expected);
    assert!(
        meta.modified.ends_with("+00:00") && meta.modified.len() == "2026-01-10T15:00:00.000+00:00".len()
    );

    let plain = index.note_meta(&owner(), &path("Other/gamma.md")).unwrap().unwrap();
    assert_eq!((plain.title.as_str(), plain.type_, plain.created), ("gamma", None, None));
    assert_eq!(index.note_meta(&owner(), &path("pictures/rocket.png")).unwrap(), None);
    assert_eq!(index.note_meta(&owner(), &path("nowhere.md")).unwrap(), None);
    let other_case = index.note_meta(&owner(), &path("other/Gamma.md")).unwrap().unwrap();
    assert_eq!(other_case.path.as_str(), "Other/gamma.md");
}

#[test]
fn a_title_is_the_property_or_the_file_name_and_never_a_heading() {
    let disk = Disk::with(&[
        ("a.md", "# Heading\n"),
        ("b.md", "---\ntitle: ''\n---\n# Heading\n"),
        ("c.md", "---\nTitle: Given\n---\n"),
        ("d.md", "---\ntitle: 2026\n---\n"),
        ("v1.2.md", ""),
    ]);
    let index = disk.indexed();
    let title = |name: &str| index.note_meta(&owner(), &path(name)).unwrap().unwrap().title;
    assert_eq!(["a.md", "b.md", "c.md", "d.md", "v1.2.md"].map(title), ["a", "b", "Given", "2026", "v1.2"]);
}

#[test]
fn times_are_shown_in_the_zone() {
    let disk = Disk::with(&[("a.md", "---\ncreated: 2026-07-01\n---\n")]);
    let zone = jiff::tz::TimeZone::get("Europe/Berlin").unwrap();
    let index = disk.open_with(IndexOptions { time_zone: zone, ..disk.options() });
    reconcile(&index);
    let meta = index.note_meta(&owner(), &path("a.md")).unwrap().unwrap();
    assert_eq!(meta.created.as_deref(), Some("2026-07-01T00:00:00.000+02:00"));
    assert!(meta.modified.ends_with("+01:00") || meta.modified.ends_with("+02:00"));
}

#[test]
fn a_hit_names_section_and_lines_of_the_file() {
    let disk = projects();
    let index = disk.indexed();
    let hit = first(&index, "kerosene barrels");
    assert_eq!(hit.path.as_str(), "Projects/alpha.md");
    assert_eq!(hit.section.as_deref(), Some("Alpha > Fuel"));
    let lines = hit.lines.unwrap();
    let line =
        1 + u32::try_from(ALPHA.lines().position(|line| line.starts_with("Kerosene")).unwrap()).unwrap();
    assert!((lines.start..=lines.end).contains(&line), "{lines:?} holds {line}");
    assert!(hit.snippet.contains("Kerosene"));
    assert_eq!(hit.kind, Kind::Note);
    assert_eq!(hit.folder, "Projects");
    assert!((0.0..=1.0).contains(&hit.score));
    assert_eq!(hit.leading_callout, None);
    let query = SearchQuery { include_leading_callout: true, ..SearchQuery::new("kerosene") };
    assert!(index.search(&owner(), &query).unwrap().hits[0].leading_callout.is_some());
}

#[test]
fn lines_are_right_below_properties_fences_and_comments() {
    let text = "---\na: 1\n---\none\n\n%%\nhidden\n%%\n\n```\ncode words\n```\n\n- [ ] needle here\n";
    let disk = Disk::with(&[("a.md", text)]);
    let hit = first(&disk.indexed(), "needle");
    let lines = hit.lines.unwrap();
    assert_eq!(lines.end, 14);
    let short = SearchQuery { snippet_tokens: 1, ..SearchQuery::new("needle") };
    let answer = disk_search(&disk, &short);
    assert_eq!(answer.hits[0].lines, Some(LineRange { start: 14, end: 14 }));
    assert_eq!(answer.hits[0].section, None);
}

fn disk_search(disk: &Disk, query: &SearchQuery) -> search::SearchAnswer {
    let index = search::Index::open_read_only(disk.vault(), disk.options()).unwrap();
    index.search(&owner(), query).unwrap()
}

#[test]
fn full_text_search_marks_and_tells_how_it_read_the_query() {
    let disk = projects();
    let index = disk.indexed();
    let answer = index.fts_search(&owner(), &FtsQuery::new("the rocket")).unwrap();
    assert_eq!(answer.total, 3);
    assert!(!answer.truncated);
    assert_eq!(answer.ignored_stopwords, ["the"]);
    assert_eq!(answer.word_forms["rocket"], ["rockets"]);
    assert!(answer.results[0].snippet.contains('«') && answer.results[0].snippet.contains('»'));
    let alpha = answer.results.iter().find(|hit| hit.path.as_str() == "Projects/alpha.md").unwrap();
    assert_eq!(alpha.description.as_deref(), Some("The first of two"));
    assert_eq!(alpha.tags, ["project", "active", "Area/Job", "inline"]);
    assert!((alpha.score * 1000.0).fract().abs() < 1e-9, "three decimals: {}", alpha.score);

    let one = FtsQuery { max_results: 1, ..FtsQuery::new("rockets") };
    let answer = index.fts_search(&owner(), &one).unwrap();
    assert_eq!((answer.results.len(), answer.total, answer.truncated), (1, 3, true));
}

#[test]
fn a_path_prefix_is_text() {
    let disk = Disk::with(&[
        ("daily/a.md", "words"),
        ("daily-archive/b.md", "words"),
        ("Daily.md", "words"),
        ("other/daily/c.md", "words"),
    ]);
    let index = disk.indexed();
    let paths = |prefix: &str| {
        let query = FtsQuery { path_prefix: Some(prefix.to_owned()), ..FtsQuery::new("words") };
        let mut paths: Vec<_> = index
            .fts_search(&owner(), &query)
            .unwrap()
            .results
            .into_iter()
            .map(|hit| hit.path.as_str().to_owned())
            .collect();
        paths.sort();
        paths
    };
    assert_eq!(paths("daily"), ["Daily.md", "daily-archive/b.md", "daily/a.md"]);
    assert_eq!(paths("daily/"), ["daily/a.md"]);
    assert_eq!(paths("").len(), 4);
    assert_eq!(paths("nothing"), Vec::<String>::new());
    assert_eq!(paths("%"), Vec::<String>::new());
}

#[track_caller]
fn filtered(disk: &Disk, filters: Filters, expected: &[&str]) {
    let query = SearchQuery { filters, ..SearchQuery::new("rockets") };
    let index = search::Index::open_read_only(disk.vault(), disk.options()).unwrap();
    let mut paths = found_by(&index, &owner(), &query);
    paths.sort();
    assert_eq!(paths, expected);
}

const A: &str = "Projects/alpha.md";
const B: &str = "Projects/Deep/beta.md";
const G: &str = "Other/gamma.md";

#[test]
fn filters_hold_before_the_limit() {
    let disk = projects();
    drop(disk.indexed());
    let folder = |folder: &str| Filters { folder: Some(folder.to_owned()), ..Filters::default() };
    filtered(&disk, folder("projects"), &[B, A]);
    filtered(&disk, folder("Projects/"), &[B, A]);
    filtered(&disk, folder("PROJECTS/deep"), &[B]);
    filtered(&disk, folder("Project"), &[]);
    filtered(&disk, folder(""), &[G, B, A]);
    filtered(&disk, folder("/"), &[G, B, A]);

    let tags = |tags: &[&str]| Filters {
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..Filters::default()
    };
    filtered(&disk, tags(&["project"]), &[B, A]);
    filtered(&disk, tags(&["#PROJECT", "active"]), &[A]);
    filtered(&disk, tags(&["area"]), &[G, A]);
    filtered(&disk, tags(&["area/job"]), &[G, A]);
    filtered(&disk, tags(&["area/job/late"]), &[G]);
    filtered(&disk, tags(&["are"]), &[]);

    let type_ = |type_: &str| Filters { type_: Some(type_.to_owned()), ..Filters::default() };
    filtered(&disk, type_("project"), &[B, A]);
    filtered(&disk, type_("projec"), &[]);

    let related = |to: &str| Filters { related: vec![to.to_owned()], ..Filters::default() };
    for to in [
        "beta",
        "[[beta]]",
        "Projects/Deep/beta",
        "Projects/Deep/beta.md",
        "[[Projects/Deep/beta|shown]]",
        "BETA",
    ] {
        filtered(&disk, related(to), &[A]);
    }
    filtered(&disk, related("alpha"), &[]);
    filtered(&disk, related("bet"), &[]);

    let one = SearchQuery { filters: folder("Other"), limit: 1, ..SearchQuery::new("rockets") };
    let answer = disk_search(&disk, &one);
    assert_eq!((answer.hits.len(), answer.total), (1, 1));
}

#[test]
fn properties_match_by_their_kind() {
    let disk = projects();
    drop(disk.indexed());
    let has = |key: &str, value: serde_json::Value| Filters {
        properties: [(key.to_owned(), value)].into_iter().collect(),
        ..Filters::default()
    };
    filtered(&disk, has("status", json!("active")), &[A]);
    filtered(&disk, has("STATUS", json!("active")), &[A]);
    filtered(&disk, has("status", json!("Active")), &[]);
    filtered(&disk, has("rating", json!(4)), &[A]);
    filtered(&disk, has("rating", json!("4")), &[A]);
    filtered(&disk, has("rating", json!("04")), &[A]);
    filtered(&disk, has("rating", json!("4.0")), &[A]);
    filtered(&disk, has("rating", json!(2.5)), &[B]);
    filtered(&disk, has("done", json!(true)), &[B]);
    filtered(&disk, has("done", json!("true")), &[B]);
    filtered(&disk, has("done", json!("1")), &[B]);
    filtered(&disk, has("done", json!(0)), &[A]);
    filtered(&disk, has("list", json!("one")), &[B]);
    filtered(&disk, has("list", json!(2)), &[B]);
    filtered(&disk, has("list", json!(true)), &[B]);
    filtered(&disk, has("list", json!("[one, 2, true]")), &[]);
    filtered(&disk, has("tags", json!("active")), &[A]);
    filtered(&disk, has("type", json!("project")), &[B, A]);
    filtered(&disk, has("nothing", json!("x")), &[]);
}

#[test]
fn days_are_bounds_in_the_zone() {
    let disk = projects();
    for (path, day) in [(A, "2026-03-01"), (B, "2026-03-02"), (G, "2026-03-03")] {
        let noon: jiff::Timestamp = format!("{day}T12:00:00Z").parse().unwrap();
        let file = std::fs::File::options().append(true).open(disk.root().join(path)).unwrap();
        let noon = std::time::Duration::from_secs(noon.as_second().try_into().unwrap());
        file.set_modified(std::time::UNIX_EPOCH + noon).unwrap();
    }
    drop(disk.indexed());
    let created = |range: DateRange| Filters { created: range, ..Filters::default() };
    let on = |day| DateRange { on: Some(day), ..DateRange::default() };
    let before = |day| DateRange { before: Some(day), ..DateRange::default() };
    let after = |day| DateRange { after: Some(day), ..DateRange::default() };
    filtered(&disk, created(on(date(2026, 1, 10))), &[A]);
    filtered(&disk, created(before(date(2026, 2, 3))), &[A]);
    filtered(&disk, created(after(date(2026, 1, 10))), &[B]);
    filtered(&disk, created(after(date(1900, 1, 1))), &[B, A]);
    let both = DateRange { after: Some(date(2026, 1, 1)), before: Some(date(2026, 1, 31)), on: None };
    filtered(&disk, created(both), &[A]);

    let modified = |range: DateRange| Filters { modified: range, ..Filters::default() };
    filtered(&disk, modified(on(date(2026, 3, 2))), &[B]);
    filtered(&disk, modified(before(date(2026, 3, 2))), &[A]);
    filtered(&disk, modified(after(date(2026, 3, 2))), &[G]);
    filtered(&disk, modified(after(jiff::civil::Date::MAX)), &[]);
    filtered(&disk, modified(before(jiff::civil::Date::MAX)), &[G, B, A]);
}

#[test]
fn filters_without_meaning_are_refused_by_name() {
    let disk = projects();
    let index = disk.indexed();
    let refused = |filters: Filters| {
        let query = SearchQuery { filters, ..SearchQuery::new("rockets") };
        index.search(&owner(), &query).unwrap_err()
    };
    let tags = refused(Filters { tags: vec!["#".to_owned()], ..Filters::default() });
    assert!(matches!(tags, SearchError::InvalidTag(_)));
    let folder = refused(Filters { folder: Some("../x".to_owned()), ..Filters::default() });
    assert!(folder.to_string().starts_with("filters.folder:"), "{folder}");
    let related = refused(Filters { related: vec!["[[]]".to_owned()], ..Filters::default() });
    assert!(related.to_string().starts_with("filters.related:"), "{related}");
    let properties = json!({"status": null});
    let properties =
        refused(Filters { properties: properties.as_object().unwrap().clone(), ..Filters::default() });
    assert!(properties.to_string().starts_with("filters.properties.status:"), "{properties}");
}

#[test]
fn tags_are_counted_by_note_and_folded() {
    let disk = Disk::with(&[
        ("a.md", "---\ntags: [Work]\n---\n#work #work #work/late"),
        ("b.md", "#Work and #idea"),
        ("c.md", "#work/late #work/early"),
        ("d.md", "`#code`"),
    ]);
    let index = disk.indexed();
    let tags: Vec<_> = index
        .list_tags(&owner())
        .unwrap()
        .into_iter()
        .map(|tag| (tag.tag, tag.count, tag.with_children))
        .collect();
    let expected = [("Work", 2, 3), ("work/late", 2, 2), ("idea", 1, 1), ("work/early", 1, 1)]
        .map(|(tag, count, with_children)| (tag.to_owned(), count, with_children));
    // Twice each: of equals the first in order is shown.
    assert_eq!(tags, expected);
}

#[test]
fn the_spelling_used_most_is_shown_and_repeats_count() {
    let disk = Disk::with(&[("a.md", "#Idea"), ("b.md", "#idea #idea")]);
    let tags = disk.indexed().list_tags(&owner()).unwrap();
    assert_eq!((tags[0].tag.as_str(), tags[0].count), ("idea", 2));
}

#[test]
fn notes_with_a_tag_come_latest_first() {
    let disk = Disk::with(&[
        ("old.md", "#Project"),
        ("new.md", "#project/alpha"),
        ("newest.md", "---\ntags: project\n---\n"),
        ("not.md", "#projects"),
    ]);
    disk.age("old.md", 300);
    disk.age("new.md", 200);
    disk.age("newest.md", 100);
    let index = disk.indexed();
    let paths = |tag: &str, exact: bool, limit: usize| {
        let page = index.search_by_tag(&owner(), tag, exact, limit).unwrap();
        let paths: Vec<_> = page.items.into_iter().map(|note| note.path.as_str().to_owned()).collect();
        (paths, page.total)
    };
    let strings = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
    assert_eq!(paths("project", false, 20), (strings(&["newest.md", "new.md", "old.md"]), 3));
    assert_eq!(paths("#PROJECT", true, 20), (strings(&["newest.md", "old.md"]), 2));
    assert_eq!(paths("project/alpha", true, 20), (strings(&["new.md"]), 1));
    assert_eq!(paths("project", false, 1), (strings(&["newest.md"]), 3));
    assert_eq!(paths("nothing", false, 20), (Vec::new(), 0));
    for empty in ["", "#", "  ", "##"] {
        let refused = index.search_by_tag(&owner(), empty, false, 20);
        assert!(empty == "##" || matches!(refused, Err(SearchError::InvalidTag(_))), "{empty:?}");
    }
}

#[test]
fn a_search_without_hits_is_empty_and_says_how_it_was_read() {
    let index = projects().indexed();
    let answer = index.search(&owner(), &SearchQuery::new("zzzzqqqq")).unwrap();
    assert!(answer.hits.is_empty());
    assert_eq!((answer.total, answer.search_mode, answer.reranked), (0, "fts", false));
    assert_eq!(answer.indexing, None);
    assert_eq!(found(&index, ""), Vec::<String>::new());
    assert_eq!(found(&index, "???"), Vec::<String>::new());
}

#[test]
fn answers_serialise_as_clients_know_them() {
    let disk = Disk::with(&[("Folder/a.md", "---\ntags: [x]\n---\nneedle"), ("pictures/b.png", "")]);
    let index = disk.indexed();
    let answer = serde_json::to_value(index.search(&owner(), &SearchQuery::new("needle")).unwrap()).unwrap();
    let hit = &answer["results"][0];
    assert_eq!(hit["path"], "Folder/a.md");
    assert_eq!(hit["kind"], "note");
    assert_eq!(hit["type"], json!(null));
    assert_eq!(hit["matched_fields"], json!(["body"]));
    assert_eq!(hit["lines"], json!({"start": 4, "end": 4}));
    assert_eq!(answer["query_mode"], "all");
    assert_eq!(answer.get("indexing"), None);
    let answer = serde_json::to_value(index.fts_search(&owner(), &FtsQuery::new("needle")).unwrap()).unwrap();
    assert_eq!(answer["results"][0]["match"], "exact");
    let status = serde_json::to_value(index.status(&owner()).unwrap()).unwrap();
    assert_eq!((&status["notes"], &status["files"]), (&json!(1), &json!(1)));
    assert_eq!(status["watcher"], json!({"state": "off"}));
}

#[test]
fn status_counts_and_names() {
    let disk = Disk::with(&[
        ("a.md", "#one #two [[b]] [[nowhere]]"),
        ("b.md", "---\nx: [\n---\nwords"),
        ("c.canvas", "{}"),
    ]);
    std::os::unix::fs::symlink("/etc/hostname", disk.root().join("out.md")).unwrap();
    let index = disk.indexed();
    let status = index.status(&owner()).unwrap();
    assert_eq!(
        (status.notes, status.files, status.links, status.unresolved_links, status.tags),
        (2, 1, 2, 1, 2)
    );
    assert!(status.terms > 0 && status.database_bytes > 0);
    assert_eq!(status.problems.len(), 1);
    assert_eq!(status.problems[0].path.as_str(), "b.md");
    assert_eq!(status.skipped_by_reason, [("leaves_vault".to_owned(), 1)].into());
    let last = status.last_reconcile.unwrap();
    assert_eq!((last.files, last.notes, last.indexed, last.unchanged, last.removed), (3, 2, 3, 0, 0));
    assert_eq!((last.skipped, last.problems), (1, 1));
    assert_eq!(reconcile(&index).unchanged + reconcile(&index).unchanged, 6);
}
