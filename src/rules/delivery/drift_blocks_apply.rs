//! FL0718 drift-blocks-apply.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::commands::managers_on_member;
use crate::rules::consequence::Repair;
use crate::rules::failed_resource::{after_repair, alike, clusters_of, tell_alike};
use crate::rules::sentence::show_details;

declare_rule! {
    /// A change on the member that keeps the agent from applying the object.
    ///
    /// ## Why it matters
    /// With `whenToApply: IfNotDrifted` the agent first looks whether somebody changed the object on the member
    /// since it was applied. If so it applies nothing of this object as long as the hub's manifest of it is the same;
    /// the rest of the Work is applied, and the Work is called not applied.
    ///
    /// ## What to do
    /// Undo the change on the member, or bring it to the hub, or set `whenToApply: Always`, which overwrites it.
    /// The manager of the field in `metadata.managedFields` tells who made it.
    pub static DRIFT_BLOCKS_APPLY = Rule {
        code: "FL0718",
        name: "drift-blocks-apply",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: drift_blocks_apply,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] =
    &[id::MANIFEST_APPLIED_DRIFT_FOUND, id::MANIFEST_APPLIED_DRIFT_DEGRADED];

fn drift_blocks_apply(cx: &mut Cx<'_>) {
    for group in alike(cx, WORDS) {
        let Some((failure, phrase)) = group.first() else { continue };
        let drift = failure.details.first();
        let span = drift.and_then(|detail| detail.member.as_ref().or(Some(&detail.path)));
        let span = span.map_or_else(|| cx.span_of(phrase), |text| text.span);
        let at = (span, "the value on the member");
        let Some(mut finding) = tell_alike(&DRIFT_BLOCKS_APPLY, cx, &group, at) else { continue };
        let object = &failure.object;
        let what = if failure.details.is_empty() {
            "the fields that differ are not listed".to_owned()
        } else {
            show_details(&failure.details)
        };
        finding = finding
            .message(format!(
                "Someone changed {object} on {}, so the member agent does not apply it: {what}.",
                clusters_of(&group)
            ))
            .why(
                "whenToApply is IfNotDrifted. The member agent applies nothing of an object that \
                  was changed on the member, as long as the manifest on the hub stays the same.",
            )
            .hint(
                "Undo the change on the member, or bring it into the manifest on the hub. \
                   whenToApply: Always would overwrite it.",
            )
            .step(
                managers_on_member(object),
                "shows who wrote the fields (managedFields) before you undo anything",
            )
            .also_at(
                drift.and_then(|detail| detail.hub.as_ref()).map(|text| text.span),
                "the value on the hub",
            );
        cx.report(after_repair(finding, cx, &group, Repair::Member));
    }
}
