//! The templates of a chunk, counted.
//!
//! A template gets a dense number when it is first met, so that whoever goes through the records of a chunk looks
//! it up once and not for each of them.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::GroupId;
use super::chunk_scan::offset;
use super::chunk_times::ChunkTime;
use super::statement_counts::StatementCount;

/// The records of a template within a chunk; lines count from the start of the chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupCount {
    pub(super) template: GroupId,
    pub(super) seen: u64,
    /// Those of them that are to be kept.
    pub(super) hits: usize,
    /// Whether there are such, be they counted yet or not.
    is_hit: bool,
    /// The bytes of the longest of their first lines.
    pub(super) longest: usize,
    pub(super) first: (i64, ChunkTime),
    pub(super) last: (i64, ChunkTime),
}

/// The tallies of a chunk, in the order in which their templates were met.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    tallies: Vec<GroupCount>,
    numbers: HashMap<GroupId, u32, FixedState>,
    hit: Vec<u32>,
}

impl Tallies {
    /// Returns the number of a template, one of whose records stands here.
    pub(super) fn number(&mut self, template: GroupId, here: (i64, ChunkTime)) -> u32 {
        let tallies = &mut self.tallies;
        *self.numbers.entry(template).or_insert_with(|| {
            tallies.push(GroupCount {
                template,
                seen: 0,
                hits: 0,
                is_hit: false,
                longest: 0,
                first: here,
                last: here,
            });
            offset(tallies.len() - 1)
        })
    }

    /// Counts a record of a template, by the template's number.
    pub(super) fn count(&mut self, number: u32, here: (i64, ChunkTime)) {
        if let Some(tally) = self.tallies.get_mut(number as usize) {
            tally.seen += 1;
            tally.last = here;
        }
    }

    /// Counts a record that is to be kept, with so many bytes in its first line.
    pub(super) fn count_hit(&mut self, number: u32, len: usize, here: (i64, ChunkTime)) {
        self.note_hit(number);
        self.count(number, here);
        if let Some(tally) = self.tallies.get_mut(number as usize) {
            tally.hits += 1;
            tally.longest = tally.longest.max(len);
        }
    }

    /// Takes note that a record of a template is to be kept.
    pub(super) fn note_hit(&mut self, number: u32) {
        if let Some(tally) = self.tallies.get_mut(number as usize)
            && !tally.is_hit
        {
            tally.is_hit = true;
            self.hit.push(number);
        }
    }

    /// Adds records of a template that were counted elsewhere; `last` is the last of them.
    pub(super) fn add(&mut self, number: u32, count: &StatementCount, last: (i64, ChunkTime)) {
        let Some(tally) = self.tallies.get_mut(number as usize) else { return };
        tally.seen += u64::from(count.seen);
        if last.0 > tally.last.0 {
            tally.last = last;
        }
        if count.wanted.is_some() {
            tally.hits += count.seen as usize;
            tally.longest = tally.longest.max(count.longest as usize);
        }
    }

    /// Returns the numbers of the templates of which records are to be kept, in the order in which those were met.
    pub(super) fn hit(&self) -> &[u32] {
        &self.hit
    }

    /// Returns the tallies by number.
    pub(super) fn as_slice(&self) -> &[GroupCount] {
        &self.tallies
    }

    /// Returns the tallies, `is_full` if there may be no room for some of them: then in the order of their templates, which does not
    /// depend on where the chunk begins.
    pub(super) fn into_tallies(mut self, is_full: bool) -> Vec<GroupCount> {
        if is_full {
            self.tallies.sort_unstable_by_key(|tally| tally.template);
        }
        self.tallies
    }
}
