//! [`MessagePattern`]: a template as literals with holes between them, and its match on a text.
//!
//! The build compiles the notation of the data files to pieces. What is searched for is prepared once, at the
//! first search. A match takes time linear in the text: a hole that failed once is never tried again from
//! where that failure already tells the answer.

use std::iter::repeat_with;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use memchr::memmem::Finder;

use super::fingerprint::{Fingerprint, Grams};
use super::hole_role::{HoleClass, HoleRole};
use super::normalized::Normalized;
use super::tables::LITERALS;

/// One way to spell a template.
#[derive(Debug)]
pub(super) struct MessagePattern {
    pub(super) pieces: &'static [PatternPiece],
}

#[derive(Debug)]
pub(super) enum PatternPiece {
    Literal(PatternLiteral),
    Hole(Hole),
}

/// Words between holes, squeezed.
#[derive(Debug)]
pub(super) struct PatternLiteral {
    bytes: &'static [u8],
    /// A blank stood before or after the words in the template.
    blank: (bool, bool),
    grams: Grams,
    /// Which literal of the catalogue it is.
    number: usize,
}

impl PatternLiteral {
    pub(super) const fn new(bytes: &'static [u8], blank: (bool, bool), number: usize) -> Self {
        Self { bytes, blank, grams: Grams::of(bytes), number }
    }

    /// Returns where the literal stands in a text, one place after the other.
    fn find_in<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
        // Made when the first is asked for: as a plain array they would be 400 kB of the program.
        static FINDERS: LazyLock<Box<[OnceLock<Finder<'static>>]>> =
            LazyLock::new(|| repeat_with(OnceLock::new).take(LITERALS).collect());
        let finder = FINDERS.get(self.number);
        let finder = finder.map(|finder| finder.get_or_init(|| Finder::new(self.bytes)));
        finder.into_iter().flat_map(|finder| finder.find_iter(text))
    }
}

/// A gap to be filled.
#[derive(Debug)]
pub(super) struct Hole {
    pub(super) role: HoleRole,
    pub(super) name: &'static str,
    pub(super) class: HoleClass,
    pub(super) optional: bool,
}

/// How much of the template the text must show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchMode {
    /// The whole of it.
    Whole,
    /// The text was cut: it must agree as far as it goes.
    Cut,
}

/// A text that a pattern fits.
pub(super) struct PatternMatch<'p> {
    /// What fills the holes, in squeezed positions.
    pub(super) holes: Vec<(&'p Hole, Range<usize>)>,
    /// Bytes that agree with literals: the evidence for this template.
    pub(super) literal: usize,
}

impl MessagePattern {
    /// Returns the words that the pattern begins with, if it begins with words.
    pub(super) fn head(&self) -> Option<&[u8]> {
        match self.pieces.first() {
            Some(PatternPiece::Literal(literal)) => Some(literal.bytes),
            _ => None,
        }
    }

    /// Tells whether a text with the fingerprint may fit; if not, it is not worth trying.
    pub(super) fn may_fit(&self, text: &Fingerprint, fit: MatchMode) -> bool {
        let mut literals = self.pieces.iter().filter_map(|piece| match piece {
            PatternPiece::Literal(literal) => Some(literal.grams),
            PatternPiece::Hole(_) => None,
        });
        match fit {
            MatchMode::Whole => literals.all(|grams| text.may_hold(grams)),
            // A text that is cut before its first words end shows a piece of them.
            MatchMode::Cut => literals.next().is_none_or(|grams| text.may_hold(grams)),
        }
    }

    /// Returns the roles of the holes.
    pub(super) fn roles(&self) -> impl Iterator<Item = HoleRole> {
        self.pieces.iter().filter_map(|piece| match piece {
            PatternPiece::Hole(hole) => Some(hole.role),
            PatternPiece::Literal(_) => None,
        })
    }

