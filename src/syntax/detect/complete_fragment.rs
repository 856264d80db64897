//! Documents that do not say what they are get a kind, a root and a name.
//!
//! Owns the fallback for YAML and JSON that does not start at the root of an object, and the filling
//! of a head from the command that printed the document. Finding the place of a fragment in a schema
//! is left to [`super::fragment`].
//! Invariant: what a document says itself is never replaced.

use std::sync::Arc;

use smol_str::SmolStr;

use super::fragment::{FragmentPlace, find_place};
use crate::grammar::kind::{Scope, all_kinds, find_kind};
use crate::source::Span;
use crate::syntax::transcript::shape::is_root_key;
use crate::syntax::tree::{Entry, Fidelity, Node, Value};
use crate::syntax::{Context, Document};

/// Roots the documents that name no kind, where their fields tell what they belong to.
///
/// `tries` says how many are looked at, and is lowered by each.
pub(super) fn adopt_fragments(
    documents: Vec<Document>,
    context: &Context,
    tries: &mut usize,
) -> Vec<Document> {
    let mut documents = documents;
    documents.iter_mut().filter(|document| is_item(document)).for_each(|item| {
        item.head.kind = None;
    });
    if documents.iter().all(|document| document.head.kind.is_some()) {
        return documents;
    }
    let mut adopted = Vec::new();
    for mut document in gather_items(documents) {
        if document.head.kind.is_none() && *tries > 0 {
            *tries -= 1;
            adopt(&mut document, context);
        }
        adopted.push(document);
    }
    adopted
}

/// Says whether a document only refers to an object: an entry of a list names kind and name in one place.
fn is_item(document: &Document) -> bool {
    let Some(root) = &document.root else { return false };
    let of_object = ["apiVersion", "metadata", "spec", "status", "data"];
    document.head.kind.is_some()
        && root.get("name").or(root.get("condition")).is_some()
        && of_object.iter().all(|key| root.get(key).is_none())
}

/// Puts the items of a bare list (`- lastTransitionTime: …`) back together.
fn gather_items(documents: Vec<Document>) -> Vec<Document> {
    let mut gathered: Vec<Document> = Vec::new();
    let mut in_list = false;
    for mut document in documents {
        let has_metadata =
            document.root.as_ref().is_some_and(|root| root.get("metadata").is_some());
        let is_item = document.listed && document.head.kind.is_none() && !has_metadata;
        let above = gathered.last_mut().filter(|_| is_item && in_list);
        if let Some(above) = above {
            above.span = above.span.to(document.span);
            above.partial |= document.partial;
            above.comments.append(&mut document.comments);
            above.problems.append(&mut document.problems);
            if let Some((Node { value: Value::List(items), span, .. }, item)) =
                above.root.as_mut().map(Arc::make_mut).zip(document.root)
            {
                *span = span.to(item.span);
                items.push(Arc::unwrap_or_clone(item));
            }
            continue;
        }
        if is_item {
            document.root = document.root.map(|item| {
                let span = item.span;
                Arc::new(Node::new(span, Value::List(vec![Arc::unwrap_or_clone(item)])))
            });
            document.listed = false;
        }
        in_list = is_item;
        gathered.push(document);
    }
    gathered
}

fn adopt(document: &mut Document, context: &Context) {
    let Some(root) = document.root.take() else { return };
    let root = restore_parents(Arc::unwrap_or_clone(root));
    let Some(place) = find_place(&root, context) else {
        document.root = Some(Arc::new(root));
        return;
    };
    let mut root = wrap(root, &place);
    // An item of a typed list may lack its kind and still be whole.
    if !place.path.is_empty() || root.get("metadata").is_none() {
        root.fidelity = Fidelity::Cut;
        document.partial = true;
    }
    document.span = document.span.to(root.span);
    document.head.kind = Some(place.spec.name.into());
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str).map(SmolStr::from);
    document.head.name = text(&["metadata", "name"]);
    document.head.namespace = text(&["metadata", "namespace"]);
    document.root = Some(Arc::new(root));
}

/// Puts the keys of a lost `metadata:` or `spec:` back below it, where `spec:` or `status:` follow beside them.
fn restore_parents(mut root: Node) -> Node {
    let is_map = |key| root.get(key).is_some_and(|node| matches!(node.value, Value::Map(_)));
    let rooted = is_map("status") || is_map("spec");
    let Value::Map(entries) = &mut root.value else { return root };
    if !rooted {
        return root;
    }
    let is_root = |entry: &Entry| is_root_key(&entry.key);
    let strays: Vec<Entry> = entries.extract_if(.., |entry| !is_root(entry)).collect();
    let (meta, spec): (Vec<Entry>, Vec<Entry>) =
        strays.into_iter().partition(|entry| is_metadata_key(&entry.key));
    for (parent, lost) in [("spec", spec), ("metadata", meta)] {
        let Some(span) = lost.iter().map(Entry::span).reduce(Span::to) else { continue };
        let known = entries.iter_mut().find(|entry| &*entry.key == parent);
        if let Some(Entry { node: Node { value: Value::Map(fields), .. }, .. }) = known {
            fields.extend(lost);
        } else {
            let node = Node::new(span, Value::Map(lost.into())).with_fidelity(Fidelity::Cut);
            entries.insert(0, Entry { key: parent.into(), key_span: span.start(), node });
        }
    }
    root
}

/// Says whether a key is one of `metadata` in every object.
fn is_metadata_key(key: &str) -> bool {
    let metadata = all_kinds().first().and_then(|spec| spec.schema().field("metadata"));
    metadata.is_some_and(|metadata| metadata.schema.field(key).is_some())
}

/// Puts a fragment below the keys that lead to it.
fn wrap(fragment: Node, place: &FragmentPlace) -> Node {
    place.path.iter().rev().fold(fragment, |node, step| {
        let mut node = node;
        if step.in_list && !matches!(node.value, Value::List(_)) {
            node = Node::new(node.span, Value::List(vec![node])).with_fidelity(Fidelity::Cut);
        }
        let span = node.span;
        let entry = Entry { key: step.key.into(), key_span: span.start(), node };
        Node::new(span, Value::Map(vec![entry].into())).with_fidelity(Fidelity::Cut)
    })
}

/// Fills name and namespace from the command, where it asked for the kind that this is.
pub(super) fn fill_head(document: &mut Document) {
    let Some(spec) = document.head.kind.as_deref().and_then(find_kind) else { return };
    let Document { context, head, .. } = document;
    let Some(told) = context.kind.as_deref().and_then(find_kind) else { return };
    if told.family != spec.family {
        return;
    }
    if head.name.is_none() && context.name.is_some() {
        head.name.clone_from(&context.name);
        document.partial = true;
    }
    if head.namespace.is_none() && spec.scope == Scope::Namespaced {
        head.namespace.clone_from(&context.namespace);
    }
}
