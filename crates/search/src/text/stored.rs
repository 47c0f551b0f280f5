//! The bytes of a stored document.
//!
//! A stored document carries its own short list of words, so that it needs no table of words
//! beside it: a rolled-back transaction or a lost row harms nothing but itself, and the writer has
//! nothing to look up. Numbers of the whole vocabulary are given when documents are loaded.

use std::sync::Arc;

use super::fields::{DocKind, PARTS};
use super::prepare::{Document, Prepared};
use super::varint;

/// First byte of a stored document: the version of this format and of the tokeniser.
pub(crate) const FORMAT: u8 = 2;

const KIND_FILE: u32 = 1;
const NAME_IS_TITLE: u32 = 2;

impl Prepared {
    /// The bytes to store.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let document = self.document();
        let mut bytes = Vec::with_capacity(document.text.len() + document.tokens.len() * 2 + 64);
        bytes.push(FORMAT);
        let kind = if document.kind == DocKind::File { KIND_FILE } else { 0 };
        varint::write(&mut bytes, kind | if document.name_is_title { NAME_IS_TITLE } else { 0 });
        write_text(&mut bytes, &document.path);
        for length in document.lengths {
            varint::write(&mut bytes, length);
        }
        varint::write(&mut bytes, u32::try_from(document.ends.len()).unwrap_or(u32::MAX));
        let mut start = 0;
        for end in &document.ends {
            varint::write(&mut bytes, end - start);
            start = *end;
        }
        bytes.extend_from_slice(document.text.as_bytes());
        for token in &document.tokens {
            varint::write(&mut bytes, *token);
        }
        bytes
    }

    /// The document of stored bytes; `None` when they are damaged or of another version.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (version, mut rest) = bytes.split_first()?;
        if *version != FORMAT {
            return None;
        }
        let flags = varint::read(&mut rest)?;
        let path = read_text(&mut rest)?.to_owned();
        let mut lengths = [0; PARTS];
        let mut total = 0_usize;
        for length in &mut lengths {
            *length = varint::read(&mut rest)?;
            total = total.checked_add(*length as usize)?;
        }
        let count = varint::read(&mut rest)?;
        // Every word and every token takes at least one byte: more cannot be there.
        if count as usize > rest.len() || total > rest.len() {
            return None;
        }
        let mut ends = Vec::with_capacity(count as usize);
        let mut end = 0_u32;
        for _ in 0..count {
            end = end.checked_add(varint::read(&mut rest)?)?;
            ends.push(end);
        }
        let (text, mut rest) = rest.split_at_checked(end as usize)?;
        let text = String::from_utf8(text.to_vec()).ok()?;
        if ends.iter().any(|end| !text.is_char_boundary(*end as usize)) {
            return None;
        }
        let mut tokens = Vec::with_capacity(total);
        for _ in 0..total {
            let token = varint::read(&mut rest)?;
            if token >= count {
                return None;
            }
            tokens.push(token);
        }
        rest.is_empty().then(|| {
            Self(Arc::new(Document {
                path,
                kind: if flags & KIND_FILE != 0 { DocKind::File } else { DocKind::Note },
                name_is_title: flags & NAME_IS_TITLE != 0,
                text,
                ends,
                lengths,
                tokens,
            }))
        })
    }
}

fn write_text(bytes: &mut Vec<u8>, text: &str) {
    varint::write(bytes, u32::try_from(text.len()).unwrap_or(u32::MAX));
    bytes.extend_from_slice(text.as_bytes());
}

fn read_text<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    let length = varint::read(bytes)?;
    let (text, rest) = bytes.split_at_checked(length as usize)?;
    *bytes = rest;
    std::str::from_utf8(text).ok()
}
