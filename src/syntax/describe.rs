//! `kubectl describe` text to trees: whole objects, many of them, or any fragment.
//!
//! Owns the door and the making of [`Document`]s. The describer of custom resources is undone with
//! the schema of the kind: labels are matched without case and blanks, items of a list are told apart
//! by the order of their keys. Built-in kinds have describers of their own, see [`builtin`]. The
//! grammar is `grammar/describe.ebnf`.
//! Invariant: one line is looked at a bounded number of times, so the time is linear.

mod align;
mod body;
mod events;
mod frame;
mod header;
mod identify;
mod label;
mod line;
mod owner;
mod place;
mod shape;
mod split;

use crate::syntax::tree::{Entry, Node, Value};
use crate::syntax::view::View;
use crate::syntax::{Context, Document, Head, Syntax};

use align::restore_leading_blanks;
use body::{Condition, parse_body};
use events::parse_events;
use frame::{cover, map_node};
use header::parse_header;
use identify::{Identity, identify_fragment, identify_whole};
use line::{Line, parse_lines};
use split::{Part, find_events, split_objects};

/// Parses describe text into one document per object.
///
/// The events of an object become the key `events` at the root of its tree, which YAML does not have.
pub fn parse_describe(view: &View<'_>, context: &Context) -> Vec<Document> {
    let (lines, cut_at_end) = parse_lines(view);
    let parts = split_objects(&lines);
    let alone = parts.len() == 1;
    let mut documents = Vec::new();
    for part in parts {
        let own = lines.get(part.lines.clone()).unwrap_or_default();
        let cut = cut_at_end && !part.followed;
        documents.extend(parse_object(view, own, &part, context, cut));
    }
    if alone && let [document] = documents.as_mut_slice() {
        name_by_context(document);
    }
    for document in &mut documents {
        document.listed = !alone;
    }
    documents
}

/// Parses the lines of one object or fragment.
fn parse_object(
    view: &View<'_>,
    lines: &[Line<'_>],
    part: &Part,
    context: &Context,
    cut_at_end: bool,
) -> Option<Document> {
    let events_at = find_events(lines, part.base);
    let (above, below) = lines.split_at(events_at.unwrap_or(lines.len()));
    let (header, taken) =
        if part.has_head { parse_header(view, above) } else { (Vec::new(), 0) };
    let lines = above.get(taken..).unwrap_or_default();
    let identity = identify_whole(view, lines, part.base).or_else(|| identify_fragment(lines, context));
    let Some(identity) = identity else { return None };
    let cut = cut_at_end || lines.iter().chain(below).any(|line| line.after_cut);
    let complete = part.has_head && !cut && (events_at.is_some() || part.followed);
    let condition = if complete { Condition::Intact } else { Condition::Edited };
    let at = lines.first().map_or(view.span(0..0), |line| view.span(line.at..line.at));
    let column = lines.iter().find(|line| !line.is_blank()).map_or(part.base, |line| line.indent);
    let frames = identity.open_frames(at, column);
    let mut lines = lines.to_vec();
    if condition == Condition::Intact {
        restore_leading_blanks(&mut lines);
    }
    let (mut entries, problems) = parse_body(view, &lines, frames, condition, part.base);
    merge_metadata(&mut entries, header);
    entries.extend(parse_events(view, below));
    let root = map_node(entries, at);
    let span = root.span;
    Some(Document {
        span,
        syntax: Syntax::Describe,
        head: head_of(&root, &identity),
        context: context.clone(),
        root: Some(root),
        listed: false,
        partial: !complete,
        comments: Vec::new(),
        problems: identity.problem.into_iter().chain(problems).collect(),
    })
}

/// Puts what the header says into `metadata`, where YAML has it.
fn merge_metadata(entries: &mut Vec<Entry>, header: Vec<Entry>) {
    let Some(key_span) = header.first().map(|entry| entry.key_span) else { return };
    let index = entries.iter().position(|entry| &*entry.key == "metadata").unwrap_or_else(|| {
        let node = Node::new(key_span, Value::Map(Vec::new()));
        entries.insert(0, Entry { key: "metadata".into(), key_span, node });
        0
    });
    let Some(Entry { node, .. }) = entries.get_mut(index) else { return };
    let Value::Map(fields) = &mut node.value else { return };
    fields.splice(0..0, header);
    node.span = cover(fields.iter().map(Entry::span), node.span);
}

fn head_of(root: &Node, identity: &Identity) -> Head {
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str).map(Box::from);
    Head {
        api_version: text(&["apiVersion"]),
        kind: identity.kind.map(|spec| spec.name.into()).or_else(|| text(&["kind"])),
        namespace: text(&["metadata", "namespace"]),
        name: text(&["metadata", "name"]),
    }
}

/// Lets the command name the one object of a text that does not name itself.
fn name_by_context(document: &mut Document) {
    let Document { head, context, .. } = document;
    let kind_agrees = context.kind.is_none() || context.kind == head.kind;
    if head.name.is_some() || !kind_agrees {
        return;
    }
    // `<name>` and `$NAME` in a copied command are placeholders.
    let real = |name: &&Box<str>| !name.contains(['<', '$', '{']);
    head.name = context.name.as_ref().filter(real).cloned();
    head.namespace = head.namespace.take().or_else(|| context.namespace.as_ref().filter(real).cloned());
}
