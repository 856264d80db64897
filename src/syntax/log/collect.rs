//! Chunks put together again, in order.
//!
//! The only sequential part of a scan besides reading: it carries over what was open at the end of a
//! chunk, makes line numbers and turns of the year absolute ([`Collector::add`]), and copies the lines that are
//! still kept out of chunks that are about to go ([`Collector::hold`]).

use std::ops::Range;

use smol_str::SmolStr;

use super::chunk::{ChunkEnd, ChunkScan, Hit, clip, scan_chunk};
use super::group_counts::GroupCount;
use super::kept_lines::{LineSource, Store, line_number};
use super::scan_result::{LogScan, ScannedLog, TemplateCount};
use super::scan_state::{CurrentSection, Kept, KeptLine, LineText, ScanState, SectionName};
use super::time::{Civil, When};
use super::{RetentionPolicy, ScanOptions, detect};

/// Whether the scanned text stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// It goes: lines are copied.
    Copies,
    /// It stays: records refer to it.
    References,
}

/// The outcome so far.
pub(super) struct Collector<'i> {
    interest: RetentionPolicy<'i>,
    options: ScanOptions,
    keep: Keep,
    state: ScanState,
    store: Store,
    out: LogScan,
    /// How many lines there were before the chunk.
    base: i64,
    /// The last civil time, and the turns of the year up to it.
    civil: Option<(Civil, i16)>,
    /// How many records were to be kept.
    wanted: u64,
    /// The last line of the chunk that was held last.
    last_line: Option<SmolStr>,
}

/// The lines of a chunk that its records were promised, before they are copied.
pub(super) struct Promised {
    /// How many lines there were before the chunk.
    base: i64,
    lines: Vec<(u64, KeptLine)>,
}

/// What a chunk's own numbers mean in the whole log.
struct Bases {
    line: i64,
    turn: i16,
    labels: Vec<Option<SectionName>>,
}

impl Bases {
    fn when(&self, when: When) -> When {
        let turn = when.turn.saturating_add(self.turn);
        if when.civil.is_some() { When { turn, ..when } } else { when }
    }
}

impl<'i> Collector<'i> {
    pub(super) fn new(interest: RetentionPolicy<'i>, options: &ScanOptions, keep: Keep) -> Self {
        Self {
            interest,
            options: *options,
            keep,
            state: ScanState::fresh(),
            store: Store::new(options),
            out: LogScan::default(),
            base: 0,
            civil: None,
            wanted: 0,
            last_line: None,
        }
    }

    /// Adds the next chunk, which was scanned without knowing what stands before it; its lines are to be held later.
    pub(super) fn add(&mut self, text: &str, scan: ChunkScan) -> Promised {
        let scan = if self.state.is_needed_by(scan.reach) {
            scan_chunk(text, self.carried(), ChunkEnd::Open, self.interest, &self.options)
        } else {
            scan
        };
        self.merge(scan)
    }

    /// The state in which a chunk is scanned that needs to know; names are given anew in each chunk.
    fn carried(&self) -> ScanState {
        ScanState { section: CurrentSection::Inherited, ..self.state.clone() }
    }

    fn merge(&mut self, mut scan: ChunkScan) -> Promised {
        let bases = self.bases(&scan);
        let lines = std::mem::take(&mut scan.lines);
        let (keeps, lines) = self.promise(lines, &scan, &bases);
        let promised = Promised { base: self.base, lines };
        for tally in scan.tallies.into_sorted() {
            self.add_tally(tally, &bases);
        }
        let lines = i64::try_from(scan.counts.lines).unwrap_or(i64::MAX);
        self.out.tail_cut |= scan.is_cut_after;
        self.out.head_cut |= self.out.counts.records == 0 && scan.is_cut_before;
        self.out.counts.join(&scan.counts);
        self.out.transports.join(scan.transports);
        self.out.cluster = self.out.cluster.take().or(scan.cluster);
        self.out.evidence.append(scan.evidence, self.civil, bases.turn);
        scan.extent.ends().for_each(|when| self.out.extent.note(bases.when(when)));
        if let Some((_, last, turn)) = scan.civil {
            self.civil = Some((last, bases.turn.saturating_add(turn)));
        }
        self.advance(scan.end, lines, &bases, &keeps);
        promised
    }

