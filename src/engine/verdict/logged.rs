//! The standings of runs that only a log tells of.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{Chains, Standing, State};
use crate::config::Focus;
use crate::engine::Resolved;
use crate::finding::Recoverability;
use crate::grammar::message::{LogLines, Role, line};
use crate::graph::Graph;
use crate::model::key::ObjectKey;

/// What lines of the hub agent say of a run, the state after them.
const STEPS: [(LogLines, State); 9] = [
    (line::PREEMPTED, State::Failed),
    (line::ABORT_STAGE, State::Failed),
    (line::VALIDATE_FAILED, State::Failed),
    (line::INIT_FAILED_BEFORE, State::Failed),
    (line::STUCK, State::Stuck),
    (line::STOPPED, State::Stopped),
    (line::RUN_DELETING, State::Deleting),
    (line::RUN_COMPLETED, State::Succeeded),
    (line::REQUEST_OPEN, State::Waiting),
];

/// Makes the standings of the runs that lines name and the bundle does not hold.
pub(super) fn runs(
    graph: &Graph,
    findings: &[Resolved],
    chains: &Chains,
    by_object: &BTreeMap<&ObjectKey, BTreeSet<usize>>,
    focus: &Focus,
) -> Vec<Standing> {
    let mut seen: BTreeMap<ObjectKey, (State, Option<Timestamp>)> = BTreeMap::new();
    for event in &graph.log_events {
        let Some(run) = event.find(Role::Run) else { continue };
        if graph.runs.find_named(&run.namespace, &run.name).is_some() || run.name.is_empty() {
            continue;
        }
        let Some(key) = run.object() else { continue };
        let known = seen.entry(key).or_insert((State::InProgress, event.time));
        let over = matches!(known.0, State::Failed | State::Succeeded);
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
        let state = if own.iter().any(dead) { State::Failed } else { state };
        let leading = chains.with_causes(own).into_iter().filter(|index| chains.leads(*index));
        let over = matches!(state, State::Failed | State::Succeeded);
        let stamp = since.filter(|_| state != State::InProgress);
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
