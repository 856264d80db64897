//! The standings of runs of which the bundle holds nothing but log lines.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::chains::ByObject;
use super::{Chains, Standing, StandingState};
use crate::config::Focus;
use crate::engine::ResolvedFinding;
use crate::finding::Recoverability;
use crate::grammar::message::{HoleRole, LogLines, line};
use crate::graph::Graph;
use crate::model::key::ObjectKey;

/// What lines of the hub agent say of a run, the state after them.
const STEPS: [(LogLines, StandingState); 9] = [
    (line::PREEMPTED, StandingState::Failed),
    (line::ABORT_STAGE, StandingState::Failed),
    (line::VALIDATE_FAILED, StandingState::Failed),
    (line::INIT_FAILED_BEFORE, StandingState::Failed),
    (line::STUCK, StandingState::Stuck),
    (line::STOPPED, StandingState::Stopped),
    (line::RUN_DELETING, StandingState::Deleting),
    (line::RUN_COMPLETED, StandingState::Succeeded),
    (line::REQUEST_OPEN, StandingState::Waiting),
];

/// Makes the standings of the runs that lines name and the bundle does not hold.
pub(super) fn runs(
    graph: &Graph,
    findings: &[ResolvedFinding],
    chains: &Chains,
    by_object: &ByObject<'_>,
    focus: &Focus,
) -> Vec<Standing> {
    let mut seen: BTreeMap<ObjectKey, (StandingState, Option<Timestamp>)> = BTreeMap::new();
    for event in &graph.log_events {
        let Some(run) = event.find(HoleRole::Run) else { continue };
        if graph.runs.find_named(&run.namespace, &run.name).is_some() || run.name.is_empty() {
            continue;
        }
        let Some(key) = run.object() else { continue };
        let known = seen.entry(key).or_insert((StandingState::InProgress, event.time));
        let over = matches!(known.0, StandingState::Failed | StandingState::Succeeded);
        let step = STEPS.iter().find(|(lines, _)| event.is(*lines)).map(|(_, state)| *state);
        if let Some(state) = step.filter(|state| !over && *state != known.0) {
            *known = (state, event.time);
        }
    }
    let asked = |key: &ObjectKey| {
        let named = focus.run.as_ref().is_none_or(|name| *key.name == **name);
        focus.placement.is_none() && focus.cluster.is_none() && named && focus.is_in_namespace(key)
    };
    let seen = seen.into_iter().filter(|(key, _)| asked(key));
    seen.map(|(key, (state, since))| {
        let own = by_object.get(&key).cloned().unwrap_or_default();
        let dead = |index: &usize| {
            findings.get(*index).and_then(|it| it.finding.recoverability)
                == Some(Recoverability::RunIsDead)
        };
        let state = if own.iter().any(dead) { StandingState::Failed } else { state };
        let leading = chains.with_causes(own).into_iter().filter(|index| chains.leads(*index));
        let over = matches!(state, StandingState::Failed | StandingState::Succeeded);
        let stamp = since.filter(|_| state != StandingState::InProgress);
        let at = stamp.map(|at| {
            let word = if over { "at" } else { "since" };
            format!("{word} {}, by the log", graph.clock.show_moment(at))
        });
        let words = at.unwrap_or_else(|| "by the log".to_owned());
        let standing = Standing::new(&key, (state, words), since, leading, findings);
        Standing { by_log: true, ..standing }
    })
    .collect()
}
