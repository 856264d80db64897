//! Controller logs: from a stream of lines to the few records that matter.
//!
//! A log is never held: [`scan_log`] reads it in chunks, takes the transport off each line, finds the
//! records, counts them all, and keeps those in which its caller is interested, with a line around
//! each. [`scan_text`] does the same for log lines inside a text that is held anyway. Pairs are read
//! when a kept record is opened ([`Record::open`]); [`LogClock`] turns times into instants.
//! Invariant: counts, records and kept text do not depend on how the stream was cut into chunks.

mod chunk;
mod chunk_bases;
mod chunk_buffer;
mod chunk_reader;
mod chunk_scan;
mod chunk_times;
mod chunk_window;
mod clock;
mod clock_evidence;
mod collect;
mod continuation;
mod detect;
pub(crate) mod envelope;
mod file_scan;
mod group_counts;
mod head_run;
pub(crate) mod json;
mod kept_lines;
mod kept_records;
mod known_lines;
pub(crate) mod line_head;
mod line_ranges;
pub(crate) mod quote;
mod record;
mod record_text;
mod scan_result;
mod scan_state;
mod section_header;
mod statement_counts;
mod statements;
mod stream;
pub(crate) mod time;
mod time_range;
mod transport;
mod zap;

pub use clock::{ClockHints, LogClock};
pub use detect::looks_like_log;
pub use file_scan::scan_file;
pub use line_head::{LogFormat, RecordHead, RecordLevel};
pub use record::{FieldValue, ObjectName, Record, RecordText};
pub use scan_result::{LogCounts, LogScan, ScannedLog};
pub use section_header::Writer;
pub use stream::{scan_log, scan_log_with, scan_text, scan_text_with};
pub use time::Civil;
pub use transport::Transport;

/// The caller's number for a group of records that say the same.
///
/// What is one group is the caller's choice: a message of the catalogue, or a message together with
/// the object it is about. Counts and limits are kept per template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u64);

/// What is to become of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// Nothing beyond the overall counts.
    Skip,
    /// It is counted under its template, its text is not kept.
    Count(GroupId),
    /// It is kept, up to the limits of [`ScanOptions`], and counted.
    Keep(GroupId),
}

/// What the caller makes of a record by its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordDecision {
    /// What is to become of it.
    pub interest: Retention,
    /// Whether the caller knows what such a record says.
    pub is_understood: bool,
    /// Whether it names an object.
    pub is_attached: bool,
    /// Of which other records the same is true.
    pub scope: DecisionScope,
}

impl From<Retention> for RecordDecision {
    fn from(interest: Retention) -> Self {
        let scope = DecisionScope::Record;
        Self { interest, is_understood: false, is_attached: false, scope }
    }
}

/// The records of which the same would be decided; offsets count in the line of the record that was asked about.
///
/// Only klog records with a quoted message are compared, and only those of the same level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionScope {
    /// Perhaps no other.
    Record,
    /// Those that are the same from the caller up to this offset.
    Beginning(usize),
    /// Those that are the same up to this offset, and have a letter or a digit there.
    NameAt(usize),
    /// Those that are the same from the caller to the end of the line.
    Line,
}

/// Decides by its head what becomes of a record.
///
/// `Sync`, because chunks are scanned in parallel; pure, because a record may be asked about twice.
pub type RetentionPolicy<'i> = &'i (dyn Fn(&RecordHead<'_>) -> RecordDecision + Sync);

/// How much of a log is held at a time, and how much is kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanOptions {
    /// How many bytes are scanned as one piece of work.
    pub chunk_bytes: usize,
    /// How many pieces wait for their records to be taken in. The more, the fewer of these are taken in only to be pushed out again.
    pub waiting_chunks: usize,
    /// The longest line that is looked at whole; the rest of a longer one is left out.
    pub line_bytes: usize,
    /// How many records of a template are kept from its first one on.
    pub keep_first: usize,
    /// How many more are kept, counted back from its last one.
    pub keep_last: usize,
    /// How many bytes of lines are kept of one record.
    pub record_bytes: usize,
    /// How many bytes of lines are kept in all; records beyond that are only counted.
    pub kept_bytes: usize,
    /// How many templates are told apart; records of further ones are only counted overall.
    pub templates: usize,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self {
            chunk_bytes: 1 << 20,
            waiting_chunks: 24,
            line_bytes: 1 << 20,
            keep_first: 512,
            keep_last: 64,
            record_bytes: 1 << 20,
            kept_bytes: 64 << 20,
            templates: 1 << 16,
        }
    }
}