    fn bases(&mut self, scan: &ChunkScan) -> Bases {
        let turn = match (self.civil, scan.civil) {
            (Some((last, turn)), Some((first, _, _))) => {
                turn.saturating_add(last.turns_until(first))
            }
            (Some((_, turn)), None) => turn,
            (None, _) => 0,
        };
        let writers = &mut self.out.writers;
        let labels = scan.writers.iter().map(|writer| writer.clone().number_in(writers)).collect();
        Bases { line: self.base, turn, labels }
    }

    /// Takes in the records of a chunk and promises them their lines; returns the numbers of the records in the log, and
    /// who was promised what.
    fn promise(
        &mut self,
        lines: Vec<(Kept, KeptLine)>,
        scan: &ChunkScan,
        bases: &Bases,
    ) -> (Vec<Option<u64>>, Vec<(u64, KeptLine)>) {
        let mut keeps: Vec<Option<u64>> = Vec::with_capacity(scan.hits.len());
        let mut promised = Vec::new();
        let bytes = lines.iter().map(|(_, line)| self.cost(line)).sum();
        // While there is room for all, a record that is pushed out by the end of the chunk changes
        // nothing. Otherwise it may have taken the room of another one.
        let may_pass = self.store.has_room(lines.len(), bytes);
        // How many records of each template are still to come, and whether its first ones are all there.
        let mut later: Vec<(usize, bool)> =
            scan.tallies.as_slice().iter().map(|tally| (tally.hits, false)).collect();
        for (kept, line) in lines {
            let record = match kept {
                Kept::Before(record) => Some(record),
                Kept::Here(at) => {
                    // Each record comes with its first line, in order.
                    if let Some(hit) = scan.hits.get(keeps.len()).filter(|_| at == keeps.len()) {
                        let passes = later.get_mut(hit.number).is_some_and(|(left, is_full)| {
                            *left = left.saturating_sub(1);
                            *is_full = *is_full || may_pass && self.store.is_full(hit.template);
                            *is_full && *left >= self.options.keep_last
                        });
                        keeps.push(if passes { None } else { self.admit(*hit, bases) });
                    }
                    keeps.get(at).copied().flatten()
                }
            };
            let Some(record) = record else { continue };
            let beside = self.keep == Keep::Copies && !line.is_part;
            let number = bases.line + line.number;
            if self.store.add_line(record, number, self.cost(&line), beside) {
                promised.push((record, line));
            }
        }
        self.wanted += scan.hits.len() as u64;
        (keeps, promised)
    }

    /// Holds the promised lines of a chunk as far as their records are still kept; `next` is the text behind it.
    pub(super) fn hold(&mut self, text: &str, promised: Promised, next: Option<&str>) {
        let Promised { base, lines } = promised;
        for (record, line) in &lines {
            self.hold_line(text, *record, line, base);
        }
        // Only then, since a line beside one is often a line of the next.
        for (record, line) in lines {
            if let (LineText::Here(range), false) = (&line.text, line.is_part) {
                self.hold_beside((text, next), record, range, base + line.number);
            }
        }
        if let Some(last) = last_line(text) {
            self.last_line = Some(clip(last, self.options.line_bytes).into());
        }
    }

    /// How many bytes a line takes.
    fn cost(&self, line: &KeptLine) -> usize {
        match (&line.text, self.keep) {
            (LineText::Copied(copy), _) => copy.len(),
            (LineText::Here(range), Keep::Copies) => range.len().min(self.options.line_bytes),
            // A text that stays anyway costs nothing.
            (LineText::Here(_), Keep::References) => 0,
        }
    }

    fn admit(&mut self, hit: Hit, bases: &Bases) -> Option<u64> {
        let section = match hit.writer {
            CurrentSection::Inherited => self.state.section,
            CurrentSection::Named(label) => bases.name(label),
            CurrentSection::Unnamed => CurrentSection::Unnamed,
        };
        let writer = if let CurrentSection::Named(label) = section { Some(label) } else { None };
        let when = bases.when(hit.when);
        self.store.admit(Hit { when, ..hit }, bases.line + hit.line, writer)
    }

    fn hold_line(&mut self, text: &str, record: u64, line: &KeptLine, base: i64) {
        let text = match (&line.text, self.keep) {
            (LineText::Copied(copy), _) => LineSource::Copied(copy),
            (LineText::Here(range), Keep::References) => LineSource::At(range.clone()),
            (LineText::Here(range), Keep::Copies) => {
                let line = text.get(range.clone()).unwrap_or_default();
                LineSource::Copied(clip(line, self.options.line_bytes))
            }
        };
        self.store.hold_line(record, base + line.number, text);
    }

