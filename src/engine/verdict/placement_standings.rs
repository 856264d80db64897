//! The standings of placements, by their conditions and by the findings about them.

use std::collections::BTreeSet;

use super::chains::ByObject;
use super::{Chains, Standing, StandingState};
use crate::config::Focus;
use crate::engine::ResolvedFinding;
use crate::finding::Severity;
use crate::graph::{Clock, Graph, HasMeta as _};
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::placement::{PerCluster, Placement};
use crate::syntax::Syntax;

/// More clusters than this are counted.
const NAMED: usize = 3;

/// A step of a placement: its condition, the words while it is open, the words when it is refused.
const STEPS: [(&str, &str, &str); 7] = [
    ("Scheduled", "not scheduled yet", "not fully scheduled"),
    ("RolloutStarted", "rollout waits", "rollout not started"),
    ("Overridden", "overrides not applied yet", "overrides fail"),
    ("WorkSynchronized", "not written yet", "not written"),
    ("Applied", "not applied yet", "not applied"),
    ("Available", "not available yet", "not available"),
    ("DiffReported", "differences not reported yet", "differences not reported"),
];

/// What is said of a placement that only compares and applies nothing.
pub const COMPARED: &str = "only compares (ReportDiff)";

/// Makes the standings of placements; one that runs roll out only where no run tells its trouble.
pub(super) fn placements(
    graph: &Graph,
    findings: &[ResolvedFinding],
    chains: &Chains,
    by_object: &ByObject<'_>,
    focus: &Focus,
    told: &BTreeSet<usize>,
) -> Vec<Standing> {
    let mut standings = Vec::new();
    for placement in &graph.placements {
        let key = placement.key();
        let own = by_object.get(key).cloned().unwrap_or_default();
        let leading = chains.with_causes(own).into_iter().filter(|index| chains.leads(*index));
        let leading: Vec<usize> = leading.collect();
        if !is_asked(key, focus) && (leading.is_empty() || !focus.is_empty()) {
            continue;
        }
        let external = placement.is_external();
        // What a run tells is not told again of a placement that runs roll out, or that is well in itself.
        let well = || state_of(placement, &graph.clock, false).0 == StandingState::Available;
        let by_runs = external || well();
        let leading = leading.into_iter().filter(|index| !by_runs || !told.contains(index));
        let leading: Vec<usize> = leading.collect();
        let worst = leading.iter().filter_map(|it| Some(findings.get(*it)?.finding.severity)).max();
        // What is only noted is in order while it is young.
        let patient = worst == Some(Severity::Note);
        let (state, words, since) = match external {
            true => external_state(placement, graph, worst == Some(Severity::Error)),
            false => state_of(placement, &graph.clock, patient),
        };
        // What a run suffers from is no trouble of a placement that is available all the same.
        let leading = leading.into_iter();
        let leading =
            leading.filter(|index| state != StandingState::Available || !told.contains(index));
        let standing = Standing::new(key, (state, words), since, leading, findings);
        // What runs roll out is not there until a run has done it; the runs tell.
        if !external || standing.severity >= Some(Severity::Warning) {
            standings.push(standing);
        }
    }
    standings
}

/// Says whether a placement belongs to what is asked about; a cluster or a run tells only by its findings.
fn is_asked(key: &ObjectKey, focus: &Focus) -> bool {
    let named = focus.placement.as_ref().is_none_or(|name| *key.name == **name);
    focus.run.is_none() && focus.cluster.is_none() && named && focus.is_in_namespace(key)
}

