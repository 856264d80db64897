//! FL0623 held-rollout.

use jiff::SignedDuration;

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::age::Overdue;
use crate::model::binding::Binding;
use crate::model::condition::Condition;
use crate::model::placement::Placement;
use crate::rule::Cx;
use crate::rules::chain::join_names;
use crate::rules::commands::binding_command;

declare_rule! {
    /// A rolling update that is held back by its own budget.
    ///
    /// ## Why it matters
    /// The update takes away only as many clusters as `maxUnavailable` allows, counted against all clusters that the
    /// policy wants. As long as others are not available, or missing, the rest stays on the old version, and the
    /// status calls them blocked by the rollout strategy.
    ///
    /// ## What to do
    /// Repair the clusters that are not available: the rest follows by itself. The strategy is seldom at fault.
    pub static HELD_ROLLOUT = Rule {
        code: "FL0623",
        name: "held-rollout",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::Binding],
        check: held_rollout,
    }
}

/// A healthy rollout works through its clusters in less.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

fn held_rollout(cx: &mut Cx<'_>) {
    for (placement, started) in held(cx) {
        let finding = describe(cx, placement, started);
        cx.report(finding);
    }
    let pieces = cx.bindings().iter().filter(|binding| binding.placement().is_none());
    for binding in pieces.filter(|binding| binding.meta.partial) {
        let started = binding.condition("RolloutStarted").filter(|started| started.is_false());
        if let Some(started) = started.filter(|_| cx.placements().is_empty()) {
            cx.report(describe_piece(binding, started));
        }
    }
}

/// Returns the placements whose rolling update is held back, and the condition that says so.
pub fn held<'g>(cx: &Cx<'g>) -> Vec<(&'g Placement, &'g Condition)> {
    let rolling = cx.placements().iter().filter(|placement| !placement.is_external());
    let living = rolling.filter(|placement| placement.meta.deleting.is_none());
    let started = living.filter_map(|placement| {
        // A piece of the status may show nothing but the entry of a cluster.
        let entries = placement.clusters.iter().filter(|_| placement.meta.partial);
        let piece = || entries.filter_map(|cluster| cluster.condition("RolloutStarted"));
        let own = placement.condition("RolloutStarted");
        let started = own.or_else(|| piece().find(|condition| condition.is_false()))?;
        Some((placement, started))
    });
    started.filter(|(_, condition)| condition.is_false()).collect()
}

/// Tells of a piece of a binding, or of a placement's entry for it, that says nothing but that it is held back.
fn describe_piece(binding: &Binding, started: &Condition) -> Finding {
    let cluster = if binding.cluster().is_empty() { "the cluster" } else { binding.cluster() };
    HELD_ROLLOUT
        .at(started.best_span(), "held back")
        .message(format!("the rolling update of the placement holds {cluster} back"))
        .why("the rollout's budget counts every cluster that is not available, or missing, against maxUnavailable; which one uses it up is not shown here")
        .recover(Recoverability::ResumesAfterRepair)
        .severity(Severity::Note)
}

fn describe(cx: &Cx<'_>, placement: &Placement, started: &Condition) -> Finding {
    let key = &placement.meta.key;
    let waited = started.since.and_then(|since| cx.clock().since(since.value));
    let blocked = placement.clusters.iter().filter(|cluster| {
        cluster.condition("RolloutStarted").is_some_and(|condition| condition.is_false())
    });
    let blocked: Vec<&str> = blocked.map(|cluster| cluster.name()).collect();
    let bindings = cx.bindings_of(&key.namespace, &key.name);
    let in_the_way = |binding: &&&Binding| {
        let bound = binding.state.as_deref() == Some("Bound");
        bound && !binding.is_done() && !blocked.contains(&binding.cluster())
    };
    let holders: Vec<&&Binding> = bindings.iter().filter(in_the_way).collect();
    let names = join_names(holders.iter().map(|binding| binding.cluster()));
    let why = if names.is_empty() {
        String::new()
    } else {
        format!("; it waits for {names} to become available")
    };
    let in_state = |state: &str| {
        let there = bindings.iter().filter(|it| it.state.as_deref() == Some(state));
        join_names(there.map(|binding| binding.cluster()))
    };
    // A picked cluster is added within maxSurge, counted with all that may still become ready.
    let room = match &*in_state("Scheduled") {
        "" => String::new(),
        names => format!("; {names} is picked but waits until maxSurge leaves room"),
    };
    let first = match &*in_state("Unscheduled") {
        "" => String::new(),
        names => format!("; removing {names} comes first and uses the same budget"),
    };
    let for_long = waited.map(|waited| format!(" for {}", waited.show())).unwrap_or_default();
    let which = join_names(&blocked);
    let which = if which.is_empty() { "some clusters".to_owned() } else { which };
    let mut finding = HELD_ROLLOUT
        .at(started.best_span(), "held back")
        .also_at(placement.max_unavailable.as_ref().map(|text| text.span), "the budget")
        .message(format!("the rolling update of {key} holds {which} back{for_long}{why}{room}{first}"))
        .why("the rollout's budget counts every cluster that is not available, or missing, against maxUnavailable; the rest follows by itself once those are well")
        .recover(Recoverability::ResumesAfterRepair)
        .command(binding_command(key, Some(&key.name)))
        .about(Topic::Rollout(key.clone()));
    for binding in holders.iter().take(3) {
        let place =
            binding.first_failing().map_or(binding.meta.name_span, |failing| failing.best_span());
        finding = finding.also(place, format!("{} is not available", binding.cluster()));
    }
    match waited.and_then(|waited| Overdue::beyond(PATIENCE, waited)) {
        Some(overdue) => finding.rests_on(&overdue),
        None => finding.severity(Severity::Note),
    }
}
