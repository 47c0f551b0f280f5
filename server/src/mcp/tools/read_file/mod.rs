//! `vault_read_file`: a file that is not a note, in the form that is most use to a model.

mod found;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use markdown::canvas;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vault::{Content, FileKind, VaultError, VaultPath};

use self::found::{Expected, Found, Image};
use super::lines::{self, Wanted};
use super::support::{UTF8_BOM, encoding};
use crate::mcp::answer::LeftOut;
use crate::mcp::error::ToolError;
use crate::mcp::tool::{Call, Reply, Tool};

/// The tool.
pub(crate) struct ReadFile;

/// The most bytes of text in one answer: beyond it a part must be asked for.
const MOST_TEXT_BYTES: usize = 100 * 1024;

/// What can be read, for errors.
const READABLE: &str = "images (.png .jpg .jpeg .gif .webp), canvases (.canvas), text (.svg .json .txt .csv \
                        .xml .log .yaml .yml .base)";

/// Which file, and what of it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// Path in the vault, with its extension.
    #[schemars(length(min = 1))]
    path: String,
    /// A canvas as its JSON.
    raw: Option<bool>,
    /// First line of text to return, from 1.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    start_line: Option<usize>,
    /// Most lines to return.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    limit: Option<usize>,
    /// First character within start_line.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    start_char: Option<usize>,
}

/// What was read. Which fields there are depends on the file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Path of the file.
    path: String,
    /// What it is, by its content.
    kind: Kind,
    /// Media type of an image.
    mime_type: Option<&'static str>,
    /// SHA-256 of the file.
    hash: String,
    /// Size of the file on disk.
    bytes: u64,
    /// Last change on disk.
    modified: String,
    /// Width of an image in pixels.
    width: Option<usize>,
    /// Height of an image in pixels.
    height: Option<usize>,
    /// How a text is encoded, when it is not plain UTF-8: utf-8-bom, utf-16 or windows-1252. It comes
    /// without a byte order mark.
    encoding: Option<&'static str>,
    /// The text.
    text: Option<String>,
    /// First line returned.
    start_line: Option<usize>,
    /// Last line returned.
    end_line: Option<usize>,
    /// Lines there are.
    total_lines: Option<usize>,
    /// What is not in this answer.
    left_out: Option<LeftOut>,
}

/// What a file is, by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// An image.
    Image,
    /// A canvas.
    Canvas,
    /// Text as it is in the file.
    Text,
}

impl Tool for ReadFile {
    type Arguments = Arguments;
    type Answer = Answer;

    const TEXT: &'static str = "\
Reads a file that is not a note, by what it is:
- images (.png .jpg .jpeg .gif .webp): the image, with type and size in pixels and bytes below it.
- .canvas: an outline of groups, cards and connections; raw: true gives the JSON.
- text (.svg .json .txt .csv .xml .log .yaml .yml .base): as it is.
Text of more than 100 KiB is read in parts, with start_line and limit. PDFs are not read by this version.{vault_read_note? Notes (.md) are read with vault_read_note.}\
{vault_list_files? To find files, use vault_list_files.}

Examples: {\"path\": \"plan.png\"}; {\"path\": \"data.csv\", \"start_line\": 1, \"limit\": 200}";

    fn call(call: &Call<'_>, arguments: Self::Arguments) -> Result<Reply<Answer>, ToolError> {
        let wanted = Wanted {
            start_line: arguments.start_line,
            limit: arguments.limit,
            start_char: arguments.start_char,
        };
        wanted.check()?;
        let raw = arguments.raw == Some(true);
        let path = call.path(&arguments.path)?;
        let expected = call.expected(&path)?;
        let content = call.read_file(&path)?;
        let file = File { call, path: &path, content: &content };
        match found::look(&content.bytes, expected) {
            Found::Image(image) => file.image(&image, raw, wanted),
            Found::DamagedImage(mime_type) => Err(file.refuse(&format!(
                "could not decode image: {:?} begins like {mime_type}, but its header is damaged",
                path.as_str()
            ))),
            Found::Pdf => Err(file.pdf()),
            Found::Binary => Err(file.refuse(&format!(
                "not readable: the bytes of {:?} are neither text nor an image that can be shown",
                path.as_str()
            ))),
            Found::Text => file.text(expected, raw, wanted),
        }
    }
}

/// A file that was read.
struct File<'a> {
    call: &'a Call<'a>,
    path: &'a VaultPath,
    content: &'a Content,
}

