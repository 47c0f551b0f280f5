//! `vault_read_file` on every kind of file, and on files that are not what they are called.

use rmcp::model::CallToolResult;
use serde_json::{Value, json};
use vault::{FolderScope, Principal};

use crate::app::App;

const CANVAS: &str = r#"{"nodes":[{"id":"1","type":"text","text":"Node A","x":0,"y":0,"width":1,"height":1},
    {"id":"2","type":"text","text":"Node B","x":0,"y":9,"width":1,"height":1}],
    "edges":[{"id":"e","fromNode":"1","toNode":"2","label":"connects to"}]}"#;

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\x06\0\0\0\0\0\0\0");
    bytes
}

fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08".to_vec();
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes.extend(b"\x03\x01\x22\0\x02\x11\x01\x03\x11\x01\xff\xd9");
    bytes
}

fn gif(width: u16, height: u16) -> Vec<u8> {
    [b"GIF89a".as_slice(), &width.to_le_bytes(), &height.to_le_bytes(), b"\0\0\0;"].concat()
}

fn webp(width: u32, height: u32) -> Vec<u8> {
    let size = |number: u32| number.saturating_sub(1).to_le_bytes()[..3].to_vec();
    let chunk = [b"VP8X\x0a\0\0\0\0\0\0\0".to_vec(), size(width), size(height)].concat();
    let length = u32::try_from(chunk.len() + 4).unwrap().to_le_bytes();
    [b"RIFF".as_slice(), &length, b"WEBP", &chunk].concat()
}

fn read_from(files: &[(&str, &[u8])], most: usize, arguments: Value) -> Result<CallToolResult, String> {
    App::over_files(files, most).0.call("vault_read_file", arguments)
}

/// The text blocks and the structured content of a file read with `arguments`.
fn read(path: &str, bytes: &[u8], arguments: Value) -> Result<(Vec<String>, Value), String> {
    let mut arguments = arguments;
    arguments["path"] = path.into();
    read_from(&[(path, bytes)], 60_000, arguments).map(|result| unpack(&result))
}

fn unpack(result: &CallToolResult) -> (Vec<String>, Value) {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    (texts.map(|text| text.text.clone()).collect(), result.structured_content.clone().unwrap())
}

