//! One chunk of a log, line by line: which record each line starts or belongs to.
//!
//! The hot loop of the reader. It finds heads, asks whether their records matter, and notes the lines
//! of those that do; everything else is counted and forgotten. It copies nothing.
//! Invariant: the outcome is that of a line-by-line reading from the state it was started in.

use smol_str::SmolStr;

use super::clock::ClockEvidence;
use super::continuation::owner;
use super::group_counts::Tallies;
use super::line_head::{LineHead, LogFormat, RecordHead, RecordLevel, find_head};
use super::scan_result::LogCounts;
use super::scan_state::{
    CurrentSection, Kept, KeptLine, LineText, OpenRecord, Pending, ScanAssumptions, ScanState,
    Stack,
};
use super::section_header::{SectionHeader, Writer, find_frame};
use super::time::{Civil, When};
use super::time_range::TimeRange;
use super::transport::{Stripped, Transport, Transports, strip};
use super::{GroupId, Retention, RetentionPolicy, ScanOptions};

/// How many parts of one logged line are joined; further ones are only counted.
const MAX_PARTS: usize = 4096;

/// A record that is to be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// Its first line, counted from the first line of the chunk.
    pub(super) line: i64,
    pub(super) template: GroupId,
    /// The number of its template among those of the chunk.
    pub(super) number: usize,
    pub(super) form: LogFormat,
    pub(super) level: Option<RecordLevel>,
    pub(super) when: When,
    pub(super) writer: CurrentSection,
}

/// What was found in a chunk. Turns of the year count from its first civil time.
#[derive(Debug)]
pub(super) struct ChunkScan {
    pub(super) counts: LogCounts,
    pub(super) hits: Vec<Hit>,
    pub(super) lines: Vec<(Kept, KeptLine)>,
    pub(super) tallies: Tallies,
    pub(super) writers: Vec<Writer>,
    pub(super) cluster: Option<SmolStr>,
    pub(super) transports: Transports,
    pub(super) evidence: ClockEvidence,
    pub(super) extent: TimeRange,
    /// The first and the last civil time, and the turns between them.
    pub(super) civil: Option<(Civil, Civil, i16)>,
    /// Whether a line that belongs to no record stands before the first record.
    pub(super) is_cut_before: bool,
    /// Whether the log ends in an unfinished line.
    pub(super) is_cut_after: bool,
    pub(super) reach: ScanAssumptions,
    pub(super) end: ScanState,
}

/// Where a chunk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChunkEnd {
    /// More may follow.
    Open,
    /// The log ends here: unfinished lines are taken as they are.
    Log,
}

/// Scans whole lines, starting in a given state.
pub(super) fn scan_chunk(
    text: &str,
    start: ScanState,
    end: ChunkEnd,
    interest: RetentionPolicy<'_>,
    options: &ScanOptions,
) -> ChunkScan {
    let mut scanner = Scanner::new(text, start, interest, options);
    let mut number = 0;
    let mut lo = 0;
    for hi in memchr::memchr_iter(b'\n', text.as_bytes()) {
        scanner.line(number, lo, hi);
        (number, lo) = (number + 1, hi + 1);
    }
    if lo < text.len() {
        scanner.line(number, lo, text.len());
        number += 1;
    }
    if end == ChunkEnd::Log {
        scanner.out.is_cut_after = scanner.has_pending;
        for slot in 0..scanner.out.end.slots.len() {
            scanner.flush(slot);
        }
    }
    scanner.finish(number)
}

struct Scanner<'c> {
    text: &'c str,
    interest: RetentionPolicy<'c>,
    options: &'c ScanOptions,
    /// The label of each slot's writer.
    labels: Vec<CurrentSection>,
    has_leads: bool,
    has_pending: bool,
    out: ChunkScan,
}

/// The lines of the file that make up one logged line.
struct Parts {
    first: KeptLine,
    others: Vec<KeptLine>,
    /// Lines of which only the number is known.
    more: u64,
}

impl Parts {
    fn count(&self) -> u64 {
        1 + self.others.len() as u64 + self.more
    }
}

impl<'c> Scanner<'c> {
    fn new(
        text: &'c str,
        start: ScanState,
        interest: RetentionPolicy<'c>,
        options: &'c ScanOptions,
    ) -> Self {
        let out = ChunkScan {
            counts: LogCounts::default(),
            hits: Vec::new(),
            lines: Vec::new(),
            tallies: Tallies::default(),
            writers: Vec::new(),
            cluster: None,
            transports: Transports::default(),
            evidence: ClockEvidence::default(),
            extent: TimeRange::default(),
            civil: None,
            is_cut_before: false,
            is_cut_after: false,
            reach: ScanAssumptions::default(),
            end: start,
        };
        let has_leads = out.end.slots.iter().any(|slot| !slot.lead.is_empty());
        let has_pending = out.end.slots.iter().any(|slot| slot.pending.is_some());
        Self { text, interest, options, labels: Vec::new(), has_leads, has_pending, out }
    }

