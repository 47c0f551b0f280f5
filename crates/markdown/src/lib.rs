#![doc = include_str!("../README.md")]

mod block;
pub mod blocks;
pub mod callouts;
pub mod canvas;
pub mod document;
pub mod edit;
pub mod frontmatter;
pub mod headings;
mod inline;
pub mod kanban;
pub mod lines;
pub mod links;
pub mod memory;
pub mod moment;
pub mod plain;
pub mod resolve;
pub mod sections;
pub mod tags;
pub mod tasks;
mod work;
pub mod yaml;

/// A byte range of the text a function was given; both ends lie on character borders.
pub type Span = std::ops::Range<usize>;
