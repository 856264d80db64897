//! The times of a chunk's records: what they tell of the clock, from when to when they go, and where the year turns.
//!
//! Nearly all records of a log have nothing but the civil time of a klog head, so those are noted and stored in few
//! words. Invariant: turns of the year count from the first civil time of the chunk.

use super::clock::ClockEvidence;
use super::clock_evidence::CivilMoment;
use super::time::{Civil, When};
use super::time_range::TimeRange;

/// The time of a record of a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ChunkTime {
    /// The time of its head is all it has.
    Civil(CivilMoment),
    /// By its place among the times that say more, or nothing.
    Other(usize),
}

/// The times of a chunk.
#[derive(Debug, Default)]
pub(super) struct ChunkTimes {
    /// The first and the last civil time, and the turns between them.
    pub(super) civil: Option<(Civil, Civil, i16)>,
    pub(super) evidence: ClockEvidence,
    extent: TimeRange,
    /// The ends of what only has a civil time, each beside the number that orders it.
    civil_ends: Option<[(i64, CivilMoment); 2]>,
    others: Vec<When>,
}

impl ChunkTimes {
    /// Takes note of the time of the next record.
    pub(super) fn note(&mut self, mut when: When) -> ChunkTime {
        if let When { civil: Some(civil), own: None, stamp: None, .. } = when {
            return self.note_civil(civil);
        }
        if let Some(civil) = when.civil {
            when.turn = self.turn_to(civil);
        }
        self.evidence.note(&when);
        self.extent.note(when);
        self.others.push(when);
        ChunkTime::Other(self.others.len() - 1)
    }

    /// Takes note of the time of the next record, which has no other than that of its head.
    pub(super) fn note_civil(&mut self, civil: Civil) -> ChunkTime {
        let turn = self.turn_to(civil);
        let moment = (civil, turn);
        self.evidence.note_civil(moment);
        // An order has 46 bits.
        let order = i64::from(turn) << 46 | i64::try_from(civil.order()).unwrap_or(i64::MAX);
        let [earliest, latest] = self.civil_ends.get_or_insert([(order, moment); 2]);
        if order < earliest.0 {
            *earliest = (order, moment);
        }
        if order > latest.0 {
            *latest = (order, moment);
        }
        ChunkTime::Civil(moment)
    }

    /// Moves on to a civil time; returns the turns of the year up to it.
    fn turn_to(&mut self, civil: Civil) -> i16 {
        let (_, last, turn) = self.civil.get_or_insert((civil, civil, 0));
        if (last.month, last.day) != (civil.month, civil.day) {
            *turn = turn.saturating_add(last.turns_until(civil));
        }
        *last = civil;
        *turn
    }

    /// Returns a time in full.
    pub(super) fn when(&self, time: ChunkTime) -> When {
        match time {
            ChunkTime::Civil(moment) => civil_when(moment),
            ChunkTime::Other(at) => self.others.get(at).copied().unwrap_or_default(),
        }
    }

    /// Returns from when to when the records go.
    pub(super) fn extent(&self) -> TimeRange {
        let mut extent = self.extent;
        let ends = self.civil_ends.iter().flatten();
        ends.for_each(|(_, moment)| extent.note(civil_when(*moment)));
        extent
    }
}

fn civil_when((civil, turn): CivilMoment) -> When {
    When { civil: Some(civil), turn, own: None, stamp: None }
}
