//! What a scan yields: kept records, exact counts, and what the transports said.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::GroupId;
use super::clock::ClockEvidence;
use super::line_head::RecordLevel;
use super::record::Record;
use super::section_header::Writer;
use super::time::When;
use super::time_range::TimeRange;
use super::transport::Transports;

/// How many lines and records there were.
///
/// Every line is counted once: `lines = records + continued + joined + framing + unparsed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LogCounts {
    /// Lines of the file.
    pub lines: u64,
    /// Records, that is, lines that start one.
    pub records: u64,
    /// Further lines of records: stack traces, values over several lines.
    pub continued: u64,
    /// Further lines into which a container runtime split one logged line.
    pub joined: u64,
    /// Lines of collectors and blank lines outside of records.
    pub framing: u64,
    /// Lines that belong to no record.
    pub unparsed: u64,
    /// Lines that were longer than the limit and were cut.
    pub long: u64,
    /// Records of which the caller knows what they say.
    pub understood: u64,
    /// Records that name an object.
    pub attached: u64,
    /// Records that were kept.
    pub kept: u64,
    /// Records that were wanted, but over a limit.
    pub dropped: u64,
    /// Records by level.
    pub levels: LevelCounts,
}

/// How many records there were of each level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LevelCounts {
    /// [`RecordLevel::Debug`].
    pub debug: u64,
    /// [`RecordLevel::Info`].
    pub info: u64,
    /// [`RecordLevel::Warning`].
    pub warning: u64,
    /// [`RecordLevel::Error`].
    pub error: u64,
    /// [`RecordLevel::Fatal`].
    pub fatal: u64,
    /// Records without a level.
    pub unknown: u64,
}

impl LevelCounts {
    pub(crate) fn add(&mut self, level: Option<RecordLevel>, records: u64) {
        let count = match level {
            Some(RecordLevel::Debug) => &mut self.debug,
            Some(RecordLevel::Info) => &mut self.info,
            Some(RecordLevel::Warning) => &mut self.warning,
            Some(RecordLevel::Error) => &mut self.error,
            Some(RecordLevel::Fatal) => &mut self.fatal,
            None => &mut self.unknown,
        };
        *count += records;
    }
}

impl LogCounts {
    /// Adds what a chunk counted; kept and dropped records are counted when all is read.
    pub(crate) fn join(&mut self, other: &Self) {
        self.lines += other.lines;
        self.records += other.records;
        self.continued += other.continued;
        self.joined += other.joined;
        self.framing += other.framing;
        self.unparsed += other.unparsed;
        self.long += other.long;
        self.understood += other.understood;
        self.attached += other.attached;
        self.levels.debug += other.levels.debug;
        self.levels.info += other.levels.info;
        self.levels.warning += other.levels.warning;
        self.levels.error += other.levels.error;
        self.levels.fatal += other.levels.fatal;
        self.levels.unknown += other.levels.unknown;
    }
}

/// How often a template occurred, kept or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateCount {
    /// All of its records.
    pub seen: u64,
    /// Those of them that were kept.
    pub kept: u64,
    /// The line of the first one.
    pub first_line: u32,
    /// The line of the last one.
    pub last_line: u32,
    /// The time of the first one.
    pub first: When,
    /// The time of the last one.
    pub last: When,
}

/// What was found in a log, apart from its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogScan {
    /// The kept records in file order.
    pub records: Vec<Record>,
    /// How much there was of everything.
    pub counts: LogCounts,
    /// The count of each template that was asked for.
    pub templates: BTreeMap<GroupId, TemplateCount>,
    /// From when to when it goes.
    pub extent: TimeRange,
    /// What the log went through.
    pub transports: Transports,
    /// The pods and containers that prefixes and section marks name, in order of appearance.
    pub writers: Vec<Writer>,
    /// The collector's name for the cluster.
    pub cluster: Option<SmolStr>,
    /// What may tell year and zone.
    pub evidence: ClockEvidence,
    /// Whether the log starts in the middle of a record.
    pub head_cut: bool,
    /// Whether it ends in the middle of one.
    pub tail_cut: bool,
}

/// A log that was read from a stream, with the text that was kept of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedLog {
    /// The kept lines, each with its line break.
    pub text: String,
    /// The original number of each of them, from one.
    pub line_numbers: Vec<u32>,
    /// What was found; ranges count in `text`.
    pub scan: LogScan,
    /// Whether some bytes were no UTF-8, so that a `?` stands for each of them.
    pub has_invalid: bool,
    /// Why reading stopped before the end of the stream, if it did.
    pub read_error: Option<String>,
}
