//! FL0108 unusable-sorting-label.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};
use crate::rules::staging::stages_to_read;

declare_rule! {
    /// A stage that sorts its clusters by a label that is not a number on every one of them.
    ///
    /// ## Why it matters
    /// `sortingLabelKey` names a label whose value must be a whole number on every cluster of the stage. A cluster
    /// without the label does not fall back to its name, as the API's comment says: the run fails for good.
    ///
    /// ## What to do
    /// Label the clusters with numbers, or correct or drop `sortingLabelKey`. Then make a new run.
    pub static UNUSABLE_SORTING_LABEL = Rule {
        code: "FL0108",
        name: "unusable-sorting-label",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::MemberCluster, Kind::Strategy],
        check: unusable_sorting_label,
    }
}

/// A sorting label is not a number.
const BAD_SORTING: Claim = &[id::ERR_SORTING_LABEL];

fn unusable_sorting_label(cx: &mut Cx<'_>) {
    for cause in causes(cx, BAD_SORTING) {
        let run = cause.run;
        let cluster = cause.named(Role::Cluster).unwrap_or("(not named)").to_owned();
        // The message holds `key:value` in one pair of backticks.
        let pair = cause.words().split('`').nth(1).unwrap_or_default();
        let (key, value) = pair.split_once(':').unwrap_or((pair, ""));
        let shown = if value.is_empty() {
            "is absent".to_owned()
        } else {
            format!("has the value {value}")
        };
        let stages = stages_to_read(cx, run);
        let sorting = stages
            .iter()
            .filter_map(|stage| stage.sorting_label.as_ref())
            .find(|label| &***label == key);
        let mut finding = UNUSABLE_SORTING_LABEL
            .at(sorting.map_or(cause.span, |label| label.span), "clusters are sorted by this label")
            .message(format!(
                "{} failed: the stage sorts by label {key}, which {shown} on cluster {cluster} and must be a whole number",
                run.meta.name(),
            ))
            .why("every cluster of the stage must carry the label with a whole number; there is no fall-back to the name")
            .recover(Recoverability::RunIsDead);
        if sorting.is_some() {
            finding = finding.also(cause.span, "what the run says");
        }
        if let Some(member) = cx.find_member(&cluster) {
            finding = match member.meta.label(key) {
                Some(label) => finding.also(label.span, "not a number"),
                None => finding.also(member.meta.name_span, format!("no label {key} here")),
            };
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
