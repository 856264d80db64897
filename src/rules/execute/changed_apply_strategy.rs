//! FL0201 changed-apply-strategy.

use crate::declare_rule;
use crate::finding::Finding;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::apply::ApplyStrategy;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes, settle};

declare_rule! {
    /// An apply strategy that was changed after the run was initialized.
    ///
    /// ## Why it matters
    /// A run freezes the placement's apply strategy when it is initialized and compares it at every look, after filling in
    /// the defaults. Any difference ends the run for good.
    ///
    /// ## What to do
    /// Make a new run; it takes the new strategy. If the run has not looked yet, undo the change at once.
    pub static CHANGED_APPLY_STRATEGY = Rule {
        code: "FL0201",
        name: "changed-apply-strategy",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Placement],
        check: changed_apply_strategy,
    }
}

/// The apply strategy was changed.
const APPLY_CHANGED: Claim = &[id::VAL_APPLYSTRATEGY, id::VAL_APPLYSTRATEGY_CSUR];

fn changed_apply_strategy(cx: &mut Cx<'_>) {
    for cause in causes(cx, APPLY_CHANGED) {
        let (placement, run) = (cx.find_placement(cause.run), cause.run);
        let finding =
            describe(run, placement, cause.span, "failed").also(cause.span, "what the run says");
        let finding = settle(cx, run, finding.recover(Recoverability::RunIsDead));
        cx.report(finding);
    }
    for run in cx
        .runs()
        .iter()
        .filter(|run| run.is_initialized() && !run.is_terminal() && !run.meta.partial)
    {
        let Some(placement) = cx.find_placement(run).filter(|placement| !placement.meta.partial)
        else {
            continue;
        };
        let Some(applied) = &run.applied_strategy else { continue };
        if !ApplyStrategy::differences(placement.apply.as_ref(), Some(applied)).is_empty() {
            let finding =
                describe(run, Some(placement), applied.site.span, "will fail at its next look");
            cx.report(finding.recover(Recoverability::NeedsPatch));
        }
    }
}

fn describe(
    run: &Run,
    placement: Option<&Placement>,
    fallback: crate::source::Span,
    fate: &str,
) -> Finding {
    let latest = placement.and_then(|placement| placement.apply.as_ref());
    let differences = ApplyStrategy::differences(latest, run.applied_strategy.as_ref());
    let shown: Vec<String> = differences
        .iter()
        .map(|(field, new, old)| format!("{field} {new} instead of {old}"))
        .collect();
    let details = if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) };
    let field = differences.first().map_or("", |(field, _, _)| field);
    let place = latest.map(|latest| latest.field_span(field));
    let frozen = run.applied_strategy.as_ref().map(|applied| applied.field_span(field));
    CHANGED_APPLY_STRATEGY
        .at(place.or(frozen).unwrap_or(fallback), "changed after the run was initialized")
        .also_at(frozen.filter(|_| place.is_some()), "what the run was initialized with")
        .message(format!(
            "{} {fate}: the applyStrategy of {} was changed after the run was initialized{details}",
            run.meta.name(),
            run.show_placement(),
        ))
        .why("a run compares the placement's apply strategy with its frozen copy at every look, and any difference ends it")
}
