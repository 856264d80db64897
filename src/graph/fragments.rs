//! Fragments: pieces of objects that a paste shows without their names, joined where only one object can be meant.
//!
//! A message names the placement, the strategy and the binding of a run; a manifest and the status pasted below
//! it are one object; so are one spec and one status of a kind. What is joined keeps its places.
//! Invariant: where two objects could be meant, nothing is joined, and what an object says itself is never
//! replaced.

use std::collections::BTreeSet;
use std::sync::Arc;

use smol_str::SmolStr;

use super::merge_sightings::merge_into_best;
use crate::bundle::Bundle;
use crate::grammar::kind::{Kind, Scope, find_kind};
use crate::grammar::message::{HoleRole, MessageContext, recognise};
use crate::model::condition::{Condition, read_conditions};
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::read::Text;
use crate::source::Span;
use crate::syntax::Syntax;
use crate::syntax::subspan::span_within;
use crate::syntax::tree::{Entry, Fidelity, Node, Style, Value};

type Seen = (Arc<Meta>, bool);

/// Joins the fragments among the objects of a bundle.
pub(super) fn join_fragments(seen: &mut Vec<Seen>, bundle: &Bundle) {
    if seen.iter().all(|(meta, _)| !meta.partial && !meta.key.name.is_empty()) {
        return;
    }
    let told = told_by_runs(seen, bundle);
    for Told { run, about, .. } in &told {
        if let Some((meta, _)) = seen.get_mut(*run) {
            complete_run(meta, about);
        }
    }
    for about in told.iter().map(|told| &told.about) {
        name_binding(seen, about);
    }
    join_placements(seen);
    name_pods(seen);
    for family in
        [Kind::Run, Kind::Placement, Kind::Strategy, Kind::ApprovalRequest, Kind::Eviction]
    {
        name_by_manifest(seen, family);
        join_halves(seen, family);
    }
    name_by_row(seen);
}

fn family_of(meta: &Meta) -> Option<Kind> {
    find_kind(&meta.key.kind).map(|spec| spec.family)
}

/// What the messages of one run name.
#[derive(Default)]
struct About {
    placement: Option<Name>,
    strategy: Option<Name>,
    binding: Option<Name>,
    cluster: Option<Name>,
}

struct Told {
    run: usize,
    about: About,
}

/// A name in a message.
struct Name {
    namespace: SmolStr,
    name: SmolStr,
    span: Span,
}

fn told_by_runs(seen: &[Seen], bundle: &Bundle) -> Vec<Told> {
    let runs = seen
        .iter()
        .enumerate()
        .filter(|(_, (meta, _))| meta.partial && family_of(meta) == Some(Kind::Run));
    let told = runs.filter_map(|(run, (meta, _))| {
        let status = meta.root.get("status")?;
        let mut about = About::default();
        let conditions = read_conditions(status, "conditions");
        for condition in conditions.iter().filter(|condition| condition.is_false()) {
            read_names(condition, &meta.key.kind, bundle, &mut about);
        }
        Some(Told { run, about })
    });
    told.collect()
}

fn read_names(condition: &Condition, kind: &str, bundle: &Bundle, about: &mut About) {
    let Some(message) = &condition.message else { return };
    let hint = MessageContext {
        condition_type: Some(&condition.kind),
        reason: condition.reason.as_deref(),
        kind: Some(kind),
    };
    for found in recognise(message, &hint).parts.iter().flat_map(|part| &part.refs) {
        let slot = match found.role {
            HoleRole::Placement => &mut about.placement,
            HoleRole::Strategy => &mut about.strategy,
            HoleRole::Binding => &mut about.binding,
            HoleRole::Cluster => &mut about.cluster,
            _ => continue,
        };
        let Some(text) = message.get(found.range.clone()).map(str::trim) else { continue };
        let (namespace, name) = text.split_once('/').unwrap_or(("", text));
        if slot.is_none() && is_name(name) {
            let span = place(bundle, message, found.range.clone());
            *slot = Some(Name { namespace: namespace.into(), name: name.into(), span });
        }
    }
}

/// Says whether a text can be the name of an object; the holes of old wordings hold other things, too.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.')
}

