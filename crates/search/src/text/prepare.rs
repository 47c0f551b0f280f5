//! Documents as tokens.

use std::sync::Arc;

use super::fields::{DocKind, Fields, PARTS, Part};
use super::tokenize::tokens;
use super::words::Words;

/// A tokenised document. Made on any thread; storing it is all the writer does. A copy is a
/// counter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prepared(pub(super) Arc<Document>);

/// What is inside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// Path inside the vault.
    pub(crate) path: String,
    /// Note or file.
    pub(crate) kind: DocKind,
    /// The file name says the same as the title, and is not kept a second time.
    pub(crate) name_is_title: bool,
    /// The document's distinct words, one after the other.
    pub(super) text: String,
    /// Where each word ends in `text`.
    pub(super) ends: Vec<u32>,
    /// Number of tokens of each part, in the order of [`Part::ALL`].
    pub(crate) lengths: [u32; PARTS],
    /// The tokens of all parts as numbers of the document's own words.
    pub(crate) tokens: Vec<u32>,
}

/// Tokenises a document.
#[must_use]
pub fn prepare(fields: &Fields) -> Prepared {
    let (folders, name) = split_path(&fields.path);
    let mut builder = Builder::default();
    builder.part(Part::Title, [fields.title.as_str()]);
    builder.part(Part::Body, [fields.body.as_str()]);
    builder.part(Part::Aliases, fields.aliases.iter().map(String::as_str));
    builder.part(Part::Description, [fields.description.as_str()]);
    let name_is_title =
        tokens(name).map(|token| token.text).eq(tokens(&fields.title).map(|token| token.text));
    builder.part(Part::Path, std::iter::once(folders).chain((!name_is_title).then_some(name)));
    builder.part(Part::Tags, fields.tags.iter().map(String::as_str));
    builder.part(Part::Headings, fields.headings.iter().map(String::as_str));
    builder.part(Part::Markup, [fields.markup.as_str()]);
    let (text, ends) = builder.words.into_parts();
    Prepared(Arc::new(Document {
        path: fields.path.clone(),
        kind: fields.kind,
        name_is_title,
        text,
        ends,
        lengths: builder.lengths,
        tokens: builder.tokens,
    }))
}

#[derive(Default)]
struct Builder {
    words: Words,
    lengths: [u32; PARTS],
    tokens: Vec<u32>,
}

impl Builder {
    fn part<'a>(&mut self, part: Part, texts: impl IntoIterator<Item = &'a str>) {
        let before = self.tokens.len();
        for text in texts {
            for token in tokens(text) {
                self.tokens.push(self.words.add(&token.text));
            }
        }
        let length = u32::try_from(self.tokens.len() - before).unwrap_or(u32::MAX);
        if let Some(slot) = self.lengths.get_mut(part.index()) {
            *slot = length;
        }
    }
}

/// What the plain text of a body leaves out of its source. `copied` says where pieces of the plain
/// text came from: from each offset in the plain text on, it is a copy of the source from the
/// paired offset on, up to the next pair.
///
/// Long stretches without any white space (pictures written into the note, compressed data) are
/// left out too: nobody looks for their letters.
#[must_use]
pub fn markup_of(
    source: &str,
    body: std::ops::Range<usize>,
    plain: &str,
    copied: &[(usize, usize)],
) -> String {
    const LONGEST: usize = 2_000;
    let mut markup = String::new();
    let mut keep = |range: std::ops::Range<usize>| {
        let left_out = source.get(range).unwrap_or_default();
        for stretch in left_out.split_whitespace().filter(|stretch| stretch.len() <= LONGEST) {
            if stretch.contains(char::is_alphanumeric) {
                markup.push_str(stretch);
                markup.push(' ');
            }
        }
    };
    let mut at = body.start;
    for (place, (from, start)) in copied.iter().enumerate() {
        let to = copied.get(place + 1).map_or(plain.len(), |(next, _)| *next);
        let end = start + to.saturating_sub(*from);
        if *start > at {
            keep(at..*start);
        }
        at = at.max(end);
    }
    if at < body.end {
        keep(at..body.end);
    }
    markup
}

/// Folders and file name without extension.
fn split_path(path: &str) -> (&str, &str) {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    (folders, stem)
}

