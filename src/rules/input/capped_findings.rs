//! One fault that a file has thousands of times: so many are told, and the others counted.

use crate::finding::Finding;

/// How many of one sort a file gets.
pub const MOST: usize = 100;

/// Findings of one sort, of which the first are kept.
#[derive(Debug, Default)]
pub struct CappedFindings {
    kept: Vec<Finding>,
    rest: usize,
}

impl CappedFindings {
    /// Adds a finding, which is made only if it is kept.
    pub fn add(&mut self, make: impl FnOnce() -> Finding) {
        if self.kept.len() < MOST { self.kept.push(make()) } else { self.rest += 1 }
    }

    /// Returns those that were kept; the last one says how many there are besides.
    pub fn into_findings(self) -> Vec<Finding> {
        let Self { mut kept, rest } = self;
        if let Some(last) = kept.pop_if(|_| rest > 0) {
            kept.push(last.hint(format!("{rest} more of these are not listed.")));
        }
        kept
    }
}
