//! The report's formats, one file each.
//!
//! Renderers are pure functions from a finished [`Report`](crate::engine::Report) (and the sources, for
//! snippets) to text. Every piece of bundle text goes through `snippet` on its way out.

pub mod concise;
pub mod diff;
pub mod github;
pub mod human;
pub mod json;
pub mod plan;
mod prose;
mod snippet;
pub mod timeline;
pub mod tree;

pub(crate) use snippet::{clean, json_text};
