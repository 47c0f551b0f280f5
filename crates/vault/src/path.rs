//! Vault paths: the only way a file is named outside this crate.
//!
//! A [`VaultPath`] is normalised as Obsidian normalises: `/` between segments, none at the ends, no-break
//! spaces as plain spaces, NFC. `.` and inner `..` are resolved on the text, before anything is looked up.
//! The name on disk may be spelt otherwise (NFD, no-break spaces); the lookup finds it.

use std::borrow::Cow;
use std::fmt;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::error::PathError;

/// Longest segment in bytes (`NAME_MAX` of every common file system).
pub(crate) const MAX_NAME_BYTES: usize = 255;
/// Longest path in bytes: `PATH_MAX` less room for the vault's own folder.
pub(crate) const MAX_PATH_BYTES: usize = 3072;
/// How much of a refused path an error quotes, in characters.
const MAX_QUOTED_CHARS: usize = 200;

/// A normalised path relative to the vault, never absolute, never hidden, never empty.
///
/// Ordered by its bytes. Two paths that differ in case are two files; compare [`Self::key`] to ask
/// whether Obsidian would take one for the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct VaultPath(String);

/// What a file is, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// Markdown.
    Note,
    /// JSON canvas.
    Canvas,
    /// Obsidian base.
    Base,
    /// Plain text of other kinds, SVG included.
    Text,
    /// PDF.
    Pdf,
    /// Raster image.
    Image,
    /// Sound.
    Audio,
    /// Moving picture.
    Video,
    /// Anything else.
    Other,
}

impl VaultPath {
    /// Reads a path as a client or a link writes it.
    ///
    /// # Errors
    /// One [`PathError`] per rule.
    pub fn parse(raw: &str) -> Result<Self, PathError> {
        if let Some((index, character)) = raw.chars().enumerate().find(|(_, c)| c.is_control()) {
            return Err(PathError::ControlCharacter {
                path: quoted(raw),
                code: character.into(),
                position: index + 1,
            });
        }
        // A single leading backslash is only a separator too many, as Obsidian reads it; two begin a
        // network share.
        if raw.starts_with('/') || raw.starts_with(r"\\") {
            return Err(PathError::Absolute { path: quoted(raw) });
        }
        let text = normalise(raw);
        let mut segments: Vec<&str> = Vec::new();
        for segment in text.split(['/', '\\']) {
            match segment {
                "" | "." => {}
                ".." => {
                    if segments.pop().is_none() {
                        return Err(PathError::EscapesVault { path: quoted(raw) });
                    }
                }
                _ => segments.push(segment),
            }
        }
        check_segments(raw, &segments)?;
        Ok(Self(segments.join("/")))
    }

    /// Reads a folder; `None` is the vault itself, written as nothing, `/` or `.`.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_folder(raw: &str) -> Result<Option<Self>, PathError> {
        match raw.trim() {
            "" | "/" | "." | "./" => Ok(None),
            _ => Self::parse(raw).map(Some),
        }
    }

    /// The text of a path on disk as vault paths spell it, whether it can be one or not.
    #[must_use]
    pub fn spell(on_disk: &str) -> Cow<'_, str> {
        normalise(on_disk)
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The full parent folder, `""` at the top of the vault.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The last segment, with its extension.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(self.0.as_str(), |(_, name)| name)
    }

    /// The last segment without its extension.
    #[must_use]
    pub fn stem(&self) -> &str {
        split_extension(self.file_name()).0
    }

    /// The extension in lower case and without its dot. A dot at the end of a name begins none.
    #[must_use]
    pub fn extension(&self) -> Option<String> {
        split_extension(self.file_name()).1.map(str::to_lowercase)
    }

    /// What kind of file this is, by its extension.
    #[must_use]
    pub fn kind(&self) -> FileKind {
        let Some(extension) = self.extension() else { return FileKind::Other };
        match extension.as_str() {
            "md" => FileKind::Note,
            "canvas" => FileKind::Canvas,
            "base" => FileKind::Base,
            "svg" | "json" | "txt" | "csv" | "xml" | "log" | "yaml" | "yml" => FileKind::Text,
            "pdf" => FileKind::Pdf,
            "bmp" | "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" => FileKind::Image,
            "mp3" | "wav" | "m4a" | "3gp" | "flac" | "ogg" | "oga" | "opus" => FileKind::Audio,
            "mp4" | "webm" | "ogv" | "mov" | "mkv" => FileKind::Video,
            _ => FileKind::Other,
        }
    }

    /// The path as lookups compare it.
    #[must_use]
    pub fn key(&self) -> String {
        Self::fold(&self.0)
    }

    /// Any text as lookups compare it: NFC and lower case.
    #[must_use]
    pub fn fold(text: &str) -> String {
        if text.is_ascii() {
            return text.to_ascii_lowercase();
        }
        // Lower-casing can decompose, so the composition comes after it as well.
        let composed: String = text.nfc().collect();
        composed.to_lowercase().nfc().collect()
    }
}

impl fmt::Display for VaultPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl AsRef<str> for VaultPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// NFC with no-break spaces as plain ones.
pub(crate) fn normalise(text: &str) -> Cow<'_, str> {
    const NO_BREAK: [char; 2] = ['\u{a0}', '\u{202f}'];
    if text.is_ascii() || (is_nfc(text) && !text.contains(NO_BREAK)) {
        return Cow::Borrowed(text);
    }
    text.nfc().map(|character| if NO_BREAK.contains(&character) { ' ' } else { character }).collect()
}

/// The rules on whole, resolved paths.
fn check_segments(raw: &str, segments: &[&str]) -> Result<(), PathError> {
    if segments.iter().all(|segment| segment.trim().is_empty()) {
        return Err(PathError::Empty);
    }
    if segments.first().is_some_and(|first| is_drive(first)) {
        return Err(PathError::Absolute { path: quoted(raw) });
    }
    let mut bytes = segments.len() - 1;
    for segment in segments {
        if segment.starts_with('.') {
            return Err(PathError::Hidden { path: quoted(raw) });
        }
        if segment.len() > MAX_NAME_BYTES {
            return Err(PathError::NameTooLong {
                path: quoted(raw),
                bytes: segment.len(),
                limit: MAX_NAME_BYTES,
            });
        }
        bytes += segment.len();
    }
    if bytes > MAX_PATH_BYTES {
        return Err(PathError::TooLong { path: quoted(raw), bytes, limit: MAX_PATH_BYTES });
    }
    Ok(())
}

/// `C:` as a whole segment.
fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// Name and extension; the dot must be neither first nor last.
fn split_extension(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && !extension.is_empty() => (stem, Some(extension)),
        _ => (name, None),
    }
}

/// The beginning of what was sent.
fn quoted(raw: &str) -> String {
    let mut characters = raw.chars();
    let mut text: String = characters.by_ref().take(MAX_QUOTED_CHARS).collect();
    if characters.next().is_some() {
        text.push('…');
    }
    text
}
