//! The records that are kept, and the lines of the file that stay for them.
//!
//! Of each template the first and the last records stay, so that memory does not grow with the log.
//! Lines are shared: a line may belong to one record and stand beside another.
//! Invariant: what stays depends on the order of records alone, not on chunks.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use foldhash::fast::FixedState;
use smol_str::SmolStr;

use super::chunk::{Hit, clip};
use super::record::Record;
use super::{GroupId, ScanOptions};

/// How much is kept of a line that only stands beside a kept one.
const BESIDE_BYTES: usize = 256;

/// A kept line.
#[derive(Debug)]
struct Stored {
    text: SmolStr,
    /// Where it stands: in the scanned text, or, once all is read, in the kept text.
    at: Range<usize>,
    uses: u32,
}

/// A kept record, whose lines are in the store.
#[derive(Debug)]
struct KeptRecord {
    hit: Hit,
    line: i64,
    writer: Option<u16>,
    /// The numbers of its lines, and whether the lines beside them are kept as well.
    lines: Vec<(i64, bool)>,
    /// How many of them are in the store.
    held: usize,
    bytes: usize,
    is_cut: bool,
}

/// The records of a template that are kept.
#[derive(Debug, Default)]
struct Queue {
    first: usize,
    last: VecDeque<u64>,
    kept: u64,
}

/// Kept records and lines.
#[derive(Debug)]
pub(super) struct Store {
    options: ScanOptions,
    records: HashMap<u64, KeptRecord, FixedState>,
    queues: HashMap<GroupId, Queue, FixedState>,
    lines: HashMap<i64, Stored, FixedState>,
    bytes: usize,
    next: u64,
}

/// A line that is put into the store.
pub(super) enum LineSource<'t> {
    /// By its text.
    Copied(&'t str),
    /// By its place in a text that stays.
    At(Range<usize>),
}

impl Store {
    pub(super) fn new(options: &ScanOptions) -> Self {
        Self {
            options: *options,
            records: HashMap::default(),
            queues: HashMap::default(),
            lines: HashMap::default(),
            bytes: 0,
            next: 0,
        }
    }

    /// Takes in a record, which may push out an older one; returns its number in the log.
    pub(super) fn admit(&mut self, hit: Hit, line: i64, writer: Option<u16>) -> Option<u64> {
        let options = self.options;
        let known = self.queues.len();
        let queue = match self.queues.entry(hit.template) {
            Entry::Occupied(queue) => queue.into_mut(),
            Entry::Vacant(queue) if known < options.templates => queue.insert(Queue::default()),
            Entry::Vacant(_) => return None,
        };
        let number = self.next;
        let mut out = None;
        if queue.first < options.keep_first {
            queue.first += 1;
        } else {
            queue.last.push_back(number);
            out = (queue.last.len() > options.keep_last).then(|| queue.last.pop_front()).flatten();
        }
        queue.kept += 1;
        self.next += 1;
        let record =
            KeptRecord { hit, line, writer, lines: Vec::new(), held: 0, bytes: 0, is_cut: false };
        self.records.insert(number, record);
        if let Some(out) = out {
            self.remove(out);
        }
        Some(number)
    }

    /// Says whether so many more lines and bytes of text are certain to find room.
    pub(super) fn has_room(&self, lines: usize, bytes: usize) -> bool {
        self.bytes + bytes + lines * BESIDE_BYTES <= self.options.kept_bytes
    }

    /// Says whether the first records of a template are all there, so that a further one stays only among the last.
    pub(super) fn is_full(&self, template: GroupId) -> bool {
        let is_full = |queue: &Queue| queue.first >= self.options.keep_first;
        self.queues.get(&template).is_some_and(is_full)
    }

    /// Returns how many records are kept.
    pub(super) fn len(&self) -> u64 {
        self.records.len() as u64
    }

    /// Says whether a record is still kept.
    pub(super) fn holds(&self, record: u64) -> bool {
        self.records.contains_key(&record)
    }

    /// Promises a line of so many bytes to a record; says whether there is room for it.
    ///
    /// The text follows with [`Store::hold_line`] once the whole chunk is seen: most records of a
    /// template that is written all the time are pushed out again before that.
    pub(super) fn add_line(&mut self, record: u64, number: i64, len: usize, beside: bool) -> bool {
        let Some(kept) = self.records.get_mut(&record) else { return false };
        let len = len + BESIDE_BYTES;
        if kept.bytes + len > self.options.record_bytes + BESIDE_BYTES && !kept.lines.is_empty() {
            kept.is_cut = true;
            return false;
        }
        if self.bytes + len > self.options.kept_bytes {
            self.remove(record);
            return false;
        }
        kept.bytes += len;
        kept.lines.push((number, beside));
        self.bytes += len;
        true
    }