    fn line(&mut self, number: i64, lo: usize, hi: usize) {
        self.out.counts.lines += 1;
        let whole: &'c str = self.text.get(lo..hi).unwrap_or_default();
        let line = clip(whole, self.options.line_bytes);
        self.out.counts.long += u64::from(line.len() < whole.len());
        let here = KeptLine { number, text: LineText::Here(lo..hi), is_part: false };
        if let Some((frame, transport)) = find_frame(line) {
            self.out.transports.add(transport);
            return self.frame(frame);
        }
        let stripped = strip(line);
        if stripped.transports == Transports::default() {
            self.plain_line(line, &stripped, here);
        } else {
            self.out.transports.join(stripped.transports);
            self.wrapped_line(&stripped, here);
        }
    }

    /// A line with nothing in front of it, or with a lead that only an earlier line can tell.
    fn plain_line(&mut self, line: &str, stripped: &Stripped<'_>, here: KeptLine) {
        let text = stripped.payload.text();
        let parts = Parts { first: here, others: Vec::new(), more: 0 };
        if let Some(head) = find_head(&text) {
            self.flush(0);
            return self.record(0, &head, &text, parts, None);
        }
        self.out.reach.for_leads |= !self.out.end.is_whole;
        let slot = self.has_leads.then(|| self.out.end.slot_by_lead(line)).flatten().unwrap_or(0);
        let lead = self.out.end.slots.get(slot).map_or(0, |slot| slot.lead.len());
        self.flush(slot);
        self.further_line(slot, text.get(lead..).unwrap_or_default(), parts);
    }

    fn wrapped_line(&mut self, stripped: &Stripped<'_>, here: KeptLine) {
        let slot = self.slot_of(stripped);
        let text = stripped.payload.text();
        let joins =
            [Transport::Cri, Transport::Docker].iter().any(|t| stripped.transports.contains(*t));
        if self.has_pending && !joins {
            self.flush(slot);
        }
        let is_open = self.out.end.slots.get(slot).is_some_and(|slot| slot.pending.is_some());
        if !stripped.is_partial && !is_open {
            let parts = Parts { first: here, others: Vec::new(), more: 0 };
            return self.logged_line(slot, &text, parts, stripped.stamp);
        }
        self.has_pending = true;
        let limit = self.options.line_bytes;
        let Some(owner) = self.out.end.slots.get_mut(slot) else { return };
        let pending = owner.pending.get_or_insert_with(|| Pending {
            stamp: stripped.stamp.map(Into::into),
            ..Pending::default()
        });
        if pending.lines.len() < MAX_PARTS {
            pending.lines.push(KeptLine { is_part: true, ..here });
            let room = limit.saturating_sub(pending.text.len());
            pending.text.push_str(clip(&text, room));
        } else {
            pending.more += 1;
        }
        if !stripped.is_partial {
            self.flush(slot);
        }
    }

    /// Finds the slot of a wrapped line, and its name for the report.
    fn slot_of(&mut self, stripped: &Stripped<'_>) -> usize {
        let slot = self.out.end.slot(stripped.writer, stripped.lead, stripped.is_stdout);
        if stripped.writer.is_empty() && stripped.lead.is_empty() {
            return slot;
        }
        self.has_leads |= !stripped.lead.is_empty();
        if self.labels.len() <= slot {
            self.labels.resize(slot + 1, CurrentSection::Inherited);
        }
        if !stripped.writer.is_empty() && self.labels.get(slot) == Some(&CurrentSection::Inherited)
        {
            let name = self.name(Writer::from_prefix(stripped.writer));
            if let Some(label) = self.labels.get_mut(slot).filter(|_| slot != 0) {
                *label = name;
            }
        }
        slot
    }

    /// Gives a number to a writer's name.
    fn name(&mut self, writer: Writer) -> CurrentSection {
        let number = writer.number_in(&mut self.out.writers);
        number.map_or(CurrentSection::Unnamed, CurrentSection::Named)
    }

    fn frame(&mut self, frame: SectionHeader<'_>) {
        self.flush(0);
        self.out.counts.framing += 1;
        if let Some(slot) = self.out.end.slots.first_mut() {
            slot.close();
        }
        match frame {
            SectionHeader::Section(writer) => {
                self.out.end.section =
                    writer.map_or(CurrentSection::Unnamed, |writer| self.name(writer));
            }
            SectionHeader::Cluster(name) => {
                self.out.cluster.get_or_insert_with(|| name.into());
            }
            SectionHeader::Created(at) => {
                self.out.evidence.note_created(at);
            }
            SectionHeader::Other => {}
        }
    }