impl File<'_> {
    fn refuse(&self, message: &str) -> ToolError {
        ToolError::Refused(message.to_owned())
    }

    fn answer(&self, kind: Kind) -> Answer {
        Answer {
            path: self.path.as_str().to_owned(),
            kind,
            mime_type: None,
            hash: self.content.hash().to_string(),
            bytes: self.content.stat.size,
            modified: self.call.app.show_time(self.content.stat.modified_ns),
            width: None,
            height: None,
            encoding: None,
            text: None,
            start_line: None,
            end_line: None,
            total_lines: None,
            left_out: None,
        }
    }

    fn image(&self, image: &Image, raw: bool, wanted: Wanted) -> Result<Reply<Answer>, ToolError> {
        if raw {
            return Err(self.refuse("raw source is not available for images: leave out raw"));
        }
        if wanted.is_range() {
            return Err(
                self.refuse("a line range is not available for images: leave out start_line and limit")
            );
        }
        let Image { mime_type, width, height } = *image;
        let (path, bytes) = (self.path.as_str(), self.content.stat.size);
        let most = self.call.app.file_limits.max_image_output_bytes;
        if bytes > most {
            return Err(self.refuse(&format!(
                "image too large: {path:?} is {mime_type}, {width}×{height}, {bytes} bytes, and an answer \
                 takes {most}. This version does not shrink images: raise MAX_IMAGE_OUTPUT_BYTES, or put a \
                 smaller copy into the vault"
            )));
        }
        let mut remark = "original file, not recompressed".to_owned();
        if let Some(extension) = self.path.extension().filter(|extension| !image.is_named(extension)) {
            remark.push_str(&format!("; its bytes are {mime_type}, although it is named .{extension}"));
        }
        let caption = format!("{path} — {mime_type}, {width}×{height}, {bytes} bytes ({remark})");
        let answer = Answer {
            mime_type: Some(mime_type),
            width: Some(width),
            height: Some(height),
            ..self.answer(Kind::Image)
        };
        Ok(Reply::image(&self.content.bytes, mime_type, caption, answer))
    }

    fn text(&self, expected: Expected, raw: bool, wanted: Wanted) -> Result<Reply<Answer>, ToolError> {
        let (text, decoding) = self.content.text();
        let encoding = encoding(self.path, decoding)?;
        let (kind, text) = if expected == Expected::Canvas && !raw {
            (Kind::Canvas, Cow::Owned(self.canvas(&text)?))
        } else {
            (Kind::Text, text)
        };
        let path = self.path.as_str();
        // Path, hash, times and field names stand around the text; the path twice.
        let around = 700 + 2 * path.chars().count();
        let most = self.call.app.max_answer_chars.saturating_sub(around).max(200);
        let part = lines::part(&text, wanted, most, || format!("{path:?}"))?;
        // A single line cannot be asked for in parts by lines: it is cut and continued instead.
        if part.asked_bytes > MOST_TEXT_BYTES && part.asked_lines > 1 {
            let (start, limit) = (wanted.start_line.unwrap_or(1), part.whole_lines().max(1));
            return Err(self.refuse(&format!(
                "text output too large: the {} lines asked for of {path:?} have {} bytes (cap \
                 {MOST_TEXT_BYTES} bytes). Read it in parts: start_line: {start}, limit: {limit}",
                part.asked_lines, part.asked_bytes
            )));
        }
        let mut remarks = Vec::new();
        if !matches!(expected, Expected::Canvas | Expected::Text) {
            let name = self.path.extension().unwrap_or_default();
            remarks.push(format!("text, although it is named .{name}"));
        }
        remarks.extend(encoding.map(|encoding| match encoding {
            UTF8_BOM => "the file begins with a byte order mark, which this text leaves out".to_owned(),
            encoding => format!("decoded from {encoding}: the file is not UTF-8"),
        }));
        let mut answer = Answer { encoding, text: Some(part.shown.to_owned()), ..self.answer(kind) };
        let mut blocks = Vec::new();
        if part.is_plain() {
            if !remarks.is_empty() {
                blocks.push(format!("{path} — {}", remarks.join("; ")));
            }
        } else {
            remarks.insert(0, part.describe(path, "file"));
            blocks.push(remarks.join("; "));
            (answer.start_line, answer.end_line) = part.range().unzip();
            answer.total_lines = Some(part.total);
            answer.left_out = part.left_out();
        }
        blocks.push(part.shown.to_owned());
        Ok(Reply::new(blocks, answer))
    }

    fn canvas(&self, json: &str) -> Result<String, ToolError> {
        canvas::linearize(json).map_err(|error| {
            self.refuse(&format!(
                "invalid .canvas JSON: {:?}: {error}; raw: true shows the file as it is",
                self.path.as_str()
            ))
        })
    }

    fn pdf(&self) -> ToolError {
        let (path, bytes) = (self.path.as_str(), self.content.stat.size);
        let links = if self.call.app.tools.serves("vault_get_backlinks") {
            "; vault_get_backlinks lists the notes that refer to it"
        } else {
            ""
        };
        self.refuse(&format!(
            "not readable yet: {path:?} is a PDF of {bytes} bytes, and this version reads no PDFs{links}. \
             What is readable: {READABLE}"
        ))
    }
}

impl Call<'_> {
    /// What a file should be by its name; an error when nothing can be made of such files.
    fn expected(&self, path: &VaultPath) -> Result<Expected, ToolError> {
        let name = path.as_str();
        if path.kind() == FileKind::Note {
            let note = if self.app.tools.serves("vault_read_note") { ": use vault_read_note" } else { "" };
            return Err(ToolError::Refused(format!("not a file: {name:?} is a markdown note{note}")));
        }
        if let Some(expected) = Expected::by_name(path) {
            return Ok(expected);
        }
        let what = match path.extension() {
            Some(extension) => format!("unsupported file type \".{extension}\": {name:?}"),
            None => format!("unsupported file type: {name:?} has no extension"),
        };
        Err(ToolError::Refused(format!("{what}. Readable types: {READABLE}; PDFs not yet")))
    }

    /// A file that the caller may see.
    fn read_file(&self, path: &VaultPath) -> Result<Content, ToolError> {
        if !self.who.sees(path) {
            return Err(self.file_not_found(path));
        }
        match self.app.vault.read_whole(path, self.app.file_limits.max_file_bytes) {
            // A symbolic link may lead to a folder that the caller does not see.
            Ok(content) if self.who.sees(&content.path) => Ok(content),
            Ok(_) => Err(self.file_not_found(path)),
            Err(error) if error.is_not_found() => Err(self.file_not_found(path)),
            Err(VaultError::TooLarge { path, bytes, limit }) => Err(ToolError::Refused(format!(
                "file too large: {path:?} has {bytes} bytes (cap {limit} bytes — raise MAX_FILE_BYTES to \
                 read it)"
            ))),
            Err(VaultError::Changed { path }) => {
                Err(ToolError::Refused(format!("file changed while reading: {path:?}: try again")))
            }
            Err(error) => Err(error.into()),
        }
    }
}
