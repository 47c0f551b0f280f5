//! `docs/TOOLS.md`, printed from the tools themselves.

/// The reference page.
pub(crate) fn page() -> String {
    String::new()
}