fn place(bundle: &Bundle, text: &Text, range: std::ops::Range<usize>) -> Span {
    let source = bundle.sources.get(text.span.source);
    let node = Node::new(text.span, Value::String(text.value.clone()));
    span_within(source, &Node { style: text.style, ..node }, range)
}

/// Gives a run that shows no spec the placement and the strategy that its messages name.
fn complete_run(meta: &mut Arc<Meta>, about: &About) {
    let fields =
        [("placementName", &about.placement), ("stagedRolloutStrategyName", &about.strategy)];
    let missing: Vec<(&str, &Name)> = fields
        .into_iter()
        .filter(|(key, _)| meta.root.at(&["spec", key]).is_none())
        .filter_map(|(key, name)| Some((key, name.as_ref()?)))
        .collect();
    let Some((_, first)) = missing.first() else { return };
    let mut root = Node::clone(&meta.root);
    let mut key = meta.key.clone();
    let namespaced = find_kind(&key.kind).is_some_and(|spec| spec.scope == Scope::Namespaced);
    if key.namespace.is_empty() && namespaced {
        key.namespace.clone_from(&first.namespace);
    }
    let entries = missing.iter().map(|(key, name)| Entry {
        key: (*key).into(),
        key_span: name.span.start(),
        node: Node {
            style: Style::Encoded,
            fidelity: Fidelity::Inferred,
            ..Node::new(name.span, Value::String(name.name.clone()))
        },
    });
    let Value::Map(fields) = &mut root.value else { return };
    match fields.iter_mut().find(|entry| &*entry.key == "spec") {
        Some(Entry { node: Node { value: Value::Map(spec), .. }, .. }) => spec.extend(entries),
        Some(_) => return,
        None => {
            let node = Node::new(first.span, Value::Map(entries.collect()));
            let node = node.with_fidelity(Fidelity::Cut);
            fields.push(Entry { key: "spec".into(), key_span: first.span.start(), node });
        }
    }
    *meta = Arc::new(Meta::read(key, meta.span, meta.syntax, meta.partial, Arc::new(root)));
}

/// Gives a piece of a run that does not show its placement the only one that was sent of its scope and namespace.
fn join_placements(seen: &mut [Seen]) {
    let lacks = |meta: &Meta| {
        meta.partial
            && family_of(meta) == Some(Kind::Run)
            && meta.root.at(&["spec", "placementName"]).is_none()
            && !meta.key.name.is_empty()
            && meta.syntax != Syntax::Table
    };
    let scope_of = |meta: &Meta| find_kind(&meta.key.kind).map(|spec| spec.scope);
    for at in 0..seen.len() {
        let Some(run) = seen.get(at).map(|(meta, _)| meta).filter(|meta| lacks(meta)) else {
            continue;
        };
        let (scope, namespace) = (scope_of(run), run.key.namespace.clone());
        let placements = seen.iter().map(|(meta, _)| meta).filter(|meta| {
            family_of(meta) == Some(Kind::Placement)
                && scope_of(meta) == scope
                && meta.key.namespace == namespace
                && !meta.key.name.is_empty()
        });
        let mut names: Vec<(&str, Span)> =
            placements.map(|meta| (meta.name(), meta.name_span)).collect();
        names.sort_unstable();
        names.dedup_by_key(|(name, _)| *name);
        // Where others of the kind are named, this may be one that was not sent.
        let [(name, span)] = names.as_slice() else { continue };
        let placement = Some(Name { namespace, name: (*name).into(), span: *span });
        let about = About { placement, ..About::default() };
        if let Some((meta, _)) = seen.get_mut(at) {
            complete_run(meta, &about);
        }
    }
}

