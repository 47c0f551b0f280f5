//! Text without markup.

use vault_cortex_markdown::plain::plain;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(plain(text, 0..text.len()).text, expected, "{text:?}");
}

#[test]
fn blocks() {
    check("---\na: b\n---\ntext", "text\n");
    check("# Head ##\n\ntext\nmore\n", "Head\ntext\nmore\n");
    check("Head\n===\ntext", "Head\ntext\n");
    check("- a\n  - [ ] b\n1. c", "a\nb\nc\n");
    check("> a\n> b\n>> c", "a\nb\nc\n");
    check("> [!note]+ Title\n> body", "Title\nbody\n");
    check("```rust\nfn a() {}\n\n```\nx", "fn a() {}\n\nx\n");
    check("> ```\n> code\n> ```", "code\n");
    check("~~~\nunclosed", "unclosed\n");
    check("a\n\n    code\n", "a\ncode\n");
    check("| a | b |\n|---|---|\n| *c* | [[d\\|e]] |", "  a   b  \n  c   e  \n");
    check("a\n\n***\n\nb", "a\nb\n");
    check("%%\nhidden\n%%\n<!--\nhidden\n-->\nx", "x\n");
    check("$$\nx^2\n$$\n$$y$$", "x^2\ny\n");
    check("<div>\nsee <b>this</b>\n</div>\n\nx", "see this\nx\n");
    check("[ref]: https://x.y\n[^1]: note", "note\n");
}

#[test]
fn inline() {
    check("**a** _b_ ~~c~~ ==d== ***e***", "a b c d e\n");
    check("snake_case 2 * 3 a*b*c **open", "snake_case 2 * 3 abc **open\n");
    check("`code` ``a ` b`` $x$", "code a ` b x\n");
    check("[[a]] [[b|c]] [[d#e#f]] [[#g]]", "a c d > e > f g\n");
    check("![[img.png|100]] ![[n|alt]] ![text](x.png)", "img.png alt text\n");
    check("[text](target.md \"title\") <https://x.y>", "text https://x.y\n");
    check("a %%hidden%% b <!-- gone -->c", "a  b c\n");
    check("a<br>b <span>c</span>", "a b c\n");
    check("\\*a\\* 1\\. #tag", "*a* 1. #tag\n");
    check("text[^1] and ^[inline] ^block-id", "text and [inline] \n");
    check("é **日本** 🎉", "é 日本 🎉\n");
}

#[test]
fn the_way_back() {
    let text = "---\na: b\n---\n# Head\n\n> **bold** and [[target|shown]]\n> next `code`\n";
    let plain = plain(text, 0..text.len());
    assert_eq!(plain.text, "Head\nbold and shown\nnext code\n");
    for word in ["Head", "bold", "and", "shown", "next", "code"] {
        let offset = plain.text.find(word).expect("the word");
        let source = plain.source_of(offset);
        assert_eq!(&text[source..source + word.len()], word);
    }
}

#[test]
fn parts() {
    let text = "# A\nalpha\n# B\nbeta é\n";
    assert_eq!(plain(text, 10..text.len()).text, "B\nbeta é\n");
    assert_eq!(plain(text, 10..10).text, "");
    // Ends that cut a character or lie outside move inwards.
    assert_eq!(plain(text, 10..text.len() - 2).text, "B\nbeta \n");
    assert_eq!(plain(text, 100..200).text, "");
}
