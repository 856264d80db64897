//! From the tree of a whole text to one [`Document`] per object.
//!
//! Owns the flattening of `kind: List`, `<Kind>List` and bare arrays, and which comment and which
//! problem goes with which item. It leaves reading the text to the parsers.
//! Invariant: every comment and every problem of the whole ends up at exactly one document that is
//! parsed in full; a document that nobody wants keeps nothing but the news of a truncated file.

use std::sync::Arc;

use smol_str::SmolStr;

use super::text_view::TextView;
use super::tree::{Fidelity, Node, Value};
use super::truncation::mark_last_of_open_list;
use super::{Context, Document, DocumentFilter, DocumentHead, Problem, ProblemKind, Syntax};
use crate::source::Span;

/// What one YAML document or one JSON text became.
#[derive(Debug)]
pub(super) struct ParsedText {
    pub(super) span: Span,
    pub(super) root: Option<Node>,
    pub(super) comments: Vec<Span>,
    pub(super) problems: Vec<Problem>,
    /// Whether something in it is missing or broken.
    pub(super) partial: bool,
    /// The head of the list that it was cut out of, if it was.
    pub(super) list: Option<DocumentHead>,
}

impl ParsedText {
    /// Makes the whole of a tree in which nothing is wrong and no comment stands.
    pub(super) fn sound(root: Node) -> Self {
        let (comments, problems, list) = (Vec::new(), Vec::new(), None);
        Self { span: root.span, root: Some(root), comments, problems, partial: false, list }
    }
}

/// Adds the documents of a whole.
pub(super) fn unpack(
    view: &TextView<'_>,
    whole: ParsedText,
    syntax: Syntax,
    wanted: DocumentFilter<'_>,
    out: &mut Vec<Document>,
) {
    let ParsedText { span, root, comments, problems, partial, list } = whole;
    let first = out.len();
    let open_list = root.as_ref().is_some_and(|root| is_list(root) && root.get("kind").is_none());
    if let Some(root) = root {
        let (listed, head) = (list.is_some(), list.unwrap_or_default());
        flatten(Document { partial, listed, head, ..document(span, syntax) }, root, out);
    }
    if out.len() == first && !problems.is_empty() {
        out.push(Document { partial, ..document(span, syntax) });
    }
    let documents = out.get_mut(first..).unwrap_or_default();
    hand_out(view, documents, comments, problems);
    if open_list {
        documents.last_mut().into_iter().for_each(mark_last_of_open_list);
    }
    documents.iter_mut().for_each(|document| forget_unwanted(document, wanted));
}

/// Adds one document per object below `root`, made after the pattern of `whole`, whose head is that
/// of the list around it.
fn flatten(whole: Document, root: Node, out: &mut Vec<Document>) {
    let list = if is_list(&root) { head_of(&root) } else { whole.head.clone() };
    let items = match items_of(root) {
        Ok(items) => items,
        Err(root) => {
            let mut head = head_of(&root);
            inherit(&mut head, &whole.head);
            out.push(Document { head, root: Some(Arc::new(root)), ..whole });
            return;
        }
    };
    for item in items {
        let partial = whole.partial && item.worst_fidelity() == Fidelity::Cut;
        let part = Document {
            partial,
            listed: true,
            head: list.clone(),
            ..document(item.span, whole.syntax)
        };
        flatten(part, item, out);
    }
}

/// Makes a document that holds nothing yet.
pub(super) fn document(span: Span, syntax: Syntax) -> Document {
    Document {
        span,
        syntax,
        head: DocumentHead::default(),
        context: Context::default(),
        root: None,
        listed: false,
        partial: false,
        comments: Vec::new(),
        problems: Vec::new(),
    }
}

/// Reads the head off a tree.
pub(super) fn head_of(root: &Node) -> DocumentHead {
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str).map(SmolStr::from);
    DocumentHead {
        api_version: text(&["apiVersion"]),
        kind: text(&["kind"]),
        namespace: text(&["metadata", "namespace"]),
        name: text(&["metadata", "name"]),
    }
}

/// Fills in what the items of a typed list leave out.
pub(super) fn inherit(head: &mut DocumentHead, list: &DocumentHead) {
    let Some(kind) = list.kind.as_deref().and_then(|kind| kind.strip_suffix("List")) else {
        return;
    };
    if head.kind.is_none() && !kind.is_empty() {
        head.kind = Some(kind.into());
        if head.api_version.is_none() {
            head.api_version.clone_from(&list.api_version);
        }
    }
}

/// Reduces a document that is not wanted to its head.
pub(super) fn forget_unwanted(document: &mut Document, wanted: DocumentFilter<'_>) {
    if document.root.is_some() && !wanted(&document.head) {
        document.root = None;
        document.comments.clear();
        document.problems.retain(|problem| problem.kind == ProblemKind::Truncated);
    }
}

/// Says whether a map is a list of objects; one that was cut off has no `kind` yet.
fn is_list(root: &Node) -> bool {
    let Some(items) = root.get("items") else { return false };
    match root.get("kind").map(Node::as_str) {
        Some(kind) => {
            let listed = matches!(items.value, Value::List(_) | Value::Null);
            listed && kind.is_some_and(|kind| kind.ends_with("List"))
        }
        None => {
            let mut keys = root.entries().iter().map(|entry| &*entry.key);
            let known = keys.all(|key| matches!(key, "apiVersion" | "items" | "metadata"));
            let of_objects = items.items().iter().all(|item| matches!(item.value, Value::Map(_)));
            known && root.get("apiVersion").is_some() && of_objects && !items.is_empty()
        }
    }
}

/// Returns the items of a list of objects, or the root as it was.
fn items_of(root: Node) -> Result<Vec<Node>, Node> {
    if is_list(&root) {
        let Value::Map(entries) = root.value else { return Ok(Vec::new()) };
        let items = entries.into_iter().find(|entry| &*entry.key == "items");
        return Ok(match items.map(|items| items.node.value) {
            Some(Value::List(items)) => items,
            _ => Vec::new(),
        });
    }
    match root.value {
        Value::List(items) if items.iter().all(|item| matches!(item.value, Value::Map(_))) => {
            Ok(items)
        }
        _ => Err(root),
    }
}

/// Gives each comment and problem to the document it is about.
fn hand_out(
    view: &TextView<'_>,
    documents: &mut [Document],
    comments: Vec<Span>,
    problems: Vec<Problem>,
) {
    let starts: Vec<u32> = documents.iter().map(|document| document.span.lo).collect();
    let last = documents.len().saturating_sub(1);
    for comment in comments {
        let mut index = before(&starts, comment.lo);
        // A comment on a line of its own behind an item speaks of the next one.
        let end = documents.get(index).map_or(0, |document| document.span.hi);
        if end <= comment.lo && index < last {
            let gap = Span { lo: end, hi: comment.lo, ..comment };
            index += usize::from(view.source().slice(gap).contains('\n'));
        }
        if let Some(document) = documents.get_mut(index) {
            document.comments.push(comment);
        }
    }
    for problem in problems {
        if let Some(document) = documents.get_mut(before(&starts, problem.span.lo)) {
            document.problems.push(problem);
        }
    }
}

/// Returns the index of the last start at or before a place.
fn before(starts: &[u32], place: u32) -> usize {
    starts.partition_point(|&start| start <= place).saturating_sub(1)
}
