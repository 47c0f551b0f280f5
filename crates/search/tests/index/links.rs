//! The link graph, built at once and kept up change by change.

use search::{Kind, SearchQuery};
use vault::{Change, ChangeListener, LinkSource};

use crate::harness::{Disk, backlinks, found_by, limited, outgoing, owner, path, reconcile};

#[test]
fn every_form_of_link_is_followed() {
    let disk = Disk::with(&[
        (
            "from.md",
            "---\nup: \"[[Target]]\"\nlist: [\"[[a/deep]]\", x]\nnot: \"see [[Nope]]\"\n---\n[[target#Part|shown]] ![[pic.png]] [md](My%20Note.md) %% [[InComment]] %% `[[Code]]` [[#Own]] [[Board]]\n[out](https://example.com)\n",
        ),
        ("Target.md", ""),
        ("a/deep.md", ""),
        ("img/pic.png", ""),
        ("x/My Note.md", ""),
        ("Board.canvas", "{}"),
    ]);
    let index = disk.indexed();
    assert_eq!(
        outgoing(&index, &owner(), "from.md"),
        ["!Board", "!InComment", "Target.md", "a/deep.md", "from.md", "img/pic.png", "x/My Note.md"]
    );
    assert_eq!(backlinks(&index, &owner(), "Target.md"), ["from.md"]);
    assert_eq!(backlinks(&index, &owner(), "img/pic.png"), ["from.md"]);
    assert_eq!(backlinks(&index, &owner(), "Board.canvas"), Vec::<String>::new());
    assert_eq!(backlinks(&index, &owner(), "nowhere.md"), Vec::<String>::new());
}

#[test]
fn links_carry_what_is_known_of_their_targets() {
    let disk = Disk::with(&[
        ("from.md", "[[note]] [[pic.png]] [[gone]] [[gone.pdf]] [[Daily Notes/2030-01-01]] [[AL]] [[gone]]"),
        ("note.md", "---\ntitle: A Title\naliases: [Al, Other]\n---\n"),
        ("pic.png", "1234"),
    ]);
    let index = disk.indexed();
    let links = index.outgoing_links(&owner(), &path("from.md")).unwrap();
    let by = |name: &str| links.iter().find(|link| link.path == name).unwrap();
    assert_eq!(links.len(), 6);
    assert_eq!((by("note.md").title.as_deref(), by("note.md").kind), (Some("A Title"), Kind::Note));
    assert_eq!(
        (by("pic.png").title.as_deref(), by("pic.png").kind, by("pic.png").bytes),
        (None, Kind::File, Some(4))
    );
    assert_eq!((by("gone").kind, by("gone.pdf").kind), (Kind::Note, Kind::File));
    assert_eq!(by("Daily Notes/2030-01-01").kind, Kind::Note);
    assert!(!by("AL").exists, "aliases never resolve");
    assert_eq!(by("AL").alias_of, Some(path("note.md")));
    assert_eq!(by("gone").alias_of, None);
    let sources = index.backlinks(&owner(), &path("note.md")).unwrap();
    assert_eq!((sources[0].title.as_str(), sources[0].bytes), ("from", 85));
}

#[test]
fn a_canvas_links_to_the_files_it_shows() {
    let canvas = r#"{"nodes":[
        {"id":"1","type":"file","file":"Notes/a.md","subpath":"\#Part","x":0,"y":0,"width":1,"height":1},
        {"id":"2","type":"file","file":"a.md","x":0,"y":0,"width":1,"height":1},
        {"id":"3","type":"text","text":"[[b]]","x":0,"y":0,"width":1,"height":1}],"edges":[]}"#;
    let disk = Disk::with(&[
        ("Boards/x.canvas", &canvas.replace("\\#", "#")),
        ("Notes/a.md", ""),
        ("b.md", "[[x.canvas]]"),
    ]);
    let index = disk.indexed();
    // The whole path counts: `a.md` at the root is missing although `Notes/a.md` has that name.
    assert_eq!(outgoing(&index, &owner(), "Boards/x.canvas"), ["Notes/a.md", "!a"]);
    assert_eq!(backlinks(&index, &owner(), "Notes/a.md"), ["Boards/x.canvas"]);
    assert_eq!(backlinks(&index, &owner(), "Boards/x.canvas"), ["b.md"]);
}

