//! Error policy: searching never fails for what a query says. What fails is the database under
//! the engine (`Store`), or a stored token stream this version cannot read (`Format`), which
//! means that the index was written by another version and has to be rebuilt. A setting that
//! names no language stops the boot (`UnknownLanguage`).

use store::StoreError;

/// What can go wrong in the full-text engine.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A stored token stream cannot be read: damaged, or of another version.
    #[error("the stored words of document {doc} cannot be read; the index has to be rebuilt")]
    Format {
        /// The document.
        doc: u32,
    },
}

/// A language setting that names no language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown language \"{name}\"; use codes such as en, de, fr, or none")]
pub struct UnknownLanguage {
    /// What was written.
    pub name: String,
}
