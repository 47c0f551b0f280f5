//! The notes of a vault as a measurement needs them.

use markdown::frontmatter::PropertyMap;
use markdown::{document, plain};
use vault::{FileKind, Vault};

use super::error::EvalError;
use crate::text::{DocKind, Fields, markup_of};

/// A note with its text as it is in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownNote {
    /// What is searched of it.
    pub fields: Fields,
    /// The file's text: what grep sees.
    pub source: String,
}

impl KnownNote {
    /// Reads a note's text as the index does.
    #[must_use]
    pub fn read(path: &str, source: &str) -> Self {
        let document = document::parse(source);
        let empty = PropertyMap::default();
        let map = document.properties.map().unwrap_or(&empty);
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.strip_suffix(".md").unwrap_or(name);
        let plain = plain::plain(source, document.body_start..source.len());
        let fields = Fields {
            path: path.to_owned(),
            title: map
                .text("title")
                .filter(|title| !title.trim().is_empty())
                .unwrap_or_else(|| stem.to_owned()),
            aliases: map.aliases(),
            description: map.text("description").unwrap_or_default(),
            tags: document.all_tags(),
            headings: document.headings.iter().map(|heading| plain_text(&heading.text)).collect(),
            markup: markup_of(source, document.body_start..source.len(), &plain.text, &plain.map),
            body: plain.text,
            kind: DocKind::Note,
        };
        Self { fields, source: source.to_owned() }
    }

    /// Every note of a vault that can be read, by path.
    ///
    /// # Errors
    /// The vault's, when it cannot be walked at all.
    pub fn all(vault: &Vault) -> Result<Vec<Self>, EvalError> {
        let walk = vault.walk().map_err(|error| EvalError::Search(error.to_string()))?;
        let mut notes = Vec::new();
        for file in walk.files.iter().filter(|file| file.path.kind() == FileKind::Note) {
            // What cannot be read is not searched either.
            let Ok(content) = vault.read(&file.path) else { continue };
            let (source, _) = content.text();
            notes.push(Self::read(file.path.as_str(), &source));
        }
        notes.sort_by(|one, other| one.fields.path.cmp(&other.fields.path));
        Ok(notes)
    }
}

fn plain_text(markdown: &str) -> String {
    plain::plain(markdown, 0..markdown.len()).text
}
