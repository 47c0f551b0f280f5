//! Every filter of the ranked search, each over a vault that holds what it must and must not let through.

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use search::{DateRange, Filters, Index, IndexOptions, SearchQuery};
use serde_json::{Value, json};
use vault::Principal;

use crate::harness::{Disk, limited, owner, reconcile};

/// What somebody finds, sorted; every file of these vaults holds the word.
fn seen_by(who: &Principal, index: &Index, filters: Filters) -> Vec<String> {
    let query = SearchQuery { filters, limit: 100, ..SearchQuery::new("needle") };
    let answer = index.search(who, &query).expect("a search answers");
    assert_eq!(answer.total, answer.hits.len(), "the total is of what the filters let through");
    let mut paths: Vec<_> = answer.hits.iter().map(|hit| hit.path.as_str().to_owned()).collect();
    paths.sort();
    paths
}

#[track_caller]
fn finds(index: &Index, filters: Filters, expected: &[&str]) {
    let story = format!("{filters:?}");
    assert_eq!(seen_by(&owner(), index, filters), expected, "{story}");
}

fn folder(folder: &str) -> Filters {
    Filters { folder: Some(folder.to_owned()), ..Filters::default() }
}

fn tags(tags: &[&str]) -> Filters {
    Filters { tags: texts(tags), ..Filters::default() }
}

fn related(related: &[&str]) -> Filters {
    Filters { related: texts(related), ..Filters::default() }
}

fn type_(type_: &str) -> Filters {
    Filters { type_: Some(type_.to_owned()), ..Filters::default() }
}

fn property(key: &str, value: Value) -> Filters {
    Filters { properties: [(key.to_owned(), value)].into_iter().collect(), ..Filters::default() }
}

fn created(created: DateRange) -> Filters {
    Filters { created, ..Filters::default() }
}

