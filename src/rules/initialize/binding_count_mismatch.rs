//! FL0113 binding-count-mismatch.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::rule::Cx;
use crate::rules::commands::binding_command;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};

declare_rule! {
    /// A run that found another number of bindings than its placement wants.
    ///
    /// ## Why it matters
    /// For PickN and PickFixed the number of selected bindings must equal the number that the policy asks for. A
    /// cluster that left, was deleted or is not yet picked makes them differ, and the run fails permanently.
    ///
    /// ## What to do
    /// Wait until the scheduler has settled, or correct the placement; then create a new run.
    pub static BINDING_COUNT_MISMATCH = Rule {
        code: "FL0113",
        name: "binding-count-mismatch",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding, Kind::PolicySnapshot],
        check: binding_count_mismatch,
    }
}

/// The bindings are fewer or more than the policy wants.
const BINDING_COUNT: ClaimedMessages =
    &[id::ERR_BINDING_COUNT, id::ERR_BINDING_STATE_OLD, id::ERR_BINDING_OLD_POLICY_OLD];

fn binding_count_mismatch(cx: &mut Cx<'_>) {
    report_causes(cx, BINDING_COUNT, Repair::Policy, describe);
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let run = cause.run;
    let name = run.placement.as_deref().unwrap_or_default();
    let counts = cause.all_named(HoleRole::Count);
    let of = run.show_placement();
    let message = match counts.as_slice() {
        [found, wanted] => format!(
            "The policy of {of} wants {wanted} clusters, and {} found bindings for {found}.",
            run.meta.name()
        ),
        _ => format!("The bindings of {of} are not as many as its policy wants."),
    };
    let mut finding = BINDING_COUNT_MISMATCH
        .at(cause.span, cause.label())
        .message(message)
        .why("A cluster left the fleet, was unscheduled, or was not picked yet at that check.");
    let bindings = cx.bindings_of(run.meta.namespace(), name);
    for binding in &bindings {
        let unscheduled = binding.state.as_ref().filter(|state| **state == "Unscheduled");
        let label = format!("{} is no longer selected", binding.cluster());
        finding = finding.also_at(unscheduled.map(|state| state.span), label);
    }
    let policy = cx.find_latest_policy(run.meta.namespace(), name);
    if let Some(wanted) = policy.and_then(|policy| policy.wanted_clusters()) {
        finding = finding.also(wanted.span, "the number that the policy wants");
    }
    if bindings.is_empty() {
        finding = finding.command(binding_command(&run.meta.key, run.placement.as_deref()));
    }
    finding
}
