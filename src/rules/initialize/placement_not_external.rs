//! FL0102 placement-not-external.

use crate::declare_rule;
use crate::finding::{Recoverability, Risk, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::merge_command;
use crate::rules::failure::{Claim, causes};
use serde_json::json;

declare_rule! {
    /// A run for a placement that is rolled out by the rolling-update controller.
    ///
    /// ## Why it matters
    /// Only a placement with strategy type `External` is left to runs. With `RollingUpdate`, which is the default,
    /// the placement rolls itself out and every run fails for good.
    ///
    /// ## What to do
    /// Set `spec.strategy.type` to `External` (this cannot be undone), then make a new run; or drop the run.
    pub static PLACEMENT_NOT_EXTERNAL = Rule {
        code: "FL0102",
        name: "placement-not-external",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Placement],
        check: placement_not_external,
    }
}

/// The placement is rolled out by another controller.
const NOT_EXTERNAL: Claim = &[id::ERR_NOT_EXTERNAL, id::ERR_CRP_NOT_EXTERNAL];

fn placement_not_external(cx: &mut Cx<'_>) {
    for cause in causes(cx, NOT_EXTERNAL) {
        let run = cause.run;
        let placement = cx.find_placement(run);
        let strategy = placement.and_then(|placement| placement.strategy.as_ref());
        let kind = strategy.map_or("RollingUpdate", |strategy| &strategy.value);
        let name = run.placement.as_deref().unwrap_or("its placement");
        let mut finding = PLACEMENT_NOT_EXTERNAL
            .at(strategy.map_or(cause.span, |strategy| strategy.span), "must be External for runs")
            .also(cause.span, "what the run says")
            .message(format!(
                "{} failed: placement {name} has strategy {kind}, runs need External",
                run.meta.name()
            ))
            .why("a RollingUpdate placement is rolled out by its own controller; runs are for External ones only")
            .recover(Recoverability::RunIsDead);
        if let Some(placement) = placement {
            let key = &placement.meta.key;
            finding = finding.command(merge_command(
                Risk::Destructive,
                key,
                &json!({"spec": {"strategy": {"type": "External", "rollingUpdate": null}}}),
            ));
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
