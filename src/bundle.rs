//! A bundle, opened: every source, and what was found in it.
//!
//! Owns the step from input to syntax: it asks the input layer for files, decides by their first
//! block whether a file is read whole or streamed as a log, and parses all of them in parallel.

use rayon::prelude::*;

use crate::source::{Sources, Span};
use crate::syntax::{Parsed, Wanted};

/// Everything that was read, before it means anything.
#[derive(Debug, Default)]
pub struct Bundle {
    /// What the user named.
    pub inputs: Vec<String>,
    /// The files.
    pub sources: Sources,
    /// What each file holds, in the order of `sources`.
    pub parsed: Vec<Parsed>,
    /// What was not read, and why.
    pub refusals: Vec<Refused>,
}

/// A file that was not read.
#[derive(Debug)]
pub struct Refused {
    /// An empty place in a source that stands for the file.
    pub span: Span,
    /// Its path.
    pub path: String,
    /// Why it was not read.
    pub reason: String,
}

impl Bundle {
    /// Parses sources that are in memory.
    pub fn parse(sources: Sources, wanted: Wanted<'_>) -> Self {
        let parse = |source| crate::syntax::detect::parse_source(source, wanted);
        let parsed = sources.as_slice().par_iter().map(parse).collect();
        Self { inputs: Vec::new(), sources, parsed, refusals: Vec::new() }
    }
}

impl Bundle {
    /// Opens paths.
    #[expect(clippy::disallowed_methods, reason = "stands in for the input layer")]
    pub fn open(paths: &[String]) -> Result<Self, crate::error::Error> {
        let mut sources = Sources::default();
        for path in paths {
            for entry in walkdir::WalkDir::new(path).sort_by_file_name().into_iter().flatten() {
                if entry.file_type().is_file()
                    && let Ok(text) = std::fs::read_to_string(entry.path())
                {
                    let name = entry.path().display().to_string();
                    sources.add(
                        name,
                        crate::source::Origin::default(),
                        crate::source::Encoding::Utf8,
                        text,
                    );
                }
            }
        }
        let wanted = |head: &crate::syntax::Head| {
            head.kind.as_deref().and_then(crate::grammar::kind::find_kind).is_some()
        };
        let mut bundle = Self::parse(sources, &wanted);
        bundle.inputs = paths.to_vec();
        Ok(bundle)
    }

    /// Says whether nothing was recognised.
    pub fn is_empty(&self) -> bool {
        self.parsed.iter().all(|parsed| parsed.documents.is_empty())
    }
}
