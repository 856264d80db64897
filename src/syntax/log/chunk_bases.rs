//! [`Bases`]: the way from a chunk's own numbers to those of the log.

use super::chunk_times::{ChunkTime, ChunkTimes};
use super::scan_state::{CurrentSection, SectionName};
use super::time::When;

/// What a chunk's own numbers mean in the whole log.
pub(super) struct Bases {
    pub(super) line: i64,
    pub(super) turn: i16,
    pub(super) section: CurrentSection,
    pub(super) labels: Vec<Option<SectionName>>,
}

impl Bases {
    pub(super) fn when_of(&self, times: &ChunkTimes, time: ChunkTime) -> When {
        self.when(times.when(time))
    }

    pub(super) fn when(&self, when: When) -> When {
        let turn = when.turn.saturating_add(self.turn);
        if when.civil.is_some() { When { turn, ..when } } else { when }
    }

    /// Returns whose lines those of a section are in the log.
    pub(super) fn section_of(&self, section: CurrentSection) -> CurrentSection {
        match section {
            CurrentSection::Inherited => self.section,
            CurrentSection::Named(label) => self.name(label),
            CurrentSection::Unnamed => CurrentSection::Unnamed,
        }
    }

    fn name(&self, label: SectionName) -> CurrentSection {
        let number = self.labels.get(usize::from(label)).copied().flatten();
        number.map_or(CurrentSection::Unnamed, CurrentSection::Named)
    }
}
