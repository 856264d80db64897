//! FL0624 zero-max-unavailable.

use crate::declare_rule;
use crate::finding::{Recoverability, Risk, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::merge_command;
use crate::rules::placing::budget::max_unavailable;
use crate::rules::placing::held_rollout::held;
use serde_json::json;

declare_rule! {
    /// A rolling update that may take no cluster away, so that it never begins.
    ///
    /// ## Why it matters
    /// An update happens in place: a cluster is not available while it changes. With `maxUnavailable` 0 no healthy
    /// cluster may ever be updated. `maxSurge` allows further clusters; it does not replace one.
    ///
    /// ## What to do
    /// Set `maxUnavailable` to 1 or more. The rollout goes on by itself.
    pub static ZERO_MAX_UNAVAILABLE = Rule {
        code: "FL0624",
        name: "zero-max-unavailable",
        severity: Severity::Error,
        reads: &[Kind::Placement],
        check: zero_max_unavailable,
    }
}

fn zero_max_unavailable(cx: &mut Cx<'_>) {
    for (placement, started) in held(cx) {
        let key = &placement.meta.key;
        let Some(budget) = &placement.max_unavailable else { continue };
        // Whatever the target: only 0 and 0% come to nothing.
        if max_unavailable(placement, 100) != 0 {
            continue;
        }
        cx.report(
            ZERO_MAX_UNAVAILABLE
                .at(budget.span, "no cluster may be unavailable")
                .also(started.best_span(), "so none is updated")
                .message(format!("the rolling update of {key} never begins: maxUnavailable is {}, and an update takes each cluster away for a moment", &**budget))
                .why("updates happen in place; maxSurge allows further clusters, it does not replace one")
                .recover(Recoverability::ResumesAfterRepair)
                .command(merge_command(Risk::Reversible, key, &json!({"spec": {"strategy": {"rollingUpdate": {"maxUnavailable": 1}}}})))
                .explains(Topic::Rollout(key.clone())),
        );
    }
}
