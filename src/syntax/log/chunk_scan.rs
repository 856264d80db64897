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

/// A record that is to be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// Its first line, counted from the first line of the chunk.
    pub(super) line: i64,
    /// Where that line stands in the chunk, if it is there as a whole; otherwise its lines are among the further ones.
    pub(super) text: Option<(usize, usize)>,
    /// The number of its template among those of the chunk.
    pub(super) number: usize,
    pub(super) form: LogFormat,
    pub(super) level: Option<RecordLevel>,
    pub(super) time: ChunkTime,
    pub(super) writer: CurrentSection,
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
    /// Begins a chunk in a given state.
    pub(super) fn new(start: ScanState) -> Self {
        Self {
            counts: LogCounts::default(),
            hits: Vec::new(),
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

    /// Counts a record and notes it if it is to be kept; `number` is that of its template in this chunk, if it is known.
    pub(super) fn take_in(
        &mut self,
        found: FoundRecord,
        decision: RecordDecision,
        number: &mut Option<usize>,
    ) -> Option<Kept> {
        let FoundRecord { line, text, form, level, time, writer } = found;
        self.counts.records += 1;
        self.counts.levels.add(level);
        self.counts.understood += u64::from(decision.is_understood);
        self.counts.attached += u64::from(decision.is_attached);
        let (template, is_wanted) = match decision.interest {
            Retention::Skip => return None,
            Retention::Count(template) => (template, false),
            Retention::Keep(template) => (template, true),
        };
        let here = (line, time);
        let number = *number.get_or_insert_with(|| self.tallies.number(template, here));
        if !is_wanted {
            self.tallies.count(number, here);
            return None;
        }
        self.tallies.count_hit(number, text.map_or(0, |(lo, hi)| hi - lo), here);
        self.hits.push(Hit { line, text, number, form, level, time, writer });
        Some(Kept::Here(self.hits.len() - 1))
    }
}
