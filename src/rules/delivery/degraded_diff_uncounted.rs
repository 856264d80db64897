//! FL0722 degraded-diff-uncounted.

use crate::declare_rule;
use crate::facts::failure::member_key;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::read::SpanOr;
use crate::model::work::ManifestReport;
use crate::rule::Cx;
use crate::rules::commands::get_on_member;
use crate::rules::sentence::show_details;

declare_rule! {
    /// A comparison that found its differences and is never counted as reported.
    ///
    /// ## Why it matters
    /// When the member refuses the manifest as invalid, the agent compares it as text, in degraded mode, and
    /// marks the manifest as reported. A defect leaves such a manifest out of the count, so Work, binding and
    /// placement say `DiffReported` False permanently, although the differences are there.
    ///
    /// ## What to do
    /// Read the differences in the Work. To get the condition True, make the manifest acceptable to the member
    /// (usually a field that cannot change, such as a selector), or compare with `comparisonOption:
    /// FullComparison`.
    pub static DEGRADED_DIFF_UNCOUNTED = Rule {
        code: "FL0722",
        name: "degraded-diff-uncounted",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: degraded_diff_uncounted,
    }
}

fn degraded_diff_uncounted(cx: &mut Cx<'_>) {
    for work in cx.works() {
        let Some(verdict) = work.current("DiffReported").filter(|verdict| verdict.is_false())
        else {
            continue;
        };
        let reported = |report: &ManifestReport| {
            report.condition("DiffReported").is_some_and(|condition| condition.is_true())
        };
        let is_degraded = |report: &&ManifestReport| {
            let condition = report.condition("DiffReported");
            condition.is_some_and(|condition| condition.reason() == "FoundDiffInDegradedMode")
        };
        let Some(degraded) = work.reports.iter().find(is_degraded) else { continue };
        if !work.reports.iter().all(reported) {
            continue;
        }
        let Some(condition) = degraded.condition("DiffReported") else { continue };
        let reason = condition.reason.span_or(condition.span);
        let object = degraded.resource.show();
        let member = work.cluster();
        let member_object = member_key(&degraded.resource, member);
        let mut finding = DEGRADED_DIFF_UNCOUNTED
            .at(reason, "compared, but not counted")
            .also(verdict.best_span(), "so this stays False")
            .message(format!(
                "The member agent of {member} compared {object} in degraded mode and does not \
                 count it: {} stays DiffReported False.",
                work.meta.key
            ))
            .why(format!(
                "FoundDiffInDegradedMode means that {member} refuses the manifest and the agent \
                 compared it as text. A defect of the agent leaves such an object out of its \
                 count. The differences are there: {}.",
                show_details(&degraded.diffs)
            ))
            .then(format!(
                "DiffReported turns True once {member} accepts the manifest of {object}. \
                 Nothing is applied meanwhile: the placement only compares."
            ))
            .recover(Recoverability::WaitsForPerson)
            .step(
                member_object.as_ref().and_then(get_on_member),
                format!("shows {object} as it is on {member}"),
            );
        for detail in degraded.diffs.iter().take(2) {
            finding = finding.also(detail.path.span, "differs between hub and member");
        }
        if let Some(placement) = work.placement() {
            finding = finding
                .explains(Topic::PlacementCluster(placement.clone(), member.into()))
                .explains(Topic::Rollout(placement));
        }
        cx.report(finding);
    }
}
