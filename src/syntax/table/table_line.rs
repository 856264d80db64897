//! A logical line of a table: characters, and where each stands in the view.
//!
//! A terminal that was too narrow puts the end of a long row on a line of its own. Joined and padded
//! to the terminal's width, such a row can be sliced like any other.

use std::ops::Range;

/// Characters with their offsets; a padding character has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TableLine {
    characters: Vec<(char, Option<usize>)>,
}

/// A piece of a logical line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// What it says, blanks around it removed.
    pub(super) text: String,
    /// Where that stands in the view.
    pub(super) range: Range<usize>,
    /// Whether the text is exactly what stands there.
    pub(super) verbatim: bool,
}

impl TableLine {
    /// Takes a line that starts at `offset`.
    pub(super) fn new(line: &str, offset: usize) -> Self {
        let mut text = Self::default();
        text.extend(line, offset);
        text
    }

    /// Appends a line.
    pub(super) fn extend(&mut self, line: &str, offset: usize) {
        let characters = line.char_indices().map(|(at, character)| (character, Some(offset + at)));
        self.characters.extend(characters);
    }

    /// Pads with blanks up to a width.
    pub(super) fn pad(&mut self, width: usize) {
        if self.characters.len() < width {
            self.characters.resize(width, (' ', None));
        }
    }

    /// Returns the characters.
    pub(super) fn chars(&self) -> impl Iterator<Item = char> {
        self.characters.iter().map(|(character, _)| *character)
    }

    /// Returns the number of characters.
    pub(super) fn len(&self) -> usize {
        self.characters.len()
    }

    /// Says whether there is something other than a blank at a position.
    pub(super) fn is_filled(&self, at: usize) -> bool {
        self.characters.get(at).is_some_and(|(character, _)| !character.is_whitespace())
    }

    /// Returns what stands in a range of characters, or `None` if that is nothing.
    pub(super) fn cell(&self, range: Range<usize>) -> Option<Cell> {
        let end = range.end.min(self.characters.len());
        let characters = self.characters.get(range.start.min(end)..end)?;
        let filled = |(character, _): &(char, Option<usize>)| !character.is_whitespace();
        let first = characters.iter().position(filled)?;
        let last = characters.iter().rposition(filled)?;
        let inner = characters.get(first..=last)?;
        let text: String = inner.iter().map(|(character, _)| *character).collect();
        let lo = inner.first().and_then(|(_, at)| *at)?;
        let hi = inner.last().and_then(|(character, at)| Some((*at)? + character.len_utf8()))?;
        let verbatim = hi - lo == text.len();
        Some(Cell { text, range: lo..hi, verbatim })
    }
}
