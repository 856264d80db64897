//! The templates of a chunk, counted.
//!
//! A template gets a dense number when it is first met, so that whoever goes through the records of a chunk looks
//! it up once and not for each of them.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::GroupId;
use super::time::When;

/// The records of a template within a chunk; lines count from the start of the chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupCount {
    pub(super) template: GroupId,
    pub(super) seen: u64,
    /// Those of them that are to be kept.
    pub(super) hits: usize,
    pub(super) first: (i64, When),
    pub(super) last: (i64, When),
}

/// The tallies of a chunk, in the order in which their templates were met.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    tallies: Vec<GroupCount>,
    numbers: HashMap<GroupId, usize, FixedState>,
}

impl Tallies {
    /// Counts a record of a template; returns the template's number.
    pub(super) fn count(&mut self, template: GroupId, hits: usize, here: (i64, When)) -> usize {
        let tallies = &mut self.tallies;
        let number = *self.numbers.entry(template).or_insert_with(|| {
            tallies.push(GroupCount { template, seen: 0, hits: 0, first: here, last: here });
            tallies.len() - 1
        });
        if let Some(tally) = tallies.get_mut(number) {
            tally.seen += 1;
            tally.hits += hits;
            tally.last = here;
        }
        number
    }

    /// Returns the tallies by number.
    pub(super) fn as_slice(&self) -> &[GroupCount] {
        &self.tallies
    }

    /// Returns the tallies in the order of their templates, which does not depend on where the chunk begins.
    pub(super) fn into_sorted(mut self) -> Vec<GroupCount> {
        self.tallies.sort_unstable_by_key(|tally| tally.template);
        self.tallies
    }
}
