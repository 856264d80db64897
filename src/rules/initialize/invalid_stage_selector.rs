//! FL0105 invalid-stage-selector.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};

declare_rule! {
    /// A stage with a label selector that cannot be read.
    ///
    /// ## Why it matters
    /// An operator that does not exist, or values where there may be none: the controller cannot evaluate the
    /// selector and fails the run for good.
    ///
    /// ## What to do
    /// Correct the selector in the strategy, then make a new run.
    pub static INVALID_STAGE_SELECTOR = Rule {
        code: "FL0105",
        name: "invalid-stage-selector",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Strategy],
        check: invalid_stage_selector,
    }
}

/// A stage has a selector that cannot be read.
const BAD_SELECTOR: Claim = &[id::ERR_SELECTOR, id::ERR_SELECTOR_CSUR];

fn invalid_stage_selector(cx: &mut Cx<'_>) {
    for cause in causes(cx, BAD_SELECTOR) {
        let run = cause.run;
        let stage_name = cause.named(Role::Stage).unwrap_or_default();
        let words = cause.message.rsplit("err: ").next().unwrap_or_default();
        let stage = cx
            .find_strategy(run)
            .and_then(|strategy| strategy.stages.iter().find(|stage| stage.name() == stage_name));
        let selector = stage.and_then(|stage| stage.selector.as_ref());
        let mut finding = INVALID_STAGE_SELECTOR
            .at(selector.map_or(cause.span, |selector| selector.span), "cannot be evaluated")
            .message(format!(
                "{} failed: the label selector of stage {stage_name} is invalid: {words}",
                run.meta.name()
            ))
            .why("the controller evaluates the selector when it assigns clusters to stages")
            .recover(Recoverability::RunIsDead);
        if selector.is_some() {
            finding = finding.also(cause.span, "what the run says");
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
