//! Where the lines of a text begin, without a number per line.
//!
//! A dump has millions of lines, and a report names a few hundred: so line breaks are counted by blocks, which is as
//! fast as memory, and the rest is counted where somebody asks.

use memchr::memchr_iter;

/// How many bytes are counted at a time; what a question costs.
const BLOCK: usize = 1024;

/// The lines of one text, which has to be given with each question.
#[derive(Debug)]
pub(super) struct LineIndex {
    /// How many lines end before each block.
    before: Vec<u32>,
    /// How many lines there are; an empty text is one line.
    count: usize,
}

impl LineIndex {
    pub(super) fn new(text: &str) -> Self {
        let blocks = text.as_bytes().chunks(BLOCK);
        let mut before = Vec::with_capacity(blocks.len());
        let mut ended = 0;
        for block in blocks {
            before.push(u32::try_from(ended).unwrap_or(u32::MAX));
            ended += memchr_iter(b'\n', block).count();
        }
        // Behind the last line break there is no line.
        let count = 1 + ended - usize::from(text.ends_with('\n'));
        Self { before, count }
    }

    /// Returns how many lines there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns the index of the line that holds an offset.
    pub(super) fn line_at(&self, text: &str, offset: usize) -> usize {
        let offset = offset.min(text.len().saturating_sub(1));
        let block = offset / BLOCK;
        let inside = text.as_bytes().get(block * BLOCK..offset).unwrap_or_default();
        let before = self.before.get(block).map_or(0, |&before| before as usize);
        before + memchr_iter(b'\n', inside).count()
    }

    /// Returns where a line begins, or the end of the text if there are not so many.
    pub(super) fn start_of(&self, text: &str, index: usize) -> usize {
        if index == 0 || index >= self.count {
            return if index == 0 { 0 } else { text.len() };
        }
        let block = self.before.partition_point(|&before| (before as usize) < index);
        let block = block.saturating_sub(1);
        let ended = self.before.get(block).map_or(0, |&before| before as usize);
        let rest = text.as_bytes().get(block * BLOCK..).unwrap_or_default();
        let last = memchr_iter(b'\n', rest).nth(index - ended - 1);
        last.map_or(text.len(), |at| block * BLOCK + at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns where all lines begin, one by one.
    fn starts(text: &str) -> Vec<usize> {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        std::iter::once(0).chain(breaks.filter(|&at| at < text.len())).collect()
    }

    proptest! {
        #[test]
        fn lines_are_those_that_counting_one_by_one_finds(
            text in "(a{0,7}\n){0,40}[a\n]{0,9}", repeat in 1_usize..60,
        ) {
            let text = text.repeat(repeat);
            let (index, starts) = (LineIndex::new(&text), starts(&text));
            prop_assert_eq!(index.count(), starts.len());
            for line in 0..starts.len() + 2 {
                let start = starts.get(line).copied().unwrap_or(text.len());
                prop_assert_eq!(index.start_of(&text, line), start);
            }
            for offset in (0..text.len() + 3).step_by(7) {
                let line = starts.partition_point(|&start| start <= offset) - 1;
                prop_assert_eq!(index.line_at(&text, offset), line);
            }
        }
    }
}
