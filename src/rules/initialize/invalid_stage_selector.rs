//! FL0105 invalid-stage-selector.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::rule::Cx;
use crate::rules::commands::edit_for;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};

declare_rule! {
    /// A stage with a label selector that cannot be read.
    ///
    /// ## Why it matters
    /// An operator that does not exist, or values where there may be none: the controller cannot evaluate the
    /// selector and fails the run permanently.
    ///
    /// ## What to do
    /// Correct the selector in the strategy, then create a new run.
    pub static INVALID_STAGE_SELECTOR = Rule {
        code: "FL0105",
        name: "invalid-stage-selector",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Strategy],
        check: invalid_stage_selector,
    }
}

/// A stage has a selector that cannot be read.
const BAD_SELECTOR: ClaimedMessages = &[id::ERR_SELECTOR, id::ERR_SELECTOR_CSUR];

fn invalid_stage_selector(cx: &mut Cx<'_>) {
    report_causes(cx, BAD_SELECTOR, Repair::Strategy, describe);
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let stage_name = cause.named(HoleRole::Stage).unwrap_or_default();
    let words = cause.message.rsplit("err: ").next().unwrap_or_default();
    let strategy = cx.find_strategy(cause.run);
    let stages = strategy.map(|strategy| &strategy.stages);
    let stage = stages.and_then(|stages| stages.iter().find(|stage| stage.name() == stage_name));
    let selector = stage.and_then(|stage| stage.selector.as_ref());
    let mut finding = INVALID_STAGE_SELECTOR
        .at(selector.map_or(cause.span, |selector| selector.span), "cannot be evaluated")
        .message(format!("The label selector of stage {stage_name} is invalid: {words}."))
        .why("The controller evaluates the selector to assign clusters to stages.");
    if selector.is_some() {
        finding = finding.also(cause.span, cause.label());
    }
    let edit = |key| edit_for(key, format!("correct the labelSelector of stage {stage_name}"));
    finding.command(strategy.and_then(|strategy| edit(&strategy.meta.key)))
}
