//! Sightings: the same object, seen in several files or at several moments.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use smol_str::SmolStr;

use super::later_stamp::WrittenMoment;
use crate::grammar::kind::{Scope, find_kind};
use crate::kube::time::read_timestamp;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::source::Span;
use crate::syntax::Syntax;
use crate::syntax::tree::{Node, Value};

/// One time that an object was seen.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// The object as this file shows it.
    pub meta: Arc<Meta>,
    /// The newest stamp in it, once somebody asks.
    newest: OnceLock<Option<(Timestamp, Span)>>,
}

impl Sighting {
    /// Notes a sighting.
    pub fn new(meta: Arc<Meta>) -> Self {
        Self { meta, newest: OnceLock::new() }
    }

    /// Returns the newest stamp in it: it was captured at that moment or later.
    pub fn newest(&self) -> Option<(Timestamp, Span)> {
        *self.newest.get_or_init(|| newest_stamp(&self.meta, None))
    }

    /// Returns the newest stamp in it if that is later than a moment.
    pub(super) fn newest_after(&self, moment: Option<&WrittenMoment>) -> Option<(Timestamp, Span)> {
        let newest = self.newest.get().copied();
        let newest = newest.unwrap_or_else(|| newest_stamp(&self.meta, moment));
        newest.filter(|(stamp, _)| moment.is_none_or(|moment| *stamp > moment.time()))
    }

    /// Sorts sightings of one object so that the best comes first.
    ///
    /// Whole objects before fragments and table rows; then the later moment; then the form that
    /// loses least. The place in the bundle decides ties, so that the order is fixed.
    pub fn rank(sightings: &mut [Self]) {
        sightings.sort_by_key(|sighting| {
            let meta = &sighting.meta;
            let form = match (meta.partial, meta.syntax) {
                (false, _) => 0,
                (true, Syntax::Table) => 2,
                (true, _) => 1,
            };
            let moment =
                (Reverse(meta.resource_version), Reverse(sighting.newest().map(|(at, _)| at)));
            (form, moment, meta.syntax, meta.span)
        });
    }
}

/// Gives rows of tables the namespace that they do not show, where another sighting tells it.
///
/// `kubectl get -n` prints no namespace. If all else that was sent knows one object of the kind and name only,
/// the row is of that one; otherwise it would be told as a second object.
pub(super) fn adopt_namespaces(seen: &mut [(Arc<Meta>, bool)]) {
    let bare = |meta: &Meta| {
        let spec = find_kind(&meta.key.kind);
        meta.syntax == Syntax::Table
            && meta.key.namespace.is_empty()
            && spec.is_some_and(|spec| spec.scope == Scope::Namespaced)
    };
    let wanted: BTreeSet<_> = seen
        .iter()
        .filter(|(meta, _)| bare(meta))
        .map(|(meta, _)| without_namespace(meta))
        .collect();
    if wanted.is_empty() {
        return;
    }
    let mut known: BTreeMap<_, BTreeSet<SmolStr>> = BTreeMap::new();
    for (meta, _) in seen.iter().filter(|(meta, _)| !meta.key.namespace.is_empty()) {
        let key = without_namespace(meta);
        if wanted.contains(&key) {
            known.entry(key).or_default().insert(meta.key.namespace.clone());
        }
    }
    for (meta, _) in seen.iter_mut().filter(|(meta, _)| bare(meta)) {
        let found = known.get(&without_namespace(meta)).filter(|found| found.len() == 1);
        if let Some(namespace) = found.and_then(BTreeSet::first) {
            Arc::make_mut(meta).key.namespace = namespace.clone();
        }
    }
    adopt_from_neighbours(seen, &bare);
}

