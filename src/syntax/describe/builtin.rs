//! The describers of built-in kinds: Pod, Deployment, Node and their like.
//!
//! Each is hand-written in kubectl and follows no schema, so each kind has a reader here that puts
//! what a diagnosis needs where YAML has it, and leaves out the rest: an absent field proves nothing.
//! Events are the root's key `events`, as for custom resources. kubectl prints an Event with the
//! describer of custom resources, so that is not here.

mod core;
mod event_owner;
mod pod;
mod section;
mod tree;
mod workload;

use std::sync::Arc;

use crate::grammar::kind::{Kind, KindSpec, all_kinds, find_kind};
use crate::syntax::flatten_lists::document;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entry, Fidelity, Node};
use crate::syntax::{Context, Document, DocumentHead, Syntax};

use super::body::TextEnd;
use super::events::parse_events;
use super::grid::{Grid, is_rule};
use super::header::{parse_header_field, string};
use super::line::DescribeLine;
use super::open_field::map_node;
use super::span_of;
use super::split::{ObjectLines, find_events, is_budget_label, is_quota_head};
use event_owner::EventOwner;
use section::{DescribeSection, ValueType, node, sections};
use smol_str::SmolStr;
use tree::{DescribeTree, list, map};

/// A label, the path of its value, and the form of the value.
type Rule = (&'static str, &'static [&'static str], ValueType);

/// Says whether a fragment is the end of what a built-in describer printed: containers or conditions as a pod has
/// them, or nothing but events.
pub(super) fn is_tail(lines: &[DescribeLine<'_>], base: usize) -> bool {
    let events = find_events(lines, base);
    let above = lines.get(..events.unwrap_or(lines.len())).unwrap_or_default();
    let parts = sections(above);
    let is_pod = |part: &DescribeSection<'_, '_>| {
        let below = || part.below.iter().find(|line| !line.is_blank());
        match part.label() {
            "QoS Class" | "Node-Selectors" => true,
            "Containers" | "Init Containers" => {
                below().is_some_and(|line| line.content().ends_with(':'))
            }
            "Conditions" => {
                below().is_some_and(|line| line.content().split_whitespace().eq(["Type", "Status"]))
            }
            _ => false,
        }
    };
    parts.iter().any(is_pod) || (events.is_some() && above.iter().all(DescribeLine::is_blank))
}

/// Parses the lines of one object that a built-in describer printed.
pub(super) fn parse_builtin(
    view: &TextView<'_>,
    lines: &[DescribeLine<'_>],
    part: &ObjectLines,
    context: &Context,
    end: TextEnd,
) -> Document {
    let events_at = find_events(lines, part.base);
    let (above, below) = lines.split_at(events_at.unwrap_or(lines.len()));
    let parts = sections(above);
    let events = parse_events(view, below);
    let told = events.as_ref().and_then(|events| EventOwner::of(&events.node));
    let kind = identify(&parts, above, context)
        .or_else(|| told.as_ref().and_then(|told| find_kind(told.kind)));
    let mut tree = DescribeTree::default();
    put_header(view, &parts, &mut tree);
    match kind.map(|spec| spec.family) {
        Some(Kind::Pod) => pod::read_pod(view, &parts, &mut tree),
        Some(Kind::Namespace) => core::read_namespace(view, &parts, &mut tree),
        Some(Kind::Node) => core::read_node(view, &parts, &mut tree),
        Some(Kind::Service) => core::read_service(view, &parts, &mut tree),
        Some(Kind::PersistentVolumeClaim) => core::read_claim(view, &parts, &mut tree),
        Some(Kind::ResourceQuota) => core::read_quota(view, above, &mut tree),
        Some(Kind::PodDisruptionBudget) => core::read_budget(view, &parts, &mut tree),
        Some(kind) => workload::read_workload(view, kind, &parts, &mut tree),
        None => {}
    }
    if !part.has_head
        && let Some(told) = told.filter(|told| kind.is_some_and(|kind| kind.name == told.kind))
    {
        told.put(&mut tree);
    }
    if let Some(entry) = events {
        tree.put(&["events"], entry.key_span, Some(entry.node));
    }
    let span = span_of(view, lines);
    let cut = end == TextEnd::Missing || lines.iter().any(|line| line.after_cut);
    let root = tree.finish(span.start()).unwrap_or_else(|| map_node(Vec::new(), span.start()));
    let text = |path: &[&str]| root.at(path).and_then(Node::as_str).map(SmolStr::from);
    let head = DocumentHead {
        api_version: None,
        kind: kind.map(|spec| spec.name.into()),
        namespace: text(&["metadata", "namespace"]),
        name: text(&["metadata", "name"]),
    };
    let fidelity = if cut { Fidelity::Cut } else { Fidelity::Read };
    Document {
        head,
        context: context.clone(),
        root: Some(Arc::new(root.with_fidelity(fidelity))),
        // The describers leave out most fields.
        partial: true,
        ..document(span, Syntax::DescribeBuiltin)
    }
}

/// Says which kind a describer's labels belong to.
fn identify(
    parts: &[DescribeSection<'_, '_>],
    lines: &[DescribeLine<'_>],
    context: &Context,
) -> Option<&'static KindSpec> {
    let has = |label: &str| parts.iter().any(|part| part.label() == label);
    let value = |label: &str| {
        parts.iter().find(|part| part.label() == label).map_or("", |part| part.head.value())
    };
    let kind = if has("Desired Number of Nodes Scheduled") {
        Kind::DaemonSet
    } else if has("Schedule") && has("Concurrency Policy") {
        Kind::CronJob
    } else if has("Pods Statuses") && has("Parallelism") {
        Kind::Job
    } else if has("StrategyType") || has("NewReplicaSet") {
        Kind::Deployment
    } else if has("Update Strategy") && has("Replicas") {
        Kind::StatefulSet
    } else if value("Replicas").contains(" current / ") {
        Kind::ReplicaSet
    } else if has("Containers") || has("QoS Class") || has("Node-Selectors") {
        Kind::Pod
    } else if has("Addresses") || has("System Info") || has("Roles") && has("Taints") {
        Kind::Node
    } else if has("StorageClass") && has("Volume") {
        Kind::PersistentVolumeClaim
    } else if has("Session Affinity") || has("Endpoints") && has("Type") {
        Kind::Service
    } else if lines.iter().any(|line| is_quota_head(line) && line.indent == parts_margin(parts)) {
        Kind::ResourceQuota
    } else if parts.iter().any(|part| is_budget_label(part.label())) {
        Kind::PodDisruptionBudget
    } else if has("Status") && !has("Namespace") {
        Kind::Namespace
    } else {
        return context.kind.as_deref().and_then(find_kind).filter(|spec| !spec.is_fleet());
    };
    all_kinds().iter().find(|spec| spec.family == kind)
}

fn parts_margin(parts: &[DescribeSection<'_, '_>]) -> usize {
    parts.first().map_or(0, |part| part.head.indent)
}

/// Puts name, namespace, labels, annotations and the time of creation into `metadata`.
fn put_header(view: &TextView<'_>, parts: &[DescribeSection<'_, '_>], tree: &mut DescribeTree) {
    for part in parts {
        let lines: Vec<DescribeLine<'_>> =
            [*part.head].into_iter().chain(part.below.iter().copied()).collect();
        if let Some(Entry { key, key_span, node }) = parse_header_field(view, part.label(), &lines)
        {
            tree.put(&["metadata", &key], key_span, Some(node));
        } else if part.label() == "CreationTimestamp" {
            let key_span = view.span(part.head.label_range());
            tree.put(
                &["metadata", "creationTimestamp"],
                key_span,
                part.value(view, ValueType::Time),
            );
        }
    }
}

/// Puts the values of plain lines where a table of rules says.
fn apply(
    view: &TextView<'_>,
    parts: &[DescribeSection<'_, '_>],
    rules: &[Rule],
    tree: &mut DescribeTree,
) {
    for part in parts {
        if let Some((_, path, form)) = rules.iter().find(|(label, ..)| *label == part.label()) {
            tree.put(path, view.span(part.head.label_range()), part.value(view, *form));
        }
    }
}

/// Reads the lines below a label as a map of texts, with keys as they are printed.
fn map_below(view: &TextView<'_>, part: &DescribeSection<'_, '_>) -> Option<Node> {
    let entries = sections(part.below).into_iter().filter_map(|item| {
        let node = item.value(view, ValueType::Text)?;
        let key_span = view.span(item.head.label_range());
        Some(Entry { key: item.label().into(), key_span, node })
    });
    map(entries.collect())
}

/// Reads the table of conditions below a label.
fn conditions(view: &TextView<'_>, part: &DescribeSection<'_, '_>) -> Option<Node> {
    let mut lines = part.below.iter().filter(|line| !line.is_blank());
    let head = lines.next().filter(|line| line.content().starts_with("Type "))?;
    let grid = Grid::parse_columns(head);
    let rows = lines.filter(|line| !is_rule(line) && line.indent == head.indent);
    let items = rows.filter_map(|row| {
        let cells = grid.parse_row(row)?;
        let mut tree = DescribeTree::default();
        for (name, cell) in grid.names().iter().zip(cells) {
            let key = super::label::guess_key(name);
            let form = if name.ends_with("Time") { ValueType::Time } else { ValueType::Text };
            let value = (!cell.is_empty()).then(|| node(view, cell.clone(), form)).flatten();
            tree.put(&[&key], view.span(cell.start..cell.start), value);
        }
        tree.finish(view.span(row.content_range()))
    });
    list(items.collect())
}

/// Reads `ReplicaSet/name` into a list of one owner.
fn owner(view: &TextView<'_>, part: &DescribeSection<'_, '_>) -> Option<Node> {
    let range = part.head.value_range();
    let (kind, name) = part.head.value().split_once('/')?;
    let key = view.span(part.head.label_range());
    let mut tree = DescribeTree::default();
    tree.put(&["kind"], key, Some(string(view, range.start..range.start + kind.len())));
    tree.put(&["name"], key, Some(string(view, range.end - name.len()..range.end)));
    list(tree.finish(key).into_iter().collect())
}

/// Reads `app=web,tier=front` into a map; a selector by expression is left out.
fn pairs(view: &TextView<'_>, part: &DescribeSection<'_, '_>) -> Option<Node> {
    part.value(view, ValueType::Text)?;
    let mut start = part.head.value_range().start;
    let mut entries = Vec::new();
    for piece in part.head.value().split_inclusive(',') {
        let text = piece.trim_end_matches(',');
        if let Some((key, value)) =
            text.split_once('=').filter(|(key, _)| !key.contains([' ', '!']))
        {
            let value_at = start + key.len() + 1;
            let node = string(view, value_at..value_at + value.len());
            entries.push(Entry {
                key: key.into(),
                key_span: view.span(start..start + key.len()),
                node,
            });
        }
        start += piece.len();
    }
    map(entries)
}
