//! The report's formats, one file each.
//!
//! Renderers are pure functions from a finished [`Report`] (and the sources, for
//! snippets) to text. Every piece of bundle text goes through `snippet` on its way out.

pub mod azure;
pub mod comparison;
pub mod concise;
pub mod diff;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
mod paths;
pub mod plan;
mod prose;
pub mod reply;
pub mod sarif;
mod snippet;
mod ticket;
pub mod timeline;
pub mod tree;

pub(crate) use snippet::{clean, json_text};

use crate::engine::{Report, Subject};

/// Returns a path as it stands in the one bundle that was given; paths of manifests stay as the caller knows them.
fn path_in_bundle(report: &Report, path: &str) -> String {
    let inside = match report.coverage.inputs.as_slice() {
        _ if report.subject == Subject::Manifests => path.strip_prefix("./"),
        [input] => {
            path.strip_prefix(input.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/'))
        }
        _ => None,
    };
    clean(inside.unwrap_or(path))
}
