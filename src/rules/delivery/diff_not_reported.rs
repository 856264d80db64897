//! FL0723 diff-not-reported.

use crate::declare_rule;
use crate::facts::failure::FailedStep;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::model::parsed_message::ParsedMessage;
use crate::rule::Cx;
use crate::rules::commands::describe_on_member;
use crate::rules::consequence::{Repair, after_repair, explain};
use crate::rules::sentence::{clip, full_stop, member_name};

declare_rule! {
    /// A comparison that could not be made.
    ///
    /// ## Why it matters
    /// The placement only compares (`ReportDiff`), and for this object the member could not be asked, or the
    /// manifest failed before it could be compared. The differences of this object are not known.
    ///
    /// ## What to do
    /// The message holds the member's own words. The agent tries again by itself.
    pub static DIFF_NOT_REPORTED = Rule {
        code: "FL0723",
        name: "diff-not-reported",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: diff_not_reported,
    }
}

fn diff_not_reported(cx: &mut Cx<'_>) {
    for failure in cx.failures().iter().filter(|failure| failure.step == FailedStep::Diff) {
        let core = failure.said.as_ref().and_then(ParsedMessage::core);
        let span = core.map_or_else(|| failure.condition.best_span(), |core| cx.span_of(&core));
        let words = core.map(|core| core.words().trim_end_matches(')')).unwrap_or_default();
        let finding = DIFF_NOT_REPORTED
            .at(span, "reported by the member agent")
            .message(full_stop(&format!(
                "The member agent of {} could not compare {}: {}",
                member_name(failure.cluster()),
                failure.object,
                clip(words)
            )))
            .why("The placement only compares. The differences of this object are not known.")
            .step(
                describe_on_member(&failure.object),
                format!("shows {} as it is on the member", failure.object),
            );
        let (placement, clusters) = (failure.placement.as_ref(), [failure.cluster()]);
        let finding = after_repair(finding, cx, placement, &clusters, Repair::Member);
        cx.report(explain(finding, &failure.object, placement));
    }
}