/// Gives the one binding without a name that fits the name that a message tells.
fn name_binding(seen: &mut [Seen], about: &About) {
    let Some(name) = &about.binding else { return };
    let known = |meta: &Meta| meta.key.name == name.name && meta.key.namespace == name.namespace;
    let cluster = about.cluster.as_ref().map(|cluster| &*cluster.name);
    let fits = |meta: &Meta| {
        let target = meta.root.at(&["spec", "targetCluster"]).and_then(Node::as_str);
        meta.key.name.is_empty() && target.is_none_or(|target| Some(target) == cluster)
    };
    let bindings = || {
        let all = seen.iter().enumerate();
        all.filter(|(_, (meta, _))| family_of(meta) == Some(Kind::Binding))
    };
    if bindings().any(|(_, (meta, _))| known(meta)) {
        return;
    }
    let mut fitting = bindings().filter(|(_, (meta, _))| fits(meta)).map(|(index, _)| index);
    let (Some(index), None) = (fitting.next(), fitting.next()) else { return };
    if let Some((meta, _)) = seen.get_mut(index) {
        Arc::make_mut(meta).key = ObjectKey::of(Kind::Binding, &name.namespace, &name.name);
    }
}

/// Gives a described pod without a name that of a row above it: "the end of describe of one of them".
///
/// Where the pods that are not ready belong together, it does not matter which of them it is.
fn name_pods(seen: &mut [Seen]) {
    let is_pod = |meta: &Meta| family_of(meta) == Some(Kind::Pod);
    let nameless: Vec<usize> = (0..seen.len())
        .filter(|&at| {
            seen.get(at).is_some_and(|(meta, _)| is_pod(meta) && meta.key.name.is_empty())
        })
        .collect();
    for at in nameless {
        let waits = |meta: &Meta| {
            let ready = meta.root.get("x-ready").and_then(Node::as_str);
            ready.and_then(|ready| ready.split_once('/')).is_some_and(|(have, want)| have != want)
        };
        let rows: Vec<&ObjectKey> = seen
            .iter()
            .map(|(meta, _)| meta)
            .filter(|meta| is_pod(meta) && waits(meta))
            .map(|meta| &meta.key)
            .collect();
        let set = |key: &ObjectKey| key.name.rsplit_once('-').map(|(set, _)| set.to_owned());
        let Some(first) = rows.first().copied().cloned() else { continue };
        if rows.iter().all(|row| set(row) == set(&first))
            && let Some((meta, _)) = seen.get_mut(at)
        {
            Arc::make_mut(meta).key = first;
        }
    }
}

/// Gives the one status without a name the name of the one manifest of its family.
fn name_by_manifest(seen: &mut [Seen], family: Kind) {
    let of_family = |meta: &Meta| family_of(meta) == Some(family);
    let all = || seen.iter().filter(|(meta, _)| of_family(meta)).map(|(meta, _)| meta);
    let names: BTreeSet<&ObjectKey> =
        all().map(|meta| &meta.key).filter(|key| !key.name.is_empty()).collect();
    let mut manifests = all().filter(|meta| !meta.key.name.is_empty() && meta.is_manifest());
    let mut nameless = all().filter(|meta| meta.key.name.is_empty());
    let (Some(manifest), true, Some(piece), None) =
        (manifests.next(), names.len() == 1, nameless.next(), nameless.next())
    else {
        return;
    };
    if piece.root.get("status").is_none() || piece.root.get("spec").is_some_and(is_own) {
        return;
    }
    let key = manifest.key.clone();
    let nameless = |meta: &Meta| of_family(meta) && meta.key.name.is_empty();
    for (meta, _) in seen.iter_mut().filter(|(meta, _)| nameless(meta)) {
        Arc::make_mut(meta).key = key.clone();
    }
}

/// The conditions of a run that end or hold it, the last word first.
const ENDS: [&str; 3] = ["Succeeded", "Initialized", "Progressing"];

/// Gives the one message of a run that was pasted without it to the one run that it can be of: one that fails without
/// a word.
fn name_by_row(seen: &mut [Seen]) {
    if let Some((at, joined)) = told_by_row(seen)
        && let Some((meta, _)) = seen.get_mut(at)
    {
        *meta = joined;
    }
}