    /// Matches a range of a text; blanks where the template has them are preferred, not required.
    pub(super) fn find(
        &self,
        text: &Normalized,
        range: Range<usize>,
        fit: MatchMode,
    ) -> Option<PatternMatch<'_>> {
        if let Some(head) = self.head()
            && fit == MatchMode::Whole
            && !text.bytes(range.clone()).starts_with(head)
        {
            return None;
        }
        [true, false].into_iter().find_map(|strict| {
            let mut walk = Walk {
                pieces: self.pieces,
                text,
                end: range.end,
                fit,
                strict,
                holes: Vec::new(),
                dead: vec![0..0; self.pieces.len()],
                literal: 0,
            };
            walk.step(0, range.start)
                .then_some(PatternMatch { holes: walk.holes, literal: walk.literal })
        })
    }

    /// Tells whether a text that goes on may begin like this, with all words up to the second hole.
    pub(super) fn begins(&self, text: &Normalized, range: Range<usize>) -> bool {
        match self.pieces {
            [PatternPiece::Literal(literal), ..] => text.bytes(range).starts_with(literal.bytes),
            // A hole for anything would look at the whole rest of the text, at every comma again.
            [PatternPiece::Hole(hole), PatternPiece::Literal(literal), ..]
                if hole.class.unbroken() =>
            {
                let limit = hole.limit(text, range.clone());
                let reach = range.end.min(limit + literal.bytes.len());
                literal.find_in(text.bytes(range.start..reach)).next().is_some_and(|at| at > 0)
            }
            _ => false,
        }
    }
}

impl Hole {
    /// Returns how far the hole may reach.
    fn limit(&self, text: &Normalized, range: Range<usize>) -> usize {
        if self.class == HoleClass::Any {
            return range.end;
        }
        let start = range.start;
        let ends = |(offset, byte): (usize, &u8)| {
            let broken = offset > 0 && self.class.unbroken() && text.blank_before(start + offset);
            (broken || !self.class.holds(*byte)).then_some(start + offset)
        };
        let end = range.end;
        text.bytes(range).iter().enumerate().find_map(ends).unwrap_or(end)
    }
}

/// One attempt to walk a pattern through a text.
struct Walk<'p, 't> {
    pieces: &'p [PatternPiece],
    text: &'t Normalized,
    end: usize,
    fit: MatchMode,
    strict: bool,
    holes: Vec<(&'p Hole, Range<usize>)>,
    /// For each hole the starts from which it is known to fail.
    dead: Vec<Range<usize>>,
    literal: usize,
}

impl<'p> Walk<'p, '_> {
    fn step(&mut self, index: usize, at: usize) -> bool {
        match self.pieces.get(index) {
            None => at == self.end,
            Some(PatternPiece::Literal(literal)) => self.words(index, at, literal),
            Some(PatternPiece::Hole(hole)) => self.fill(index, at, hole),
        }
    }

    fn words(&mut self, index: usize, at: usize, literal: &PatternLiteral) -> bool {
        let rest = self.text.bytes(at..self.end);
        if self.fit == MatchMode::Cut && literal.bytes.starts_with(rest) {
            self.literal += rest.len();
            return true;
        }
        let (before, after) = literal.blank;
        let next = at + literal.bytes.len();
        let blanks = !self.strict
            || ((!before || self.text.blank_before(at))
                && (!after || self.text.blank_before(next)));
        if !blanks || !rest.starts_with(literal.bytes) {
            return false;
        }
        self.literal += literal.bytes.len();
        if self.step(index + 1, next) {
            return true;
        }
        self.literal -= literal.bytes.len();
        false
    }

    fn fill(&mut self, index: usize, at: usize, hole: &'p Hole) -> bool {
        if self.dead.get(index).is_some_and(|dead| dead.contains(&at)) {
            return false;
        }
        let limit = hole.limit(self.text, at..self.end);
        let least = if hole.optional { at } else { at + 1 };
        if let Some(PatternPiece::Literal(literal)) = self.pieces.get(index + 1) {
            let reach = self.end.min(limit + literal.bytes.len());
            let text = self.text;
            for found in literal.find_in(text.bytes(at..reach)) {
                if at + found >= least && self.try_fill(index, hole, at..at + found) {
                    return true;
                }
            }
            // The cut may have left only the beginning of the words that follow.
            let mut tail =
                self.end.saturating_sub(literal.bytes.len()).max(least)..self.end.min(limit + 1);
            if self.fit == MatchMode::Cut && tail.any(|end| self.try_fill(index, hole, at..end)) {
                return true;
            }
        }
        let open = self.fit == MatchMode::Cut || index + 1 == self.pieces.len();
        if open && limit == self.end && limit >= least {
            self.holes.push((hole, at..limit));
            return true;
        }
        if let Some(dead) = self.dead.get_mut(index) {
            *dead = at..limit.max(at + 1);
        }
        false
    }

    fn try_fill(&mut self, index: usize, hole: &'p Hole, range: Range<usize>) -> bool {
        let end = range.end;
        self.holes.push((hole, range));
        let done = self.step(index + 1, end);
        if !done {
            self.holes.pop();
        }
        done
    }
}
