//! What the crate reads, feature by feature, on texts of our own.

mod blocks;
mod callouts;
mod frontmatter;
mod headings;
mod links;
mod plain;
mod resolve;
mod sections;
mod tags;
