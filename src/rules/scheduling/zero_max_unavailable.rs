//! FL0624 zero-max-unavailable.

use crate::declare_rule;
use crate::finding::{Recoverability, Risk, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::merge_command;
use serde_json::json;

declare_rule! {
    /// A rolling update that may take no cluster away, so that it never begins.
    ///
    /// ## Why it matters
    /// An update happens in place: a cluster is not available while it changes. With `maxUnavailable` 0 no healthy
    /// cluster may ever be updated. `maxSurge` allows further clusters; it does not replace one.
    ///
    /// ## What to do
    /// Set `maxUnavailable` to 1 or more. The rollout continues by itself.
    pub static ZERO_MAX_UNAVAILABLE = Rule {
        code: "FL0624",
        name: "zero-max-unavailable",
        severity: Severity::Error,
        reads: &[Kind::Placement],
        check: zero_max_unavailable,
    }
}

fn zero_max_unavailable(cx: &mut Cx<'_>) {
    for held in cx.held_rollouts() {
        let (placement, started) = (held.placement, held.started);
        let key = &placement.meta.key;
        let Some(budget) = placement.forbids_updates() else { continue };
        cx.report(
            ZERO_MAX_UNAVAILABLE
                .at(budget.span, "no cluster may be unavailable")
                .also(started.best_span(), "so no cluster is updated")
                .message(format!(
                    "The rolling update of {key} never begins: maxUnavailable is {}, and each \
                     cluster is unavailable while it is updated.",
                    &**budget
                ))
                .why(
                    "KubeFleet updates clusters in place. maxSurge allows further clusters; it \
                      does not replace one.",
                )
                .then(format!(
                    "{} continues by itself within seconds of this patch, one cluster at a time.",
                    key.name
                ))
                .recover(Recoverability::ResumesAfterRepair)
                .step(
                    merge_command(
                        Risk::Reversible,
                        key,
                        &json!({"spec": {"strategy": {"rollingUpdate": {"maxUnavailable": 1}}}}),
                    ),
                    "lets the rolling update take one cluster at a time",
                )
                .explains(Topic::Rollout(key.clone())),
        );
    }
}