/// Says that a file was written, as the vault's own writes do.
#[track_caller]
fn changed(index: &search::Index, paths: &[&str]) {
    let changes: Vec<_> = paths.iter().map(|text| Change::Written(path(text))).collect();
    index.changed(&changes).expect("a change is indexed");
}

#[test]
fn a_new_file_takes_the_links_that_now_reach_it() {
    let disk = Disk::with(&[("z/from.md", "[[Note]] and [[b/Note]]"), ("zz/Note.md", "")]);
    let index = disk.indexed();
    assert_eq!(outgoing(&index, &owner(), "z/from.md"), ["!b/Note", "zz/Note.md"]);

    disk.write("b/Note.md", "");
    changed(&index, &["b/Note.md"]);
    assert_eq!(
        outgoing(&index, &owner(), "z/from.md"),
        ["b/Note.md"],
        "the shorter path, and the exact suffix"
    );

    disk.write("z/Note.md", "");
    changed(&index, &["z/Note.md"]);
    assert_eq!(outgoing(&index, &owner(), "z/from.md"), ["b/Note.md", "z/Note.md"], "the own folder first");

    disk.write("Note.md", "");
    changed(&index, &["Note.md"]);
    assert_eq!(outgoing(&index, &owner(), "z/from.md"), ["Note.md", "b/Note.md"], "the whole path wins");

    disk.remove("Note.md");
    disk.remove("z/Note.md");
    changed(&index, &["Note.md", "z/Note.md"]);
    assert_eq!(outgoing(&index, &owner(), "z/from.md"), ["b/Note.md"]);

    disk.remove("b/Note.md");
    disk.remove("zz/Note.md");
    changed(&index, &["b/Note.md", "zz/Note.md"]);
    assert_eq!(outgoing(&index, &owner(), "z/from.md"), ["!Note", "!b/Note"]);
}

#[test]
fn a_file_that_moves_is_followed_and_its_own_links_are_read_from_its_new_place() {
    let disk = Disk::with(&[
        ("a/from.md", "[[../to]] [[n]]"),
        ("to.md", "[[from]]"),
        ("a/n.md", ""),
        ("b/n.md", ""),
    ]);
    let index = disk.indexed();
    assert_eq!(outgoing(&index, &owner(), "a/from.md"), ["a/n.md", "to.md"]);
    disk.rename("a/from.md", "b/c/from.md");
    changed(&index, &["a/from.md", "b/c/from.md"]);
    assert_eq!(outgoing(&index, &owner(), "b/c/from.md"), ["!../to", "a/n.md"]);
    assert_eq!(outgoing(&index, &owner(), "to.md"), ["b/c/from.md"]);
    assert_eq!(backlinks(&index, &owner(), "to.md"), Vec::<String>::new());
}

#[test]
fn equal_rivals_are_taken_in_path_order_whatever_came_first() {
    let disk = Disk::with(&[("from.md", "[[Tie]]"), ("bb/Tie.md", "")]);
    let index = disk.indexed();
    assert_eq!(outgoing(&index, &owner(), "from.md"), ["bb/Tie.md"]);
    disk.write("aa/Tie.md", "");
    changed(&index, &["aa/Tie.md"]);
    assert_eq!(outgoing(&index, &owner(), "from.md"), ["aa/Tie.md"]);
}

#[test]
fn names_compare_without_case() {
    let disk = Disk::with(&[
        ("from.md", "[[LOG]] [[Ärger]] [[EXT.MD]]"),
        ("Log.md", ""),
        ("a/ärger.md", ""),
        ("Ext.md", ""),
    ]);
    let index = disk.indexed();
    assert_eq!(outgoing(&index, &owner(), "from.md"), ["Ext.md", "Log.md", "a/ärger.md"]);
}

