//! `vault_list_files` and `vault_read_file` over HTTP.

use std::time::Duration;

use harness::{Server, TestServer, TestVault, eventually};
use serde_json::{Value, json};

const CANVAS: &str = r#"{"nodes":[{"id":"1","type":"text","text":"Node A","x":0,"y":0,"width":1,"height":1},{"id":"2","type":"file","file":"Projects/alpha.md","x":0,"y":9,"width":1,"height":1}],"edges":[{"id":"e","fromNode":"1","toNode":"2","label":"connects to"}]}"#;

/// The beginning of a PNG of 40 by 20 pixels.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x28\0\0\0\x14\x08\x06\0\0\0\0\0\0\0";

fn vault() -> TestVault {
    TestVault::new()
        .note("Boards/test.canvas", CANVAS)
        .bytes("bad.txt", b"\xe9\xe8")
        .bytes("bin.BIN", b"\0\x01")
        .note("data.csv", "a,b\n1,2\n3,4\n")
        .bytes("Pictures/small.png", PNG)
        .bytes("Pictures/more/other.PNG", PNG)
        .note("noextension", "x")
        .note("test-data.txt", "one\ntwo\nthree\n")
        .note("note.md", "# Note\n\n![[small.png]]\n")
        .note(".hidden.txt", "x")
        .note(".obsidian/app.json", "{}")
        .note("Pictures/.secret/x.png", "x")
}

fn server() -> Server {
    TestServer::start().with_vault(vault()).listening()
}

#[track_caller]
fn list(server: &Server, arguments: Value) -> Vec<String> {
    server.call("vault_list_files", arguments).list("files", "path")
}

#[test]
fn the_list_has_every_file_that_is_no_note_and_not_hidden() {
    let server = server();
    let answer = server.call("vault_list_files", json!({}));
    let expected = json!({
        "files": [
            {"path": "Boards/test.canvas", "extension": ".canvas", "bytes": CANVAS.len()},
            {"path": "Pictures/more/other.PNG", "extension": ".png", "bytes": PNG.len()},
            {"path": "Pictures/small.png", "extension": ".png", "bytes": PNG.len()},
            {"path": "bad.txt", "extension": ".txt", "bytes": 2},
            {"path": "bin.BIN", "extension": ".bin", "bytes": 2},
            {"path": "data.csv", "extension": ".csv", "bytes": 12},
            {"path": "noextension", "extension": "", "bytes": 1},
            {"path": "test-data.txt", "extension": ".txt", "bytes": 14},
        ],
        "extension_counts": {".canvas": 1, ".png": 2, ".txt": 2, ".bin": 1, ".csv": 1, "": 1},
        "total": 8,
        "truncated": false,
    });
    assert_eq!(answer.structured(), &expected);
    assert_eq!(answer.text_json(), expected);
}

#[test]
fn the_list_is_of_the_file_system_and_not_of_the_index() {
    let server = server();
    server.vault().write("brand new.svg", "<svg/>");
    assert!(list(&server, json!({})).contains(&"brand new.svg".to_owned()));
    server.vault().remove("brand new.svg");
    assert!(!list(&server, json!({})).contains(&"brand new.svg".to_owned()));
}

#[test]
fn extensions_take_any_case_any_dot_and_one_or_many() {
    let server = server();
    let texts = ["bad.txt", "data.csv", "test-data.txt"];
    for extensions in [json!(["csv", "txt"]), json!(["CSV", ".txt"]), json!([".Csv", "TXT", "txt"])] {
        assert_eq!(list(&server, json!({"extensions": extensions})), texts, "{extensions}");
    }
    for single in [json!("png"), json!(".PNG"), json!([".png"])] {
        let found = list(&server, json!({"extensions": single}));
        assert_eq!(found, ["Pictures/more/other.PNG", "Pictures/small.png"], "{single}");
    }
    assert_eq!(list(&server, json!({"extensions": ["md", "pdf"]})), [""; 0]);
    for absent in [json!(""), json!(null), json!([])] {
        assert_eq!(list(&server, json!({"extensions": absent})).len(), 8, "{absent}");
    }
}

#[test]
fn folders_are_whole_names_and_absent_ones_are_empty() {
    let server = server();
    let pictures = ["Pictures/more/other.PNG", "Pictures/small.png"];
    for folder in ["Pictures", "Pictures/", "./Pictures", "Pictures/more/.."] {
        assert_eq!(list(&server, json!({"folder": folder})), pictures, "{folder}");
    }
    assert_eq!(list(&server, json!({"folder": "Pict"})), [""; 0]);
    assert_eq!(list(&server, json!({"folder": "No such"})), [""; 0]);
    for absent in [json!(""), json!(null), json!("/")] {
        assert_eq!(list(&server, json!({"folder": absent})).len(), 8, "{absent}");
    }
    for (folder, rule) in
        [("../x", "escapes the vault"), (".obsidian", "hidden path"), ("/etc", "absolute path blocked")]
    {
        let error = server.call("vault_list_files", json!({"folder": folder})).error();
        assert!(error.contains(rule), "{error}");
    }
}

