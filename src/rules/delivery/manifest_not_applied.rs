//! FL0719 manifest-not-applied.

use crate::declare_rule;
use crate::facts::failure::{FailedStep, Failure};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::rule::{Cx, Explained};
use crate::rules::commands::get_on_member;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::failed_resource::{FailureGroup, clusters_of, finding_for_group};
use crate::rules::sentence::{clip, full_stop, join_names};
use std::collections::BTreeMap;

declare_rule! {
    /// An object that could not be applied, for a reason that no other rule explains.
    ///
    /// ## Why it matters
    /// The Work of the cluster is not applied as long as one of its objects is not, so neither the placement
    /// nor a run gets on there. Other objects of the Work are applied all the same.
    ///
    /// ## What to do
    /// The message holds the member's own words. The agent tries again by itself, with growing pauses up to
    /// 15 minutes.
    pub static MANIFEST_NOT_APPLIED = Rule {
        code: "FL0719",
        name: "manifest-not-applied",
        severity: Severity::Error,
        reads: &[Kind::Work],
        remainder: manifest_not_applied,
    }
}

fn manifest_not_applied(cx: &mut Cx<'_>, told: &Explained) {
    let mut groups: BTreeMap<_, FailureGroup<'_>> = BTreeMap::new();
    for failure in cx.failures().iter().filter(|failure| failure.step == FailedStep::Apply) {
        let Some(said) = &failure.said else { continue };
        // The agent's note of what it is about to do is no failure.
        if told.explains_words(&said.text) || said.find(&[id::MANIFEST_APPLIED_PREPARING]).is_some()
        {
            continue;
        }
        let Some(core) = said.core() else { continue };
        let object = (&failure.object.kind, failure.object.path());
        groups.entry((&failure.placement, object)).or_default().push((failure, core));
    }
    // What refuses one object may refuse all of them in the same words: that is one cause.
    let mut causes: BTreeMap<_, FailureGroup<'_>> = BTreeMap::new();
    for ((placement, _), group) in groups {
        let Some((failure, core)) = group.first() else { continue };
        let words = (failure.reason(), core.words());
        causes.entry((placement, words)).or_default().extend(group);
    }
    for group in causes.into_values() {
        let Some((failure, core)) = group.first() else { continue };
        let at = (cx.span_of(core), "reported by the member agent");
        let Some(mut finding) = finding_for_group(&MANIFEST_NOT_APPLIED, cx, &group, at) else {
            continue;
        };
        let object = &failure.object;
        finding = finding
            .message(full_stop(&format!(
                "The member agent cannot apply {} on {} ({}): {}",
                join_names(group.iter().map(|(failure, _)| failure.object.to_string())),
                clusters_of(&group),
                failure.reason(),
                clip(core.words().trim_end_matches(')')),
            )))
            .why(
                "A Work counts as applied only when all of its objects are. The member agent \
                  tries again with growing pauses, 15m at most.",
            )
            .step(get_on_member(object), format!("shows {object} as it is on the member"));
        finding = if is_passing(failure) {
            // The agent tries again, and another writer is done by then.
            finding
                .severity(Severity::Warning)
                .then("The member agent tries again by itself within 15m.")
                .recover(Recoverability::ResumesByItself)
        } else {
            after_repair_of(finding, cx, &group, Repair::Member)
        };
        cx.report(finding);
    }
}

fn is_passing(failure: &Failure) -> bool {
    failure
        .find(&[id::K8S_CONFLICT, id::K8S_CONFLICT_UID, id::K8S_TOOMANY, id::HTTP_TIMEOUT])
        .is_some()
}
