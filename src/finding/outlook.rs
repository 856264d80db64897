//! [`Outlook`]: what becomes of a rollout once the cause is repaired, as plain data.

use super::{Recoverability, Step};

/// What happens after the repair, and what else has to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// What it takes to get out of it.
    pub recoverability: Recoverability,
    /// What happens next and when, as sentences that name the run or the placement.
    pub then: String,
    /// What follows the repair itself, in this order (a new run to create).
    pub steps: Vec<Step>,
}

impl Outlook {
    /// Makes an outlook that needs nothing beyond the repair.
    pub fn new(recoverability: Recoverability, then: impl Into<String>) -> Self {
        Self { recoverability, then: then.into(), steps: Vec::new() }
    }
}
