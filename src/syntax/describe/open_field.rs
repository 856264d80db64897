//! [`OpenField`]: one open object or list while the lines of a body are placed.
//!
//! Owns the question whether a line may belong to a frame, and turning a finished frame into a node.
//! Keys come in ascending byte order inside one map, so a key that does not rise begins the next
//! item of a list; which of several frames gets a line is decided by the body.

use smol_str::SmolStr;

use crate::source::Span;
use crate::syntax::tree::{Entry, Fidelity, Node, Value};

use super::label;
use super::label_shape::{KnownField, LabelShape};
use super::line::{DescribeLine, Pad};

/// More fields than any object of the schemas has.
const MANY_FIELDS: usize = 256;

/// Keys that the controllers write into each item of a list, though the CRD does not require them.
const WRITTEN_KEYS: &[(&str, &str)] =
    &[("placementStatuses", "conditions"), ("manifestConditions", "identifier")];

/// Whether a frame holds one map or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Multiplicity {
    /// One map.
    One,
    /// A list of items.
    Many,
    /// Not known: payload that no schema types.
    Either,
}

/// Why a line may not belong where it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// Keys of a map rise, this one does not.
    OutOfOrder,
    /// An item would begin after a key that each item must have.
    LateStart,
    /// The padding is not kubectl's.
    Padding,
}

/// How a line fits into a frame.
#[derive(Clone, Debug)]
pub(super) struct LineFit<'g> {
    /// The field it is.
    pub(super) field: KnownField<'g>,
    /// Whether it begins an item.
    pub(super) begins_item: bool,
    /// What speaks against it.
    pub(super) doubt: Option<Doubt>,
}

/// An object or list of which more lines may come.
#[derive(Clone, Debug)]
pub(super) struct OpenField<'g> {
    /// Its key in the frame above.
    pub(super) key: SmolStr,
    /// Where that key stands.
    pub(super) key_span: Span,
    /// What it holds; of a list, what the item that is open holds.
    pub(super) shape: LabelShape<'g>,
    /// The same as the schema declares it, before an embedded object said its kind.
    declared: LabelShape<'g>,
    /// Whether it is a list.
    pub(super) form: Multiplicity,
    /// The column of its label.
    pub(super) indent: usize,
    /// The column of its children, once one was seen.
    pub(super) column: Option<usize>,
    /// Whether its own lines were never shown, because the text begins below it.
    pub(super) floating: bool,
    /// Whether its children stand in its own column.
    pub(super) flattened: bool,
    /// How far to trust it.
    pub(super) fidelity: Fidelity,
    /// How far to trust the item that is open.
    pub(super) item_fidelity: Fidelity,
    /// The key of the field that came last in the map or the open item.
    pub(super) last_key: Option<SmolStr>,
    /// The fields of the map, or of the item that is open, that are complete.
    pub(super) entries: Vec<Entry>,
    /// The items that are complete.
    pub(super) items: Vec<Node>,
    /// Where an empty one stands.
    pub(super) empty: Span,
}

impl<'g> OpenField<'g> {
    /// Opens a frame for what a label holds.
    pub(super) fn new(key: SmolStr, key_span: Span, shape: LabelShape<'g>, empty: Span) -> Self {
        let (shape, form) = match shape {
            LabelShape::List(item) => (LabelShape::of(item), Multiplicity::Many),
            LabelShape::Any => (LabelShape::Any, Multiplicity::Either),
            shape => (shape, Multiplicity::One),
        };
        Self {
            key,
            key_span,
            shape,
            declared: shape,
            form,
            indent: 0,
            column: None,
            floating: false,
            flattened: false,
            fidelity: Fidelity::Read,
            item_fidelity: Fidelity::Read,
            last_key: None,
            entries: Vec::new(),
            items: Vec::new(),
            empty,
        }
    }

    /// Notes that lines of it, or of its open item, are missing.
    pub(super) fn mark_cut(&mut self) {
        self.fidelity = Fidelity::Cut;
        self.item_fidelity = Fidelity::Cut;
    }

    /// Says whether lines without a label are its items.
    pub(super) fn takes_bare_lines(&self) -> bool {
        match self.form {
            Multiplicity::Many => !matches!(self.shape, LabelShape::Object(_) | LabelShape::Map(_)),
            Multiplicity::Either => true,
            Multiplicity::One => false,
        }
    }

    /// Says whether only lines without a label are its items.
    pub(super) fn is_scalar_list(&self) -> bool {
        self.form == Multiplicity::Many && self.shape.is_scalar()
    }

    /// Says whether its label was just read and nothing below it yet.
    pub(super) fn is_fresh(&self) -> bool {
        self.column.is_none() && !self.floating
    }