/// Gives the other rows of a table the namespace that one of them took: one command printed them all.
fn adopt_from_neighbours(seen: &mut [(Arc<Meta>, bool)], bare: &impl Fn(&Meta) -> bool) {
    // Between two rows stands a line break, and blanks of columns that are empty.
    let follows = |above: &Meta, below: &Meta| {
        let gap = below.span.lo.checked_sub(above.span.hi);
        above.span.source == below.span.source
            && above.syntax == Syntax::Table
            && above.key.kind == below.key.kind
            && above.key.cluster == below.key.cluster
            && gap.is_some_and(|gap| gap <= 8)
    };
    let last = seen.len().saturating_sub(1);
    let down = (0..last).map(|at| (at, at + 1, true));
    let up = (0..last).rev().map(|at| (at + 1, at, false));
    let pairs: Vec<(usize, usize, bool)> = down.chain(up).collect();
    for (from, to, downwards) in pairs {
        let (Some((known, _)), Some((row, _))) = (seen.get(from), seen.get(to)) else { continue };
        let joined = if downwards { follows(known, row) } else { follows(row, known) };
        if !joined || known.key.namespace.is_empty() || !bare(row) {
            continue;
        }
        let namespace = known.key.namespace.clone();
        if let Some((row, _)) = seen.get_mut(to) {
            Arc::make_mut(row).key.namespace = namespace;
        }
    }
}

fn without_namespace(meta: &Meta) -> ObjectKey {
    ObjectKey { namespace: "".into(), ..meta.key.clone() }
}

/// Returns the newest stamp that controllers wrote into an object's status or metadata, and its place; one that is no
/// later than a moment need not be found.
fn newest_stamp(meta: &Meta, after: Option<&WrittenMoment>) -> Option<(Timestamp, Span)> {
    let stamps = [meta.created, meta.deleting, meta.last_updated()].into_iter().flatten();
    let mut newest = stamps.map(|time| (time.value, time.span)).max();
    for part in ["status", "sourceStatus", "metadata"] {
        let Some(part) = meta.root.get(part) else { continue };
        let may_count = |text: &str| after.is_none_or(|moment| moment.is_before_some_of(text));
        if part.unread_text().is_none_or(may_count) {
            collect_newest(&part.opened_whole(), after, &mut newest);
        }
    }
    newest
}

/// Says whether a field holds the moment at which something was observed, never a plan for the future.
fn is_stamp(field: &str) -> bool {
    matches!(
        field,
        "lastTransitionTime"
            | "lastReceivedHeartbeat"
            | "observationTime"
            | "firstDriftedObservedTime"
            | "firstDiffedObservedTime"
            | "startTime"
            | "endTime"
            | "time"
            | "startedAt"
            | "finishedAt"
            | "lastUpdateTime"
    )
}

fn collect_newest(
    node: &Node,
    after: Option<&WrittenMoment>,
    newest: &mut Option<(Timestamp, Span)>,
) {
    match &node.value {
        Value::Map(entries) => {
            for entry in entries {
                match &entry.node.value {
                    Value::String(text)
                        if is_stamp(&entry.key)
                            && !after.is_some_and(|moment| moment.is_no_earlier_than(text)) =>
                    {
                        let time = read_timestamp(text);
                        *newest = (*newest).max(time.map(|time| (time, entry.node.span)));
                    }
                    Value::Map(_) | Value::List(_) => collect_newest(&entry.node, after, newest),
                    _ => {}
                }
            }
        }
        Value::List(items) => items.iter().for_each(|item| collect_newest(item, after, newest)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::bundle::Bundle;
    use crate::graph::build;
    use crate::source::{Encoding, Origin, Sources};

    #[test]
    fn only_rows_of_one_table_share_a_namespace() {
        let header = "NAME    PLACEMENT   RESOURCE-SNAPSHOT-INDEX   POLICY-SNAPSHOT-INDEX   AGE\n";
        let row = |name: &str| {
            format!("{name}   web         0                         0                       5m\n")
        };
        let get = "$ kubectl get stagedupdateruns\n";
        let rows = [row("web-1"), row("web-2")].concat();
        let tables = format!("{get}{header}{rows}\n{get}{header}{}", row("api-1"));
        let run = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: StagedUpdateRun\nmetadata:\n  name: web-1\n  namespace: team-a\n";
        let mut sources = Sources::default();
        for (path, text) in [("run.yaml", run), ("rows.txt", &tables)] {
            sources.add(path, Origin::default(), Encoding::Utf8, text);
        }
        let graph = build(&Bundle::parse(sources, &|_| true), None);
        let keys: Vec<String> = graph.sightings.keys().map(ToString::to_string).collect();
        let expected = [
            "StagedUpdateRun api-1",
            "StagedUpdateRun team-a/web-1",
            "StagedUpdateRun team-a/web-2",
        ];
        assert_eq!(keys, expected);
    }
}
