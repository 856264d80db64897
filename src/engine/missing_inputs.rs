//! Commands that would collect what the bundle lacks, where no rule asks for it: names of fragments, states of rows.
//!
//! Owns the commands that list the objects among which a nameless one is, and those that show what rows do not
//! tell. Rules give the others, each for its own cause.

use std::collections::BTreeSet;

use super::ResolvedFinding;
use super::verdict::{StandingState, Verdict};
use crate::finding::Severity;
use crate::grammar::kind::{Kind, find_kind};
use crate::graph::Graph;
use crate::model::meta::Meta;
use crate::rule::Ask;
use crate::rules::commands::{look_at_hub, show_command};

/// Returns the lists to ask for, for the objects without a name that a finding accuses.
pub(super) fn ask_for_names(graph: &Graph, findings: &[ResolvedFinding]) -> Vec<Ask> {
    let accused = |meta: &Meta| {
        findings.iter().any(|resolved| {
            resolved.finding.severity >= Severity::Warning
                && meta.span.contains(resolved.primary.span)
        })
    };
    let lost = |meta: &Meta| meta.key.name.is_empty() && accused(meta);
    let runs = graph.runs.iter().filter(|run| lost(&run.meta)).map(|run| (&run.meta, Kind::Run));
    let placements = graph.placements.iter().filter(|placement| lost(&placement.meta));
    let placements = placements.map(|placement| (&placement.meta, Kind::Placement));
    runs.chain(placements).flat_map(|(meta, kind)| lists(meta, kind)).collect()
}

/// Lists the objects of a kind in the scope that the text shows, else in both.
fn lists(meta: &Meta, kind: Kind) -> Vec<Ask> {
    let namespace = meta.namespace();
    let decides = format!("which one {} is", meta.name());
    let mut commands = Vec::new();
    if namespace.is_empty() {
        commands.push(look_at_hub().words("get").resource(kind.in_namespace("")));
        let everywhere = look_at_hub().words("get").resource(kind.in_namespace("any"));
        commands.push(everywhere.words("--all-namespaces"));
    } else {
        let there = look_at_hub().words("get").resource(kind.in_namespace(namespace));
        commands.push(there.namespace(namespace));
    }
    let asks = commands.into_iter().filter_map(|command| command.build());
    asks.map(|command| Ask { command, decides: decides.clone() }).collect()
}

/// More objects than this are not asked for one by one.
const MOST: usize = 5;

/// Returns what shows how far those are of which the bundle does not tell.
pub(super) fn ask_how_far(verdict: &Verdict) -> Vec<Ask> {
    let unknown =
        verdict.planned.iter().filter(|standing| standing.state == StandingState::Unknown);
    let asks = unknown.take(MOST).filter_map(|standing| {
        let command = show_command(&standing.object)?;
        Some(Ask { command, decides: format!("how far {} is", standing.name) })
    });
    asks.collect()
}

/// Returns what shows the objects themselves where only rows of them were sent: of each kind and namespace one list.
pub(super) fn ask_for_objects(graph: &Graph) -> Vec<Ask> {
    let families = [Kind::Run, Kind::Placement, Kind::Binding, Kind::Work];
    let mut lists: BTreeSet<(usize, &str, &str)> = BTreeSet::new();
    for key in graph.sightings.keys() {
        let spec = find_kind(&key.kind);
        let family = spec.and_then(|spec| families.iter().position(|it| *it == spec.family));
        lists.extend(family.map(|family| (family, &*key.kind, &*key.namespace)));
    }
    let asks = lists.into_iter().filter_map(|(_, kind, namespace)| {
        let spec = find_kind(kind)?;
        let list = look_at_hub().words("get").resource(kind).namespace(namespace);
        let decides = format!("what a table does not show of each {}", spec.name);
        Some(Ask { command: list.words("-o yaml").build()?, decides })
    });
    asks.take(MOST).collect()
}
