//! FL0642 sticky-pick.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::snapshot::is_latest;
use crate::rule::Cx;

declare_rule! {
    /// A cluster that keeps what was placed although the scheduler no longer picks it.
    ///
    /// ## Why it matters
    /// A decision against a cluster does not take anything away: a PickFixed cluster that became ineligible keeps its binding,
    /// and labels or taints that changed later are ignored for clusters that were picked before.
    ///
    /// ## What to do
    /// Nothing, if the cluster should keep it. To take it off, remove its name from the policy (PickFixed), or evict it.
    pub static STICKY_PICK = Rule {
        code: "FL0642",
        name: "sticky-pick",
        severity: Severity::Note,
        reads: &[Kind::PolicySnapshot, Kind::Binding],
        check: sticky_pick,
    }
}

fn sticky_pick(cx: &mut Cx<'_>) {
    for policy in cx.policy_snapshots().iter().filter(|policy| is_latest(&policy.meta)) {
        let Some(placement) = policy.placement() else { continue };
        let bindings = cx.bindings_of(policy.meta.namespace(), placement);
        for decision in &policy.decisions {
            let refused = decision.selected.is_some_and(|selected| !selected.value);
            let bound = bindings.iter().find(|binding| {
                binding.cluster() == &*decision.cluster
                    && binding.state.as_deref() == Some("Bound")
                    && binding.meta.deleting.is_none()
                    && binding.policy.as_deref() == Some(policy.meta.name())
            });
            let Some(binding) = bound.filter(|_| refused) else { continue };
            let reason = decision.reason.as_ref();
            cx.report(
                STICKY_PICK
                    .at(reason.map_or(decision.span, |reason| reason.span), "no longer picked")
                    .also_at(binding.state.as_ref().map(|state| state.span), "still bound")
                    .message(format!(
                        "{} keeps what {placement} placed although the scheduler no longer picks \
                         it.",
                        &*decision.cluster
                    ))
                    .why(
                        "A later decision of the scheduler removes nothing from a cluster that \
                          was picked before.",
                    )
                    .then(format!(
                        "{} keeps it until someone evicts it, or takes its name out of a \
                         PickFixed policy. No action needed if it should stay.",
                        &*decision.cluster
                    ))
                    .recover(Recoverability::WaitsForPerson),
            );
        }
    }
}
