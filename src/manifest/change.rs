//! Changes to a manifest, by the field that they touch.
//!
//! Owns the way from a JSON pointer to a [`TextEdit`] of the text as written. A document that shares
//! text between fields (aliases, merge keys), or that cannot be read in full, is never changed: an
//! edit of one field would reach another.

use super::schema_check::judge_body;
use super::{FaultKind, Manifest};
use crate::kube::field_path::unescape;
use crate::syntax::edit::{EditTarget, NewValue, TextEdit};
use crate::syntax::tree::{Entry, Node, Value};

impl Manifest {
    /// Makes the change that takes out what stands under a pointer: a key or a list item.
    pub fn remove(&self, pointer: &str) -> Option<TextEdit> {
        let (parent, last) = self.parent_of(pointer)?;
        match &parent.value {
            Value::Map(entries) => {
                let at = entries.iter().position(|entry| *entry.key == *last)?;
                let near = |at: Option<usize>| entries.get(at?).map(Entry::span);
                let span = entries.get(at)?.span();
                let (before, after) = (near(at.checked_sub(1)), near(at.checked_add(1)));
                Some(TextEdit::RemoveEntry(EditTarget { span, before, after }))
            }
            Value::List(items) => {
                let at: usize = last.parse().ok()?;
                let near = |at: Option<usize>| items.get(at?).map(|item| item.span);
                let span = items.get(at)?.span;
                let (before, after) = (near(at.checked_sub(1)), near(at.checked_add(1)));
                Some(TextEdit::RemoveItem(EditTarget { span, before, after }))
            }
            _ => None,
        }
    }

    /// Makes the changes that take keys out of the map under a pointer; neighbours go as one piece.
    pub fn without_keys(&self, pointer: &str, keys: &[&str]) -> Option<Vec<TextEdit>> {
        let entries = self.editable(pointer)?.entries();
        let mut changes = Vec::new();
        let mut kept = None;
        for run in entries.chunk_by(|l, r| keys.contains(&&*l.key) == keys.contains(&&*r.key)) {
            let (first, last) = (run.first()?, run.last()?);
            if keys.contains(&&*first.key) {
                let span = first.span().to(last.span());
                let after = entries.iter().map(Entry::span).find(|other| other.lo >= span.hi);
                changes.push(TextEdit::RemoveEntry(EditTarget { span, before: kept, after }));
            } else {
                kept = Some(last.span());
            }
        }
        Some(changes).filter(|changes| !changes.is_empty())
    }

    /// Makes the change that adds a key to the map under a pointer, behind `neighbour` if that is
    /// there, else behind its last entry.
    pub fn insert(
        &self,
        pointer: &str,
        neighbour: &str,
        key: &'static str,
        value: NewValue,
    ) -> Option<TextEdit> {
        let map = self.editable(pointer)?;
        if map.entry(key).is_some() {
            return None;
        }
        let entry = map.entry(neighbour).or_else(|| map.entries().last())?;
        let piece = EditTarget { span: entry.span(), before: None, after: None };
        Some(TextEdit::Add(piece, key, value))
    }

    /// Makes the change that writes another word for the scalar under a pointer.
    pub fn replace(&self, pointer: &str, word: impl Into<String>) -> Option<TextEdit> {
        let node = self.editable(pointer)?;
        node.as_str()?;
        Some(TextEdit::Replace(node.span, word.into()))
    }

    /// Makes the change to the version that is stored, if that has all fields that are written.
    pub fn in_stored_version(&self) -> Option<TextEdit> {
        let spec = self.spec?;
        let schema = spec.schema_in(spec.storage)?;
        let fits = judge_body(&self.root, schema, spec.status_subresource).is_empty();
        self.replace("/apiVersion", spec.api_version(spec.storage)).filter(|_| fits)
    }

    /// Makes the change that gives the key under a pointer another name.
    pub fn renamed(&self, pointer: &str, key: &str) -> Option<TextEdit> {
        let (parent, last) = self.parent_of(pointer)?;
        let entry = parent.entry(&last).filter(|_| parent.entry(key).is_none())?;
        Some(TextEdit::Replace(entry.key_span, key.to_owned()))
    }

    /// Makes the change that puts the number or truth value under a pointer in quotes.
    pub fn quoted(&self, pointer: &str) -> Option<TextEdit> {
        let node = self.editable(pointer)?;
        let bare = matches!(
            node.value,
            Value::Int(_) | Value::BigInt(_) | Value::Float(_) | Value::Bool(_)
        );
        bare.then_some(TextEdit::Quote(node.span))
    }

    /// Makes the change that turns the whole number under a pointer, however it is written, into usual digits as text.
    pub fn spelt_out(&self, pointer: &str) -> Option<TextEdit> {
        let node = self.editable(pointer)?;
        let Value::Int(number) = node.value else { return None };
        Some(TextEdit::Spell(node.span, number))
    }

    /// Makes the change that takes the quotes off the digits under a pointer.
    pub fn unquoted(&self, pointer: &str) -> Option<TextEdit> {
        let node = self.editable(pointer)?;
        node.as_str()?;
        Some(TextEdit::Unquote(node.span))
    }

    /// Makes the change that moves the only entry of a map out to where the map's key stands.
    pub fn unnest(&self, pointer: &str) -> Option<TextEdit> {
        let (outer, inner) = pointer.rsplit_once('/')?;
        let (parent, name) = self.parent_of(outer)?;
        let holder = parent.entry(&name).filter(|_| parent.entry(inner).is_none())?;
        let [only] = holder.node.entries() else { return None };
        Some(TextEdit::Unnest(holder.span(), only.span()))
    }

    fn parent_of(&self, pointer: &str) -> Option<(&Node, String)> {
        let (parent, last) = pointer.rsplit_once('/')?;
        Some((self.editable(parent)?, unescape(last)))
    }

    /// Finds a node as written, in a document that may be changed.
    fn editable(&self, pointer: &str) -> Option<&Node> {
        if self.may_change() { self.root.find(pointer) } else { None }
    }

    /// Says whether the document may be changed; that is looked up once for all of its findings.
    fn may_change(&self) -> bool {
        let broken = |kind: &FaultKind| {
            matches!(kind, FaultKind::Malformed(_) | FaultKind::DuplicateKey(..))
        };
        *self.may_change.get_or_init(|| {
            !self.faults.iter().any(|fault| broken(&fault.kind)) && !shares_text(&self.root)
        })
    }

    /// Returns the text of a field as written, by the JSON pointer of the map that holds it.
    pub fn text_below(&self, pointer: &str, key: &str) -> Option<&str> {
        self.root.find(pointer)?.get(key)?.as_str()
    }
}

/// Says whether some text stands for more than one field: then it lies out of order in the tree.
fn shares_text(node: &Node) -> bool {
    let mut at = 0;
    let mut next = |lo: u32, hi: u32| {
        let ordered = at <= lo;
        at = at.max(hi);
        !ordered
    };
    match &node.value {
        Value::Map(entries) => entries.iter().any(|entry| {
            next(entry.key_span.lo, entry.key_span.hi)
                || next(entry.node.span.lo, entry.node.span.hi)
                || shares_text(&entry.node)
        }),
        Value::List(items) => {
            items.iter().any(|item| next(item.span.lo, item.span.hi) || shares_text(item))
        }
        _ => false,
    }
}
