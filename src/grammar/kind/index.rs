//! The index of kinds and the embedded data files.
//!
//! Both are tables that `grammar/build/kinds.rs` makes of `grammar/kinds`, so that nothing is read when the program
//! starts. The files are parsed by `resolve`, each when a kind of it is first asked for.

use std::sync::OnceLock;

use super::data::FileData;
use super::{Author, Kind, KindSpec, MAX_VERSIONS, Scope};

/// An embedded file of `grammar/kinds`.
#[derive(Debug)]
pub(super) struct DataFile {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    pub(super) parsed: OnceLock<FileData>,
}

include!(concat!(env!("OUT_DIR"), "/kinds.rs"));

/// Returns all kinds in the order of the index.
pub(super) fn kinds() -> &'static [KindSpec] {
    &KINDS
}

/// Finds an embedded file by its name.
pub(super) fn find_file(name: &str) -> Option<&'static DataFile> {
    FILES.iter().find(|file| file.name == name)
}
