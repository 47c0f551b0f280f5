//! The protocol surface: which tools and prompts there are, how they are called and what they answer.

mod answer;
mod arguments;
#[cfg(test)]
mod arguments_tests;
mod clearable;
mod error;
mod instructions;
mod nearest;
mod page;
mod permission;
mod prompts;
pub(crate) mod registry;
mod schema;
mod server;
mod text;
mod tool;
mod tools;

pub(crate) use instructions::describe_server;
pub(crate) use page::page;
pub(crate) use registry::Toolset;
pub(crate) use server::McpServer;
#[cfg(test)]
pub(crate) use tool::Call;
