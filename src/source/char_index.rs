//! How many characters stand before a place of a text, for lines that are longer than anybody reads.
//!
//! A dump on one line has every place in that line, and each of them is told by its column: characters are counted by blocks,
//! once.

/// How many bytes are counted at a time; what a question costs.
const BLOCK: usize = 4096;

/// The characters of one text, which has to be given with each question.
#[derive(Debug)]
pub(super) struct CharIndex {
    /// How many characters begin before each block.
    before: Vec<u32>,
}

impl CharIndex {
    pub(super) fn new(text: &str) -> Self {
        let mut count = 0_u32;
        let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
            let before = count;
            count = count.saturating_add(u32::try_from(begun_in(block)).unwrap_or(u32::MAX));
            before
        });
        Self { before: blocks.collect() }
    }

    /// Returns how many characters begin before an offset.
    pub(super) fn before(&self, text: &str, offset: usize) -> usize {
        let offset = offset.min(text.len());
        let block = offset / BLOCK;
        let inside = text.as_bytes().get(block * BLOCK..offset).unwrap_or_default();
        // At the end of a text of whole blocks there is no block any more.
        let known = self.before.get(block).map(|before| *before as usize);
        known.unwrap_or_else(|| text.chars().count()) + begun_in(inside)
    }
}

/// Counts the characters that begin in some bytes: all but those that go on with another.
fn begun_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn characters_are_those_that_counting_one_by_one_finds(
            text in "[a\u{e4}\u{20ac}\u{1f600}]{0,40}", repeat in 0_usize..300, at in 0_usize..20_000,
        ) {
            let text = text.repeat(repeat);
            let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
            let at = at.unwrap_or_default();
            let index = CharIndex::new(&text);
            prop_assert_eq!(index.before(&text, at), text[..at].chars().count());
            prop_assert_eq!(index.before(&text, text.len()), text.chars().count());
        }
    }

    #[test]
    fn a_text_of_whole_blocks_has_an_end() {
        let text = "a".repeat(2 * BLOCK);
        assert_eq!(CharIndex::new(&text).before(&text, 2 * BLOCK), 2 * BLOCK);
    }
}
