//! The lines of the file that stay for kept records.
//!
//! They are copied out of a chunk when it goes, all at once, to the end of a [`KeptText`]; a [`LineBlock`] lists them. Lines are shared: a line may
//! belong to one record and stand beside another. A text whose lines are mostly given up again is packed, so that memory
//! does not grow with the log. In the end lines move up to where the text of the log has them: the same memory serves from the first copy on.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use super::chunk::clip_bytes;

/// How much is kept of a line that only stands beside a kept one.
pub(super) const BESIDE_BYTES: usize = 256;

/// A line that is wanted: its number in the log, its text, and where that stands.
#[derive(Clone, Copy)]
pub(super) struct WantedLine<'t> {
    pub(super) number: i64,
    pub(super) text: &'t [u8],
    /// Its place in the scanned text; of use only where that text stays.
    pub(super) at: usize,
}

impl WantedLine<'_> {
    /// Takes the text of the same line if it is longer.
    fn join(&mut self, other: Self) {
        if other.text.len() > self.text.len() {
            *self = other;
        }
    }
}

/// The lines of a chunk that are wanted: of one that is wanted more than once the longest text counts.
#[derive(Default)]
pub(super) struct WantedLines<'t> {
    /// Each with how often it is wanted.
    lines: Vec<(WantedLine<'t>, u32)>,
    is_unordered: bool,
}

impl<'t> WantedLines<'t> {
    /// Adds a line. Records follow each other, so that it nearly always stands among the last ones.
    pub(super) fn add(&mut self, line: WantedLine<'t>) {
        const NEAR: usize = 8;
        let end = self.lines.len();
        for at in (end.saturating_sub(NEAR)..end).rev() {
            let Some((before, uses)) = self.lines.get_mut(at) else { break };
            match before.number.cmp(&line.number) {
                Ordering::Less => return self.lines.insert(at + 1, (line, 1)),
                Ordering::Equal => {
                    *uses += 1;
                    return before.join(line);
                }
                Ordering::Greater => {}
            }
        }
        self.is_unordered |= end > 0;
        self.lines.push((line, 1));
    }

    /// Returns the lines in order, each once.
    fn into_lines(mut self) -> Vec<(WantedLine<'t>, u32)> {
        if self.is_unordered {
            self.lines.sort_by_key(|(line, _)| line.number);
            self.lines.dedup_by(|(next, uses), (first, all)| {
                let is_same = next.number == first.number;
                if is_same {
                    *all += *uses;
                    first.join(*next);
                }
                is_same
            });
        }
        self.lines
    }
}

/// A line of a block.
#[derive(Clone, Copy, Debug)]
struct BlockLine {
    number: i64,
    /// Where it stands: in the kept text, or in the scanned text if that stays.
    at: usize,
    len: usize,
    uses: u32,
}

/// The text of the lines that are kept, in the order in which they were copied, each with a line break.
#[derive(Debug, Default)]
pub(super) struct KeptText {
    text: Vec<u8>,
    /// How many bytes of the text nobody uses any more.
    unused: usize,
}

impl KeptText {
    /// Takes note that so many bytes are not used any more.
    pub(super) fn give_up(&mut self, bytes: usize) {
        self.unused += bytes;
    }

    /// Drops what nobody uses, if that is most of the text.
    pub(super) fn pack(&mut self, blocks: &mut [LineBlock]) {
        const LITTLE: usize = 1 << 20;
        if self.unused < LITTLE || self.unused * 2 < self.text.len() {
            return;
        }
        let mut end = 0;
        for block in blocks {
            block.lines.retain_mut(|line| {
                if line.uses > 0 {
                    end = self.move_line(line, end);
                }
                line.uses > 0
            });
            block.lines.shrink_to_fit();
        }
        self.text.truncate(end);
        self.unused = 0;
    }

    /// Moves a line to a place before it; returns where the next one may go.
    fn move_line(&mut self, line: &mut BlockLine, to: usize) -> usize {
        let range = line.at..line.at + line.len;
        if range.end < self.text.len() && to <= line.at {
            self.text.copy_within(range, to);
            line.at = to;
            if let Some(end) = self.text.get_mut(to + line.len) {
                *end = b'\n';
            }
        }
        line.at + line.len + 1
    }
}

/// The lines that were kept of one chunk, in order.
#[derive(Debug, Default)]
pub(super) struct LineBlock {
    lines: Vec<BlockLine>,
}

impl LineBlock {
    /// Copies lines.
    pub(super) fn copy(wanted: WantedLines<'_>, kept: &mut KeptText) -> Self {
        let mut copy = |(line, uses): (WantedLine<'_>, u32)| {
            let at = kept.text.len();
            kept.text.extend_from_slice(line.text);
            kept.text.push(b'\n');
            BlockLine { number: line.number, at, len: line.text.len(), uses }
        };
        Self { lines: wanted.into_lines().into_iter().map(&mut copy).collect() }
    }

