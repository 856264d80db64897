//! FL0636 held-cluster.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::scheduling::held_rollout::BUDGET;

declare_rule! {
    /// A piece of a binding that says nothing but that the rollout strategy holds its cluster back.
    ///
    /// ## Why it matters
    /// The rolling update changes only as many clusters at a time as its budget allows. The cluster gets the new
    /// version once others are ready. Which of them uses the budget up, the piece does not show.
    ///
    /// ## What to do
    /// Look at the other bindings of the placement: one that is not available uses the budget up.
    pub static HELD_CLUSTER = Rule {
        code: "FL0636",
        name: "held-cluster",
        severity: Severity::Note,
        reads: &[Kind::Binding, Kind::Placement],
        check: held_cluster,
    }
}

fn held_cluster(cx: &mut Cx<'_>) {
    // Whoever sent the placement sent what tells more.
    if !cx.placements().is_empty() {
        return;
    }
    let pieces = cx.bindings().iter().filter(|binding| binding.placement().is_none());
    for binding in pieces.filter(|binding| binding.meta.partial) {
        let started = binding.condition("RolloutStarted").filter(|started| started.is_false());
        let Some(started) = started else { continue };
        let cluster = if binding.cluster().is_empty() { "the cluster" } else { binding.cluster() };
        let finding = HELD_CLUSTER
            .at(started.best_span(), "held back")
            .message(format!("The rollout strategy of the placement holds {cluster} back."))
            .why(BUDGET)
            .then("The rolling update continues by itself once the unavailable clusters are ready.")
            .hint("Which cluster uses the budget up is not shown here. The other bindings show it.")
            .recover(Recoverability::ResumesAfterRepair);
        cx.report(finding);
    }
}
