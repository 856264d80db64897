//! Differences between hub and member that were reported and stop nothing.
//!
//! Drift that the strategy tolerates, and the answer of a placement that only compares. What stops an
//! apply or a takeover is a failure, with its differences inside.

use std::collections::{BTreeMap, BTreeSet};

use super::failure::{self, Failure, member_key};
use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::model::key::ObjectKey;
use crate::model::placement::FieldDifference;
use crate::source::Span;

/// The kinds that report differences.
pub const READS: &[Kind] = failure::READS;

/// Why a difference was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifferenceKind {
    /// The object was applied and has been changed on the member.
    Drift,
    /// The placement only compares.
    Diff,
}

/// An object that differs between hub and member.
#[derive(Clone, Debug)]
pub struct ResourceDifference {
    /// The placement.
    pub placement: ObjectKey,
    /// The object on the member.
    pub object: ObjectKey,
    /// Why it was looked for.
    pub sort: DifferenceKind,
    /// Where it is reported.
    pub span: Span,
    /// The fields that differ.
    pub details: Vec<FieldDifference>,
    /// Whether the object that reports it shows what became of the apply; a bare list does not.
    pub decided: bool,
}

/// Groups the differences of a sort by placement.
pub fn by_placement(
    differences: &[ResourceDifference],
    sort: DifferenceKind,
) -> Vec<Vec<&ResourceDifference>> {
    let mut groups: BTreeMap<&ObjectKey, Vec<&ResourceDifference>> = BTreeMap::new();
    for difference in differences.iter().filter(|difference| difference.sort == sort) {
        groups.entry(&difference.placement).or_default().push(difference);
    }
    groups.into_values().collect()
}

type Slot = (ObjectKey, ObjectKey, DifferenceKind);

/// Collects the differences of a bundle, each from the object nearest to the member.
pub(super) fn find_differences(graph: &Graph, failures: &[Failure]) -> Vec<ResourceDifference> {
    let mut found: BTreeMap<Slot, ResourceDifference> = BTreeMap::new();
    for work in graph.works.iter().filter(|work| work.meta.deleting.is_none()) {
        let Some(placement) = work.placement() else { continue };
        for report in &work.reports {
            let Some(object) = member_key(&report.resource, work.cluster()) else { continue };
            for (sort, details) in
                [(DifferenceKind::Drift, &report.drifts), (DifferenceKind::Diff, &report.diffs)]
            {
                let seen = Reported { span: report.span, details, decided: true };
                add(&mut found, &placement, &object, sort, &seen);
            }
        }
    }
    let told = graph.bindings.iter().filter(|binding| binding.is_identified());
    let bindings = told.map(|binding| {
        let lists = (&binding.drifted, &binding.diffed);
        let decided = !binding.conditions.is_empty();
        (binding.placement_or_unnamed(), binding.cluster(), lists, decided)
    });
    let copies = graph.placements.iter().flat_map(|placement| {
        placement.clusters.iter().map(|cluster| {
            let lists = (&cluster.drifted, &cluster.diffed);
            (placement.meta.key.clone(), cluster.name(), lists, !cluster.conditions.is_empty())
        })
    });
    for (placement, cluster, (drifted, diffed), decided) in bindings.chain(copies) {
        for (sort, entries) in [(DifferenceKind::Drift, drifted), (DifferenceKind::Diff, diffed)] {
            for entry in entries {
                let Some(object) = member_key(&entry.resource, cluster) else { continue };
                let seen = Reported { span: entry.span, details: &entry.details, decided };
                add(&mut found, &placement, &object, sort, &seen);
            }
        }
    }
    let stopped: BTreeSet<&ObjectKey> = failures.iter().map(|failure| &failure.object).collect();
    found.into_values().filter(|difference| !stopped.contains(&difference.object)).collect()
}

/// What one object says about a difference.
struct Reported<'r> {
    span: Span,
    details: &'r [FieldDifference],
    decided: bool,
}

fn add(
    found: &mut BTreeMap<Slot, ResourceDifference>,
    placement: &ObjectKey,
    object: &ObjectKey,
    sort: DifferenceKind,
    seen: &Reported<'_>,
) {
    let Reported { span, details, decided } = *seen;
    if details.is_empty() {
        return;
    }
    found.entry((placement.clone(), object.clone(), sort)).or_insert_with(|| ResourceDifference {
        placement: placement.clone(),
        object: object.clone(),
        sort,
        span: details.first().map_or(span, |detail| detail.path.span),
        details: details.to_vec(),
        decided,
    });
}
