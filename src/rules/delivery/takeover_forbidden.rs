//! FL0717 takeover-forbidden.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::placement::Placement;
use crate::rule::Cx;
use crate::rules::commands::get_on_member;
use crate::rules::failed_resource::{clusters_of, finding_for_group, group_failures};

declare_rule! {
    /// An object that existed on the member, while the placement forbids to take objects over.
    ///
    /// ## Why it matters
    /// With `whenToTakeOver: Never` the agent applies only what it created itself. The object on the member
    /// stays as it is, and the placement never becomes available on that cluster.
    ///
    /// ## What to do
    /// Decide who owns the object: set `whenToTakeOver` to `Always` or `IfNoDiff`, remove the object on the
    /// member so that the agent creates it, or take it out of the placement.
    pub static TAKEOVER_FORBIDDEN = Rule {
        code: "FL0717",
        name: "takeover-forbidden",
        severity: Severity::Error,
        reads: &[Kind::Work, Kind::Placement],
        check: takeover_forbidden,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::MANIFEST_APPLIED_NOTTAKENOVER];

fn takeover_forbidden(cx: &mut Cx<'_>) {
    for group in group_failures(cx, WORDS) {
        let Some((failure, phrase)) = group.first() else { continue };
        let at = (cx.span_of(phrase), "it existed before");
        let Some(mut finding) = finding_for_group(&TAKEOVER_FORBIDDEN, cx, &group, at) else {
            continue;
        };
        let object = &failure.object;
        let placement =
            cx.placements().iter().find(|p| Some(&p.meta.key) == failure.placement.as_ref());
        let strategy = placement.and_then(|placement| placement.apply.as_ref());
        finding = finding
            .message(format!(
                "{object} existed on {} before, and the placement forbids to take it over \
                 (whenToTakeOver: Never).",
                clusters_of(&group)
            ))
            .why("With whenToTakeOver: Never the member agent applies only what it created itself.")
            .hint(
                "Decide who owns the object: whenToTakeOver: IfNoDiff takes it over if nothing \
                   differs, Always overwrites it, or the placement leaves it out.",
            )
            .step(get_on_member(object), format!("shows {object} and who manages it"))
            .also_at(strategy.map(|apply| apply.field_span("whenToTakeOver")), "set here");
        let external = placement.is_some_and(Placement::is_external);
        let then = if external {
            "The changed strategy takes effect with the next run. It ends a run that is in \
             progress."
        } else {
            "The hub agent passes the changed strategy on within seconds, and the member agent \
             applies the object then."
        };
        cx.report(finding.then(then).recover(Recoverability::WaitsForPerson));
    }
}