fn modified(modified: DateRange) -> Filters {
    Filters { modified, ..Filters::default() }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn before(day: Date) -> DateRange {
    DateRange { before: Some(day), ..DateRange::default() }
}

fn on(day: Date) -> DateRange {
    DateRange { on: Some(day), ..DateRange::default() }
}

fn after(day: Date) -> DateRange {
    DateRange { after: Some(day), ..DateRange::default() }
}

#[test]
fn folders_are_whole_segments_in_any_case() {
    let disk = Disk::with(&[
        ("needle.md", "needle"),
        ("Work/a.md", "needle"),
        ("Work/Deep/b.md", "needle"),
        ("Work/Deep/c.txt", "needle"),
        ("Workshop/d.md", "needle"),
        ("Work-2/e.md", "needle"),
        ("Work 2/f.md", "needle"),
        ("Work.md", "needle"),
        ("Other/Work/g.md", "needle"),
        ("Über/h.md", "needle"),
    ]);
    let index = disk.indexed();
    let work = ["Work/Deep/b.md", "Work/Deep/c.txt", "Work/a.md"];
    for name in ["Work", "work", "WORK", "Work/", "work/"] {
        finds(&index, folder(name), &work);
    }
    for name in ["Work/Deep", "work/deep/", "WORK/DEEP"] {
        finds(&index, folder(name), &work[..2]);
    }
    for name in ["über", "ÜBER", "U\u{308}ber"] {
        finds(&index, folder(name), &["Über/h.md"]);
    }
    for name in ["Wor", "Deep", "Work/De", "Work.md", "Work/a.md", "None", "Wor_", "%", "W*"] {
        finds(&index, folder(name), &[]);
    }
    for name in ["", "/", ".", " "] {
        assert_eq!(seen_by(&owner(), &index, folder(name)).len(), 10, "{name:?} is the vault");
    }
}

#[test]
fn tags_hold_all_and_match_what_is_nested_below() {
    let disk = Disk::with(&[
        ("a.md", "---\ntags: [Work, idea]\n---\nneedle"),
        ("b.md", "needle #work/late/very"),
        ("c.md", "needle #workshop #Idea"),
        ("d.md", "needle `#work`"),
        ("e.md", "---\ntags: Äpfel\n---\nneedle"),
        ("f.txt", "needle #work"),
    ]);
    let index = disk.indexed();
    for name in ["work", "#work", "WORK", "#Work", "work/", " work "] {
        finds(&index, tags(&[name]), &["a.md", "b.md"]);
    }
    finds(&index, tags(&["work/late"]), &["b.md"]);
    finds(&index, tags(&["#work/LATE/very"]), &["b.md"]);
    finds(&index, tags(&["work/lat"]), &[]);
    finds(&index, tags(&["late"]), &[]);
    finds(&index, tags(&["idea"]), &["a.md", "c.md"]);
    finds(&index, tags(&["work", "idea"]), &["a.md"]);
    finds(&index, tags(&["idea", "work/late"]), &[]);
    finds(&index, tags(&["work", "#WORK"]), &["a.md", "b.md"]);
    finds(&index, tags(&["äpfel"]), &["e.md"]);
    finds(&index, tags(&["wor%"]), &[]);
}

#[test]
fn related_is_a_path_a_name_or_a_link() {
    let disk = Disk::with(&[
        ("People/Anna.md", "x"),
        ("Lists/Anna B.md", "x"),
        ("link.md", "---\nrelated: \"[[Anna]]\"\n---\nneedle"),
        ("list.md", "---\nRelated:\n  - \"[[People/Anna|her]]\"\n  - \"[[Anna B#part]]\"\n---\nneedle"),
        ("plain.md", "---\nrelated: [Anna, Bernd]\n---\nneedle"),
        (
            "body.md",
            "---\nup: \"[[Anna]]\"\nrelated.by: \"[[Anna]]\"\nrelated.: \"[[Anna]]\"\nrelated.1st: \"[[Anna]]\"\nrelated-to: \"[[Anna]]\"\n---\nneedle [[Anna]]",
        ),
        ("nested.md", "---\nother:\n  related: \"[[Anna]]\"\n---\nneedle"),
        ("lost.md", "---\nrelated: [\"[[x/Gone]]\"]\n---\nneedle"),
        ("lost2.md", "---\nrelated: [\"[[Gone]]\"]\n---\nneedle"),
        ("Anna.txt", "needle"),
        (
            "board.canvas",
            r#"{"nodes":[{"id":"1","type":"file","file":"People/Anna.md","x":0,"y":0,"width":1,"height":1},{"id":"2","type":"text","text":"needle","x":0,"y":9,"width":1,"height":1}],"edges":[]}"#,
        ),
    ]);
    let index = disk.indexed();
    // As a name, also what is no link but says the name.
    for name in ["Anna", "[[Anna]]", "[[Anna|x]]", "[[Anna#Part]]"] {
        finds(&index, related(&[name]), &["link.md", "list.md", "plain.md"]);
    }
    // As a path or in other letters: links that reach the note.
    for name in ["anna", "People/Anna", "People/Anna.md", "people/anna", "[[People/Anna]]", "Anna.md"] {
        finds(&index, related(&[name]), &["link.md", "list.md"]);
    }
    finds(&index, related(&["Anna B"]), &["list.md"]);
    finds(&index, related(&["Anna", "Anna B"]), &["list.md"]);
    finds(&index, related(&["Bernd"]), &["plain.md"]);
    finds(&index, related(&["Anna", "Bernd"]), &["plain.md"]);
    finds(&index, related(&["Ann"]), &[]);
    finds(&index, related(&["Lists/Anna"]), &[]);
    // What reaches nothing is compared as it is written.
    finds(&index, related(&["Gone"]), &["lost.md", "lost2.md"]);
    finds(&index, related(&["[[x/gone]]"]), &["lost.md", "lost2.md"]);
    finds(&index, related(&["y/Gone"]), &["lost2.md"]);
    finds(&index, related(&["z"]), &[]);
}

#[test]
fn type_is_the_text_of_the_property() {
    let disk = Disk::with(&[
        ("a.md", "---\ntype: project\n---\nneedle"),
        ("b.md", "---\nType: \" project \"\n---\nneedle"),
        ("c.md", "---\ntype: Project\n---\nneedle"),
        ("d.md", "---\ntype: [project]\n---\nneedle"),
        ("e.md", "---\ntype: 5\n---\nneedle"),
        ("f.md", "needle type: project"),
        ("g.json", "{\"type\": \"project\", \"needle\": 1}"),
    ]);
    let index = disk.indexed();
    finds(&index, type_("project"), &["a.md", "b.md"]);
    finds(&index, type_("Project"), &["c.md"]);
    finds(&index, type_("5"), &["e.md"]);
    finds(&index, type_("proj"), &[]);
}

#[test]
fn properties_are_compared_by_their_kind() {
    let disk = Disk::with(&[
        ("text.md", "---\nk: Blue sky\n---\nneedle"),
        ("four.md", "---\nk: 4\n---\nneedle"),
        ("four-text.md", "---\nk: \"4\"\n---\nneedle"),
        ("hex.md", "---\nk: 0x1F\n---\nneedle"),
        ("half.md", "---\nk: -0.5\n---\nneedle"),
        ("yes.md", "---\nk: true\n---\nneedle"),
        ("no.md", "---\nk: false\n---\nneedle"),
        ("one.md", "---\nk: 1\n---\nneedle"),
        ("true-text.md", "---\nk: \"true\"\n---\nneedle"),
        ("list.md", "---\nk: [red, 7, true, [deep], \"[[Anna]]\"]\n---\nneedle"),
        ("map.md", "---\nk:\n  a: Blue sky\n---\nneedle"),
        ("null.md", "---\nk:\n---\nneedle"),
        ("other.md", "---\nj: Blue sky\n---\nneedle"),
    ]);
    let index = disk.indexed();
    let k = |value: Value, expected: &[&str]| finds(&index, property("k", value), expected);
    k(json!("Blue sky"), &["text.md"]);
    for text in ["blue sky", "Blue", "Blue sky ", "%", ""] {
        k(json!(text), &[]);
    }
    for four in [json!(4), json!("4"), json!(4.0)] {
        let texts: &[&str] =
            if four == json!("4") || four == json!(4) { &["four-text.md", "four.md"] } else { &["four.md"] };
        k(four, texts);
    }
    k(json!("04"), &["four.md"]);
    k(json!("4.0"), &["four.md"]);
    k(json!("4e0"), &["four.md"]);
    k(json!(31), &["hex.md"]);
    k(json!("0x1F"), &["hex.md"]);
    k(json!(-0.5), &["half.md"]);
    k(json!(0.5), &[]);
    k(json!(true), &["list.md", "true-text.md", "yes.md"]);
    k(json!("true"), &["list.md", "true-text.md", "yes.md"]);
    k(json!(1), &["list.md", "one.md", "yes.md"]);
    k(json!("1"), &["list.md", "one.md", "yes.md"]);
    k(json!(false), &["no.md"]);
    k(json!("false"), &["no.md"]);
    k(json!(0), &["no.md"]);
    k(json!("0"), &["no.md"]);
    k(json!("True"), &[]);
    k(json!("red"), &["list.md"]);
    k(json!(7), &["list.md"]);
    k(json!("[[Anna]]"), &["list.md"]);
    k(json!("deep"), &[]);
    k(json!("null"), &[]);
}

#[test]
fn keys_of_properties_are_names_and_no_paths() {
    let disk = Disk::with(&[
        ("dotted.md", "---\na.b: x\n---\nneedle"),
        ("nested.md", "---\na:\n  b: x\n---\nneedle"),
        ("index.md", "---\n\"k[0]\": x\n---\nneedle"),
        ("list.md", "---\nk: [x]\n---\nneedle"),
        ("case.md", "---\nDue Date: x\nGröße: y\n---\nneedle"),
        ("both.md", "---\none: x\ntwo: 2\n---\nneedle"),
        ("one.md", "---\none: x\n---\nneedle"),
        ("odd.md", "---\n\"a/b\": x\n\"it's %\": y\n---\nneedle"),
    ]);
    let index = disk.indexed();
    finds(&index, property("a.b", json!("x")), &["dotted.md"]);
    finds(&index, property("A.B", json!("x")), &["dotted.md"]);
    finds(&index, property("a", json!("x")), &[]);
    finds(&index, property("k[0]", json!("x")), &["index.md"]);
    finds(&index, property("k", json!("x")), &["list.md"]);
    finds(&index, property("due date", json!("x")), &["case.md"]);
    finds(&index, property("GRÖSSE", json!("y")), &[]);
    finds(&index, property("GRÖßE", json!("y")), &["case.md"]);
    finds(&index, property("a/b", json!("x")), &["odd.md"]);
    finds(&index, property("it's %", json!("y")), &["odd.md"]);
    let mut both = property("one", json!("x"));
    finds(&index, both.clone(), &["both.md", "one.md"]);
    both.properties.insert("Two".to_owned(), json!(2));
    finds(&index, both, &["both.md"]);
}

/// Sets the time of the last change.
fn changed_at(disk: &Disk, path: &str, moment: &str) {
    let moment: jiff::Timestamp = moment.parse().expect("a moment");
    let file = std::fs::File::options().append(true).open(disk.root().join(path)).expect("a file");
    let since = std::time::Duration::try_from(moment.duration_since(jiff::Timestamp::UNIX_EPOCH))
        .expect("after 1970");
    file.set_modified(std::time::UNIX_EPOCH + since).expect("the time can be set");
}

fn in_zone(disk: &Disk, zone: &str) -> Index {
    let time_zone = TimeZone::get(zone).expect("a zone");
    let index = disk.open_with(IndexOptions { time_zone, ..disk.options() });
    reconcile(&index);
    index
}

#[test]
fn created_is_a_day_of_the_zone() {
    let disk = Disk::with(&[
        ("day.md", "---\ncreated: 2026-01-10\n---\nneedle"),
        ("local.md", "---\ncreated: 2026-01-11T00:30\n---\nneedle"),
        ("late.md", "---\nCreated: 2026-01-10T23:30:00Z\n---\nneedle"),
        ("offset.md", "---\ncreated: 2026-01-11T20:00:00-05:00\n---\nneedle"),
        ("none.md", "needle"),
        ("words.md", "---\ncreated: yesterday\n---\nneedle"),
        ("number.md", "---\ncreated: 2026\n---\nneedle"),
        ("empty.md", "---\ncreated:\n---\nneedle"),
        ("file.txt", "needle created: 2026-01-10"),
    ]);
    let index = disk.indexed();
    finds(&index, created(on(date(2026, 1, 10))), &["day.md", "late.md"]);
    finds(&index, created(on(date(2026, 1, 12))), &["offset.md"]);
    drop(index);

    // Nine hours ahead: 23:30 UTC is the next day, 20:00 at -05:00 the second after it.
    let index = in_zone(&disk, "Asia/Tokyo");
    finds(&index, created(on(date(2026, 1, 10))), &["day.md"]);
    finds(&index, created(on(date(2026, 1, 11))), &["late.md", "local.md"]);
    finds(&index, created(on(date(2026, 1, 12))), &["offset.md"]);
    finds(&index, created(before(date(2026, 1, 11))), &["day.md"]);
    finds(&index, created(after(date(2026, 1, 10))), &["late.md", "local.md", "offset.md"]);
    finds(&index, created(after(date(2026, 1, 12))), &[]);
    let between = DateRange { after: Some(date(2026, 1, 10)), before: Some(date(2026, 1, 12)), on: None };
    finds(&index, created(between), &["late.md", "local.md"]);
    let all = DateRange { on: Some(date(2026, 1, 11)), ..between };
    finds(&index, created(all), &["late.md", "local.md"]);
    let never = DateRange { on: Some(date(2026, 1, 12)), ..between };
    finds(&index, created(never), &[]);
    // Without a readable day a note is before and after none.
    let four = ["day.md", "late.md", "local.md", "offset.md"];
    finds(&index, created(after(date(1, 1, 1))), &four);
    finds(&index, created(before(date(9999, 12, 31))), &four);
    finds(&index, created(before(Date::MIN)), &[]);
    drop(index);

    let index = in_zone(&disk, "America/New_York");
    finds(&index, created(on(date(2026, 1, 10))), &["day.md", "late.md"]);
    finds(&index, created(on(date(2026, 1, 11))), &["local.md", "offset.md"]);
}

#[test]
fn modified_is_a_day_of_the_zone_and_holds_for_files() {
    let disk = Disk::with(&[
        ("a.md", "needle"),
        ("b.txt", "needle"),
        ("c.md", "---\ncreated: 2020-01-01\n---\nneedle"),
        ("d.md", "needle"),
    ]);
    // In Berlin, the clocks went forward on 2026-03-29: that day has 23 hours.
    changed_at(&disk, "a.md", "2026-03-28T22:59:59.999Z");
    changed_at(&disk, "b.txt", "2026-03-28T23:00:00Z");
    changed_at(&disk, "c.md", "2026-03-29T21:59:59.999Z");
    changed_at(&disk, "d.md", "2026-03-29T22:00:00Z");
    let index = in_zone(&disk, "Europe/Berlin");
    let day = date(2026, 3, 29);
    finds(&index, modified(on(day)), &["b.txt", "c.md"]);
    finds(&index, modified(before(day)), &["a.md"]);
    finds(&index, modified(after(day)), &["d.md"]);
    let between = DateRange { after: Some(date(2026, 3, 27)), before: Some(date(2026, 3, 30)), on: None };
    finds(&index, modified(between), &["a.md", "b.txt", "c.md"]);
    finds(&index, modified(DateRange { on: Some(date(2026, 3, 28)), ..between }), &["a.md"]);
    finds(&index, modified(DateRange { on: Some(date(2026, 3, 30)), ..between }), &[]);
    finds(&index, modified(after(Date::MIN)), &["a.md", "b.txt", "c.md", "d.md"]);
    finds(&index, modified(before(Date::MIN)), &[]);
    finds(&index, modified(on(Date::MAX)), &[]);
    drop(index);
    let index = disk.indexed();
    finds(&index, modified(on(date(2026, 3, 28))), &["a.md", "b.txt"]);
    finds(&index, modified(on(day)), &["c.md", "d.md"]);
}

/// Files have a folder and a time; what only notes have lets none of them through.
#[test]
fn files_meet_only_what_files_have() {
    let disk = Disk::with(&[
        ("In/n.md", "---\ntags: [t]\ntype: p\nrelated: \"[[x]]\"\ncreated: 2026-01-01\nk: v\n---\nneedle"),
        ("In/f.txt", "needle #t"),
        ("In/view.yaml", "tags: [t]\ntype: p\nrelated: \"[[x]]\"\ncreated: 2026-01-01\nk: v\nneedle: 1\n"),
        ("f.csv", "needle"),
        (
            "In/board.canvas",
            r##"{"nodes":[{"id":"1","type":"text","text":"needle #t","x":0,"y":0,"width":1,"height":1}],"edges":[]}"##,
        ),
    ]);
    let index = disk.indexed();
    finds(&index, Filters::default(), &["In/board.canvas", "In/f.txt", "In/n.md", "In/view.yaml", "f.csv"]);
    let inside = ["In/board.canvas", "In/f.txt", "In/n.md", "In/view.yaml"];
    finds(&index, folder("in"), &inside);
    finds(&index, Filters { modified: after(date(2000, 1, 1)), ..folder("in") }, &inside);
    for filters in [
        tags(&["t"]),
        related(&["x"]),
        type_("p"),
        property("k", json!("v")),
        created(on(date(2026, 1, 1))),
        created(before(date(9999, 1, 1))),
    ] {
        finds(&index, filters.clone(), &["In/n.md"]);
        finds(&index, Filters { folder: Some("In".to_owned()), ..filters }, &["In/n.md"]);
    }
}

#[test]
fn filters_hold_together_and_before_any_limit() {
    let disk = Disk::new();
    for number in 0..60 {
        disk.write(&format!("Loud/{number}.md"), "---\ntitle: needle\n---\nneedle needle needle");
    }
    disk.write("Quiet/a.md", format!("---\ntags: [t]\ntype: p\nk: 1\n---\n{} needle", "hay ".repeat(500)));
    disk.write("Quiet/b.md", format!("---\ntags: [t]\nk: 2\n---\n{} needle", "hay ".repeat(600)));
    let index = disk.indexed();
    let quiet = Filters { tags: texts(&["t"]), ..folder("quiet") };
    for filters in [folder("Quiet"), tags(&["t"]), quiet.clone()] {
        let query = SearchQuery { filters, limit: 1, ..SearchQuery::new("needle") };
        let answer = index.search(&owner(), &query).unwrap();
        assert_eq!((answer.hits.len(), answer.total), (1, 2), "{:?}", query.filters);
        assert_eq!(answer.hits[0].folder, "Quiet");
    }
    let one =
        Filters { type_: Some("p".to_owned()), properties: property("k", json!(1)).properties, ..quiet };
    finds(&index, one.clone(), &["Quiet/a.md"]);
    finds(&index, Filters { properties: property("k", json!(2)).properties, ..one.clone() }, &[]);
    finds(&index, Filters { folder: Some("Loud".to_owned()), ..one.clone() }, &[]);
    finds(&index, Filters { created: before(date(9999, 1, 1)), ..one }, &[]);
}

/// Filters narrow what somebody may see, and never tell of what they may not.
#[test]
fn filters_stay_within_what_somebody_sees() {
    let disk = Disk::with(&[
        (
            "Open/a.md",
            "---\ntags: [t]\ntype: p\nk: v\ncreated: 2026-01-01\nrelated: \"[[Target]]\"\n---\nneedle",
        ),
        ("Open/Deep/b.md", "needle"),
        (
            "Secret/c.md",
            "---\ntags: [t]\ntype: p\nk: v\ncreated: 2026-01-01\nrelated: \"[[Target]]\"\n---\nneedle",
        ),
        ("Secret/Target.md", "x"),
    ]);
    let index = disk.indexed();
    let who = limited(&["Open"]);
    for filters in [
        tags(&["t"]),
        type_("p"),
        property("k", json!("v")),
        created(on(date(2026, 1, 1))),
        // It reaches a hidden note: for them a link like any that reaches nothing.
        related(&["Target"]),
        related(&["[[target]]"]),
    ] {
        assert_eq!(seen_by(&who, &index, filters.clone()), ["Open/a.md"], "{filters:?}");
        assert_eq!(seen_by(&owner(), &index, filters.clone()), ["Open/a.md", "Secret/c.md"], "{filters:?}");
        let secret = Filters { folder: Some("Secret".to_owned()), ..filters };
        assert_eq!(seen_by(&who, &index, secret.clone()), [""; 0], "{secret:?}");
        assert_eq!(seen_by(&limited(&[]), &index, secret), [""; 0]);
    }
    for name in ["", "/", "open", "Open/"] {
        assert_eq!(seen_by(&who, &index, folder(name)), ["Open/Deep/b.md", "Open/a.md"], "{name:?}");
    }
    // Whether a name is that of a hidden note does not show: a wrong folder fits no better than a right one.
    assert_eq!(
        seen_by(&who, &index, related(&["Secret/Target"])),
        seen_by(&who, &index, related(&["None/Target"]))
    );
}
