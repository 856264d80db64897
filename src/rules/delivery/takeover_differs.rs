//! FL0716 takeover-differs.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::commands::get_on_member;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::failed_resource::{clusters_of, finding_for_group, group_failures};
use crate::rules::sentence::show_details;

declare_rule! {
    /// An object that existed on the member with other values, and may only be taken over without a difference.
    ///
    /// ## Why it matters
    /// With `whenToTakeOver: IfNoDiff` the agent compares an object that it did not create, and leaves it alone
    /// if any field that the hub names differs. Nothing of this object is applied until the two agree.
    ///
    /// ## What to do
    /// Align the named fields on the member with the hub, or the hub with the member, or set `whenToTakeOver:
    /// Always`, which overwrites the member's values.
    pub static TAKEOVER_DIFFERS = Rule {
        code: "FL0716",
        name: "takeover-differs",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: takeover_differs,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] =
    &[id::MANIFEST_APPLIED_TAKEOVER_DIFF, id::MANIFEST_APPLIED_TAKEOVER_DIFFDEGRADED];

fn takeover_differs(cx: &mut Cx<'_>) {
    for group in group_failures(cx, WORDS) {
        let Some((failure, phrase)) = group.first() else { continue };
        let differing = failure.details.first();
        let span = differing.map_or_else(|| cx.span_of(phrase), |detail| detail.path.span);
        let at = (span, "this field differs");
        let Some(mut finding) = finding_for_group(&TAKEOVER_DIFFERS, cx, &group, at) else {
            continue;
        };
        let object = &failure.object;
        let what = show_details(&failure.details);
        finding = finding
            .message(format!(
                "{object} existed on {} before, and the member agent does not take it over: \
                 {what}.",
                clusters_of(&group)
            ))
            .why(
                "whenToTakeOver is IfNoDiff. The member agent leaves an object that it did not \
                  create alone while a field that the hub names differs.",
            )
            .hint(
                "Align the fields on the member, or on the hub. whenToTakeOver: Always would \
                   overwrite the values on the member.",
            )
            .step(get_on_member(object), format!("shows {object} as it is on the member"));
        finding = after_repair_of(finding, cx, &group, Repair::Member);
        for detail in failure.details.iter().skip(1).take(2) {
            finding = finding.also(detail.path.span, "this field differs, too");
        }
        cx.report(finding);
    }
}
