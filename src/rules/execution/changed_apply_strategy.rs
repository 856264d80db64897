//! FL0201 changed-apply-strategy.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::apply::ApplyStrategy;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::run_failure::{ClaimedMessages, foretold, living_runs, report_causes};
use crate::source::Span;

declare_rule! {
    /// An apply strategy that was changed after the run was initialized.
    ///
    /// ## Why it matters
    /// A run freezes the placement's apply strategy when it is initialized and compares it at every check, after filling in
    /// the defaults. Any difference ends the run permanently.
    ///
    /// ## What to do
    /// Create a new run; it takes the new strategy. If the run has not checked yet, undo the change at once.
    pub static CHANGED_APPLY_STRATEGY = Rule {
        code: "FL0201",
        name: "changed-apply-strategy",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Placement],
        check: changed_apply_strategy,
    }
}

/// The apply strategy was changed.
const APPLY_CHANGED: ClaimedMessages = &[id::VAL_APPLYSTRATEGY, id::VAL_APPLYSTRATEGY_CSUR];

fn changed_apply_strategy(cx: &mut Cx<'_>) {
    report_causes(cx, APPLY_CHANGED, Repair::Run, |cx, cause| {
        let finding = describe(cause.run, cx.find_placement(cause.run), cause.span);
        finding.also(cause.span, cause.label())
    });
    for run in living_runs(cx) {
        let placement = cx.find_placement(run).filter(|placement| !placement.meta.partial);
        let (Some(placement), Some(applied)) = (placement, &run.applied_strategy) else { continue };
        if !ApplyStrategy::differences(placement.apply.as_ref(), Some(applied)).is_empty() {
            let finding = describe(run, Some(placement), applied.site.span);
            let outlook = foretold(cx, run, " unless the change is undone before");
            cx.report(finding.outlook(outlook));
        }
    }
}

fn describe(run: &Run, placement: Option<&Placement>, fallback: Span) -> Finding {
    let latest = placement.and_then(|placement| placement.apply.as_ref());
    let differences = ApplyStrategy::differences(latest, run.applied_strategy.as_ref());
    let shown: Vec<String> = differences
        .iter()
        .map(|(field, new, old)| format!("{field} is {new} instead of {old}"))
        .collect();
    let details = match shown.is_empty() {
        true => String::new(),
        false => format!(" Now {}.", shown.join(", ")),
    };
    let field = differences.first().map_or("", |(field, _, _)| field);
    let place = latest.map(|latest| latest.field_span(field));
    let frozen = run.applied_strategy.as_ref().map(|applied| applied.field_span(field));
    let name = run.meta.name();
    CHANGED_APPLY_STRATEGY
        .at(place.or(frozen).unwrap_or(fallback), format!("changed after {name} started"))
        .also_at(frozen.filter(|_| place.is_some()), format!("{name} started with this"))
        .message(format!(
            "Someone changed the applyStrategy of {} while {name} was under way.{details}",
            run.show_placement(),
        ))
        .why("A run compares the apply strategy with its own copy at every check.")
}
