//! `kubectl describe` text to trees: whole objects, many of them, or any fragment.
//!
//! Owns the door and the making of [`Document`]s. The describer of custom resources is undone with
//! the schema of the kind: labels are matched without case and blanks, items of a list are told apart
//! by the order of their keys. Built-in kinds have describers of their own, see [`builtin`]. The
//! grammar is `grammar/describe.ebnf`.
//! Invariant: one line is looked at a bounded number of times, so the time is linear.

mod align;
mod body;
mod builtin;
mod condition_owner;
mod events;
mod fragment;
mod grid;
mod header;
mod identify;
mod label;
mod label_shape;
mod line;
mod line_place;
mod open_field;
mod split;

use std::sync::Arc;

use crate::grammar::kind::{Scope, find_kind};
use crate::source::Span;
use crate::syntax::flatten_lists::document;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entries, Entry, Fidelity, Node, Value};
use crate::syntax::{Context, Document, DocumentHead, Syntax};

use align::restore_leading_blanks;
use body::{Integrity, TextEnd, parse_body};
use builtin::{is_tail, parse_builtin};
use events::parse_events;
use header::{lacks_labels, parse_header};
use identify::{TextIdentity, identify_fragment, identify_whole};
use line::{DescribeLine, split_lines};
use open_field::{cover, map_node};
use smol_str::SmolStr;
use split::{ObjectLines, find_events, is_generic, is_indented, split_objects};

pub(super) use identify::{fits, scope_of, wanted_families};

/// Parses describe text into one document per object.
///
/// The events of an object become the key `events` at the root of its tree, which YAML does not have.
pub fn parse_describe(view: &TextView<'_>, context: &Context) -> Vec<Document> {
    let (lines, cut_at_end) = split_lines(view);
    documents_of(view, &lines, cut_at_end, context)
}

/// Parses keys and values of YAML whose nesting was lost, as far as they are of a known kind.
pub(super) fn read_flattened(view: &TextView<'_>, context: &Context) -> Vec<Document> {
    let (mut lines, cut_at_end) = split_lines(view);
    lines.iter_mut().for_each(DescribeLine::widen_key);
    let mut documents = documents_of(view, &lines, cut_at_end, context);
    let known = |head: &DocumentHead| {
        head.kind.as_deref().and_then(find_kind).is_some_and(|k| k.is_fleet())
    };
    documents.retain(|document| known(&document.head));
    documents
}

