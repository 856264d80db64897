//! What was decided of records that begin alike, so that the policy is asked once per statement and not once per line.
//!
//! Nearly every line of a log is written by one of some hundred statements of a program, with the same caller, message
//! and first key each time. Where the policy says up to which byte a record decided, records that are the same up to there share
//! its decision. A program writes them in loops, so that those that came after this one before are tried first.
//! Invariant: what is remembered changes no outcome; it is forgotten with the log.

use super::line_head::{LineHead, LogFormat, MessageQuoting, RecordLevel};
use super::statement_counts::StatementCounts;
use super::{DecisionScope, RecordDecision};

/// How many places there are for statements, a power of two.
const BUCKETS: usize = 2048;

/// How many beginnings share a place: a statement may be followed by many values.
const MAX_ALIKE: usize = 64;

/// How many bytes of beginnings are remembered in all: those of a line that is never written again may be long.
const MAX_BYTES: usize = 4 << 20;

/// A longer caller is looked at in full each time.
const MAX_CALLER: usize = 96;

/// How many bytes at the end of a beginning are compared first.
const BEGIN_END: usize = 8;

/// Records that begin alike.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) level: RecordLevel,
    /// How they begin, from the caller on, into the pairs.
    begin: Box<[u8]>,
    /// The end of that, in which most beginnings differ: a look at it saves most comparisons.
    begin_end: [u8; BEGIN_END],
    behind: Behind,
    pub(super) decision: RecordDecision,
    /// What came after them the last two times that this differed, the latest first.
    next: [usize; 2],
}

/// What has to stand behind the beginning.
#[derive(Clone, Copy, Debug)]
enum Behind {
    Anything,
    /// The first letter of a name.
    Name,
    LineEnd,
}

/// What was decided so far in a log.
#[derive(Debug, Default)]
pub(super) struct Statements {
    known: Vec<Known>,
    /// How many bytes their beginnings have.
    bytes: usize,
    /// Numbers of what is known, by the place of its statement.
    buckets: Vec<Vec<usize>>,
    /// What was found last.
    last: usize,
    /// How many records of the chunk that is scanned are of each.
    pub(super) counts: StatementCounts,
}

impl Statements {
    /// Finds what was decided of a record, by its text from the caller on, and of how many bytes that was; the text may go on behind the record.
    #[inline]
    pub(super) fn find(&mut self, level: RecordLevel, text: &[u8]) -> Option<(usize, usize)> {
        for next in self.known.get(self.last)?.next {
            if let Some(known) = self.known.get(next).filter(|known| known.is_of(level, text)) {
                self.last = next;
                return Some((next, known.begin.len()));
            }
        }
        self.find_by_caller(level, text)
    }

    fn find_by_caller(&mut self, level: RecordLevel, text: &[u8]) -> Option<(usize, usize)> {
        let bucket = self.buckets.get(place(text)?)?;
        let (at, len) = bucket.iter().find_map(|at| {
            let known = self.known.get(*at).filter(|known| known.is_of(level, text))?;
            Some((*at, known.begin.len()))
        })?;
        if let Some(last) = self.known.get_mut(self.last) {
            last.next = [at, last.next[0]];
        }
        self.last = at;
        Some((at, len))
    }

    /// Returns what is known by its number.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&Known> {
        self.known.get(at)
    }

    /// Remembers what was decided of a record.
    pub(super) fn remember(&mut self, line: &str, head: &LineHead, decision: RecordDecision) {
        let (end, behind) = match decision.scope {
            DecisionScope::Record => return,
            DecisionScope::Beginning(end) => (end, Behind::Anything),
            DecisionScope::NameAt(end) => (end, Behind::Name),
            DecisionScope::Line => (line.len(), Behind::LineEnd),
        };
        let pairs = line.as_bytes().get(head.rest..end).unwrap_or_default();
        // Without a pair what follows tells whether the message is quoted at all.
        let is_certain = head.form == LogFormat::Klog
            && head.quoting == MessageQuoting::Quoted
            && (matches!(behind, Behind::LineEnd) || memchr::memchr(b'=', pairs).is_some());
        let text = line.as_bytes().get(head.file.start..).filter(|_| is_certain);
        let (Some(text), Some(level)) = (text, head.level) else { return };
        let begin = text.get(..end.saturating_sub(head.file.start)).unwrap_or_default();
        // A caller alone is longer, or it has no place.
        let Some(begin_end) = begin.last_chunk().copied() else { return };
        let number = self.known.len();
        let next = [number; 2];
        // What a transport wrote in one line may be several.
        if memchr::memchr(b'\n', begin).is_some() {
            return;
        }
        let known = Known { level, begin: begin.into(), begin_end, behind, decision, next };
        let Some(place) = place(text).filter(|_| known.is_of(level, text)) else { return };
        if self.buckets.is_empty() {
            self.buckets.resize_with(BUCKETS, Vec::new);
        }
        let has_room = self.bytes + known.begin.len() <= MAX_BYTES;
        let bucket = self.buckets.get_mut(place).filter(|it| has_room && it.len() < MAX_ALIKE);
        if let Some(bucket) = bucket {
            self.bytes += known.begin.len();
            bucket.push(number);
            self.known.push(known);
        }
    }
}

impl Known {
    #[inline]
    fn is_of(&self, level: RecordLevel, text: &[u8]) -> bool {
        let Some((begin, behind)) = text.split_at_checked(self.begin.len()) else { return false };
        self.level == level
            && begin.last_chunk() == Some(&self.begin_end)
            && self.behind.fits(behind.first())
            && *begin == *self.begin
    }
}

impl Behind {
    #[inline]
    fn fits(self, byte: Option<&u8>) -> bool {
        match self {
            Self::Anything => true,
            Self::Name => byte.is_some_and(u8::is_ascii_alphanumeric),
            Self::LineEnd => matches!(byte, None | Some(b'\n')),
        }
    }
}

/// Returns the place of a statement, by its caller.
fn place(text: &[u8]) -> Option<usize> {
    let caller = text.get(..MAX_CALLER).unwrap_or(text);
    let caller = caller.get(..memchr::memchr(b']', caller)?)?;
    let (first, last) = (caller.first_chunk::<8>()?, caller.last_chunk::<8>()?);
    let mixed = u64::from_le_bytes(*first).rotate_left(29) ^ u64::from_le_bytes(*last);
    // The upper bits of a product depend on all bits of its factors.
    let mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    usize::try_from(mixed).ok().map(|mixed| mixed % BUCKETS)
}
