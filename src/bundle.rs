//! A bundle, opened: every source, and what was found in it.
//!
//! Owns the step from input to syntax: it asks the input layer for files, decides by their first
//! block whether a file is read whole or streamed as a log, and parses all of them in parallel.

use rayon::prelude::*;

use crate::source::Sources;
use crate::syntax::{Parsed, Wanted};

/// Everything that was read, before it means anything.
#[derive(Debug, Default)]
pub struct Bundle {
    /// The files.
    pub sources: Sources,
    /// What each file holds, in the order of `sources`.
    pub parsed: Vec<Parsed>,
}

impl Bundle {
    /// Parses sources that are in memory.
    pub fn parse(sources: Sources, wanted: Wanted<'_>) -> Self {
        let parse = |source| crate::syntax::detect::parse_source(source, wanted);
        let parsed = sources.as_slice().par_iter().map(parse).collect();
        Self { sources, parsed }
    }
}
