//! The records that are kept.
//!
//! Of each template the first and the last records stay, so that memory does not grow with the log. Most records of a
//! template that is written all the time would be pushed out soon: those are not even taken in (`look_ahead`).
//! Invariant: what stays depends on the order of records alone, not on chunks.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use foldhash::fast::FixedState;

use super::kept_lines::{BESIDE_BYTES, KeptText, LineBlock, LinePlaces, WantedLines, line_number};
use super::line_head::{LogFormat, RecordLevel};
use super::record::Record;
use super::time::When;
use super::{GroupId, ScanOptions};
use look_ahead::{Ahead, LookAhead};

mod look_ahead;

pub(super) use look_ahead::{Coming, ComingGroup};

/// A record that is taken in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Admission {
    /// The number of its first line in the log.
    pub(super) line: i64,
    pub(super) template: GroupId,
    pub(super) form: LogFormat,
    pub(super) level: Option<RecordLevel>,
    pub(super) when: When,
    pub(super) writer: Option<u16>,
}

/// A record that was taken in, whether or not it is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordId {
    place: usize,
    /// How many records had this place before.
    round: u64,
}

/// A line of a kept record.
#[derive(Clone, Copy, Debug)]
struct OwnLine {
    number: i64,
    /// Whether the lines before and after it are kept as well.
    beside: bool,
    /// The block that holds it, once it is copied.
    block: usize,
}

/// A place for a record.
#[derive(Debug)]
struct KeptRecord {
    record: Admission,
    round: u64,
    /// How many records were taken in before this one; `None` if the place is free.
    order: Option<u64>,
    queue: usize,
    first: Option<OwnLine>,
    further: Vec<OwnLine>,
    /// How many of its lines are copied.
    held: usize,
    bytes: usize,
    is_cut: bool,
}

impl KeptRecord {
    fn lines(&self) -> impl Iterator<Item = &OwnLine> {
        self.first.iter().chain(&self.further)
    }
}

/// The records of a template that are kept.
#[derive(Debug, Default)]
struct Queue {
    first: usize,
    last: VecDeque<RecordId>,
    kept: u64,
    ahead: Ahead,
}

/// Kept records and lines.
#[derive(Debug)]
pub(super) struct Store {
    options: ScanOptions,
    records: Vec<KeptRecord>,
    free: Vec<usize>,
    queues: Vec<Queue>,
    numbers: HashMap<GroupId, usize, FixedState>,
    blocks: Vec<LineBlock>,
    text: KeptText,
    bytes: usize,
    kept: u64,
    next: u64,
    ahead: LookAhead,
}

impl Store {
    pub(super) fn new(options: &ScanOptions) -> Self {
        Self {
            options: *options,
            records: Vec::new(),
            free: Vec::new(),
            queues: Vec::new(),
            numbers: HashMap::default(),
            blocks: Vec::new(),
            text: KeptText::default(),
            bytes: 0,
            kept: 0,
            next: 0,
            ahead: LookAhead::default(),
        }
    }

    /// Returns the number of a template, if there is room for it.
    pub(super) fn queue_of(&mut self, template: GroupId) -> Option<usize> {
        match self.numbers.entry(template) {
            Entry::Occupied(number) => Some(*number.get()),
            Entry::Vacant(number) if self.queues.len() < self.options.templates => {
                self.queues.push(Queue::default());
                Some(*number.insert(self.queues.len() - 1))
            }
            Entry::Vacant(_) => None,
        }
    }

    /// Takes in a record of a template, given by its number; it may push out an older one.
    pub(super) fn admit(&mut self, queue: usize, record: Admission) -> Option<RecordId> {
        let options = self.options;
        let own = self.queues.get_mut(queue)?;
        let is_first = own.first < options.keep_first;
        if is_first {
            own.first += 1;
        } else if options.keep_last == 0 {
            return None;
        } else if own.last.len() >= options.keep_last {
            let out = own.last.pop_front();
            out.into_iter().for_each(|out| self.remove(out));
        }
        let order = Some(self.next);
        self.next += 1;
        self.kept += 1;
        let fresh = |round, further| KeptRecord {
            record,
            round,
            order,
            queue,
            first: None,
            further,
            held: 0,
            bytes: 0,
            is_cut: false,
        };
        let place = self.free.pop().unwrap_or(self.records.len());
        let round = match self.records.get_mut(place) {
            Some(free) => {
                let round = free.round + 1;
                *free = fresh(round, std::mem::take(&mut free.further));
                round
            }
            None => {
                self.records.push(fresh(0, Vec::new()));
                0
            }
        };
        let id = RecordId { place, round };
        let own = self.queues.get_mut(queue)?;
        own.kept += 1;
        if !is_first {
            own.last.push_back(id);
        }
        Some(id)
    }

    fn get_mut(&mut self, id: RecordId) -> Option<&mut KeptRecord> {
        let is_same = |kept: &&mut KeptRecord| kept.round == id.round && kept.order.is_some();
        self.records.get_mut(id.place).filter(is_same)
    }

    /// Says whether a record is still kept.
    pub(super) fn holds(&self, id: RecordId) -> bool {
        let kept = self.records.get(id.place);
        kept.is_some_and(|kept| kept.round == id.round && kept.order.is_some())
    }