    /// Holds the lines before and after a line of a record.
    fn hold_beside(
        &mut self,
        (text, behind): (&str, Option<&str>),
        record: u64,
        range: &Range<usize>,
        number: i64,
    ) {
        if self.keep == Keep::References || !self.store.holds(record) {
            return;
        }
        if let Some(before) = range.start.checked_sub(1).and_then(|end| text.get(..end)) {
            self.store.add_beside(number - 1, after_last_break(before));
        } else if let Some(last) = &self.last_line {
            self.store.add_beside(number - 1, last);
        }
        let here = text.get(range.end + 1..).filter(|next| !next.is_empty());
        if let Some(next) = here.or(behind) {
            self.store.add_beside(number + 1, first_line(next));
        }
    }

    fn add_tally(&mut self, tally: GroupCount, bases: &Bases) {
        let template = tally.template;
        let line = |line: i64| line_number(bases.line + line);
        let (last_line, last) = (line(tally.last.0), bases.when(tally.last.1));
        if let Some(count) = self.out.templates.get_mut(&template) {
            count.seen += tally.seen;
            (count.last_line, count.last) = (last_line, last);
        } else if self.out.templates.len() < self.options.templates {
            let (first_line, first) = (line(tally.first.0), bases.when(tally.first.1));
            let seen = tally.seen;
            let count = TemplateCount { seen, kept: 0, first_line, last_line, first, last };
            self.out.templates.insert(template, count);
        }
    }

    fn advance(&mut self, mut end: ScanState, lines: i64, bases: &Bases, keeps: &[Option<u64>]) {
        let absolute = |kept: &mut Option<Kept>| {
            if let Some(Kept::Here(at)) = *kept {
                *kept = keeps.get(at).copied().flatten().map(Kept::Before);
            }
        };
        for slot in &mut end.slots {
            slot.open.iter_mut().for_each(|open| absolute(&mut open.kept));
            slot.stack.iter_mut().for_each(|stack| absolute(&mut stack.kept));
        }
        let section = match end.section {
            CurrentSection::Inherited => self.state.section,
            CurrentSection::Named(label) => bases.name(label),
            CurrentSection::Unnamed => CurrentSection::Unnamed,
        };
        self.state.merge(end, lines);
        self.state.section = section;
        self.base += lines;
    }

    /// Ends the log. `has_final_break` says whether its last line is whole as a line.
    fn finish(&mut self, has_final_break: bool) {
        let scan = scan_chunk("", self.carried(), ChunkEnd::Log, self.interest, &self.options);
        let promised = self.merge(scan);
        self.hold("", promised, None);
        let last = self.last_line.as_deref().unwrap_or_default();
        self.out.tail_cut |= self.state.is_in_marks() || (!has_final_break && detect::is_cut(last));
        for (template, count) in &mut self.out.templates {
            count.kept = self.store.kept_of(*template);
        }
        self.out.counts.kept = self.store.len();
        self.out.counts.dropped = self.wanted - self.out.counts.kept;
    }

    /// Returns the outcome with the lines that were kept.
    pub(super) fn into_log(mut self, has_final_break: bool) -> ScannedLog {
        self.finish(has_final_break);
        let (text, line_numbers, records) = self.store.into_text();
        self.out.records = records;
        self.out.evidence.note_texts(&text, &self.out.records);
        ScannedLog { text, line_numbers, scan: self.out, ..ScannedLog::default() }
    }

    /// Returns the outcome over a text that stays.
    pub(super) fn into_scan(mut self, text: &str) -> LogScan {
        self.finish(text.is_empty() || text.ends_with('\n'));
        self.out.records = self.store.into_records();
        self.out.evidence.note_texts(text, &self.out.records);
        self.out
    }
}

impl Bases {
    fn name(&self, label: SectionName) -> CurrentSection {
        let number = self.labels.get(usize::from(label)).copied().flatten();
        number.map_or(CurrentSection::Unnamed, CurrentSection::Named)
    }
}

/// Returns the last line of a text of whole lines.
fn last_line(text: &str) -> Option<&str> {
    let lines = text.strip_suffix('\n').unwrap_or(text);
    (!text.is_empty()).then(|| after_last_break(lines))
}

fn after_last_break(text: &str) -> &str {
    let start = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |at| at + 1);
    text.get(start..).unwrap_or_default()
}

/// Returns the first line of a text.
fn first_line(text: &str) -> &str {
    let end = memchr::memchr(b'\n', text.as_bytes()).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