    /// Holds the next promised line of a record, if the record is still kept.
    pub(super) fn hold_line(&mut self, record: u64, number: i64, text: LineSource<'_>) {
        if let Some(kept) = self.records.get_mut(&record) {
            kept.held += 1;
            self.hold(number, text);
        }
    }

    /// Holds a line that stands beside one of a record.
    pub(super) fn add_beside(&mut self, number: i64, text: &str) {
        let limit = self.options.line_bytes.min(BESIDE_BYTES);
        self.hold(number, LineSource::Copied(clip(text, limit)));
    }

    fn hold(&mut self, number: i64, text: LineSource<'_>) {
        let (text, at) = match text {
            LineSource::Copied(text) => (text, 0..0),
            LineSource::At(at) => ("", at),
        };
        let stored =
            self.lines.entry(number).or_insert_with(|| Stored { text: text.into(), at, uses: 0 });
        // A line that so far only stood beside another may be there in part.
        if stored.text.len() < text.len() {
            stored.text = text.into();
        }
        stored.uses += 1;
    }

    fn release(&mut self, number: i64) {
        if let Entry::Occupied(mut stored) = self.lines.entry(number) {
            stored.get_mut().uses -= 1;
            if stored.get().uses == 0 {
                stored.remove();
            }
        }
    }

    fn remove(&mut self, record: u64) {
        let Some(out) = self.records.remove(&record) else { return };
        self.bytes -= out.bytes;
        if let Some(queue) = self.queues.get_mut(&out.hit.template) {
            queue.kept -= 1;
        }
        for (number, beside) in out.lines.into_iter().take(out.held) {
            self.release(number);
            if beside {
                self.release(number - 1);
                self.release(number + 1);
            }
        }
    }

    /// Returns how many records of a template are kept.
    pub(super) fn kept_of(&self, template: GroupId) -> u64 {
        self.queues.get(&template).map_or(0, |queue| queue.kept)
    }

    /// Puts the kept lines together, and makes records of what refers to them.
    pub(super) fn into_text(mut self) -> (String, Vec<u32>, Vec<Record>) {
        let mut text = String::new();
        let mut numbers = Vec::with_capacity(self.lines.len());
        let mut order: Vec<i64> = self.lines.keys().copied().collect();
        order.sort_unstable();
        for number in order {
            let Some(stored) = self.lines.get_mut(&number) else { continue };
            stored.at = text.len()..text.len() + stored.text.len();
            text.push_str(&stored.text);
            text.push('\n');
            stored.text = SmolStr::default();
            numbers.push(line_number(number));
        }
        (text, numbers, self.into_records())
    }

    /// Makes records that refer to the scanned text.
    pub(super) fn into_records(self) -> Vec<Record> {
        let lines = self.lines;
        let mut records: Vec<(u64, KeptRecord)> = self.records.into_iter().collect();
        records.sort_unstable_by_key(|(number, _)| *number);
        records
            .into_iter()
            .map(|(_, kept)| Record {
                parts: parts(&kept.lines, &lines),
                line: line_number(kept.line),
                template: kept.hit.template,
                form: kept.hit.form,
                level: kept.hit.level,
                when: kept.hit.when,
                writer: kept.writer,
                is_cut: kept.is_cut,
            })
            .collect()
    }
}

/// Turns line numbers into runs of whole lines.
fn parts(numbers: &[(i64, bool)], lines: &HashMap<i64, Stored, FixedState>) -> Vec<Range<u32>> {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut parts: Vec<Range<u32>> = Vec::with_capacity(1);
    let mut last = None;
    for (number, _) in numbers {
        let Some(line) = lines.get(number) else { continue };
        match parts.last_mut().filter(|_| last == Some(number - 1)) {
            Some(part) => part.end = offset(line.at.end),
            None => parts.push(offset(line.at.start)..offset(line.at.end)),
        }
        last = Some(*number);
    }
    parts
}

/// Counts lines from one, as people do.
pub(super) fn line_number(from_zero: i64) -> u32 {
    u32::try_from(from_zero + 1).unwrap_or(u32::MAX)
}