    /// Refers to lines of a text that stays.
    pub(super) fn refer(wanted: WantedLines<'_>) -> Self {
        let line = |(first, uses): (WantedLine<'_>, u32)| BlockLine {
            number: first.number,
            at: first.at,
            len: first.text.len(),
            uses,
        };
        Self { lines: wanted.into_lines().into_iter().map(line).collect() }
    }

    /// Gives up a use of a line; returns how many bytes are not used any more.
    pub(super) fn release(&mut self, number: i64) -> usize {
        let found = self.lines.binary_search_by_key(&number, |line| line.number);
        let line = found.ok().and_then(|at| self.lines.get_mut(at)).filter(|line| line.uses > 0);
        line.map_or(0, |line| {
            line.uses -= 1;
            if line.uses == 0 { line.len + 1 } else { 0 }
        })
    }
}

/// Where kept lines stand, by number, in order.
#[derive(Debug, Default)]
pub(super) struct LinePlaces {
    numbers: Vec<i64>,
    places: Vec<Range<usize>>,
}

impl LinePlaces {
    /// Puts the lines of all blocks together; those that are nobody's `own` only stand beside one, and are kept in part.
    pub(super) fn join(blocks: &[LineBlock], mut kept: KeptText, own: &[i64]) -> (String, Self) {
        let lines = blocks.iter().flat_map(|block| &block.lines).filter(|line| line.uses > 0);
        let mut lines: Vec<BlockLine> = lines.copied().collect();
        // The longest first, since lines at the border of two chunks may be in the blocks of both.
        if !lines.is_sorted_by(|one, next| one.number < next.number) {
            lines.sort_by_key(|line| (line.number, Reverse(line.len)));
            lines.dedup_by_key(|line| line.number);
        }
        // Then each has room where it stands, unless lines of a record were copied behind later ones.
        if !lines.is_sorted_by(|one, next| one.at < next.at) {
            kept = copy_in_order(&kept, &mut lines);
        }
        let mut places = Self::default();
        places.numbers.reserve_exact(lines.len());
        places.places.reserve_exact(lines.len());
        let mut own = own.iter().copied().peekable();
        let mut end = 0;
        for mut line in lines {
            while own.next_if(|own| *own < line.number).is_some() {}
            if own.peek() != Some(&line.number) {
                let text = kept.text.get(line.at..line.at + line.len).unwrap_or_default();
                line.len = clip_bytes(text, BESIDE_BYTES).len();
            }
            end = kept.move_line(&mut line, end);
            places.add(line.number, line.at..line.at + line.len);
        }
        kept.text.truncate(end);
        (String::from_utf8(kept.text).unwrap_or_default(), places)
    }

    /// Lists the lines of a text that stays.
    pub(super) fn list(blocks: &[LineBlock]) -> Self {
        let mut places = Self::default();
        for line in blocks.iter().flat_map(|block| &block.lines) {
            places.add(line.number, line.at..line.at + line.len);
        }
        places
    }

    fn add(&mut self, number: i64, place: Range<usize>) {
        self.numbers.push(number);
        self.places.push(place);
    }

    /// Returns the place of a line, and the index at which it was found, from which the next search starts best.
    pub(super) fn find(&self, number: i64, near: usize) -> Option<(usize, &Range<usize>)> {
        /// Records follow each other closely.
        const NEAR: usize = 8;
        let next = self.numbers.get(near..near.saturating_add(NEAR).min(self.numbers.len()));
        let beside = next.and_then(|next| next.iter().position(|own| *own == number));
        let at = match beside {
            Some(beside) => near + beside,
            None => self.numbers.binary_search(&number).ok()?,
        };
        Some((at, self.places.get(at)?))
    }

    /// Returns the numbers of all lines, counted from one, as people do.
    pub(super) fn line_numbers(&self) -> Vec<u32> {
        self.numbers.iter().map(|number| line_number(*number)).collect()
    }
}

/// Counts lines from one, as people do.
pub(super) fn line_number(from_zero: i64) -> u32 {
    u32::try_from(from_zero + 1).unwrap_or(u32::MAX)
}

/// Copies lines into the order in which they are given.
fn copy_in_order(kept: &KeptText, lines: &mut [BlockLine]) -> KeptText {
    let mut text = Vec::with_capacity(kept.text.len());
    for line in lines {
        let own = kept.text.get(line.at..line.at + line.len + 1).unwrap_or_default();
        line.at = text.len();
        text.extend_from_slice(own);
    }
    KeptText { text, unused: 0 }
}