impl Prepared {
    /// Number of tokens in all fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.tokens.len()
    }

    /// Whether the document has no word at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.tokens.is_empty()
    }

    pub(crate) fn document(&self) -> &Document {
        &self.0
    }
}

impl Document {
    /// The distinct words, in the order of their numbers.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let word = self.text.get(start..*end as usize).unwrap_or_default();
            start = *end as usize;
            word
        })
    }

    /// The tokens of a part as numbers of the document's own words.
    pub(crate) fn part(&self, part: Part) -> &[u32] {
        let start: usize = self.lengths.iter().take(part.index()).map(|length| *length as usize).sum();
        let length = self.lengths.get(part.index()).map_or(0, |length| *length as usize);
        self.tokens.get(start..start + length).unwrap_or_default()
    }

    /// The tokens of some parts joined by spaces, as FTS5 gets them.
    pub(crate) fn joined(&self, parts: &[Part]) -> String {
        let words: Vec<&str> = self.words().collect();
        let mut text = String::new();
        for token in parts.iter().flat_map(|part| self.part(*part)) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(words.get(*token as usize).copied().unwrap_or_default());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample() -> Fields {
        Fields {
            path: "howto/tls/Renew the certificate.md".into(),
            title: "Renew the certificate".into(),
            aliases: vec!["TLS renewal".into()],
            description: "Step by step.".into(),
            tags: vec!["tls/acme".into()],
            headings: vec!["Steps".into()],
            body: "Steps: renew the certificate, then renew again.".into(),
            markup: "https://example.org".into(),
            kind: DocKind::File,
        }
    }

    #[test]
    fn stored_bytes_give_the_document_back() {
        let prepared = prepare(&sample());
        assert_eq!(Prepared::decode(&prepared.encode()), Some(prepared));
        let empty = prepare(&Fields::default());
        assert_eq!(Prepared::decode(&empty.encode()), Some(empty));
    }

    #[test]
    fn parts_are_kept_apart() {
        let prepared = prepare(&sample());
        let document = prepared.document();
        assert_eq!(document.joined(&[Part::Path]), "howto tls");
        assert!(document.name_is_title);
        assert_eq!(document.joined(&[Part::Tags, Part::Headings]), "tls acme steps");
        assert_eq!(document.joined(&[Part::Body]), "steps renew the certificate then renew again");
    }

    #[test]
    fn markup_is_what_the_plain_text_leaves_out() {
        let source = "See [the docs](https://doc.traefik.io/v2 \"Manual\") and **more** %%hidden thing%%.";
        let plain = markdown::plain::plain(source, 0..source.len());
        let markup = markup_of(source, 0..source.len(), &plain.text, &plain.map);
        assert_eq!(plain.text.trim(), "See the docs and more .");
        let words: Vec<_> = tokens(&markup).map(|token| token.text.into_owned()).collect();
        assert_eq!(words, ["https", "doc", "traefik", "io", "v2", "manual", "hidden", "thing"]);
        assert_eq!(markup_of(source, 0..source.len(), source, &[(0, 0)]), "");
        let picture = format!("![x](data:image/png;base64,{})", "QUJD".repeat(2_000));
        assert_eq!(markup_of(&picture, 0..picture.len(), "", &[]), "");
    }

    #[test]
    fn the_file_name_is_kept_where_the_title_is_another() {
        let fields =
            Fields { path: "a/2024-01-05 standup.md".into(), title: "Planning".into(), ..Fields::default() };
        let prepared = prepare(&fields);
        assert!(!prepared.document().name_is_title);
        assert_eq!(prepared.document().joined(&[Part::Path]), "a 2024 01 05 standup");
    }

    proptest! {
        #[test]
        fn damaged_bytes_are_refused_or_read_but_never_fatal(
            cut in 0_usize..200, at in 0_usize..200, byte in any::<u8>()
        ) {
            let mut bytes = prepare(&sample()).encode();
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            bytes.truncate(bytes.len().saturating_sub(cut));
            if let Some(prepared) = Prepared::decode(&bytes) {
                let document = prepared.document();
                prop_assert_eq!(document.tokens.len(), document.lengths.iter().sum::<u32>() as usize);
                document.joined(&Part::ALL);
            }
        }
    }
}
