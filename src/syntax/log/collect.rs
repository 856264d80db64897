//! Chunks put together again, in order.
//!
//! The only sequential part of a scan besides reading: it carries over what was open at the end of a
//! chunk, makes line numbers and turns of the year absolute ([`Collector::add`]), and, when a chunk is about to go, takes
//! in its records and copies their lines ([`Collector::take_in`]).

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::chunk::{ChunkEnd, ScanPolicy, clip_bytes, scan_chunk};
use super::chunk_bases::Bases;
use super::chunk_scan::{ChunkScan, FurtherLine, Hit, HitSource};
use super::chunk_times::{ChunkTime, ChunkTimes};
use super::group_counts::GroupCount;
use super::kept_lines::{BESIDE_BYTES, WantedLine, WantedLines, line_number};
use super::kept_records::{Admission, Coming, ComingGroup, RecordId, Store};
use super::line_head::LogFormat;
use super::scan_result::{LogScan, ScannedLog, TemplateCount};
use super::scan_state::{CurrentSection, Kept, KeptLine, LineText, OpenHit, ScanState};
use super::statements::Statements;
use super::time::Civil;
use super::{GroupId, RetentionPolicy, ScanOptions, detect};
use crate::syntax::klog;

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
    /// How many chunks and lines there were before the chunk.
    chunk: u64,
    base: i64,
    /// The last civil time, and the turns of the year up to it.
    civil: Option<(Civil, i16)>,
    /// How many records were to be kept.
    wanted: u64,
    /// The last line of the chunk that was held last.
    last_line: Option<Vec<u8>>,
    /// The records that were open at the end of a chunk, as far as they were taken in.
    open: HashMap<OpenHit, RecordId, FixedState>,
    /// What was decided in chunks that had to be scanned again.
    statements: Statements,
}

/// A line that was promised to a record, before it is copied; its number is that in the log.
struct PromisedLine {
    record: RecordId,
    number: i64,
    text: LineText,
    is_part: bool,
}

/// A chunk that was collected, but for its records.
pub(super) struct Collected {
    hits: Vec<Hit>,
    sources: Vec<HitSource>,
    lines: Vec<FurtherLine>,
    times: ChunkTimes,
    bases: Bases,
    /// The templates of its records by their numbers in the chunk, as far as the store has room for them.
    groups: Vec<Option<ChunkGroup>>,
    /// The records that were open at its end.
    open: Vec<OpenHit>,
}

/// A template of a chunk of which records are to be kept.
#[derive(Clone, Copy)]
struct ChunkGroup {
    template: GroupId,
    /// Its number in the store.
    queue: usize,
    /// How many of its records are to be kept.
    hits: usize,
}

/// The records of a chunk that were taken in, by their numbers among those to be kept, in order.
#[derive(Default)]
struct TakenIn(Vec<(usize, RecordId)>);

impl TakenIn {
    fn get(&self, at: usize) -> Option<RecordId> {
        let found = self.0.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        self.0.get(found).map(|(_, record)| *record)
    }
}