#[test]
fn counts_are_of_all_that_match_and_the_rest_can_be_had() {
    let server = server();
    let answer = server.call("vault_list_files", json!({"extensions": ["CSV", ".txt"], "limit": 1}));
    let structured = answer.structured();
    assert_eq!(structured["files"], json!([{"path": "bad.txt", "extension": ".txt", "bytes": 2}]));
    assert_eq!(structured["extension_counts"], json!({".txt": 2, ".csv": 1}));
    assert_eq!((&structured["total"], &structured["truncated"]), (&json!(3), &json!(true)));
    assert_eq!(structured["left_out"], json!({"count": 2, "unit": "files", "continue_with": {"offset": 1}}));
    let rest = list(&server, json!({"extensions": ["CSV", ".txt"], "offset": 1}));
    assert_eq!(rest, ["data.csv", "test-data.txt"]);
    assert_eq!(list(&server, json!({"limit": "2"})).len(), 2);
    for limit in [json!(0), json!(-1), json!(1.5), json!("many")] {
        assert!(server.call("vault_list_files", json!({"limit": limit})).is_error(), "{limit}");
    }
}

#[test]
fn a_vault_of_many_files_is_listed_in_parts_that_fit() {
    let mut vault = TestVault::new();
    for number in 0..600 {
        let name = format!("Attachments/{}/{number}.e{number}", "a long folder name ".repeat(10).trim());
        vault = vault.note(&name, "x");
    }
    let server = TestServer::start().with_vault(vault).listening();
    let all = server.call("vault_list_files", json!({}));
    assert_eq!(all.structured()["files"].as_array().unwrap().len(), 50);
    let mut offset = json!(0);
    let mut found = 0;
    for _ in 0..20 {
        let answer = server.call("vault_list_files", json!({"limit": 1000, "offset": offset}));
        assert_eq!(answer.structured()["total"], 600);
        found += answer.structured()["files"].as_array().unwrap().len();
        match answer.structured().get("left_out") {
            Some(left_out) => offset = left_out["continue_with"]["offset"].clone(),
            None => break,
        }
    }
    assert_eq!(found, 600);
}

#[test]
fn an_image_comes_with_its_caption() {
    let answer = server().call("vault_read_file", json!({"path": "Pictures/small.png"}));
    let content = answer.result()["content"].as_array().unwrap();
    assert_eq!(content.len(), 2);
    assert_eq!((&content[0]["type"], &content[0]["mimeType"]), (&json!("image"), &json!("image/png")));
    assert_eq!(content[0]["data"], "iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAYAAAAAAAAA");
    let caption = "Pictures/small.png — image/png, 40×20, 33 bytes (original file, not recompressed)";
    assert_eq!(answer.blocks(), [caption]);
    assert_eq!(answer.structured()["kind"], "image");
    assert_eq!(answer.structured()["hash"].as_str().map(str::len), Some(64));
}

#[test]
fn an_image_over_the_budget_says_so_and_the_budget_is_a_setting() {
    let mut large = PNG.to_vec();
    large.resize(60_000, 0);
    let vault = TestVault::new().bytes("big.png", &large);
    let server = TestServer::start().with_vault(vault.clone()).listening();
    let error = server.call("vault_read_file", json!({"path": "big.png"})).error();
    for part in ["image/png, 40×20, 60000 bytes", "takes 49152", "raise MAX_IMAGE_OUTPUT_BYTES"] {
        assert!(error.contains(part), "{error}");
    }
    drop(server);
    let settings = TestServer::start().with_vault(vault).with_env("MAX_IMAGE_OUTPUT_BYTES", "60000");
    assert!(!settings.listening().call("vault_read_file", json!({"path": "big.png"})).is_error());
}

#[test]
fn a_canvas_is_an_outline_and_raw_its_json() {
    let server = server();
    let answer = server.call("vault_read_file", json!({"path": "Boards/test.canvas"}));
    let outline = "# Canvas: 2 nodes, 1 edge\n\n[text]\nNode A\n\n[file]\nProjects/alpha.md\n\n## Connections\n\n\
                   Node A → alpha (connects to)";
    assert_eq!(answer.text(), outline);
    assert_eq!(answer.structured()["text"], outline);
    let answer = server.call("vault_read_file", json!({"path": "Boards/test.canvas", "raw": true}));
    assert_eq!(answer.text(), CANVAS);
}

#[test]
fn texts_are_verbatim_and_paged() {
    let server = server();
    let answer = server.call("vault_read_file", json!({"path": "data.csv"}));
    assert_eq!(answer.text(), "a,b\n1,2\n3,4\n");
    assert_eq!(answer.structured()["bytes"], 12);
    let answer = server.call("vault_read_file", json!({"path": "data.csv", "start_line": 2, "limit": 1}));
    assert_eq!(answer.blocks(), ["data.csv — lines 2–2 of 3 (continue with start_line: 3)", "1,2\n"]);
    let absent = json!({"path": "data.csv", "start_line": "", "limit": null, "raw": ""});
    assert_eq!(server.call("vault_read_file", absent).text(), "a,b\n1,2\n3,4\n");
    let answer = server.call("vault_read_file", json!({"path": "bad.txt"}));
    assert_eq!(answer.blocks(), ["bad.txt — decoded from windows-1252: the file is not UTF-8", "éè"]);
}

