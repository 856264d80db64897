//! [`FindingPlaces`]: from the id of a finding to its place in a report.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::ResolvedFinding;

/// The places of findings by their ids.
pub(super) struct FindingPlaces<'f>(HashMap<&'f str, usize, FixedState>);

impl<'f> FindingPlaces<'f> {
    /// Notes the places of all findings.
    pub(super) fn of(findings: &'f [ResolvedFinding]) -> Self {
        Self(findings.iter().zip(0..).map(|(it, at)| (&*it.id, at)).collect())
    }

    /// Returns the place of a finding; one that is not shown has none.
    pub(super) fn get(&self, id: &str) -> Option<usize> {
        self.0.get(id).copied()
    }
}
