//! What was found in one chunk of a log: counts, records that are to be kept, and what the next chunk has to know.

use smol_str::SmolStr;

use super::chunk_times::{ChunkTime, ChunkTimes};
use super::group_counts::Tallies;
use super::line_head::{LogFormat, RecordLevel};
use super::scan_result::LogCounts;
use super::scan_state::{CurrentSection, Kept, KeptLine, ScanAssumptions, ScanState};
use super::section_header::Writer;
use super::transport::Transports;
use super::{RecordDecision, Retention};

/// A record that is to be kept. There are many of them, so it is small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// Its first line, counted from the first line of the chunk; negative if it stood before.
    pub(super) line: i32,
    /// The number of its template among those of the chunk.
    pub(super) number: u32,
    /// Where that line stands in the chunk; nowhere, if it is not there as a whole: then its lines are among the further ones.
    pub(super) text: (u32, u32),
    /// The number of its source among those of the chunk.
    pub(super) source: u32,
}

/// What else is known of records that are to be kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HitSource {
    /// Of many: klog lines without transport, whose heads tell level and time.
    Head {
        /// The turns of the year up to them.
        turn: i16,
        writer: CurrentSection,
    },
    /// Of one record.
    Own { form: LogFormat, level: Option<RecordLevel>, time: ChunkTime, writer: CurrentSection },
}

/// A record that was found: a [`Hit`] if it is to be kept.
pub(super) struct FoundRecord {
    pub(super) line: i64,
    pub(super) text: Option<(usize, usize)>,
    pub(super) form: LogFormat,
    pub(super) level: Option<RecordLevel>,
    pub(super) time: ChunkTime,
    pub(super) writer: CurrentSection,
}

/// A line of a kept record that is not its first, or not the whole of it.
#[derive(Debug)]
pub(super) struct FurtherLine {
    /// How many records of the chunk were to be kept before it.
    pub(super) hits: usize,
    pub(super) kept: Kept,
    pub(super) line: KeptLine,
}

/// What was found in a chunk.
#[derive(Debug)]
pub(super) struct ChunkScan {
    pub(super) counts: LogCounts,
    pub(super) hits: Vec<Hit>,
    pub(super) sources: Vec<HitSource>,
    pub(super) lines: Vec<FurtherLine>,
    pub(super) tallies: Tallies,
    pub(super) writers: Vec<Writer>,
    pub(super) cluster: Option<SmolStr>,
    pub(super) transports: Transports,
    pub(super) times: ChunkTimes,
    /// Whether a line that belongs to no record stands before the first record.
    pub(super) is_cut_before: bool,
    /// Whether the log ends in an unfinished line.
    pub(super) is_cut_after: bool,
    pub(super) reach: ScanAssumptions,
    pub(super) end: ScanState,
}

impl ChunkScan {
    /// Begins a chunk of so many bytes in a given state.
    pub(super) fn new(start: ScanState, bytes: usize) -> Self {
        /// Few lines of agents are shorter.
        const LINE: usize = 256;
        Self {
            counts: LogCounts::default(),
            hits: Vec::with_capacity(bytes / LINE),
            sources: Vec::new(),
            lines: Vec::new(),
            tallies: Tallies::default(),
            writers: Vec::new(),
            cluster: None,
            transports: Transports::default(),
            times: ChunkTimes::default(),
            is_cut_before: false,
            is_cut_after: false,
            reach: ScanAssumptions::default(),
            end: start,
        }
    }

    /// Counts a record and notes it if it is to be kept.
    pub(super) fn take_in(&mut self, found: FoundRecord, decision: RecordDecision) -> Option<Kept> {
        let FoundRecord { line, text, form, level, time, writer } = found;
        self.counts.records += 1;
        self.counts.levels.add(level, 1);
        self.counts.understood += u64::from(decision.is_understood);
        self.counts.attached += u64::from(decision.is_attached);
        let (template, is_wanted) = match decision.interest {
            Retention::Skip => return None,
            Retention::Count(template) => (template, false),
            Retention::Keep(template) => (template, true),
        };
        let here = (line, time);
        let number = self.tallies.number(template, here);
        if !is_wanted {
            self.tallies.count(number, here);
            return None;
        }
        let (lo, hi) = text.unwrap_or((0, 0));
        self.tallies.count_hit(number, hi - lo, here);
        let source = self.add_source(HitSource::Own { form, level, time, writer });
        let line = i32::try_from(line).unwrap_or(i32::MAX);
        self.hits.push(Hit { line, number, text: (offset(lo), offset(hi)), source });
        Some(Kept::Here(self.hits.len() - 1))
    }

    /// Adds a source; returns its number.
    pub(super) fn add_source(&mut self, source: HitSource) -> u32 {
        self.sources.push(source);
        offset(self.sources.len() - 1)
    }
}

/// An offset or a number in a chunk, which is smaller than 4 GiB.
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