    /// Ends the unfinished line of a writer, if it has one.
    fn flush(&mut self, slot: usize) {
        if !self.has_pending {
            return;
        }
        let pending = self.out.end.slots.get_mut(slot).and_then(|slot| slot.pending.take());
        let Some(pending) = pending else { return };
        self.has_pending = self.out.end.slots.iter().any(|slot| slot.pending.is_some());
        let mut lines = pending.lines.into_iter();
        let Some(first) = lines.next() else { return };
        let parts = Parts { first, others: lines.collect(), more: pending.more };
        self.logged_line(slot, &pending.text, parts, pending.stamp.as_deref());
    }

    fn logged_line(&mut self, slot: usize, text: &str, parts: Parts, stamp: Option<&str>) {
        match find_head(text) {
            Some(head) => self.record(slot, &head, text, parts, stamp),
            None => self.further_line(slot, text, parts),
        }
    }

    fn record(
        &mut self,
        slot: usize,
        head: &LineHead,
        text: &str,
        parts: Parts,
        stamp: Option<&str>,
    ) {
        let mut when = head.when(text, stamp);
        self.note_time(&mut when);
        self.out.counts.records += 1;
        self.out.counts.joined += parts.count() - 1;
        self.out.counts.levels.add(head.level);
        let line = parts.first.number;
        let notice = (self.interest)(&RecordHead { line: text, head });
        self.out.counts.understood += u64::from(notice.is_understood);
        self.out.counts.attached += u64::from(notice.is_attached);
        let kept = match notice.interest {
            Retention::Skip => None,
            Retention::Count(template) => {
                self.out.tallies.count(template, 0, (line, when));
                None
            }
            Retention::Keep(template) => {
                let number = self.out.tallies.count(template, 1, (line, when));
                let writer = match self.labels.get(slot) {
                    Some(named @ CurrentSection::Named(_)) => *named,
                    _ => self.out.end.section,
                };
                let (form, level) = (head.form, head.level);
                let hit = Hit { line, template, number, form, level, when, writer };
                self.out.hits.push(hit);
                Some(Kept::Here(self.out.hits.len() - 1))
            }
        };
        let is_zap = head.form == LogFormat::Zap;
        let is_complete = head.is_structured();
        let in_marks = is_complete && head.form != LogFormat::Json && text.ends_with("=<");
        if let Some(slot) = self.out.end.slots.get_mut(slot) {
            slot.open = Some(OpenRecord { kept, is_complete, in_marks, is_zap });
            slot.open_is_known = true;
            if is_zap {
                let last = parts.others.last().unwrap_or(&parts.first).number;
                slot.stack = Some(Stack { kept, line: last, wants_path: false });
                slot.stack_is_known = true;
            }
        }
        self.keep(kept, parts);
    }

    /// A line that starts no record: it belongs to the open one, or to a stack trace before that.
    fn further_line(&mut self, slot: usize, text: &str, parts: Parts) {
        let number = parts.first.number;
        let Some(slot) = self.out.end.slots.get_mut(slot) else { return };
        match owner(slot, text, number, &mut self.out.reach.back) {
            Some(kept) => {
                self.out.counts.continued += parts.count();
                self.keep(kept, parts);
            }
            None if text.trim_ascii().is_empty() => self.out.counts.framing += parts.count(),
            None => {
                self.out.is_cut_before |= self.out.counts.records == 0;
                self.out.counts.unparsed += parts.count();
            }
        }
    }

    fn keep(&mut self, kept: Option<Kept>, parts: Parts) {
        if let Some(kept) = kept {
            self.out.lines.push((kept, parts.first));
            self.out.lines.extend(parts.others.into_iter().map(|line| (kept, line)));
        }
    }

    fn note_time(&mut self, when: &mut When) {
        if let Some(civil) = when.civil {
            let (_, last, turn) = self.out.civil.get_or_insert((civil, civil, 0));
            *turn = turn.saturating_add(last.turns_until(civil));
            *last = civil;
            when.turn = *turn;
        }
        self.out.evidence.note(when);
        self.out.extent.note(*when);
    }

    /// Makes the end state independent of the chunk.
    fn finish(mut self, lines: i64) -> ChunkScan {
        for slot in &mut self.out.end.slots {
            if let Some(stack) = &mut slot.stack {
                stack.line -= lines;
            }
            for line in slot.pending.iter_mut().flat_map(|pending| &mut pending.lines) {
                line.number -= lines;
                if let LineText::Here(range) = &line.text {
                    let text = self.text.get(range.clone()).unwrap_or_default();
                    line.text = LineText::Copied(clip(text, self.options.line_bytes).into());
                }
            }
        }
        self.out
    }
}

/// Cuts a text to so many bytes, on a character border.
pub(super) fn clip(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let end = (0..=limit).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}
