//! Narrowing a report to a run, a placement, a cluster or a namespace.

use std::collections::BTreeSet;

use super::{ResolvedFinding, RunLine};
use crate::config::Focus;
use crate::finding::Topic;
use crate::model::key::ObjectKey;

/// Keeps what concerns the focus, and what explains that.
pub(super) fn narrow(findings: &mut Vec<ResolvedFinding>, runs: &mut Vec<RunLine>, focus: &Focus) {
    if focus.is_empty() {
        return;
    }
    runs.retain(|run| focus.run.as_ref().is_none_or(|name| *run.object.name == **name));
    runs.retain(|run| focus.namespace.as_ref().is_none_or(|name| *run.object.namespace == **name));
    let mut kept: BTreeSet<String> = findings
        .iter()
        .filter(|resolved| concerns(resolved, focus))
        .map(|resolved| resolved.id.clone())
        .collect();
    // What explains a kept finding stays with it, link by link.
    loop {
        let causes = findings.iter().filter(|resolved| kept.contains(&resolved.id));
        let causes: Vec<String> =
            causes.flat_map(|resolved| resolved.explained_by.clone()).collect();
        let before = kept.len();
        kept.extend(causes);
        if kept.len() == before {
            break;
        }
    }
    findings.retain(|resolved| kept.contains(&resolved.id));
    for run in runs {
        run.findings.retain(|id| kept.contains(id));
    }
}

fn concerns(resolved: &ResolvedFinding, focus: &Focus) -> bool {
    let places = std::iter::once(&resolved.primary).chain(&resolved.related);
    let objects: Vec<&ObjectKey> = places.filter_map(|place| place.object.as_ref()).collect();
    let topics: Vec<&Topic> =
        resolved.finding.about.iter().chain(&resolved.finding.explains).collect();
    let named = |wanted: &Option<String>, kind: &str, topic: fn(&Topic) -> Option<&str>| {
        wanted.as_ref().is_none_or(|name| {
            let object = objects.iter().any(|key| key.kind.ends_with(kind) && *key.name == **name);
            object || topics.iter().any(|known| topic(known) == Some(name))
        })
    };
    let in_namespace =
        focus.namespace.is_none() || objects.iter().any(|key| focus.is_in_namespace(key));
    let on_cluster = objects.iter().any(|key| focus.is_on_cluster(key))
        || named(&focus.cluster, "MemberCluster", cluster_of);
    named(&focus.run, "StagedUpdateRun", run_of)
        && named(&focus.placement, "ResourcePlacement", placement_of)
        && on_cluster
        && in_namespace
}

fn run_of(topic: &Topic) -> Option<&str> {
    match topic {
        Topic::Run(key) | Topic::Gate(key, ..) | Topic::RunCluster(key, _) => Some(&key.name),
        _ => None,
    }
}

fn placement_of(topic: &Topic) -> Option<&str> {
    match topic {
        Topic::Placement(key) | Topic::Versions(key) | Topic::PlacementCluster(key, _) => {
            Some(&key.name)
        }
        _ => None,
    }
}

fn cluster_of(topic: &Topic) -> Option<&str> {
    match topic {
        Topic::RunCluster(_, name) | Topic::PlacementCluster(_, name) | Topic::Member(name) => {
            Some(name)
        }
        _ => None,
    }
}
