//! The report's formats, one file each.
//!
//! Renderers are pure functions from a finished [`crate::engine::Report`] (and the sources, for
//! snippets) to text. Every piece of bundle text goes through `snippet` on its way out.

pub mod azure;
pub mod comparison;
pub mod concise;
pub mod diff;
pub mod explain;
mod format;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
mod log_command;
pub mod markdown;
pub mod ndjson;
mod pages;
mod paths;
pub mod plan;
mod prose;
pub mod reply;
pub mod sarif;
mod snippet;
pub mod tally;
mod ticket;
pub mod timeline;
pub mod tree;

pub use format::Format;
pub(crate) use snippet::{clean, json_text};