#[test]
fn a_move_learns_who_may_link_to_a_file() {
    let disk = Disk::with(&[
        ("a.md", "[[t]]"),
        ("b.md", "[x](t.md)"),
        ("c.md", "---\nup: \"[[t]]\"\n---\n"),
        ("t.md", "[[#own]]"),
        ("d.md", ""),
    ]);
    let index = disk.indexed();
    let sources = LinkSource::backlinks(&index, &path("t.md")).unwrap();
    assert_eq!(sources, ["a.md", "b.md", "c.md", "t.md"].map(path));
}

#[test]
fn a_note_whose_text_changes_changes_its_links() {
    let disk = Disk::with(&[("from.md", "[[a]]"), ("a.md", ""), ("b.md", "")]);
    let index = disk.indexed();
    disk.write("from.md", "[[b]] and more");
    changed(&index, &["from.md"]);
    assert_eq!(outgoing(&index, &owner(), "from.md"), ["b.md"]);
    assert_eq!(backlinks(&index, &owner(), "a.md"), Vec::<String>::new());
    disk.write("from.md", "nothing");
    reconcile(&index);
    assert_eq!(outgoing(&index, &owner(), "from.md"), Vec::<String>::new());
}

/// A path through a symbolic link inside the vault is another name of the same file.
#[test]
fn paths_through_links_are_answered_as_the_files_they_lead_to() {
    let disk = Disk::with(&[
        ("real/x.md", "---\ntitle: X\n---\nneedle [[target]]"),
        ("target.md", "needle"),
        ("source.md", "[[real/x]]"),
    ]);
    std::os::unix::fs::symlink("real", disk.root().join("sublink")).unwrap();
    std::os::unix::fs::symlink("real/x.md", disk.root().join("single.md")).unwrap();
    std::os::unix::fs::symlink(".", disk.root().join("self")).unwrap();
    let index = disk.indexed();
    for name in ["real/x.md", "sublink/x.md", "single.md", "self/sublink/x.md"] {
        assert_eq!(backlinks(&index, &owner(), name), ["source.md"], "{name}");
        assert_eq!(outgoing(&index, &owner(), name), ["target.md"], "{name}");
        let meta = index.note_meta(&owner(), &path(name)).unwrap().expect(name);
        assert_eq!((meta.path.as_str(), meta.title.as_str()), ("real/x.md", "X"), "{name}");
    }
    for (folder, expected) in
        [("real", 1), ("sublink", 1), ("self/sublink", 1), ("self", 2), ("REAL", 1), ("none", 0)]
    {
        let mut query = SearchQuery::new("needle");
        query.filters.folder = Some(folder.to_owned());
        assert_eq!(found_by(&index, &owner(), &query).len(), expected, "{folder}");
    }
}

#[test]
fn a_link_into_hidden_folders_reads_as_nothing() {
    let disk = Disk::with(&[
        ("Secret/x.md", "---\ntitle: X\n---\nneedle [[Open/a]]"),
        ("Open/a.md", "needle [[Secret/x]]"),
        ("Open/Deep/b.md", "needle"),
    ]);
    let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, disk.root().join(name)).unwrap();
    link("../Secret", "Open/link");
    link("../Secret/x.md", "Open/single.md");
    link("..", "Open/up");
    link("../Open/Deep", "Secret/into");
    let index = disk.indexed();
    let who = limited(&["Open"]);
    let answers = |name: &str| {
        let meta = index.note_meta(&who, &path(name)).unwrap();
        (backlinks(&index, &who, name), outgoing(&index, &who, name), meta)
    };
    for name in ["Open/link/x.md", "Open/single.md", "Open/up/Secret/x.md", "Secret/into/b.md", "Secret/x.md"]
    {
        assert_eq!(answers(name), answers("Open/nothing.md"), "{name}");
    }
    // Through a link and back to what it may see.
    assert_eq!(
        index.note_meta(&who, &path("Open/up/Open/a.md")).unwrap().unwrap().path.as_str(),
        "Open/a.md"
    );
    for folder in ["Open/link", "Open/up", "Secret/into", "Open/up/Secret", "Open/none"] {
        let mut query = SearchQuery::new("needle");
        query.filters.folder = Some(folder.to_owned());
        let answer = index.search(&who, &query).unwrap();
        assert_eq!((answer.total, answer.hits.len()), (0, 0), "{folder}");
    }
}
