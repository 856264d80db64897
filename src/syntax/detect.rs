//! Detection: which parts of a file are what.

use super::view::View;
use super::{Parsed, Wanted, json, yaml};
use crate::source::SourceFile;

/// Finds and parses everything in one source.
pub fn parse_source(source: &SourceFile, wanted: Wanted<'_>) -> Parsed {
    let view = View::whole(source, source.span());
    let start = view.text().trim_start();
    let documents = if start.starts_with(['{', '[']) {
        json::parse_json(&view, wanted)
    } else {
        yaml::parse_yaml(&view, wanted)
    };
    Parsed { documents, ..Parsed::default() }
}