/// Returns the message without a run, by its place, as one of the run.
fn told_by_row(seen: &[Seen]) -> Option<(usize, Arc<Meta>)> {
    let runs = || {
        let all = seen.iter().enumerate().map(|(at, (meta, _))| (at, meta));
        all.filter(|(_, meta)| family_of(meta) == Some(Kind::Run))
    };
    let mut nameless = runs().filter(|(_, meta)| meta.key.name.is_empty());
    let (at, piece) = nameless.next().filter(|_| nameless.next().is_none())?;
    let said = ending(piece).filter(|said| said.message.is_some())?;
    let placement = |meta: &Meta| {
        let named = meta.root.at(&["spec", "placementName"]).and_then(Node::as_str);
        named.map(str::to_owned)
    };
    let own = placement(piece);
    // Most words are the same at the start and on the way; where only they were pasted, the row tells which it was.
    let inferred = said.kind.fidelity == Fidelity::Inferred;
    let either = inferred && said.reason.is_none() && said.since.is_none();
    let fits = |meta: &Meta, kind: &str| {
        let same = own.clone().zip(placement(meta)).is_none_or(|(one, other)| one == other);
        let here = piece.key.namespace.is_empty() || piece.key.namespace == meta.key.namespace;
        same && here && (&*said.kind == kind || (either && kind != "Progressing"))
    };
    let mut silent: BTreeSet<(&ObjectKey, SmolStr)> = BTreeSet::new();
    let mut speaking: BTreeSet<&ObjectKey> = BTreeSet::new();
    for (_, meta) in runs().filter(|(_, meta)| !meta.key.name.is_empty()) {
        match ending(meta) {
            Some(end) if end.message.is_some() => {
                speaking.insert(&meta.key);
            }
            Some(end) if fits(meta, &end.kind) => {
                silent.insert((&meta.key, end.kind.value));
            }
            _ => {}
        }
    }
    silent.retain(|(key, _)| !speaking.contains(key));
    let mut silent = silent.into_iter();
    let (key, kind) = silent.next().filter(|_| silent.next().is_none())?;
    let mut root = Node::clone(&piece.root);
    set_condition_kind(&mut root, &kind);
    let (key, span, syntax) = (key.clone(), piece.span, piece.syntax);
    Some((at, Arc::new(Meta::read(key, span, syntax, true, Arc::new(root)))))
}

/// Returns the condition that ends or holds a run.
fn ending(run: &Meta) -> Option<Condition> {
    let conditions = read_conditions(run.root.get("status")?, "conditions");
    let is = |kind: &str| {
        conditions.iter().find(|condition| &*condition.kind == kind && condition.is_false())
    };
    ENDS.iter().find_map(|kind| is(kind)).cloned()
}

/// Sets the type of the only condition of a piece, which a row tells.
fn set_condition_kind(root: &mut Node, kind: &str) {
    let status = root.get_mut("status").and_then(|status| status.get_mut("conditions"));
    let Some(Value::List(items)) = status.map(|conditions| &mut conditions.value) else { return };
    if let [condition] = items.as_mut_slice()
        && let Some(found) = condition.get_mut("type")
    {
        found.value = Value::String(kind.into());
        found.fidelity = Fidelity::Read;
    }
}

/// Says whether a part was written there, and not concluded from a message.
fn is_own(part: &Node) -> bool {
    part.entries().iter().any(|entry| entry.node.fidelity != Fidelity::Inferred)
}

/// Makes one object of a spec and a status of a family, where neither has a name and there are no others.
fn join_halves(seen: &mut Vec<Seen>, family: Kind) {
    let mut pieces = seen
        .iter()
        .enumerate()
        .filter(|(_, (meta, _))| family_of(meta) == Some(family) && meta.key.name.is_empty());
    let (Some((first, (one, _))), Some((second, (other, _))), None) =
        (pieces.next(), pieces.next(), pieces.next())
    else {
        return;
    };
    let has = |meta: &Meta, key: &str| meta.root.get(key).is_some_and(is_own);
    let halves = |left: &Meta, right: &Meta| {
        has(left, "spec") && !has(left, "status") && has(right, "status") && !has(right, "spec")
    };
    let joined = if halves(one, other) {
        merge_into_best(other, &[one])
    } else if halves(other, one) {
        merge_into_best(one, &[other])
    } else {
        return;
    };
    if let Some((meta, listed)) = seen.get_mut(first) {
        (*meta, *listed) = (joined, false);
    }
    seen.remove(second);
}