/// The texts around a line that is copied.
#[derive(Clone, Copy)]
pub(super) struct ChunkText<'t> {
    pub(super) here: &'t [u8],
    /// That of the next chunk.
    pub(super) next: Option<&'t [u8]>,
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
            chunk: 0,
            base: 0,
            civil: None,
            wanted: 0,
            last_line: None,
            open: HashMap::default(),
            statements: Statements::default(),
        }
    }

    /// Adds the next chunk, which was scanned without knowing what stands before it; its records are to be taken in later.
    pub(super) fn add(&mut self, text: &[u8], scan: ChunkScan) -> Collected {
        if self.state.is_needed_by(scan.reach) {
            let scan = self.scan_again(text, ChunkEnd::Open);
            return self.merge(scan);
        }
        self.merge(scan)
    }

    fn scan_again(&mut self, text: &[u8], end: ChunkEnd) -> ChunkScan {
        let (interest, statements) = (self.interest, &mut self.statements);
        let start = carried(&self.state);
        scan_chunk(text, start, end, ScanPolicy { interest, options: &self.options, statements })
    }

    fn merge(&mut self, mut scan: ChunkScan) -> Collected {
        let bases = self.bases(&scan);
        let groups = self.announce(&scan);
        let templates = self.out.templates.len() + scan.tallies.as_slice().len();
        for tally in scan.tallies.into_tallies(templates > self.options.templates) {
            self.add_tally(tally, &scan.times, &bases);
        }
        let lines = i64::try_from(scan.counts.lines).unwrap_or(i64::MAX);
        self.out.tail_cut |= scan.is_cut_after;
        self.out.head_cut |= self.out.counts.records == 0 && scan.is_cut_before;
        self.out.counts.join(&scan.counts);
        self.out.transports.join(scan.transports);
        self.out.cluster = self.out.cluster.take().or(scan.cluster);
        let extent = scan.times.extent();
        extent.ends().for_each(|when| self.out.extent.note(bases.when(when)));
        let evidence = std::mem::take(&mut scan.times.evidence);
        self.out.evidence.append(evidence, self.civil, bases.turn);
        if let Some((_, last, turn)) = scan.times.civil {
            self.civil = Some((last, bases.turn.saturating_add(turn)));
        }
        self.wanted += scan.hits.len() as u64;
        let open = self.advance(scan.end, lines, &bases);
        let ChunkScan { hits, sources, lines, times, .. } = scan;
        Collected { hits, sources, lines, times, bases, groups, open }
    }

    /// Announces the records of a chunk; returns the templates of the chunk.
    fn announce(&mut self, scan: &ChunkScan) -> Vec<Option<ChunkGroup>> {
        let tallies = scan.tallies.as_slice();
        let mut groups = vec![None; tallies.len()];
        let mut coming = Coming::default();
        for number in scan.tallies.hit() {
            let Some(tally) = tallies.get(*number as usize) else { continue };
            let Some(queue) = self.store.queue_of(tally.template) else { continue };
            let longest = self.cost((0, tally.longest));
            let GroupCount { template, hits, .. } = *tally;
            coming.groups.push(ComingGroup { queue, hits, longest });
            if let Some(group) = groups.get_mut(*number as usize) {
                *group = Some(ChunkGroup { template, queue, hits });
            }
        }
        let further = scan.lines.iter().map(|it| self.cost_of(&it.line) + BESIDE_BYTES);
        coming.further = further.sum();
        self.store.announce(coming);
        groups
    }

    fn bases(&mut self, scan: &ChunkScan) -> Bases {
        let turn = match (self.civil, scan.times.civil) {
            (Some((last, turn)), Some((first, _, _))) => {
                turn.saturating_add(last.turns_until(first))
            }
            (Some((_, turn)), None) => turn,
            (None, _) => 0,
        };
        let writers = &mut self.out.writers;
        let labels = scan.writers.iter().map(|writer| writer.clone().number_in(writers)).collect();
        Bases { line: self.base, turn, section: self.state.section, labels }
    }

    /// Takes in the records of the chunk that was collected first, and copies their lines.
    pub(super) fn take_in(&mut self, text: ChunkText<'_>, mut collected: Collected) {
        self.store.begin_chunk();
        let promised = self.promise(text.here, &mut collected);
        self.store.end_chunk();
        self.hold(text, &promised);
    }

    /// Takes in records and promises them their lines.
    fn promise(&mut self, text: &[u8], collected: &mut Collected) -> Vec<PromisedLine> {
        let mut taken = TakenIn::default();
        let mut passing = self.passing(&collected.groups);
        let mut promised = Vec::new();
        let mut further = std::mem::take(&mut collected.lines).into_iter().peekable();
        let bases = &collected.bases;
        for (at, hit) in collected.hits.iter().enumerate() {
            while let Some(it) = further.next_if(|it| it.hits <= at) {
                self.promise_line(it.kept, it.line, &taken, bases, &mut promised);
            }
            if let Some(left @ 1..) = passing.get_mut(hit.number as usize) {
                *left -= 1;
                continue;
            }
            let Some(record) = self.admit(text, hit, collected) else { continue };
            taken.0.push((at, record));
            let range = hit.text.0 as usize..hit.text.1 as usize;
            if !range.is_empty() {
                let text = LineText::Here(range);
                let line = KeptLine { number: i64::from(hit.line), text, is_part: false };
                self.promise_to(record, line, bases, &mut promised);
            }
        }
        for it in further {
            self.promise_line(it.kept, it.line, &taken, bases, &mut promised);
        }
        self.remember_open(&collected.open, &taken);
        promised
    }

    /// Tells how many of the first records of each template of a chunk are not taken in.
    fn passing(&mut self, groups: &[Option<ChunkGroup>]) -> Vec<usize> {
        let store = &mut self.store;
        let passing = |group: &Option<ChunkGroup>| {
            group.map_or(usize::MAX, |group| store.pass_first(group.queue, group.hits))
        };
        groups.iter().map(passing).collect()
    }

    /// Remembers the records that were open at the end of a chunk: lines of later chunks may belong to them.
    fn remember_open(&mut self, open: &[OpenHit], taken: &TakenIn) {
        const MANY: usize = 1024;
        if self.open.len() > MANY + 2 * usize::try_from(self.store.len()).unwrap_or(usize::MAX) {
            let store = &self.store;
            self.open.retain(|_, record| store.holds(*record));
        }
        self.open.extend(open.iter().filter_map(|hit| Some((*hit, taken.get(hit.at)?))));
    }

    fn promise_line(
        &mut self,
        kept: Kept,
        line: KeptLine,
        taken: &TakenIn,
        bases: &Bases,
        promised: &mut Vec<PromisedLine>,
    ) {
        let record = match kept {
            Kept::Before(hit) => self.open.get(&hit).copied(),
            Kept::Here(at) => taken.get(at),
        };
        if let Some(record) = record {
            self.promise_to(record, line, bases, promised);
        }
    }

    fn promise_to(
        &mut self,
        record: RecordId,
        line: KeptLine,
        bases: &Bases,
        promised: &mut Vec<PromisedLine>,
    ) {
        let beside = self.keep == Keep::Copies && !line.is_part;
        let number = bases.line + line.number;
        if self.store.add_line(record, number, self.cost_of(&line), beside) {
            let KeptLine { text, is_part, .. } = line;
            promised.push(PromisedLine { record, number, text, is_part });
        }
    }

    /// Holds the promised lines of a chunk as far as their records are still kept.
    fn hold(&mut self, text: ChunkText<'_>, lines: &[PromisedLine]) {
        let mut wanted = WantedLines::default();
        let last_line = self.last_line.take();
        for line in lines {
            if self.store.hold_line(line.record) {
                self.want(line, text, last_line.as_deref(), &mut wanted);
            }
        }
        match self.keep {
            Keep::Copies => self.store.copy_lines(wanted),
            Keep::References => self.store.refer_to_lines(wanted),
        }
        let last = find_last_line(text.here).map(|last| clip_bytes(last, self.options.line_bytes));
        self.last_line = last.map(<[u8]>::to_vec).or(last_line);
    }

    /// Lists a line and those before and after it; `before` is the last line of the chunk before.
    fn want<'t>(
        &self,
        line: &'t PromisedLine,
        text: ChunkText<'t>,
        before: Option<&'t [u8]>,
        wanted: &mut WantedLines<'t>,
    ) {
        let PromisedLine { number, .. } = *line;
        let mut add = |number, text, at| wanted.add(WantedLine { number, text, at });
        let range = match &line.text {
            LineText::Copied(copy) => return add(number, copy.as_bytes(), 0),
            LineText::Here(range) => range,
        };
        let own = text.here.get(range.clone()).unwrap_or_default();
        if self.keep == Keep::References {
            return add(number, own, range.start);
        }
        let beside = |line: &'t [u8]| clip_bytes(line, self.options.line_bytes.min(BESIDE_BYTES));
        let start = range.start.checked_sub(1).filter(|_| !line.is_part);
        let above = start.and_then(|end| text.here.get(..end)).map(after_last_break);
        let below = text.here.get(range.end + 1..).filter(|below| !below.is_empty()).or(text.next);
        if let Some(above) = above.or(before).filter(|_| !line.is_part) {
            add(number - 1, beside(above), 0);
        }
        add(number, clip_bytes(own, self.options.line_bytes), range.start);
        if let Some(below) = below.filter(|_| !line.is_part) {
            add(number + 1, beside(first_line(below)), 0);
        }
    }

    /// How many bytes a line takes.
    fn cost_of(&self, line: &KeptLine) -> usize {
        match &line.text {
            LineText::Copied(copy) => copy.len(),
            LineText::Here(range) => self.cost((range.start, range.end)),
        }
    }

    /// How many bytes a line of the scanned text takes; where that text stays anyway, it costs nothing.
    fn cost(&self, (start, end): (usize, usize)) -> usize {
        match self.keep {
            Keep::Copies => (end - start).min(self.options.line_bytes),
            Keep::References => 0,
        }
    }

    /// Takes in a record, unless later ones are certain to push it out.
    fn admit(&mut self, text: &[u8], hit: &Hit, collected: &Collected) -> Option<RecordId> {
        let group = collected.groups.get(hit.number as usize).copied().flatten()?;
        let ChunkGroup { template, queue, .. } = group;
        if self.store.passes(queue) {
            return None;
        }
        let bases = &collected.bases;
        let (form, level, time, writer) = match *collected.sources.get(hit.source as usize)? {
            HitSource::Own { form, level, time, writer } => (form, level, time, writer),
            HitSource::Head { turn, writer } => {
                let (level, civil) = klog::parse_time(text.get(hit.text.0 as usize..)?)?;
                (LogFormat::Klog, Some(level), ChunkTime::Civil((civil, turn)), writer)
            }
        };
        let section = bases.section_of(writer);
        let writer = if let CurrentSection::Named(label) = section { Some(label) } else { None };
        let when = bases.when(collected.times.when(time));
        let line = bases.line + i64::from(hit.line);
        self.store.admit(queue, Admission { line, template, form, level, when, writer })
    }

    fn add_tally(&mut self, tally: GroupCount, times: &ChunkTimes, bases: &Bases) {
        let template = tally.template;
        let line = |line: i64| line_number(bases.line + line);
        let (last_line, last) = (line(tally.last.0), bases.when_of(times, tally.last.1));
        if let Some(count) = self.out.templates.get_mut(&template) {
            count.seen += tally.seen;
            (count.last_line, count.last) = (last_line, last);
        } else if self.out.templates.len() < self.options.templates {
            let (first_line, first) = (line(tally.first.0), bases.when_of(times, tally.first.1));
            let seen = tally.seen;
            let count = TemplateCount { seen, kept: 0, first_line, last_line, first, last };
            self.out.templates.insert(template, count);
        }
    }

    /// Goes on behind a chunk; returns its records that are open at its end.
    fn advance(&mut self, mut end: ScanState, lines: i64, bases: &Bases) -> Vec<OpenHit> {
        let mut open = Vec::new();
        let chunk = self.chunk;
        let mut absolute = |kept: &mut Option<Kept>| {
            if let Some(Kept::Here(at)) = *kept {
                let hit = OpenHit { chunk, at };
                open.push(hit);
                *kept = Some(Kept::Before(hit));
            }
        };
        for slot in &mut end.slots {
            slot.open.iter_mut().for_each(|open| absolute(&mut open.kept));
            slot.stack.iter_mut().for_each(|stack| absolute(&mut stack.kept));
        }
        let section = bases.section_of(end.section);
        self.state.merge(end, lines);
        self.state.section = section;
        self.base += lines;
        self.chunk += 1;
        open
    }

    /// Ends the log. `has_final_break` says whether its last line is whole as a line.
    fn finish(&mut self, has_final_break: bool) {
        let scan = self.scan_again(b"", ChunkEnd::Log);
        let collected = self.merge(scan);
        self.take_in(ChunkText { here: b"", next: None }, collected);
        let last = std::str::from_utf8(self.last_line.as_deref().unwrap_or_default());
        let last = last.unwrap_or_default();
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

/// The state in which a chunk is scanned that needs to know; names are given anew in each chunk.
fn carried(state: &ScanState) -> ScanState {
    ScanState { section: CurrentSection::Inherited, ..state.clone() }
}

/// Returns the last line of a text of whole lines.
fn find_last_line(text: &[u8]) -> Option<&[u8]> {
    let lines = text.strip_suffix(b"\n").unwrap_or(text);
    (!text.is_empty()).then(|| after_last_break(lines))
}

fn after_last_break(text: &[u8]) -> &[u8] {
    let start = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
    text.get(start..).unwrap_or_default()
}

/// Returns the first line of a text.
fn first_line(text: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
