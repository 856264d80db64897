//! FL0113 binding-count-mismatch.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::rule::Cx;
use crate::rules::commands::binding_command;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// A run that found another number of bindings than its placement wants.
    ///
    /// ## Why it matters
    /// For PickN and PickFixed the number of selected bindings must equal the number that the policy asks for. A
    /// cluster that left, was deleted or is not yet picked makes them differ, and the run fails for good.
    ///
    /// ## What to do
    /// Wait until the scheduler has settled, or correct the placement; then make a new run.
    pub static BINDING_COUNT_MISMATCH = Rule {
        code: "FL0113",
        name: "binding-count-mismatch",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding, Kind::PolicySnapshot],
        check: binding_count_mismatch,
    }
}

/// The bindings are fewer or more than the policy wants.
const BINDING_COUNT: Claim =
    &[id::ERR_BINDING_COUNT, id::ERR_BINDING_STATE_OLD, id::ERR_BINDING_OLD_POLICY_OLD];

fn binding_count_mismatch(cx: &mut Cx<'_>) {
    for cause in causes(cx, BINDING_COUNT) {
        let run = cause.run;
        let name = run.placement.as_deref().unwrap_or_default();
        let counts = cause.all_named(Role::Count);
        let numbers = if let [found, wanted] = counts.as_slice() {
            format!(" ({found} found, {wanted} wanted)")
        } else {
            String::new()
        };
        let mut finding = BINDING_COUNT_MISMATCH
            .at(cause.span, "the numbers differ")
            .message(format!("{} failed: the bindings of {name} are not as many as its policy wants{numbers}", run.meta.name()))
            .why("a cluster left the fleet, was unscheduled, or was not picked yet when the run looked")
            .recover(Recoverability::RunIsDead)
            .command(binding_command(&run.meta.key, run.placement.as_deref()));
        let unscheduled = cx.bindings_of(run.meta.namespace(), name);
        for binding in unscheduled
            .into_iter()
            .filter(|binding| binding.state.as_deref() == Some("Unscheduled"))
        {
            if let Some(state) = &binding.state {
                finding = finding
                    .also(state.span, format!("{} is no longer selected", binding.cluster()));
            }
        }
        if let Some(wanted) = cx
            .find_latest_policy(run.meta.namespace(), name)
            .and_then(|policy| policy.wanted_clusters())
        {
            finding = finding.also(wanted.span, "wanted");
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
