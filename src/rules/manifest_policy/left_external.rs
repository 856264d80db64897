//! FL1316 left-external.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A placement that leaves the External strategy.
    ///
    /// ## Why it matters
    /// Once updates are driven by runs there is no way back: the API server refuses another strategy type, also
    /// where the line was only removed.
    ///
    /// ## What to do
    /// Keep `type: External`, or make a new placement.
    pub static LEFT_EXTERNAL = Rule {
        code: "FL1316",
        name: "left-external",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: left_external,
    }
}

fn left_external(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let Some(before) = placement.before() else { continue };
        let Some(old) = before.strategy.as_ref().filter(|old| **old == "External") else {
            continue;
        };
        let message = format!("{} leaves the External strategy", placement.show());
        let rule = placement.manifest.server_rule("strategy-external-left");
        match (&placement.strategy, rule, placement.meta.spec()) {
            (Some(new), Some(rule), _) if *new != "External" => {
                let finding = LEFT_EXTERNAL
                    .at_field(&new.place(), "no longer External")
                    .also(old.place().span, "was External")
                    .message(message)
                    .why(&*rule.message);
                cx.report(finding);
            }
            (None, _, Some(spec)) => {
                let finding = LEFT_EXTERNAL
                    .at_field(&spec.missing("strategy"), "strategy is gone")
                    .also(old.place().span, "was External")
                    .layer(Layer::Advice)
                    .severity(Severity::Warning)
                    .message(message)
                    .why(
                        "nobody refuses it when the whole block is gone, and the placement rolls \
                         itself out from then on",
                    );
                cx.report(finding);
            }
            _ => {}
        }
    }
}
