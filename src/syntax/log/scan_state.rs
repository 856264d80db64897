//! What the meaning of a line depends on besides the line itself.
//!
//! Each writer has at most one open record, one stack trace and one unfinished line. A chunk is first
//! scanned as if nothing were open before it; [`ScanState::merge`] puts the truth together afterwards, and
//! [`ScanState::is_needed_by`] says when the chunk has to be scanned again because that was wrong.
//! Invariant: the size of a state does not grow with the log.

use std::ops::Range;

use smol_str::SmolStr;

/// How many writers are told apart; further ones share the first slot.
pub(super) const MAX_SLOTS: usize = 256;

/// How many lines may lie between two lines of a stack trace that another writer cut apart.
pub(super) const STACK_REACH: i64 = 64;

/// A kept record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// By its number in the chunk that is being scanned.
    Here(usize),
    /// Of an earlier chunk.
    Before(OpenHit),
}

/// A record that was open at the end of a chunk, by the number of the chunk and its own number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct OpenHit {
    pub(super) chunk: u64,
    pub(super) at: usize,
}

/// A line of the file that belongs to a kept record or may come to.
#[derive(Clone, Debug)]
pub(super) struct KeptLine {
    /// Its number, counted from the first line of the chunk; negative if it stood before.
    pub(super) number: i64,
    pub(super) text: LineText,
    /// Whether it is one of several parts of a logged line.
    pub(super) is_part: bool,
}

/// Where the text of a line is.
#[derive(Clone, Debug)]
pub(super) enum LineText {
    /// At this range of the chunk.
    Here(Range<usize>),
    /// Copied out of a chunk that is gone.
    Copied(SmolStr),
}

/// The record to which further lines of a writer belong.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenRecord {
    pub(super) kept: Option<Kept>,
    /// Whether it can have no further lines except between marks.
    pub(super) is_complete: bool,
    /// Whether the last line opened a value with `<`.
    pub(super) in_marks: bool,
    pub(super) is_zap: bool,
}

/// The last zap record of a writer, below which a stack trace may stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stack {
    pub(super) kept: Option<Kept>,
    /// Its last line, counted from the first line of the chunk.
    pub(super) line: i64,
    /// Whether a function was named and its place is still to come.
    pub(super) wants_path: bool,
}

/// A logged line of which the runtime has written only the first parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    pub(super) text: String,
    pub(super) lines: Vec<KeptLine>,
    /// Lines beyond the limit, of which nothing is kept.
    pub(super) more: u64,
    pub(super) stamp: Option<SmolStr>,
}

/// One writer.
#[derive(Clone, Debug, Default)]
pub(super) struct WriterState {
    pub(super) writer: SmolStr,
    pub(super) lead: SmolStr,
    pub(super) is_stdout: bool,
    pub(super) open: Option<OpenRecord>,
    pub(super) stack: Option<Stack>,
    pub(super) pending: Option<Pending>,
    /// Whether `open` is certain, although the scan started in the middle of the log.
    pub(super) open_is_known: bool,
    /// The same for `stack`.
    pub(super) stack_is_known: bool,
}

impl WriterState {
    /// Forgets what was open, since a new section of the file starts.
    pub(super) fn close(&mut self) {
        (self.open, self.stack) = (None, None);
        (self.open_is_known, self.stack_is_known) = (true, true);
    }
}

/// The number of a name in [`CurrentSection::Named`] and in records.
pub(super) type SectionName = u16;

/// Whose lines those without a prefix are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum CurrentSection {
    /// The same as before the chunk.
    #[default]
    Inherited,
    /// Nobody's in particular.
    Unnamed,
    /// Those of a writer that a section mark named.
    Named(SectionName),
}

/// All writers at one point of the log.
#[derive(Clone, Debug)]
pub(super) struct ScanState {
    /// The first is that of lines without prefix and lead.
    pub(super) slots: Vec<WriterState>,
    pub(super) section: CurrentSection,
    /// Whether this is all there is, as opposed to what one chunk alone tells.
    pub(super) is_whole: bool,
}

/// What a chunk took for granted about the state before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScanAssumptions {
    /// A line looked for a record that was not in the chunk.
    pub(super) back: bool,
    /// A line without prefix and head may have had a lead that the chunk does not know.
    pub(super) for_leads: bool,
}

impl ScanState {
    /// The state at the start of a log.
    pub(super) fn fresh() -> Self {
        let slot =
            WriterState { open_is_known: true, stack_is_known: true, ..WriterState::default() };
        Self { slots: vec![slot], section: CurrentSection::Unnamed, is_whole: true }
    }

    /// The assumption with which a chunk in the middle of a log is scanned.
    pub(super) fn unknown() -> Self {
        Self {
            slots: vec![WriterState::default()],
            section: CurrentSection::Inherited,
            is_whole: false,
        }
    }

    /// Finds or makes the slot of a writer.
    pub(super) fn slot(&mut self, writer: &str, lead: &str, is_stdout: bool) -> usize {
        let found = self.slots.iter().position(|slot| {
            slot.is_stdout == is_stdout && &*slot.writer == writer && &*slot.lead == lead
        });
        match found {
            Some(slot) => slot,
            None if self.slots.len() >= MAX_SLOTS => 0,
            None => {
                let (writer, lead) = (writer.into(), lead.into());
                let known = self.is_whole;
                self.slots.push(WriterState {
                    writer,
                    lead,
                    is_stdout,
                    open_is_known: known,
                    stack_is_known: known,
                    ..WriterState::default()
                });
                self.slots.len() - 1
            }
        }
    }

    /// Finds the writer whose lead a line starts with; the longest lead wins.
    pub(super) fn slot_by_lead(&self, line: &str) -> Option<usize> {
        let matches = |slot: &WriterState| {
            !slot.lead.is_empty() && (line.starts_with(&*slot.lead) || line == slot.lead.trim_end())
        };
        let found = self.slots.iter().enumerate().filter(|(_, slot)| matches(slot));
        found.max_by_key(|(_, slot)| slot.lead.len()).map(|(at, _)| at)
    }

    /// Says whether a chunk that was scanned without knowing this state came out wrong.
    pub(super) fn is_needed_by(&self, reach: ScanAssumptions) -> bool {
        let open = |slot: &WriterState| slot.open.is_some() || slot.stack.is_some();
        self.slots.iter().any(|slot| slot.pending.is_some())
            || (reach.back && self.slots.iter().any(open))
            || (reach.for_leads && self.slots.iter().any(|slot| !slot.lead.is_empty()))
    }

    /// Says whether a value over several lines is unfinished.
    pub(super) fn is_in_marks(&self) -> bool {
        self.slots.iter().any(|slot| slot.open.is_some_and(|open| open.in_marks))
    }

    /// Advances over a chunk of so many lines that ended in state `end`, which already counts from
    /// the first line behind the chunk. Sections are put together by the caller, who knows the names.
    pub(super) fn merge(&mut self, end: Self, lines: i64) {
        for slot in &mut self.slots {
            if let Some(stack) = &mut slot.stack {
                stack.line -= lines;
            }
        }
        if end.is_whole {
            *self = end;
            return;
        }
        for new in end.slots {
            let at = self.slot(&new.writer, &new.lead, new.is_stdout);
            // A writer that found no room keeps nothing.
            let slot = self.slots.get_mut(at).filter(|slot| slot.writer == new.writer);
            let Some(slot) = slot else { continue };
            slot.pending = new.pending;
            if new.open_is_known {
                slot.open = new.open;
            }
            if new.stack_is_known {
                slot.stack = new.stack;
            }
        }
    }
}
