//! A map or list that is still open, and how nodes go into it.
//!
//! Owns the turn of key and value, merge keys and the growing range. It leaves the order of events
//! to [`super::from_events`].
//! Invariant: the range covers every key and value that went in, also those that were merged.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slots;
use std::mem;
use std::ops::Range;

use smol_str::SmolStr;

use super::scalar::Dialect;
use crate::source::Span;
use crate::syntax::tree::{Entry, Node, Value};
use crate::syntax::tree_builder::{missing, problem, repeated_key, settle_duplicates};
use crate::syntax::{Problem, ProblemKind};

/// An open map or list.
pub(super) struct OpenNode {
    parts: Parts,
    /// The bytes so far; with brackets, or from the first to the last child.
    range: Option<Range<usize>>,
    /// The anchor on it, or zero.
    pub(super) anchor: usize,
    dialect: Dialect,
}

enum Parts {
    Map { entries: Vec<Entry>, merged: Vec<Entry>, slot: Slot },
    List(Vec<Node>),
}

/// What the next node of a map is.
enum Slot {
    Key,
    Value {
        key: SmolStr,
        span: Span,
    },
    Merge {
        span: Span,
    },
    /// The value of a key that cannot be kept.
    Dropped,
}

impl OpenNode {
    /// Opens a map; `range` is that of its bracket, if it has one.
    pub(super) fn map(anchor: usize, range: Option<Range<usize>>, dialect: Dialect) -> Self {
        let parts = Parts::Map { entries: Vec::new(), merged: Vec::new(), slot: Slot::Key };
        Self { parts, range, anchor, dialect }
    }

    /// Opens a list; `range` is that of its bracket, if it has one.
    pub(super) fn list(anchor: usize, range: Option<Range<usize>>) -> Self {
        Self { parts: Parts::List(Vec::new()), range, anchor, dialect: Dialect::Core }
    }

    /// Says whether the next node is a key.
    pub(super) fn at_key(&self) -> bool {
        matches!(self.parts, Parts::Map { slot: Slot::Key, .. })
    }

    /// Takes a merge key, whose value brings entries of its own.
    pub(super) fn put_merge_key(&mut self, range: Range<usize>, at: Span) {
        self.cover(range);
        if let Parts::Map { slot, .. } = &mut self.parts {
            *slot = Slot::Merge { span: at };
        }
    }

    /// Takes the next key, value or item.
    pub(super) fn put(&mut self, node: Node, range: Range<usize>, problems: &mut Vec<Problem>) {
        self.cover(range);
        let (entries, merged, slot) = match &mut self.parts {
            Parts::List(items) => return items.push(node),
            Parts::Map { entries, merged, slot } => (entries, merged, slot),
        };
        match mem::replace(slot, Slot::Key) {
            // The server has no text for a key beyond 63 bits.
            Slot::Key => match node.text().filter(|_| !matches!(node.value, Value::BigInt(_))) {
                Some(key) => *slot = Slot::Value { key: key.value, span: key.span },
                None => {
                    *slot = Slot::Dropped;
                    let message = "a key must be text; this one is left out with its value";
                    problems.push(problem(ProblemKind::Malformed, node.span, message));
                }
            },
            Slot::Value { key, span } => entries.push(Entry { key, key_span: span, node }),
            Slot::Merge { span } => match entries_to_merge(node) {
                Ok(more) => merged.extend(more),
                Err(node) => {
                    let message = "only a map can be merged here";
                    problems.push(problem(ProblemKind::Malformed, node.span, message));
                    entries.push(Entry { key: "<<".into(), key_span: span, node });
                }
            },
            Slot::Dropped => {}
        }
    }

    /// Returns the finished value and its range; `end` is the closing bracket, or where it stopped.
    pub(super) fn close(
        self,
        end: Range<usize>,
        problems: &mut Vec<Problem>,
    ) -> (Value, Range<usize>) {
        let range = match self.range {
            Some(range) if end.is_empty() => range,
            Some(range) => range.start..range.end.max(end.end),
            None => end.start..end.start,
        };
        let (mut entries, merged, slot) = match self.parts {
            Parts::List(items) => return (Value::List(items), range),
            Parts::Map { entries, merged, slot } => (entries, merged, slot),
        };
        if let Slot::Value { key, span } = slot {
            entries.push(Entry { key, key_span: span, node: missing(span) });
        }
        settle_duplicates(&mut entries, problems);
        let twice = add_merged(&mut entries, merged);
        // The server takes what is merged and written again for a key that is given twice.
        if self.dialect == Dialect::Server {
            let repeated =
                twice.iter().map(|(key, again, first)| repeated_key(key, *again, *first));
            problems.extend(repeated);
        }
        (Value::Map(entries.into()), range)
    }

    fn cover(&mut self, range: Range<usize>) {
        self.range = Some(match self.range.take() {
            Some(so_far) => so_far.start.min(range.start)..so_far.end.max(range.end),
            None => range,
        });
    }
}

/// Returns the entries that a merge value brings: those of a map or of a list of maps.
fn entries_to_merge(node: Node) -> Result<Vec<Entry>, Node> {
    match node.value {
        Value::Map(mut entries) => Ok(mem::take(&mut *entries)),
        Value::List(items) if items.iter().all(|item| matches!(item.value, Value::Map(_))) => {
            let maps = items.into_iter().map(|item| item.value);
            let entries =
                maps.filter_map(|map| if let Value::Map(map) = map { Some(map) } else { None });
            Ok(entries.flatten().collect())
        }
        _ => Err(node),
    }
}

/// Adds merged entries behind the map's own, which win, as does what was merged first; returns the keys that
/// stand twice because of that, the one that counts first.
fn add_merged(entries: &mut Vec<Entry>, merged: Vec<Entry>) -> Vec<(SmolStr, Span, Span)> {
    if merged.is_empty() {
        return Vec::new();
    }
    let mut seen: HashMap<SmolStr, Span> =
        entries.iter().map(|entry| (entry.key.clone(), entry.key_span)).collect();
    let mut twice = Vec::new();
    for entry in merged {
        match seen.entry(entry.key.clone()) {
            Slots::Occupied(taken) => twice.push((entry.key, *taken.get(), entry.key_span)),
            Slots::Vacant(free) => {
                free.insert(entry.key_span);
                entries.push(entry);
            }
        }
    }
    twice
}