fn documents_of(
    view: &TextView<'_>,
    lines: &[DescribeLine<'_>],
    cut_at_end: bool,
    context: &Context,
) -> Vec<Document> {
    let parts = split_objects(lines);
    let alone = parts.len() == 1;
    let mut documents = Vec::new();
    for part in parts {
        let own = lines.get(part.lines.clone()).unwrap_or_default();
        let end = match (part.followed, cut_at_end) {
            (true, _) => TextEnd::Shown,
            (false, true) => TextEnd::Missing,
            (false, false) if view.text().ends_with('\n') => TextEnd::Shown,
            (false, false) => TextEnd::Torn,
        };
        let builtin =
            if part.has_head { !is_generic(own, part.base) } else { is_tail(own, part.base) };
        if builtin {
            documents.push(parse_builtin(view, own, &part, context, end));
        } else {
            documents.extend(parse_object(view, own, &part, context, end));
        }
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
    view: &TextView<'_>,
    lines: &[DescribeLine<'_>],
    part: &ObjectLines,
    context: &Context,
    end: TextEnd,
) -> Option<Document> {
    let events_at = find_events(lines, part.base);
    let (above, below) = lines.split_at(events_at.unwrap_or(lines.len()));
    let (header, taken) = if part.has_head { parse_header(view, above) } else { (Vec::new(), 0) };
    let mut body = above.get(taken..).unwrap_or_default().to_vec();
    let namespace = header.iter().find(|entry| &*entry.key == "namespace");
    let namespace = namespace.and_then(|entry| entry.node.as_str());
    let identity = identify_whole(view, &body, part.base, context, namespace)
        .or_else(|| identify_fragment(&body, context))
        .or_else(|| part.has_head.then(TextIdentity::unknown))?;
    let cut = end == TextEnd::Missing || lines.iter().any(|line| line.after_cut);
    let shown_to_end = events_at.is_some() || part.followed;
    let complete = part.has_head && !cut && shown_to_end;
    let printed = complete && is_indented(&body);
    let condition = if printed { Integrity::Intact } else { Integrity::Edited };
    if condition == Integrity::Intact {
        restore_leading_blanks(&mut body);
    }
    let end = match end {
        _ if shown_to_end => TextEnd::Shown,
        TextEnd::Torn if part.has_head => TextEnd::Torn,
        _ => TextEnd::Missing,
    };
    let at = body.first().or(below.first()).map_or(0, |line| line.at);
    let at = view.span(at..at);
    let column = body.iter().find(|line| !line.is_blank()).map_or(part.base, |line| line.indent);
    let frames = identity.open_frames(at, column);
    let mut parsed = parse_body(view, &body, frames, condition, part.base, end);
    let gap = body.first().or(below.first()).is_some_and(|line| line.after_cut)
        || lines.iter().take(taken).any(|line| line.after_cut);
    merge_metadata(&mut parsed.entries, header, if gap { Fidelity::Cut } else { Fidelity::Read });
    parsed.entries.extend(parse_events(view, below));
    let root = map_node(parsed.entries, at).with_fidelity(parsed.fidelity);
    let torn = part.has_head && lacks_labels(above.get(..taken).unwrap_or_default());
    Some(Document {
        head: head_of(&root, &identity),
        context: context.clone(),
        root: Some(Arc::new(root)),
        partial: !complete || torn,
        problems: identity.problem.into_iter().chain(parsed.problems).collect(),
        ..document(span_of(view, lines), Syntax::Describe)
    })
}

/// Returns the span from the first to the last of some lines.
fn span_of(view: &TextView<'_>, lines: &[DescribeLine<'_>]) -> Span {
    let start = lines.first().map_or(0, |line| line.at);
    let end = lines.last().map_or(start, |line| line.at + line.text.len());
    view.span(start..end)
}

/// Puts what the header says into `metadata`, where YAML has it.
fn merge_metadata(entries: &mut Vec<Entry>, header: Vec<Entry>, fidelity: Fidelity) {
    let Some(key_span) = header.first().map(|entry| entry.key_span) else { return };
    let index = entries.iter().position(|entry| &*entry.key == "metadata").unwrap_or_else(|| {
        let node = Node::new(key_span, Value::Map(Entries::default()));
        entries.insert(0, Entry { key: "metadata".into(), key_span, node });
        0
    });
    let Some(Entry { node, .. }) = entries.get_mut(index) else { return };
    let Value::Map(fields) = &mut node.value else { return };
    fields.splice(0..0, header);
    node.fidelity = node.fidelity.max(fidelity);
    node.span = cover(fields.iter().map(Entry::span), node.span);
}

fn head_of(root: &Node, identity: &TextIdentity) -> DocumentHead {
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str).map(SmolStr::from);
    DocumentHead {
        api_version: text(&["apiVersion"]),
        kind: identity.kind.map(|spec| spec.name.into()).or_else(|| text(&["kind"])),
        namespace: text(&["metadata", "namespace"]),
        name: text(&["metadata", "name"]),
    }
}

/// Lets the command name the one object of a text that does not name itself.
fn name_by_context(document: &mut Document) {
    let Document { head, context, .. } = document;
    let spec_of = |kind: &Option<SmolStr>| kind.as_deref().and_then(find_kind);
    let (own, told) = (spec_of(&head.kind), spec_of(&context.kind));
    let agrees = told.is_none_or(|told| own.is_none_or(|own| own.family == told.family));
    if head.name.is_some() || !agrees {
        return;
    }
    // `<name>` and `$NAME` in a copied command are placeholders.
    let real = |name: &Option<SmolStr>| name.clone().filter(|name| !name.contains(['<', '$', '{']));
    head.name = real(&context.name);
    if head.namespace.is_none() && own.is_none_or(|own| own.scope == Scope::Namespaced) {
        head.namespace = real(&context.namespace);
    }
}
