//! FL1101 repeated-stage-name.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::read::Text;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// Two stages of one name.
    ///
    /// ## Why it matters
    /// Nobody checks it. Both stages share one approval request, so the second finds it approved and passes
    /// without a person.
    ///
    /// ## What to do
    /// Give each stage a name of its own.
    pub static REPEATED_STAGE_NAME = Rule {
        code: "FL1101",
        name: "repeated-stage-name",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Strategy],
        check: repeated_stage_name,
    }
}

fn repeated_stage_name(cx: &mut Cx<'_>) {
    for strategy in cx.drafts::<Strategy>() {
        let mut seen: Vec<&Text> = Vec::new();
        for name in strategy.stages.iter().filter_map(|stage| stage.name.as_ref()) {
            if let Some(first) = seen.iter().find(|other| other.value == name.value) {
                let finding = REPEATED_STAGE_NAME
                    .at_field(&name.place(), "the second, same name")
                    .also(first.place().span, format!("the first stage {}", &**name))
                    .message(format!("Two stages of {} are named {}.", strategy.name(), &**name))
                    .why(
                        "The hub accepts this. Both stages then share one approval request, so \
                         the approval of the first also opens the second.",
                    )
                    .hint("Rename one of them. --fix leaves this to you.");
                cx.report(finding);
            } else {
                seen.push(name);
            }
        }
    }
}
