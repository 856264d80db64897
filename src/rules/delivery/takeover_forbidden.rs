//! FL0717 takeover-forbidden.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::chain::{alike, clusters_of, tell_alike};
use crate::rules::commands::get_on_member;

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
    for group in alike(cx, WORDS) {
        let Some((failure, phrase)) = group.first() else { continue };
        let at = (cx.span_of(phrase), "it was there before");
        let Some(mut finding) = tell_alike(&TAKEOVER_FORBIDDEN, cx, &group, at) else { continue };
        let object = &failure.object;
        let placement =
            cx.placements().iter().find(|p| Some(&p.meta.key) == failure.placement.as_ref());
        let strategy = placement.and_then(|placement| placement.apply.as_ref());
        finding = finding
            .message(format!(
                "{object} existed on {} and is not taken over: whenToTakeOver is Never",
                clusters_of(&group)
            ))
            .why("the agent applies only what it created itself; somebody has to decide who owns the object")
            .recover(Recoverability::WaitsForPerson)
            .command(get_on_member(object))
            .also_at(strategy.map(|apply| apply.field_span("whenToTakeOver")), "so the placement wants it");
        cx.report(finding);
    }
}