    /// Says how a labelled line fits, if it does.
    pub(super) fn fit(&self, line: &DescribeLine<'_>) -> Option<LineFit<'g>> {
        let text = line.label_text()?;
        let mut field = self.shape.find(text)?;
        // A name that is a list elsewhere in Kubernetes need not be one in this payload.
        let payload = !field.named && !matches!(self.shape, LabelShape::Map(Some(_)));
        if payload && field.shape.is_container() && !line.value().is_empty() {
            field.shape = LabelShape::Any;
        }
        let padding = padding_doubt(field.shape, line)?;
        let (begins_item, order) = self.order_of(&field.key)?;
        Some(LineFit { field, begins_item, doubt: order.or(padding) })
    }

    /// Says whether a key begins an item, and what speaks against it coming next.
    fn order_of(&self, key: &str) -> Option<(bool, Option<Doubt>)> {
        let last = self.last_key.as_deref();
        let rises = last.is_none_or(|last| last < key);
        match self.form {
            Multiplicity::One if rises || matches!(self.shape, LabelShape::Map(_)) => {
                Some((false, None))
            }
            // The limit keeps a hostile text with thousands of falling keys from costing a square.
            Multiplicity::One if self.entries.len() > MANY_FIELDS => None,
            Multiplicity::One if last == Some(key) => None,
            Multiplicity::One if self.entries.iter().any(|entry| &*entry.key == key) => None,
            Multiplicity::One => Some((false, Some(Doubt::OutOfOrder))),
            Multiplicity::Many | Multiplicity::Either => {
                let begins = last.is_none() || !rises;
                let late = begins && self.shape.requires_before(key);
                Some((begins, late.then_some(Doubt::LateStart)))
            }
        }
    }

    /// Closes the item that is open and begins the next, whose first lines a cut may have taken.
    pub(super) fn begin_item(&mut self, line: &DescribeLine<'_>) {
        self.finish_item();
        self.last_key = None;
        self.item_fidelity = if line.after_cut { Fidelity::Cut } else { Fidelity::Read };
    }

    /// Reads the object that begins at these lines by its own kind, if it is an embedded one.
    pub(super) fn look_ahead(&mut self, lines: &[DescribeLine<'_>]) {
        if !self.declared.is_embedded() {
            return;
        }
        let begins = lines.first().is_some_and(|line| {
            self.fit(line).is_some_and(|fit| fit.begins_item || self.last_key.is_none())
        });
        if begins {
            self.shape = self.declared.of_embedded(lines);
        }
    }

    /// Closes the item that is open; a map of unknown form turns out to be a list.
    pub(super) fn finish_item(&mut self) {
        if self.entries.is_empty() {
            return;
        }
        self.form = Multiplicity::Many;
        let entries = std::mem::take(&mut self.entries);
        let fidelity = std::mem::take(&mut self.item_fidelity);
        let border = if self.shape.has_sure_key() || self.has_written_key(&entries) {
            Fidelity::Read
        } else {
            Fidelity::Inferred
        };
        self.items.push(map_node(entries, self.empty).with_fidelity(fidelity.max(border)));
    }

    /// Says whether an item has the key that the controllers write into each item of its list.
    fn has_written_key(&self, entries: &[Entry]) -> bool {
        let written = WRITTEN_KEYS.iter().find(|(list, _)| **list == *self.key);
        written.is_some_and(|(_, key)| entries.iter().any(|entry| *entry.key == **key))
    }

    /// Turns the frame into the value of its key.
    pub(super) fn finish(mut self) -> Entry {
        if matches!(self.shape, LabelShape::Map(_)) {
            restore_capitals(&mut self.entries);
        }
        if self.form == Multiplicity::Many {
            self.finish_item();
        }
        let node = if self.form == Multiplicity::Many {
            let span = cover(self.items.iter().map(|item| item.span), self.empty);
            Node::new(span, Value::List(self.items))
        } else {
            map_node(self.entries, self.empty)
        };
        let guessed = self.form == Multiplicity::Either && node.is_empty();
        let fidelity = if guessed { Fidelity::Inferred } else { self.fidelity };
        let node = node.with_fidelity(self.fidelity.max(fidelity));
        Entry { key: self.key, key_span: self.key_span, node }
    }
}

/// Says whether a line's padding allows this shape, and what it leaves open.
fn padding_doubt(shape: LabelShape<'_>, line: &DescribeLine<'_>) -> Option<Option<Doubt>> {
    let label = line.label?;
    match (shape, label.pad) {
        (_, Pad::Narrow) if !shape.is_container() => Some(Some(Doubt::Padding)),
        (LabelShape::Scalar(_), Pad::None) => Some(Some(Doubt::Padding)),
        (LabelShape::Scalar(_) | LabelShape::Any, _) | (_, Pad::None | Pad::Trailing) => Some(None),
        _ if line.value() == "<nil>" => Some(None),
        _ => None,
    }
}

/// Makes a map node over its entries.
pub(super) fn map_node(entries: Vec<Entry>, empty: Span) -> Node {
    Node::new(cover(entries.iter().map(Entry::span), empty), Value::Map(entries.into()))
}

/// Returns the span over all children, or `empty` if there are none.
pub(super) fn cover(children: impl Iterator<Item = Span>, empty: Span) -> Span {
    children.reduce(Span::to).unwrap_or(empty)
}

/// Gives a guessed key its capital back where only that keeps the keys in order.
///
/// kubectl sorts by the raw key, so `Team` printed before `a` proves the capital.
fn restore_capitals(entries: &mut [Entry]) {
    let mut next: Option<SmolStr> = None;
    for entry in entries.iter_mut().rev() {
        if let Some(next) = &next
            && entry.key > *next
        {
            let capital = label::capitalised(&entry.key);
            if capital < *next {
                entry.key = capital;
            }
        }
        next = Some(entry.key.clone());
    }
}
