//! FL0716 takeover-differs.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::chain::{alike, clusters_of, show_details, tell_alike};
use crate::rules::commands::get_on_member;

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
    for group in alike(cx, WORDS) {
        let Some((failure, phrase)) = group.first() else { continue };
        let differing = failure.details.first();
        let span = differing.map_or_else(|| cx.span_of(phrase), |detail| detail.path.span);
        let at = (span, "this field differs");
        let Some(mut finding) = tell_alike(&TAKEOVER_DIFFERS, cx, &group, at) else { continue };
        let object = &failure.object;
        let what = if failure.details.is_empty() {
            "it differs from the hub".to_owned()
        } else {
            show_details(&failure.details)
        };
        finding = finding
            .message(format!(
                "{object} existed on {} and is not taken over: {what}",
                clusters_of(&group)
            ))
            .why("whenToTakeOver is IfNoDiff: the agent leaves a pre-existing object alone as long as a field that the hub names differs")
            .recover(Recoverability::WaitsForPerson)
            .command(get_on_member(object));
        for detail in failure.details.iter().skip(1).take(2) {
            finding = finding.also(detail.path.span, "this too");
        }
        cx.report(finding);
    }
}
