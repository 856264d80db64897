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
use crate::rules::commands::{binding_command, works_command};
use crate::rules::sentence::join_names;

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
    for held in cx.held_rollouts() {
        let finding = describe(cx, held.placement, held.started);
        cx.report(finding);
    }
}

/// How the rollout controller counts.
pub(super) const BUDGET: &str = "A rollout may make only maxUnavailable clusters unavailable at a \
     time. Clusters that are unavailable or missing already count against it.";

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
    let for_long = waited.filter(|waited| waited.least.is_positive());
    let for_long = for_long.map(|waited| format!(" for {}", waited.show())).unwrap_or_default();
    let has = if for_long.is_empty() { "holds" } else { "has held" };
    let which = join_names(&blocked);
    let which = if which.is_empty() { "some clusters".to_owned() } else { which };
    let waits = match &*names {
        "" => String::new(),
        names => format!(" It waits for {names} to become available."),
    };
    let mut finding = HELD_ROLLOUT
        .at(started.best_span(), "held back")
        .also_at(placement.max_unavailable.as_ref().map(|text| text.span), "the budget")
        .message(format!(
            "The rolling update of {key} {has} {which} back{for_long}.{waits}{}",
            show_order(&bindings)
        ))
        .why(BUDGET)
        .then(match &*names {
            "" => format!("{} continues by itself once the budget leaves room.", key.name),
            names => format!("{} continues by itself once {names} is available.", key.name),
        })
        .recover(Recoverability::ResumesAfterRepair)
        .step(
            binding_command(key, Some(&key.name)).filter(|_| bindings.is_empty()),
            "shows which cluster uses the budget up",
        )
        .about(Topic::Rollout(key.clone()));
    if let Some(first) = holders.first() {
        finding = finding.step(
            works_command(first.cluster()),
            format!("shows why {} is not ready", first.cluster()),
        );
    }
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

/// Says what else the budget is for: clusters that come first, and those that wait for room.
fn show_order(bindings: &[&Binding]) -> String {
    let in_state = |state: &str| {
        let there = bindings.iter().filter(|it| it.state.as_deref() == Some(state));
        join_names(there.map(|binding| binding.cluster()))
    };
    // A picked cluster is added within maxSurge, counted with all that may still become ready.
    let room = match &*in_state("Scheduled") {
        "" => String::new(),
        names => format!(" {names} is picked and waits until maxSurge leaves room."),
    };
    match &*in_state("Unscheduled") {
        "" => room,
        names => format!("{room} Removing {names} comes first and uses the same budget."),
    }
}