#[track_caller]
fn shown(path: &str, bytes: &[u8], mime_type: &str, width: u64, height: u64, remark: &str) {
    let result = read_from(&[(path, bytes)], 60_000, json!({"path": path})).unwrap();
    let image = result.content[0].as_image().expect("an image block first");
    assert_eq!(image.mime_type, mime_type);
    assert_eq!(image.data, base64(bytes));
    let (texts, structured) = unpack(&result);
    let size = bytes.len();
    assert_eq!(texts, [format!("{path} — {mime_type}, {width}×{height}, {size} bytes ({remark})")]);
    assert_eq!(structured["kind"], "image");
    assert_eq!(structured["mime_type"], mime_type);
    assert_eq!((structured["width"].as_u64(), structured["height"].as_u64()), (Some(width), Some(height)));
    assert!(structured.get("text").is_none());
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[test]
fn images_come_as_they_are_with_a_caption() {
    let plain = "original file, not recompressed";
    shown("small.png", &png(40, 20), "image/png", 40, 20, plain);
    shown("A/b.JPG", &jpeg(613, 307), "image/jpeg", 613, 307, plain);
    shown("b.jpeg", &jpeg(1, 2), "image/jpeg", 1, 2, plain);
    shown("c.gif", &gif(3, 4), "image/gif", 3, 4, plain);
    shown("d.webp", &webp(5, 6), "image/webp", 5, 6, plain);
}

#[test]
fn the_bytes_win_over_the_name() {
    shown(
        "photo.png",
        &jpeg(8, 9),
        "image/jpeg",
        8,
        9,
        "original file, not recompressed; its bytes are image/jpeg, although it is named .png",
    );
    let in_text = png(1, 1);
    let (texts, structured) = read("odd.txt", &in_text, json!({})).unwrap();
    assert!(texts[0].contains("its bytes are image/png, although it is named .txt"), "{texts:?}");
    assert_eq!(structured["kind"], "image");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n";
    let (texts, structured) = read("big.png", pointer.as_bytes(), json!({})).unwrap();
    assert_eq!(texts, ["big.png — text, although it is named .png", pointer]);
    assert_eq!(structured["kind"], "text");
    let (texts, _) = read("page.pdf", b"<html>not found</html>", json!({})).unwrap();
    assert_eq!(texts[0], "page.pdf — text, although it is named .pdf");
    let error = read("scan.png", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", json!({})).unwrap_err();
    assert!(error.starts_with("not readable yet: \"scan.png\" is a PDF of 15 bytes"), "{error}");
    // A text that begins like an image is a text.
    let (texts, _) = read("notes.txt", b"GIF89a is a format", json!({})).unwrap();
    assert_eq!(texts, ["GIF89a is a format"]);
}

#[test]
fn damaged_and_foreign_bytes_are_named() {
    let error = read("a.png", b"\x89PNG\r\n\x1a\n\0\0", json!({})).unwrap_err();
    assert!(error.contains("a.png"), "{error}");
    let error = read("b.png", &png(0, 7), json!({})).unwrap_err();
    assert!(error.starts_with("could not decode image: \"b.png\" begins like image/png"), "{error}");
    let error = read("c.jpg", b"\0\x01\x02\xff", json!({})).unwrap_err();
    assert!(error.starts_with("not readable: the bytes of \"c.jpg\" are neither text nor"), "{error}");
    let error = read("d.csv", b"a,b\0c", json!({})).unwrap_err();
    assert!(error.starts_with("not readable: the bytes of \"d.csv\""), "{error}");
}

#[test]
fn an_image_that_does_not_fit_says_what_to_do() {
    let mut large = png(2400, 1200);
    large.resize(49_153, 0);
    let error = read("big.png", &large, json!({})).unwrap_err();
    assert_eq!(
        error,
        "image too large: \"big.png\" is image/png, 2400×1200, 49153 bytes, and an answer takes 49152. This \
         version does not shrink images: raise MAX_IMAGE_OUTPUT_BYTES, or put a smaller copy into the vault"
    );
    large.truncate(49_152);
    assert!(read("big.png", &large, json!({})).is_ok());
}

#[test]
fn images_have_no_source_and_no_lines() {
    let image = png(1, 1);
    let error = read("a.png", &image, json!({"raw": true})).unwrap_err();
    assert!(error.starts_with("raw source is not available for images"), "{error}");
    for arguments in [json!({"start_line": 1}), json!({"limit": 1})] {
        let error = read("a.png", &image, arguments).unwrap_err();
        assert!(error.starts_with("a line range is not available for images"), "{error}");
    }
    assert!(read("a.png", &image, json!({"raw": false})).is_ok());
}

#[test]
fn canvases_are_outlines_or_their_source() {
    let outline = "# Canvas: 2 nodes, 1 edge\n\n[text]\nNode A\n\n[text]\nNode B\n\n## Connections\n\nNode A → \
                   Node B (connects to)";
    let (texts, structured) = read("Boards/test.canvas", CANVAS.as_bytes(), json!({})).unwrap();
    assert_eq!(texts, [outline]);
    assert_eq!(structured["kind"], "canvas");
    let (texts, structured) = read("a.canvas", CANVAS.as_bytes(), json!({"raw": true})).unwrap();
    assert_eq!(texts, [CANVAS]);
    assert_eq!(structured["kind"], "text");
    let (texts, _) = read("a.canvas", CANVAS.as_bytes(), json!({"start_line": 3, "limit": 2})).unwrap();
    assert_eq!(texts, ["a.canvas — lines 3–4 of 11 (continue with start_line: 5)", "[text]\nNode A\n"]);
    let (texts, _) = read("empty.canvas", b"", json!({})).unwrap();
    assert_eq!(texts, ["# Canvas: 0 nodes, 0 edges"]);
}

#[test]
fn a_canvas_that_is_no_json_can_still_be_seen() {
    let error = read("a.canvas", b"{\"nodes\":[", json!({})).unwrap_err();
    assert!(error.starts_with("invalid .canvas JSON: \"a.canvas\": "), "{error}");
    assert!(error.ends_with("; raw: true shows the file as it is"), "{error}");
    let (texts, _) = read("a.canvas", b"{\"nodes\":[", json!({"raw": true})).unwrap();
    assert_eq!(texts, ["{\"nodes\":["]);
}

#[test]
fn texts_come_byte_for_byte() {
    for name in ["a.svg", "a.json", "a.txt", "a.csv", "a.xml", "a.log", "a.yaml", "a.yml", "a.base", "a.TXT"]
    {
        let text = "one\r\ntwo\tgrün\n\nfour";
        let (texts, structured) = read(name, text.as_bytes(), json!({"raw": true})).unwrap();
        assert_eq!(texts, [text], "{name}");
        assert_eq!(structured["text"], text);
        assert_eq!(structured["hash"].as_str().map(str::len), Some(64));
        assert!(structured.get("encoding").is_none());
    }
    let (texts, _) = read("empty.txt", b"", json!({})).unwrap();
    assert_eq!(texts, [""]);
}

#[test]
fn other_encodings_are_decoded_and_said() {
    let (texts, structured) = read("latin.txt", b"caf\xe9", json!({})).unwrap();
    assert_eq!(texts, ["latin.txt — decoded from windows-1252: the file is not UTF-8", "café"]);
    assert_eq!(structured["encoding"], "windows-1252");
    let (texts, structured) = read("wide.csv", b"\xff\xfea\0,\0\xfc\0", json!({"limit": 1})).unwrap();
    assert_eq!(
        texts[0],
        "wide.csv — lines 1–1 of 1 (end of file); decoded from utf-16: the file is not UTF-8"
    );
    assert_eq!(texts[1], "a,ü");
    assert_eq!(structured["encoding"], "utf-16");
}

#[test]
fn lines_are_paged() {
    let text = "1\n2\n3\n4\n5\n";
    let (texts, structured) = read("a.csv", text.as_bytes(), json!({"start_line": 2, "limit": 2})).unwrap();
    assert_eq!(texts, ["a.csv — lines 2–3 of 5 (continue with start_line: 4)", "2\n3\n"]);
    assert_eq!(structured["left_out"]["continue_with"], json!({"start_line": 4}));
    assert_eq!((&structured["start_line"], &structured["end_line"]), (&json!(2), &json!(3)));
    let (texts, _) = read("a.csv", text.as_bytes(), json!({"start_line": "4"})).unwrap();
    assert_eq!(texts, ["a.csv — lines 4–5 of 5 (end of file)", "4\n5\n"]);
    let error = read("a.csv", text.as_bytes(), json!({"start_line": 6})).unwrap_err();
    assert_eq!(error, "start_line is past the end: \"a.csv\" has 5 lines");
    assert!(read("a.csv", text.as_bytes(), json!({"start_char": 2})).is_err());
}

#[test]
fn more_text_than_an_answer_takes_is_an_error_with_the_way_out() {
    let line = format!("{}\n", "x".repeat(99));
    let text = line.repeat(1025);
    let error = read("a.log", text.as_bytes(), json!({})).unwrap_err();
    assert!(
        error.starts_with("text output too large: the 1025 lines asked for of \"a.log\" have 102500 bytes"),
        "{error}"
    );
    let (_, way_out) = error.split_once("start_line: 1, limit: ").expect("the way out");
    let limit: usize = way_out.parse().unwrap();
    let (texts, _) = read("a.log", text.as_bytes(), json!({"start_line": 1, "limit": limit})).unwrap();
    assert_eq!(texts[1], line.repeat(limit));
    assert!(texts[0].contains(&format!("(continue with start_line: {})", limit + 1)), "{}", texts[0]);
    // The cap is on what is asked for: a little less is cut to the longest answer and can be continued.
    let (texts, structured) = read("a.log", line.repeat(1000).as_bytes(), json!({})).unwrap();
    assert!(texts[0].contains("cut to the longest answer"), "{}", texts[0]);
    assert_eq!(structured["left_out"]["unit"], "lines");
}

#[test]
fn one_very_long_line_is_read_in_parts_without_loss() {
    let text = format!("{{\"a\":\"{}\"}}", "ü".repeat(150_000));
    let app = App::over_files(&[("a.json", text.as_bytes())], 60_000);
    let mut arguments = json!({"path": "a.json"});
    let mut whole = String::new();
    for _ in 0..10 {
        let (texts, structured) = unpack(&app.0.call("vault_read_file", arguments).unwrap());
        whole.push_str(texts.last().unwrap());
        let Some(left_out) = structured.get("left_out") else { break };
        arguments = left_out["continue_with"].clone();
        arguments["path"] = "a.json".into();
    }
    assert_eq!(whole, text);
}

#[test]
fn a_pdf_says_what_is_possible() {
    let error = read("a.pdf", b"%PDF-1.4\n\xff", json!({})).unwrap_err();
    assert!(error.starts_with("not readable yet: \"a.pdf\" is a PDF of 10 bytes"), "{error}");
    assert!(error.contains("vault_get_backlinks lists the notes that refer to it"), "{error}");
    assert!(error.contains("images (.png"), "{error}");
    assert!(read("a.pdf", b"%PDF-1.4\n\xff", json!({"raw": true})).is_err());
}

#[test]
fn what_is_not_read_here_is_told_by_its_name_alone() {
    let error = read("a.md", b"# A", json!({})).unwrap_err();
    assert_eq!(error, "not a file: \"a.md\" is a markdown note: use vault_read_note");
    let error = read("a.zip", b"PK", json!({})).unwrap_err();
    assert!(
        error.starts_with("unsupported file type \".zip\": \"a.zip\". Readable types: images (.png"),
        "{error}"
    );
    let error = read("Makefile", b"all:", json!({})).unwrap_err();
    assert!(error.starts_with("unsupported file type: \"Makefile\" has no extension"), "{error}");
    // Images that clients cannot show.
    assert!(read("a.bmp", b"BM", json!({})).unwrap_err().starts_with("unsupported file type \".bmp\""));
    assert!(read("a.avif", b"", json!({})).unwrap_err().starts_with("unsupported file type \".avif\""));
}

#[test]
fn files_that_are_not_there_or_not_for_the_caller() {
    let files: &[(&str, &[u8])] =
        &[("Open/a.png", &png(1, 1)), ("Shut/letters.txt", b"secret"), ("n.md", b"x")];
    let (app, _folder) = App::over_files(files, 60_000);
    let error = app.call("vault_read_file", json!({"path": "open/A.png"})).unwrap_err();
    assert_eq!(error, "file not found: \"open/A.png\". Did you mean \"Open/a.png\"?");
    let error = app.call("vault_read_file", json!({"path": "quarterly figures.txt"})).unwrap_err();
    assert_eq!(error, "file not found: \"quarterly figures.txt\"");
    let visitor =
        Principal { folders: FolderScope::Only(vec!["Open".to_owned()]), ..Principal::owner("visitor") };
    assert!(app.call_as(&visitor, "vault_read_file", json!({"path": "Open/a.png"})).is_ok());
    let error = app.call_as(&visitor, "vault_read_file", json!({"path": "Shut/letters.txt"})).unwrap_err();
    assert_eq!(error, "not permitted: \"Shut/letters.txt\" is outside the folders of this token (Open)");
    let listed = app.call_as(&visitor, "vault_list_files", json!({})).unwrap();
    let listed = listed.structured_content.unwrap();
    assert_eq!(listed["total"], 1);
    assert_eq!(listed["extension_counts"], json!({".png": 1}));
}

#[test]
fn a_link_shows_a_visitor_nothing_from_elsewhere() {
    let (app, _folder) = App::over_files(&[("Open/a.txt", b"a"), ("Shut/b.txt", b"secret")], 60_000);
    let link = app.vault.root().join("Open/b.txt");
    std::os::unix::fs::symlink(app.vault.root().join("Shut/b.txt"), link).unwrap();
    let visitor =
        Principal { folders: FolderScope::Only(vec!["Open".to_owned()]), ..Principal::owner("visitor") };
    assert!(app.call("vault_read_file", json!({"path": "Open/b.txt"})).is_ok());
    let error = app.call_as(&visitor, "vault_read_file", json!({"path": "Open/b.txt"})).unwrap_err();
    assert!(error.starts_with("file not found: \"Open/b.txt\""), "{error}");
}

#[test]
fn a_file_over_the_limit_is_not_read() {
    let (mut app, _folder) = App::over_files(&[("a.txt", b"12345")], 60_000);
    app.file_limits.max_file_bytes = 4;
    let error = app.call("vault_read_file", json!({"path": "a.txt"})).unwrap_err();
    assert_eq!(
        error,
        "file too large: \"a.txt\" has 5 bytes (cap 4 bytes — raise MAX_FILE_BYTES to read it)"
    );
}
