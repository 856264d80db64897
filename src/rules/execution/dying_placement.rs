//! FL0209 dying-placement.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A placement that is being deleted under a run.
    ///
    /// ## Why it matters
    /// When the placement is gone the run fails permanently, and the clusters lose what was placed.
    ///
    /// ## What to do
    /// A deletion cannot be stopped. Create the placement and the run again afterwards, if that was not meant.
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
        let (name, of) = (run.meta.name(), placement.meta.name());
        cx.report(
            DYING_PLACEMENT
                .at(deleting.span, format!("{of} is being deleted"))
                .also_at(run.placement.as_ref().map(|name| name.span), format!("{name} needs it"))
                .message(format!("Placement {of} is being deleted while {name} rolls it out."))
                .why("A run needs its placement at every check. Bindings and Works go with it.")
                .then(format!(
                    "{} fails once {of} is gone, and the clusters lose its resources. \
                     A deletion cannot be stopped.",
                    run.meta.title()
                ))
                .recover(Recoverability::RunIsDead),
        );
    }
}