#[test]
fn what_cannot_be_read_says_why_and_what_can() {
    let vault = vault()
        .bytes("scan.pdf", b"%PDF-1.7\n\xff\n")
        .outside_file("secret.txt", "secret")
        .folder("folder.txt");
    let outside = vault.outside("secret.txt");
    let vault = vault.symlink("link.txt", &outside).hard_link("hard.txt", &outside);
    let server = TestServer::start().with_vault(vault).listening();
    #[track_caller]
    fn case(server: &Server, path: &str, parts: &[&str]) {
        let error = server.call("vault_read_file", json!({"path": path})).error();
        for part in parts {
            assert!(error.contains(part), "{path}: {error}");
        }
    }
    case(&server, "scan.pdf", &["not readable yet", "PDF of 11 bytes", "vault_get_backlinks"]);
    case(&server, "note.md", &["is a markdown note", "vault_read_note"]);
    case(&server, "bin.BIN", &["unsupported file type \".bin\"", ".png", ".canvas", ".base"]);
    case(&server, "noextension", &["has no extension", "Readable types"]);
    case(&server, "test-data.tx", &["unsupported file type"]);
    case(&server, "test_data.txt", &["file not found: \"test_data.txt\"", "\"test-data.txt\""]);
    case(&server, "folder.txt", &["is a folder"]);
    case(&server, "link.txt", &["leads outside the vault"]);
    case(&server, "hard.txt", &["hard link"]);
    case(&server, ".obsidian/app.json", &["hidden path blocked"]);
    case(&server, "../outside/secret.txt", &["path traversal blocked"]);
    case(&server, "/etc/hosts.txt", &["absolute path blocked"]);
}

#[test]
fn a_file_over_the_limit_is_refused_by_its_size() {
    let vault = TestVault::new().note("a.txt", "12345").note("b.txt", "1234");
    let server = TestServer::start().with_vault(vault).with_env("MAX_FILE_BYTES", "4").listening();
    let error = server.call("vault_read_file", json!({"path": "a.txt"})).error();
    assert!(error.contains("\"a.txt\" has 5 bytes (cap 4 bytes — raise MAX_FILE_BYTES"), "{error}");
    assert_eq!(server.call("vault_read_file", json!({"path": "b.txt"})).text(), "1234");
}

#[test]
fn a_file_that_is_written_all_the_time_is_answered_or_said_to_change() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let server = TestServer::start().with_vault(TestVault::new().note("a.log", "0")).listening();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0_usize.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let digit = char::from(b'0' + u8::try_from(round % 10).unwrap());
                // In place, as long as an answer takes.
                server.vault().write("a.log", digit.to_string().repeat(50_000));
            }
        });
        for _ in 0..100 {
            let answer = server.call("vault_read_file", json!({"path": "a.log"}));
            if answer.is_error() {
                assert!(answer.error().contains("file changed while reading"), "{}", answer.error());
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn without_the_file_tools_nothing_names_them() {
    let searched = TestServer::start().with_vault(vault()).ready();
    searched.wait_until_indexed();
    let found = searched.call("vault_search", json!({"query": "three"})).list("results", "path");
    assert_eq!(found, ["test-data.txt"], "with them it is");
    let server = TestServer::start().with_vault(vault()).with_env("FILE_TOOLS_ENABLED", "false").ready();
    let listed = json!(server.tools()).to_string();
    assert!(!listed.contains("vault_read_file") && !listed.contains("vault_list_files"), "{listed}");
    let params = json!({"protocolVersion": harness::LATEST_HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "h", "version": "0"}});
    let instructions = server.rpc("initialize", params)["result"]["instructions"].to_string();
    assert!(!instructions.contains("_file"), "{instructions}");
    let call =
        server.rpc("tools/call", json!({"name": "vault_read_file", "arguments": {"path": "data.csv"}}));
    assert_eq!(call["error"]["code"], -32602, "{call}");
    let error = server.call("vault_read_note", json!({"path": "data.csv"})).error();
    assert!(!error.contains("vault_read_file"), "{error}");
    let found = server.call("vault_search", json!({"query": "three"})).list("results", "path");
    assert!(found.is_empty(), "no text of a file is searched: {found:?}");
    // Links to files are told all the same.
    let link = eventually("the link is indexed", Duration::from_secs(30), || {
        let links = server.call("vault_get_outgoing_links", json!({"path": "note.md"}));
        links.structured()["outgoing_links"].get(0).cloned()
    });
    assert_eq!((&link["kind"], &link["bytes"]), (&json!("file"), &json!(PNG.len())));
}
