//! Anchored nodes, and the copies that aliases make of them.
//!
//! Owns the budget that keeps a small text from growing into a large tree (ten aliases to a list of
//! ten aliases to …): what is kept and what is copied both count.
//! Invariant: all nodes of a copy carry the span of the alias, so that children lie inside their
//! parents and a label points at the line that brought the value here.

use std::collections::HashMap;

use crate::source::Span;
use crate::syntax::tree::{Node, Style, Value};
use crate::syntax::tree_builder::{MAX_DEPTH, problem};
use crate::syntax::{Problem, ProblemKind};

/// How many bytes anchors and aliases may add to one document.
const BUDGET: usize = 8 << 20;

/// The anchored nodes of a document.
#[derive(Debug)]
pub(super) struct Anchors {
    /// What stands behind each anchor; `None` if it was too large to keep.
    kept: HashMap<usize, Option<(Node, Size)>>,
    budget: usize,
}

/// What a copy of a node costs.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    bytes: usize,
    depth: usize,
}

impl Default for Anchors {
    fn default() -> Self {
        Self { kept: HashMap::new(), budget: BUDGET }
    }
}

impl Anchors {
    /// Keeps a finished node for later aliases.
    pub(super) fn keep(&mut self, anchor: usize, node: &Node) {
        let mut size = Size::default();
        let kept = measure(node, 1, self.budget, &mut size).then(|| (node.clone(), size));
        if kept.is_some() {
            self.budget -= size.bytes;
        }
        self.kept.insert(anchor, kept);
    }

    /// Copies the node behind an anchor to an alias that stands `depth` levels deep.
    pub(super) fn copy(&mut self, anchor: usize, at: Span, depth: usize) -> Result<Node, Problem> {
        let Some(kept) = self.kept.get(&anchor) else {
            let message = "the alias stands inside the node that it names";
            return Err(problem(ProblemKind::Malformed, at, message));
        };
        match kept {
            Some((node, size)) if size.bytes <= self.budget && depth + size.depth <= MAX_DEPTH => {
                self.budget -= size.bytes;
                let mut node = node.clone();
                move_to(&mut node, at);
                Ok(node)
            }
            _ => {
                let message = "the aliases of this document unfold into too much text";
                Err(problem(ProblemKind::TooLarge, at, message))
            }
        }
    }
}

/// Adds up what a node costs; stops and returns `false` when it is more than `limit`.
fn measure(node: &Node, depth: usize, limit: usize, size: &mut Size) -> bool {
    size.depth = size.depth.max(depth);
    size.bytes += size_of::<Node>();
    match &node.value {
        Value::String(text) => size.bytes += text.len(),
        Value::Map(entries) => {
            return entries.iter().all(|entry| {
                size.bytes += size_of::<Span>() + entry.key.len();
                measure(&entry.node, depth + 1, limit, size)
            });
        }
        Value::List(items) => {
            return items.iter().all(|item| measure(item, depth + 1, limit, size));
        }
        _ => {}
    }
    size.bytes <= limit
}

fn move_to(node: &mut Node, at: Span) {
    node.span = at;
    match &mut node.value {
        Value::Map(entries) => {
            for entry in entries {
                entry.key_span = at;
                move_to(&mut entry.node, at);
            }
        }
        Value::List(items) => items.iter_mut().for_each(|item| move_to(item, at)),
        _ => node.style = Style::Encoded,
    }
}
