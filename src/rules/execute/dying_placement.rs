//! FL0209 dying-placement.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A placement that is being deleted under a run.
    ///
    /// ## Why it matters
    /// When the placement is gone the run fails for good, and the clusters lose what was placed.
    ///
    /// ## What to do
    /// If that is not meant, nothing can stop the deletion; make the placement and the run again afterwards.
    pub static DYING_PLACEMENT = Rule {
        code: "FL0209",
        name: "dying-placement",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::Placement],
        check: dying_placement,
    }
}

fn dying_placement(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| run.is_initialized() && !run.is_terminal()) {
        let Some(placement) = cx.find_placement(run) else { continue };
        let Some(deleting) = placement.meta.deleting else { continue };
        cx.report(
            DYING_PLACEMENT
                .at(deleting.span, "being deleted")
                .also_at(run.placement.as_ref().map(|name| name.span), "the run needs it")
                .message(format!("placement {} is being deleted while {} rolls it out", placement.meta.name(), run.meta.name()))
                .why("the run fails for good when the placement is gone, and the clusters lose its resources")
                .recover(Recoverability::RunIsDead),
        );
    }
}
