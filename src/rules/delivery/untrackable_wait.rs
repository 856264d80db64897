//! FL0736 untrackable-wait.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::kube::time::show_duration;
use crate::model::binding::Binding;
use crate::model::condition::Condition;
use crate::rule::Cx;
use crate::rules::sentence::join_names;
use jiff::SignedDuration;

declare_rule! {
    /// A rolling update that waits because it cannot tell whether the clusters before are ready.
    ///
    /// ## Why it matters
    /// KubeFleet does not track Jobs, CronJobs, custom resources and other kinds. A cluster with such objects
    /// counts as ready only `unavailablePeriodSeconds` after they were applied. Until then a rolling update with
    /// a small budget does not touch the next cluster. Nothing is broken.
    ///
    /// ## What to do
    /// Wait, or lower `spec.strategy.rollingUpdate.unavailablePeriodSeconds`.
    pub static UNTRACKABLE_WAIT = Rule {
        code: "FL0736",
        name: "untrackable-wait",
        severity: Severity::Warning,
        reads: &[Kind::Placement, Kind::Binding],
        check: untrackable_wait,
    }
}

fn untrackable_wait(cx: &mut Cx<'_>) {
    for placement in cx.placements().iter().filter(|placement| !placement.is_external()) {
        let key = &placement.meta.key;
        let bindings = cx.bindings_of(&key.namespace, &key.name);
        let held = |binding: &&&Binding| {
            binding.current("RolloutStarted").is_some_and(|started| started.is_false())
        };
        let Some(first) = bindings.iter().find(held) else { continue };
        let period = placement.unavailable_period.map_or(60, |period| period.value);
        let waits: Vec<(&Binding, SignedDuration)> = bindings
            .iter()
            .filter_map(|binding| Some((*binding, remaining(cx, binding, period)?)))
            .collect();
        let Some((_, left)) = waits.iter().min_by_key(|(_, left)| *left) else { continue };
        // A cluster that fails holds the rollout for its own reasons.
        if bindings.iter().any(|binding| binding.first_failing().is_some()) {
            continue;
        }
        let count = bindings.iter().filter(held).count();
        let names = join_names(waits.iter().map(|(binding, _)| binding.cluster()));
        let count_verb = if waits.len() == 1 { "counts" } else { "count" };
        let started = first.current("RolloutStarted");
        let span =
            placement.unavailable_period.map_or(placement.meta.name_span, |period| period.span);
        let mut finding = UNTRACKABLE_WAIT
            .at(span, "a cluster counts as ready after this time")
            .also_at(started.map(Condition::best_span), "so this cluster waits")
            .message(format!(
                "The rollout of {key} waits with {count} clusters left: {names} {count_verb} as \
                 ready only after unavailablePeriodSeconds ({period}), the next in {}.",
                show_duration(*left)
            ))
            .why(
                "Nothing is broken. KubeFleet does not track these kinds of objects and takes \
                  them for ready after this time.",
            )
            .then(format!(
                "The rollout of {} continues by itself in {}, one step at a time.",
                key.name,
                show_duration(*left)
            ))
            .recover(Recoverability::ResumesByItself)
            .explains(Topic::Rollout(key.clone()));
        if let Some((binding, _)) = waits.first() {
            let since = binding.current("Available").and_then(|available| available.since);
            finding = finding.also_at(since.map(|since| since.span), "counted from here");
        }
        if *left < LONG {
            finding = finding.severity(Severity::Note);
        }
        cx.report(finding);
    }
}

/// A wait that is worth a warning.
const LONG: SignedDuration = SignedDuration::from_mins(10);

/// Returns how long an untrackable cluster still does not count as ready.
fn remaining(cx: &Cx<'_>, binding: &Binding, period: i64) -> Option<SignedDuration> {
    let available = binding.current("Available").filter(|available| available.is_true())?;
    let untracked = available.reason() == "NotAllWorkAreAvailabilityTrackable";
    let age = cx.clock().since(available.since.filter(|_| untracked)?.value)?;
    let left = SignedDuration::from_secs(period).checked_sub(age.least)?;
    left.is_positive().then_some(left)
}