/// Tells how a placement stands by its conditions; to a patient reader False means "not yet".
fn state_of(
    placement: &Placement,
    clock: &Clock,
    patient: bool,
) -> (StandingState, String, Option<jiff::Timestamp>) {
    if let Some(deleting) = placement.meta.deleting {
        let words = format!("since {}", clock.show_moment(deleting.value));
        return (StandingState::Deleting, words, Some(deleting.value));
    }
    let told = || {
        let steps = STEPS.iter();
        steps.filter_map(|step| Some((step, placement.condition(step.0)?)))
    };
    let words = |words: &str, step: &str, condition: &Condition, is: fn(&Condition) -> bool| {
        let on = clusters_at(placement, step, is);
        let since = condition.since.map(|since| clock.show_moment(since.value));
        let since = since.map(|since| format!(" since {since}")).unwrap_or_default();
        (format!("{words}{on}{since}"), condition.since.map(|since| since.value))
    };
    let refused = told().find(|(_, it)| it.is_false()).filter(|_| !patient);
    if let Some(((step, _, refused), condition)) = refused {
        // Then no cluster is looked for, so none is missing.
        let unread = condition.reason() == "InvalidResourceSelectors";
        let refused = if unread { "selectors refused" } else { refused };
        let (words, since) = words(refused, step, condition, Condition::is_false);
        return (StandingState::Blocked, words, since);
    }
    let is_open = |condition: &Condition| !condition.is_true();
    if let Some(((step, open, _), condition)) = told().find(|(_, it)| is_open(it)) {
        let (words, since) = words(open, step, condition, is_open);
        return (StandingState::InProgress, words, since);
    }
    // What is told of an older generation says nothing of this one.
    let told_of = told().next_back().and_then(|(_, condition)| condition.observed_generation);
    if let Some((is, told_of)) = placement.meta.generation().zip(told_of)
        && told_of.value < is
    {
        let told_of = told_of.value;
        let words = format!("its status is of generation {told_of}, and it is at {is}");
        return (StandingState::Unknown, words, None);
    }
    if placement.is_cut {
        return (StandingState::Unknown, "the text breaks off".to_owned(), None);
    }
    match told().next_back() {
        Some(((step @ ("Available" | "DiffReported"), ..), condition)) => {
            let since = condition.since.map(|since| since.value);
            let words = if *step == "DiffReported" { COMPARED } else { "" };
            (StandingState::Available, words.to_owned(), since)
        }
        Some(_) if placement.meta.syntax == Syntax::Table => {
            (StandingState::Unknown, "a table does not tell how far".to_owned(), None)
        }
        Some(_) if placement.clusters.is_empty() => {
            (StandingState::Waiting, "with no cluster picked".to_owned(), None)
        }
        Some(_) => (StandingState::InProgress, String::new(), None),
        None => (StandingState::Unknown, "no status in this bundle".to_owned(), None),
    }
}

/// Tells how a placement stands that runs roll out: scheduling is its own, the rest is theirs.
fn external_state(
    placement: &Placement,
    graph: &Graph,
    is_blocked: bool,
) -> (StandingState, String, Option<jiff::Timestamp>) {
    let scheduled = placement.condition("Scheduled").is_none_or(|it| !it.is_false());
    if placement.meta.deleting.is_some() || !scheduled {
        return state_of(placement, &graph.clock, false);
    }
    // What is wrong with it besides its runs stands in its own conditions.
    let own = state_of(placement, &graph.clock, false);
    if is_blocked && own.0 == StandingState::Blocked {
        return own;
    }
    if is_blocked {
        return (StandingState::Blocked, String::new(), None);
    }
    let key = placement.key();
    let runs = graph.runs_of(&key.namespace, &key.name);
    if runs.is_empty() {
        (StandingState::Waiting, "for a run".to_owned(), None)
    } else if runs.iter().all(|run| run.is_terminal()) {
        (StandingState::Waiting, "with no run in progress".to_owned(), None)
    } else {
        (StandingState::InProgress, "rolled out by runs".to_owned(), None)
    }
}

/// Names the clusters at which a step stands: ` on member3 and member4`.
fn clusters_at(placement: &Placement, step: &str, is: fn(&Condition) -> bool) -> String {
    let stands = |cluster: &&PerCluster| {
        !cluster.name().is_empty() && cluster.condition(step).is_some_and(is)
    };
    let names: Vec<&str> = placement.clusters.iter().filter(stands).map(PerCluster::name).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(" on {one}"),
        [some @ .., last] if names.len() <= NAMED => format!(" on {} and {last}", some.join(", ")),
        all => format!(" on {} clusters", all.len()),
    }
}
