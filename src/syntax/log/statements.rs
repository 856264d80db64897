//! What was decided of records that begin alike, so that the policy is asked once per statement and not once per line.
//!
//! Nearly every line of a log is written by one of some hundred statements of a program, with the same caller, message
//! and first key each time. Where the policy says up to which byte a record decided, records that are the same up to there share
//! its decision. Invariant: what is remembered changes no outcome; it is forgotten with the log.

use super::line_head::{LineHead, LogFormat, MessageQuoting, RecordLevel};
use super::{DecisionScope, RecordDecision};

/// How many places there are for statements, a power of two.
const BUCKETS: usize = 2048;

/// How many beginnings share a place: a statement may be followed by many values.
const MAX_ALIKE: usize = 24;

/// A longer caller is looked at in full each time.
const MAX_CALLER: usize = 96;

/// Records that begin alike.
#[derive(Debug)]
pub(super) struct Known {
    level: RecordLevel,
    /// How they begin, from the caller on, into the pairs.
    begin: Box<[u8]>,
    /// Whether a name begins there.
    wants_name: bool,
    pub(super) decision: RecordDecision,
    /// The chunk that was scanned last, and the number of the template in it.
    number: (u64, Option<usize>),
}

/// What was decided so far in a log.
#[derive(Debug, Default)]
pub(super) struct Statements {
    buckets: Vec<Vec<Known>>,
    /// How many chunks were scanned.
    pub(super) chunk: u64,
}

impl Statements {
    /// Begins a chunk, in which templates have other numbers.
    pub(super) fn begin_chunk(&mut self) {
        self.chunk += 1;
    }

    /// Finds what was decided of a record, by its text from the caller on.
    pub(super) fn find(&mut self, level: RecordLevel, text: &[u8]) -> Option<&mut Known> {
        let bucket = self.buckets.get_mut(place(text)?)?;
        bucket.iter_mut().find(|known| known.level == level && known.fits(text))
    }

    /// Remembers what was decided of a record.
    pub(super) fn remember(&mut self, line: &str, head: &LineHead, decision: RecordDecision) {
        let (end, wants_name) = match decision.scope {
            DecisionScope::Record => return,
            DecisionScope::Beginning(end) => (end, false),
            DecisionScope::NameAt(end) => (end, true),
        };
        let pairs = line.as_bytes().get(head.rest..end).unwrap_or_default();
        // Without a pair what follows tells whether the message is quoted at all.
        let is_certain = head.form == LogFormat::Klog
            && head.quoting == MessageQuoting::Quoted
            && memchr::memchr(b'=', pairs).is_some();
        let text = line.as_bytes().get(head.file.start..).filter(|_| is_certain);
        let (Some(text), Some(level)) = (text, head.level) else { return };
        let begin = text.get(..end.saturating_sub(head.file.start)).unwrap_or_default();
        let known = Known { level, begin: begin.into(), wants_name, decision, number: (0, None) };
        let Some(place) = place(text).filter(|_| known.fits(text)) else { return };
        if self.buckets.is_empty() {
            self.buckets.resize_with(BUCKETS, Vec::new);
        }
        if let Some(bucket) = self.buckets.get_mut(place).filter(|it| it.len() < MAX_ALIKE) {
            bucket.push(known);
        }
    }
}

impl Known {
    /// Returns the number of the template in a chunk, if it has one there yet.
    pub(super) fn number_in(&mut self, chunk: u64) -> &mut Option<usize> {
        if self.number.0 != chunk {
            self.number = (chunk, None);
        }
        &mut self.number.1
    }

    fn fits(&self, text: &[u8]) -> bool {
        text.strip_prefix(&*self.begin).is_some_and(|behind| {
            !self.wants_name || behind.first().is_some_and(u8::is_ascii_alphanumeric)
        })
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
