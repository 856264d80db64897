//! The lines of the file that stay for kept records.
//!
//! They are copied out of a chunk when it goes, all at once, into a [`LineBlock`]. Lines are shared: a line may belong
//! to one record and stand beside another. A block whose lines are mostly given up again is packed, so that memory
//! does not grow with the log.

use std::ops::Range;

use super::chunk::clip_bytes;

/// How much is kept of a line that only stands beside a kept one.
pub(super) const BESIDE_BYTES: usize = 256;

/// A line that is wanted: its number in the log, its text, and where that stands.
pub(super) struct WantedLine<'t> {
    pub(super) number: i64,
    pub(super) text: &'t [u8],
    /// Its place in the scanned text; of use only where that text stays.
    pub(super) at: usize,
}

/// A line of a block.
#[derive(Clone, Copy, Debug)]
struct BlockLine {
    number: i64,
    /// Where it stands: in the block's text, or in the scanned text if that stays.
    at: usize,
    len: usize,
    uses: u32,
}

/// The lines that were kept of one chunk, in order.
#[derive(Debug, Default)]
pub(super) struct LineBlock {
    lines: Vec<BlockLine>,
    text: Vec<u8>,
    /// How many bytes of the text nobody uses any more.
    unused: usize,
}

impl LineBlock {
    /// Copies lines; of one that is wanted more than once the longest text counts.
    pub(super) fn copy(wanted: Vec<WantedLine<'_>>) -> Self {
        let mut block = Self::default();
        for (first, uses) in runs(wanted) {
            let (at, len) = (block.text.len(), first.text.len());
            block.text.extend_from_slice(first.text);
            block.lines.push(BlockLine { number: first.number, at, len, uses });
        }
        block
    }

    /// Refers to lines of a text that stays.
    pub(super) fn refer(wanted: Vec<WantedLine<'_>>) -> Self {
        let line = |(first, uses): (WantedLine<'_>, u32)| BlockLine {
            number: first.number,
            at: first.at,
            len: first.text.len(),
            uses,
        };
        Self { lines: runs(wanted).map(line).collect(), ..Self::default() }
    }

    /// Gives up a use of a line.
    pub(super) fn release(&mut self, number: i64) {
        let Ok(at) = self.lines.binary_search_by_key(&number, |line| line.number) else { return };
        let Some(line) = self.lines.get_mut(at) else { return };
        line.uses = line.uses.saturating_sub(1);
        if line.uses == 0 {
            self.unused += line.len;
            if self.unused * 2 > self.text.len() {
                self.pack();
            }
        }
    }

    /// Drops what nobody uses.
    fn pack(&mut self) {
        let mut text = Vec::with_capacity(self.text.len() - self.unused.min(self.text.len()));
        self.lines.retain_mut(|line| {
            let own = self.text.get(line.at..line.at + line.len).unwrap_or_default();
            line.at = text.len();
            if line.uses > 0 {
                text.extend_from_slice(own);
            }
            line.uses > 0
        });
        self.lines.shrink_to_fit();
        self.text = text;
        self.unused = 0;
    }
}

/// Puts wanted lines in order; each comes once, with its longest text and how often it is wanted.
fn runs(mut wanted: Vec<WantedLine<'_>>) -> impl Iterator<Item = (WantedLine<'_>, u32)> {
    wanted.sort_by_key(|line| line.number);
    let mut wanted = wanted.into_iter().peekable();
    std::iter::from_fn(move || {
        let mut first = wanted.next()?;
        let mut uses = 1;
        while let Some(next) = wanted.next_if(|next| next.number == first.number) {
            uses += 1;
            if next.text.len() > first.text.len() {
                first = next;
            }
        }
        Some((first, uses))
    })
}

/// Where kept lines stand, by number, in order.
#[derive(Debug, Default)]
pub(super) struct LinePlaces {
    numbers: Vec<i64>,
    places: Vec<Range<usize>>,
}

impl LinePlaces {
    /// Puts the lines of all blocks together; those that are nobody's `own` only stand beside one, and are kept in part.
    pub(super) fn join(blocks: &[LineBlock], own: &[i64]) -> (String, Self) {
        let lines = blocks.iter().flat_map(|block| {
            let text = |line: &BlockLine| block.text.get(line.at..line.at + line.len);
            let used = block.lines.iter().filter(|line| line.uses > 0);
            used.map(move |line| (line.number, text(line).unwrap_or_default()))
        });
        let mut lines: Vec<(i64, &[u8])> = lines.collect();
        // The longest first, since lines at the border of two chunks may be in the blocks of both.
        if !lines.is_sorted_by(|one, next| one.0 < next.0) {
            lines.sort_by_key(|(number, text)| (*number, std::cmp::Reverse(text.len())));
            lines.dedup_by_key(|(number, _)| *number);
        }
        let bytes = lines.iter().map(|(_, text)| text.len() + 1).sum();
        let mut text = Vec::with_capacity(bytes);
        let mut places = Self::default();
        places.numbers.reserve_exact(lines.len());
        places.places.reserve_exact(lines.len());
        let mut own = own.iter().copied().peekable();
        for (number, line) in lines {
            while own.next_if(|own| *own < number).is_some() {}
            let is_own = own.peek() == Some(&number);
            let line = if is_own { line } else { clip_bytes(line, BESIDE_BYTES) };
            places.add(number, text.len()..text.len() + line.len());
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        (String::from_utf8(text).unwrap_or_default(), places)
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
