//! The short way of a line: klog without transport that begins like a line that was decided before.
//!
//! Nearly all lines of a log go it, so it does the least that can be done: it checks the head, finds what was decided, counts, and looks for the
//! end of the line behind what it compared. What these lines leave open (a time, a record) is made known
//! when a line comes that goes the long way ([`KnownLines::settle`]).
//! Invariant: the outcome is that of the long way. Such a line is neither a frame nor wrapped, and all that the long way reads of it stands
//! in what was compared.

use super::chunk_scan::{ChunkScan, Hit, HitSource, offset};
use super::chunk_times::ChunkTime;
use super::head_run::{HeadBytes, HeadRun};
use super::scan_state::{Kept, OpenRecord};
use super::statement_counts::StatementCount;
use super::statements::Statements;
use super::{Retention, ScanOptions};
use crate::syntax::klog::{self, TIME_LEN};

/// Where the caller stands behind the number of a process as klog pads it.
const CALLER: usize = TIME_LEN + PROCESS_LEN;

/// The number of a process, padded, and the blank after it.
const PROCESS_LEN: usize = 8;

/// The lines of a chunk that go the short way.
pub(super) struct KnownLines<'c> {
    text: &'c [u8],
    line_bytes: usize,
    pub(super) statements: &'c mut Statements,
    run: Option<HeadRun>,
    /// How many New Years lie between the first record of the chunk and the last one.
    turn: i16,
    /// A padded number of a process that was read before.
    process: [u8; PROCESS_LEN],
    /// The place of the last line, and the record that it starts, if that is not told yet.
    open: Option<(usize, usize, Option<Kept>)>,
    /// What the records to be kept have in common, and its number.
    source: Option<(u32, HitSource)>,
}

impl<'c> KnownLines<'c> {
    pub(super) fn new(
        text: &'c [u8],
        options: &ScanOptions,
        statements: &'c mut Statements,
    ) -> Self {
        Self {
            text,
            line_bytes: options.line_bytes,
            statements,
            run: None,
            turn: 0,
            process: [0; PROCESS_LEN],
            open: None,
            source: None,
        }
    }

    /// Takes in the line that begins here if it can go the short way; returns its end.
    #[inline]
    pub(super) fn take_in(&mut self, number: i32, lo: usize, out: &mut ChunkScan) -> Option<usize> {
        let line = self.text.get(lo..)?;
        let head = line.first_chunk::<TIME_LEN>()?;
        let in_run = self.run.as_ref().and_then(|run| run.read(head));
        let level = match in_run {
            Some((level, _)) => level,
            None => klog::parse_time(head)?.0,
        };
        let caller = self.find_caller(line)?;
        let (known, begin) = self.statements.find(level, line.get(caller..)?)?;
        let behind = lo + caller + begin;
        let end = memchr::memchr(b'\n', self.text.get(behind..)?);
        let hi = end.map_or(self.text.len(), |end| behind + end);
        if hi - lo > self.line_bytes || self.text.get(hi - 1) == Some(&b'\r') {
            return None;
        }
        match (in_run, &mut self.run) {
            (Some((_, at)), Some(run)) => run.go_on(at),
            _ => self.begin_run(head, out),
        }
        out.counts.records += 1;
        let kept = self.count(known, (number, lo, hi), out);
        self.open = Some((lo, hi, kept));
        Some(hi)
    }

    #[inline]
    fn find_caller(&mut self, line: &[u8]) -> Option<usize> {
        let process = line.get(TIME_LEN..)?.first_chunk::<PROCESS_LEN>()?;
        if *process == self.process {
            return Some(CALLER);
        }
        let caller = klog::find_caller(line)?;
        if caller == CALLER {
            self.process = *process;
        }
        Some(caller)
    }

    /// Begins a run of heads.
    #[cold]
    fn begin_run(&mut self, head: &HeadBytes, out: &mut ChunkScan) {
        self.end_run(out);
        let Some((_, civil)) = klog::parse_time(head) else { return };
        if let ChunkTime::Civil((_, turn)) = out.times.note_civil(civil)
            && turn != self.turn
        {
            // The places of last lines do not tell the turn.
            self.add_up(out);
            self.turn = turn;
        }
        self.run = HeadRun::new(head, civil);
    }

