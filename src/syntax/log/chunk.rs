//! One chunk of a log, line by line: which record each line starts or belongs to.
//!
//! The hot loop of the reader. It finds heads, asks whether their records matter, and notes the lines
//! of those that do; everything else is counted and forgotten. It copies nothing. A klog line without transport whose like
//! was decided before goes a short way ([`KnownLines`]); all others go the long one.
//! Invariant: the outcome is that of a line-by-line reading from the state it was started in.

use super::chunk_scan::{ChunkScan, FoundRecord, FurtherLine};
use super::continuation::owner;
use super::known_lines::KnownLines;
use super::line_head::{LineHead, LogFormat, MessageQuoting, RecordHead, find_head};
use super::scan_state::{
    CurrentSection, Kept, KeptLine, LineText, OpenRecord, Pending, ScanState, Stack,
};
use super::section_header::{SectionHeader, Writer, find_frame};
use super::statements::Statements;
use super::transport::{Stripped, Transport, Transports, strip};
use super::{RetentionPolicy, ScanOptions};

/// How many parts of one logged line are joined; further ones are only counted.
const MAX_PARTS: usize = 4096;

/// Where a chunk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChunkEnd {
    /// More may follow.
    Open,
    /// The log ends here: unfinished lines are taken as they are.
    Log,
}

/// What decides, what it decided so far, and within which limits.
pub(super) struct ScanPolicy<'p, 'i> {
    pub(super) interest: RetentionPolicy<'i>,
    pub(super) options: &'p ScanOptions,
    pub(super) statements: &'p mut Statements,
}

/// Scans whole lines, which are UTF-8, starting in a given state.
pub(super) fn scan_chunk(
    text: &[u8],
    start: ScanState,
    end: ChunkEnd,
    policy: ScanPolicy<'_, '_>,
) -> ChunkScan {
    let mut scanner = Scanner::new(text, start, policy);
    let mut number = 0_i32;
    let mut lo = 0;
    while lo < text.len() {
        let hi = scanner.next_line(number, lo);
        (number, lo) = (number.saturating_add(1), hi + 1);
    }
    scanner.known.finish(&mut scanner.out);
    scanner.out.counts.lines = u64::try_from(number).unwrap_or_default();
    if end == ChunkEnd::Log {
        scanner.out.is_cut_after = scanner.has_pending;
        for slot in 0..scanner.out.end.slots.len() {
            scanner.flush(slot);
        }
    }
    scanner.finish(i64::from(number))
}

struct Scanner<'c, 'i> {
    text: &'c [u8],
    interest: RetentionPolicy<'i>,
    options: &'c ScanOptions,
    known: KnownLines<'c>,
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

impl<'c, 'i> Scanner<'c, 'i> {
    fn new(text: &'c [u8], start: ScanState, policy: ScanPolicy<'c, 'i>) -> Self {
        let ScanPolicy { interest, options, statements } = policy;
        let known = KnownLines::new(text, options, statements);
        let out = ChunkScan::new(start, text.len());
        let has_leads = out.end.slots.iter().any(|slot| !slot.lead.is_empty());
        let has_pending = out.end.slots.iter().any(|slot| slot.pending.is_some());
        Self { text, interest, options, known, labels: Vec::new(), has_leads, has_pending, out }
    }

    /// Takes in the line that begins here; returns its end.
    #[inline]
    fn next_line(&mut self, number: i32, lo: usize) -> usize {
        // What is unfinished may go on in the next line, whatever that looks like.
        if !self.has_pending
            && let Some(hi) = self.known.take_in(number, lo, &mut self.out)
        {
            return hi;
        }
        let end = self.text.get(lo..).and_then(|rest| memchr::memchr(b'\n', rest));
        let hi = end.map_or(self.text.len(), |end| lo + end);
        self.known.settle(&mut self.out);
        self.line(i64::from(number), lo, hi);
        hi
    }

    fn line(&mut self, number: i64, lo: usize, hi: usize) {
        let whole: &'c str = self.slice(lo, hi);
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

    /// Returns some lines of the chunk.
    fn slice(&self, lo: usize, hi: usize) -> &'c str {
        self.text.get(lo..hi).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
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
                self.out.times.evidence.note_created(at);
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
        let line = parts.first.number;
        // A line that stands there as a whole needs no further note.
        let here = match &parts.first.text {
            LineText::Here(range) if !parts.first.is_part => Some((range.start, range.end)),
            _ => None,
        };
        let writer = match self.labels.get(slot) {
            Some(named @ CurrentSection::Named(_)) => *named,
            _ => self.out.end.section,
        };
        let time = self.out.times.note(head.when(text, stamp));
        let found =
            FoundRecord { line, text: here, form: head.form, level: head.level, time, writer };
        self.out.counts.joined += parts.count() - 1;
        let kept = self.decide(head, text, found);
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
        self.keep(kept, parts, here.is_some());
    }

    /// Asks what becomes of a record, unless one that begins alike was asked about before.
    fn decide(&mut self, head: &LineHead, text: &str, found: FoundRecord) -> Option<Kept> {
        let statements = &mut *self.known.statements;
        let caller = text.as_bytes().get(head.file.start..).unwrap_or_default();
        if let (LogFormat::Klog, MessageQuoting::Quoted, Some(level)) =
            (head.form, head.quoting, head.level)
            && let Some((known, _)) = statements.find(level, caller)
            && let Some(known) = statements.get(known)
        {
            return self.out.take_in(found, known.decision);
        }
        let decision = (self.interest)(&RecordHead { line: text, head });
        statements.remember(text, head, decision);
        self.out.take_in(found, decision)
    }

    /// A line that starts no record: it belongs to the open one, or to a stack trace before that.
    fn further_line(&mut self, slot: usize, text: &str, parts: Parts) {
        let number = parts.first.number;
        let Some(slot) = self.out.end.slots.get_mut(slot) else { return };
        match owner(slot, text, number, &mut self.out.reach.back) {
            Some(kept) => {
                self.out.counts.continued += parts.count();
                self.keep(kept, parts, false);
            }
            None if text.trim_ascii().is_empty() => self.out.counts.framing += parts.count(),
            None => {
                self.out.is_cut_before |= self.out.counts.records == 0;
                self.out.counts.unparsed += parts.count();
            }
        }
    }

    /// Notes the lines of a kept record, the first one only if that was not done yet.
    fn keep(&mut self, kept: Option<Kept>, parts: Parts, first_is_noted: bool) {
        let Some(kept) = kept else { return };
        let hits = self.out.hits.len();
        let first = (!first_is_noted).then_some(parts.first);
        let lines = first.into_iter().chain(parts.others);
        self.out.lines.extend(lines.map(|line| FurtherLine { hits, kept, line }));
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
                    let text = clip_bytes(text, self.options.line_bytes);
                    line.text =
                        LineText::Copied(std::str::from_utf8(text).unwrap_or_default().into());
                }
            }
        }
        self.out
    }
}

/// Cuts a text to so many bytes, on a character border.
pub(super) fn clip(text: &str, limit: usize) -> &str {
    text.get(..clip_bytes(text.as_bytes(), limit).len()).unwrap_or_default()
}

/// Cuts the bytes of a text to so many, on a character border.
pub(super) fn clip_bytes(text: &[u8], limit: usize) -> &[u8] {
    if text.len() <= limit {
        return text;
    }
    let is_border = |at: &usize| text.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
    let end = (0..=limit).rev().find(is_border).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}
