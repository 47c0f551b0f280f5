//! What a file is: by its name, and by its bytes, which win.

use imagesize::ImageType;
use vault::VaultPath;

/// What a file should be by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// An image that clients can show.
    Image,
    /// A canvas.
    Canvas,
    /// Text.
    Text,
    /// A PDF.
    Pdf,
}

impl Expected {
    /// `None` for files that nothing can be made of.
    pub(super) fn by_name(path: &VaultPath) -> Option<Self> {
        match path.extension()?.as_str() {
            "png" | "jpg" | "jpeg" | "gif" | "webp" => Some(Self::Image),
            "canvas" => Some(Self::Canvas),
            "svg" | "json" | "txt" | "csv" | "xml" | "log" | "yaml" | "yml" | "base" => Some(Self::Text),
            "pdf" => Some(Self::Pdf),
            _ => None,
        }
    }
}

/// What a file is by its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// An image.
    Image(Image),
    /// The beginning of an image of this type whose size cannot be told.
    DamagedImage(&'static str),
    /// A PDF.
    Pdf,
    /// Text.
    Text,
    /// Something else.
    Binary,
}

/// An image by its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Image {
    pub(super) mime_type: &'static str,
    /// In pixels.
    pub(super) width: usize,
    /// In pixels.
    pub(super) height: usize,
}

impl Image {
    /// Whether a file of this extension should be such an image.
    pub(super) fn is_named(&self, extension: &str) -> bool {
        let named = match extension {
            "jpg" => "jpeg",
            other => other,
        };
        self.mime_type.strip_prefix("image/") == Some(named)
    }
}

/// Looks at the bytes. What is valid UTF-8 under the name of a text is text, whatever it begins with: a
/// text may well begin with "GIF89a".
pub(super) fn look(bytes: &[u8], expected: Expected) -> Found {
    let is_text = || !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
    let named_text = matches!(expected, Expected::Text | Expected::Canvas);
    if named_text && is_text() {
        return Found::Text;
    }
    if let Some(image) = image(bytes) {
        return image;
    }
    if bytes.starts_with(b"%PDF-") {
        return Found::Pdf;
    }
    let marked = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let other_encoding = named_text && (marked || !bytes.contains(&0));
    if other_encoding || is_text() { Found::Text } else { Found::Binary }
}

fn image(bytes: &[u8]) -> Option<Found> {
    let mime_type = match imagesize::image_type(bytes).ok()? {
        ImageType::Png => "image/png",
        ImageType::Jpeg => "image/jpeg",
        ImageType::Gif => "image/gif",
        ImageType::Webp => "image/webp",
        _ => return None,
    };
    let size = imagesize::blob_size(bytes).ok().filter(|size| size.width > 0 && size.height > 0);
    Some(match size {
        Some(size) => Found::Image(Image { mime_type, width: size.width, height: size.height }),
        None => Found::DamagedImage(mime_type),
    })
}