    fn end_run(&mut self, out: &mut ChunkScan) {
        if let Some(run) = self.run.take() {
            run.end(&mut out.times);
        }
    }

    /// Counts a line and notes it if it is to be kept.
    #[inline]
    fn count(
        &mut self,
        known: usize,
        (line, lo, hi): (i32, usize, usize),
        out: &mut ChunkScan,
    ) -> Option<Kept> {
        // A chunk is smaller than what an offset can tell.
        let (start, end) = (offset(lo), offset(hi));
        let last = (line, start);
        let wanted = match self.statements.counts.get_mut(known) {
            Some(count) => {
                count.seen += 1;
                count.last = last;
                count.longest = count.longest.max(end - start);
                count.wanted
            }
            None => self.begin_count(known, last, end - start, out),
        };
        let number = wanted?;
        let source = self.source_in(out);
        out.hits.push(Hit { line, number, text: (start, end), source });
        Some(Kept::Here(out.hits.len() - 1))
    }

    #[cold]
    fn begin_count(
        &mut self,
        known: usize,
        last: (i32, u32),
        longest: u32,
        out: &mut ChunkScan,
    ) -> Option<u32> {
        let known_of = self.statements.get(known);
        let interest = known_of.map_or(Retention::Skip, |known| known.decision.interest);
        let here = (i64::from(last.0), self.time_at(last.1));
        let (number, wanted) = match interest {
            Retention::Skip => (None, None),
            Retention::Count(template) => (Some(out.tallies.number(template, here)), None),
            Retention::Keep(template) => {
                let number = out.tallies.number(template, here);
                out.tallies.note_hit(number);
                (Some(number), Some(number))
            }
        };
        self.statements
            .counts
            .begin(known, StatementCount { seen: 1, number, wanted, longest, last });
        wanted
    }

    /// Returns the number of what the next record to be kept has in common with others.
    #[inline]
    fn source_in(&mut self, out: &mut ChunkScan) -> u32 {
        let source = HitSource::Head { turn: self.turn, writer: out.end.section };
        match &self.source {
            Some((number, own)) if *own == source => *number,
            _ => {
                let number = out.add_source(source);
                self.source = Some((number, source));
                number
            }
        }
    }

    /// Returns the time of a line that went the short way since the year turned last.
    fn time_at(&self, lo: u32) -> ChunkTime {
        let line = self.text.get(lo as usize..).unwrap_or_default();
        let civil = klog::parse_time(line).map(|(_, civil)| civil);
        ChunkTime::Civil((civil.unwrap_or_default(), self.turn))
    }

    /// Tells what the lines so far leave open, before another line is read.
    #[inline]
    pub(super) fn settle(&mut self, out: &mut ChunkScan) {
        if let Some((lo, hi, kept)) = self.open.take() {
            self.end_run(out);
            if let Some(slot) = out.end.slots.first_mut() {
                let in_marks = self.text.get(lo..hi).is_some_and(|line| line.ends_with(b"=<"));
                slot.open = Some(OpenRecord { kept, is_complete: true, in_marks, is_zap: false });
                slot.open_is_known = true;
            }
        }
    }

    /// Tells all about the lines of the chunk.
    pub(super) fn finish(&mut self, out: &mut ChunkScan) {
        self.settle(out);
        self.add_up(out);
    }

    /// Adds up what was counted.
    fn add_up(&mut self, out: &mut ChunkScan) {
        let mut counts = std::mem::take(&mut self.statements.counts);
        for (known, count) in counts.drain() {
            let Some(known) = self.statements.get(known) else { continue };
            let seen = u64::from(count.seen);
            out.counts.levels.add(Some(known.level), seen);
            out.counts.understood += if known.decision.is_understood { seen } else { 0 };
            out.counts.attached += if known.decision.is_attached { seen } else { 0 };
            if let Some(number) = count.number {
                let last = (i64::from(count.last.0), self.time_at(count.last.1));
                out.tallies.add(number, &count, last);
            }
        }
        self.statements.counts = counts;
    }
}