    /// Returns how many records are kept.
    pub(super) fn len(&self) -> u64 {
        self.kept
    }

    /// Promises a line of so many bytes to a record; says whether there is room for it.
    ///
    /// The text follows with [`Store::hold_line`] and [`Store::copy_lines`] once all records of the chunk are taken in.
    pub(super) fn add_line(&mut self, id: RecordId, number: i64, len: usize, beside: bool) -> bool {
        let (options, bytes) = (self.options, self.bytes);
        let Some(kept) = self.get_mut(id) else { return false };
        let len = len + BESIDE_BYTES;
        if kept.bytes + len > options.record_bytes + BESIDE_BYTES && kept.first.is_some() {
            kept.is_cut = true;
            return false;
        }
        if bytes + len > options.kept_bytes {
            self.remove(id);
            return false;
        }
        kept.bytes += len;
        let line = OwnLine { number, beside, block: 0 };
        if kept.first.is_none() {
            kept.first = Some(line);
        } else {
            kept.further.push(line);
        }
        self.bytes += len;
        true
    }

    /// Takes note that the next promised line of a record will be in the next block; says whether the record is still
    /// kept.
    pub(super) fn hold_line(&mut self, id: RecordId) -> bool {
        let next = self.blocks.len();
        let Some(kept) = self.get_mut(id) else { return false };
        let line = match kept.held.checked_sub(1) {
            None => kept.first.as_mut(),
            Some(further) => kept.further.get_mut(further),
        };
        kept.held += usize::from(line.is_some());
        line.is_some_and(|line| {
            line.block = next;
            true
        })
    }

    /// Copies the lines of a chunk.
    pub(super) fn copy_lines(&mut self, wanted: WantedLines<'_>) {
        self.blocks.push(LineBlock::copy(wanted, &mut self.text));
    }

    /// Refers to the lines of a text that stays.
    pub(super) fn refer_to_lines(&mut self, wanted: WantedLines<'_>) {
        self.blocks.push(LineBlock::refer(wanted));
    }

    fn remove(&mut self, id: RecordId) {
        let Some(out) = self.get_mut(id) else { return };
        out.order = None;
        let (bytes, queue, held) = (out.bytes, out.queue, out.held);
        self.bytes -= bytes;
        self.kept -= 1;
        if let Some(queue) = self.queues.get_mut(queue) {
            queue.kept -= 1;
        }
        self.free.push(id.place);
        let (records, blocks) = (&mut self.records, &mut self.blocks);
        let Some(out) = records.get_mut(id.place) else { return };
        for line in out.lines().take(held) {
            let Some(block) = blocks.get_mut(line.block) else { continue };
            self.text.give_up(block.release(line.number));
            if line.beside {
                self.text.give_up(block.release(line.number - 1));
                self.text.give_up(block.release(line.number + 1));
            }
        }
        out.further.clear();
        self.text.pack(blocks);
    }

    /// Returns how many records of a template are kept.
    pub(super) fn kept_of(&self, template: GroupId) -> u64 {
        let queue = self.numbers.get(&template).and_then(|number| self.queues.get(*number));
        queue.map_or(0, |queue| queue.kept)
    }

    /// Puts the kept lines together, and makes records of what refers to them.
    pub(super) fn into_text(mut self) -> (String, Vec<u32>, Vec<Record>) {
        let kept = self.records.iter().filter(|kept| kept.order.is_some());
        let mut own: Vec<i64> =
            kept.flat_map(|kept| kept.lines().map(|line| line.number)).collect();
        own.sort_unstable();
        let kept = std::mem::take(&mut self.text);
        let (text, places) = LinePlaces::join(&self.blocks, kept, &own);
        (text, places.line_numbers(), self.into_records_at(&places))
    }

    /// Makes records that refer to the scanned text.
    pub(super) fn into_records(self) -> Vec<Record> {
        let places = LinePlaces::list(&self.blocks);
        self.into_records_at(&places)
    }

    fn into_records_at(mut self, places: &LinePlaces) -> Vec<Record> {
        self.records.retain(|kept| kept.order.is_some());
        self.records.sort_unstable_by_key(|kept| kept.order);
        let mut near = 0;
        let record = |kept: &KeptRecord| Record {
            parts: parts(kept, places, &mut near),
            line: line_number(kept.record.line),
            template: kept.record.template,
            form: kept.record.form,
            level: kept.record.level,
            when: kept.record.when,
            writer: kept.record.writer,
            is_cut: kept.is_cut,
        };
        self.records.iter().map(record).collect()
    }
}

/// Turns the lines of a record into runs of whole lines; `near` is where the last search ended.
fn parts(kept: &KeptRecord, places: &LinePlaces, near: &mut usize) -> Vec<Range<u32>> {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut parts: Vec<Range<u32>> = Vec::with_capacity(1);
    let mut last = None;
    for line in kept.lines() {
        let Some((found, place)) = places.find(line.number, *near) else { continue };
        *near = found;
        match parts.last_mut().filter(|_| last == Some(line.number - 1)) {
            Some(part) => part.end = offset(place.end),
            None => parts.push(offset(place.start)..offset(place.end)),
        }
        last = Some(line.number);
    }
    parts
}
