//! How many records of a chunk begin alike.
//!
//! Per line a number grows and a place is noted; what follows from them (levels, templates, what is understood) is added up once
//! per chunk.

/// The records of a chunk that begin alike.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StatementCount {
    pub(super) seen: u32,
    /// The number of their template in the chunk, if they are counted under one.
    pub(super) number: Option<u32>,
    /// The same if they are to be kept.
    pub(super) wanted: Option<u32>,
    /// The bytes of the longest of their lines.
    pub(super) longest: u32,
    /// The number of the last line, and where it stands.
    pub(super) last: (i32, u32),
}

/// The counts of a chunk, by the number of what is known.
#[derive(Debug, Default)]
pub(super) struct StatementCounts {
    counts: Vec<StatementCount>,
    /// Those that were begun.
    begun: Vec<usize>,
}

impl StatementCounts {
    /// Returns a count that was begun.
    #[inline]
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut StatementCount> {
        self.counts.get_mut(at).filter(|count| count.seen > 0)
    }

    /// Begins a count with its first line.
    #[cold]
    pub(super) fn begin(&mut self, at: usize, count: StatementCount) {
        if self.counts.len() <= at {
            self.counts.resize(at + 1, StatementCount::default());
        }
        if let Some(place) = self.counts.get_mut(at) {
            *place = count;
            self.begun.push(at);
        }
    }

    /// Takes all counts out.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = (usize, StatementCount)> {
        let counts = &mut self.counts;
        let take = |at: usize| Some((at, std::mem::take(counts.get_mut(at)?)));
        self.begun.drain(..).filter_map(take)
    }
}
