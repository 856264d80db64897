//! Records that need not be taken in, because later ones of their template are certain to push them out.
//!
//! Chunks are announced when they are scanned, and taken in a while later. A record of a template that is written all
//! the time has so many later ones in the chunks between that it would be gone before anybody could see it. That
//! holds only while there is room for all: otherwise it may have taken the room of another one. So chunks are counted
//! in as far as nothing in them can be refused; where that is not certain, records are taken in one by one.
//! Invariant: once the counted chunks are taken in, the store is as if no record had passed.

use std::collections::VecDeque;

use super::{BESIDE_BYTES, Queue, Store};
use crate::syntax::log::ScanOptions;

/// The records of a template in an announced chunk.
#[derive(Debug)]
pub(in crate::syntax::log) struct ComingGroup {
    pub(in crate::syntax::log) queue: usize,
    pub(in crate::syntax::log) hits: usize,
    /// The bytes of the longest of their first lines.
    pub(in crate::syntax::log) longest: usize,
}

/// A chunk that was announced.
#[derive(Debug, Default)]
pub(in crate::syntax::log) struct Coming {
    pub(in crate::syntax::log) groups: Vec<ComingGroup>,
    /// What the further lines of its records cost.
    pub(in crate::syntax::log) further: usize,
}

/// What lies ahead of a template.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ahead {
    /// How many of its records are still to come in counted chunks.
    hits: usize,
    /// The most that the first line of one of its records cost so far.
    dearest: usize,
    /// What its records may come to cost at most, besides those that are kept.
    reserved: usize,
}

/// What lies ahead of the store.
#[derive(Debug, Default)]
pub(super) struct LookAhead {
    coming: VecDeque<Coming>,
    /// How many of them are counted in.
    counted: usize,
    /// How many chunks were taken in.
    taken_in: usize,
    /// What further lines cost that records which passed would still have, and until which chunk.
    lagging: VecDeque<(usize, usize)>,
    /// The sum of all that is reserved.
    reserved: usize,
    current: Coming,
    may_pass: bool,
}

impl Ahead {
    /// Returns what records of a template with so many first ones may come to cost.
    fn worst(&self, first: usize, options: &ScanOptions) -> usize {
        let open = options.keep_first.saturating_sub(first);
        let count = match self.hits {
            0 => 0,
            // Those that passed would still be there, too.
            _ if open == 0 => options.keep_last,
            hits => hits.min(open + options.keep_last),
        };
        count * self.dearest
    }
}

impl Store {
    /// Announces the next chunk.
    pub(in crate::syntax::log) fn announce(&mut self, coming: Coming) {
        self.ahead.coming.push_back(coming);
        self.count_in();
    }

    /// Begins to take in the chunk that was announced first.
    pub(in crate::syntax::log) fn begin_chunk(&mut self) {
        self.count_in();
        let coming = self.ahead.coming.pop_front().unwrap_or_default();
        self.ahead.may_pass = self.ahead.counted > 0;
        if self.ahead.may_pass {
            self.ahead.counted -= 1;
            let until = self.ahead.taken_in + self.ahead.counted;
            self.ahead.lagging.push_back((until, coming.further));
        }
        self.ahead.current = coming;
    }

    /// Returns how many of the records of a template in the chunk, of which there are so many, need not be taken in: the first ones, as far as
    /// that is certain before any of them is looked at. They are done with.
    pub(in crate::syntax::log) fn pass_first(&mut self, queue: usize, hits: usize) -> usize {
        let options = &self.options;
        let full = |queue: &&mut Queue| queue.first >= options.keep_first;
        let queue = self.queues.get_mut(queue).filter(|_| self.ahead.may_pass).filter(full);
        queue.map_or(0, |queue| {
            let passing = hits.min(queue.ahead.hits.saturating_sub(options.keep_last));
            queue.ahead.hits -= passing;
            passing
        })
    }

    /// Says whether the next record, which is of this template, need not be taken in.
    pub(in crate::syntax::log) fn passes(&mut self, queue: usize) -> bool {
        let options = &self.options;
        self.ahead.may_pass
            && self.queues.get_mut(queue).is_some_and(|queue| {
                queue.ahead.hits = queue.ahead.hits.saturating_sub(1);
                queue.first >= options.keep_first && queue.ahead.hits >= options.keep_last
            })
    }

    /// Ends the chunk that was begun.
    pub(in crate::syntax::log) fn end_chunk(&mut self) {
        let current = std::mem::take(&mut self.ahead.current);
        current.groups.iter().for_each(|group| self.reserve(group.queue));
        let taken_in = self.ahead.taken_in;
        let lagging = &mut self.ahead.lagging;
        while let Some((_, bytes)) = lagging.front().filter(|(until, _)| *until <= taken_in) {
            self.ahead.reserved -= bytes;
            lagging.pop_front();
        }
        self.ahead.taken_in += 1;
    }

    /// Counts in announced chunks as long as there is room for all that is in them.
    fn count_in(&mut self) {
        while let Some(coming) = self.ahead.coming.get_mut(self.ahead.counted) {
            let coming = std::mem::take(coming);
            self.ahead.reserved += coming.further;
            for group in &coming.groups {
                if let Some(Queue { ahead, .. }) = self.queues.get_mut(group.queue) {
                    ahead.hits += group.hits;
                    ahead.dearest = ahead.dearest.max(group.longest + BESIDE_BYTES);
                }
                self.reserve(group.queue);
            }
            let has_room = self.bytes + self.ahead.reserved <= self.options.kept_bytes;
            if !has_room {
                self.ahead.reserved -= coming.further;
                for group in &coming.groups {
                    if let Some(Queue { ahead, .. }) = self.queues.get_mut(group.queue) {
                        ahead.hits -= group.hits;
                    }
                    self.reserve(group.queue);
                }
            }
            if let Some(place) = self.ahead.coming.get_mut(self.ahead.counted) {
                *place = coming;
            }
            if !has_room {
                break;
            }
            self.ahead.counted += 1;
        }
    }

    /// Reserves what the records of a template may come to cost.
    fn reserve(&mut self, queue: usize) {
        let Some(queue) = self.queues.get_mut(queue) else { return };
        let worst = queue.ahead.worst(queue.first, &self.options);
        self.ahead.reserved = self.ahead.reserved + worst - queue.ahead.reserved;
        queue.ahead.reserved = worst;
    }
}
