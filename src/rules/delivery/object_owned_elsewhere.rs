//! FL0715 object-owned-elsewhere.

use crate::declare_rule;
use crate::finding::{Command, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::model::work::Work;
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::failed_resource::{clusters_of, finding_for_group, group_failures};

declare_rule! {
    /// An object on a member that somebody else owns, so the agent does not touch it.
    ///
    /// ## Why it matters
    /// The object carries an owner reference. If that is another `AppliedWork`, two placements select the same
    /// object and the first one keeps it; `allowCoOwnership` does not help there, whatever guides say. Any
    /// other owner is a controller on the member.
    ///
    /// ## What to do
    /// Let one placement (or one controller) have the object: take it out of the selection of the other, or
    /// remove the owner on the member.
    pub static OBJECT_OWNED_ELSEWHERE = Rule {
        code: "FL0715",
        name: "object-owned-elsewhere",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: object_owned_elsewhere,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[
    id::MANIFEST_APPLIED_TAKEOVER_OWNED,
    id::MANIFEST_APPLIED_TAKEOVER_OTHERWORK,
    id::OLD_N_COOWNED,
    id::OLD_M_OWNED,
    id::OLD_M_CONFLICT,
];

fn object_owned_elsewhere(cx: &mut Cx<'_>) {
    for group in group_failures(cx, WORDS) {
        let Some((failure, phrase)) = group.first() else { continue };
        let at = (cx.span_of(phrase), "refused because of the owner");
        let Some(mut finding) = finding_for_group(&OBJECT_OWNED_ELSEWHERE, cx, &group, at) else {
            continue;
        };
        let owner = failure.find(&[id::GO_OWNER]);
        let owner = owner
            .and_then(|owner| Some((owner.get("kind")?.to_owned(), owner.get("name")?.to_owned())));
        let work =
            owner.as_ref().filter(|(kind, _)| kind == "AppliedWork").and_then(|(_, name)| {
                let here =
                    |work: &&Work| work.meta.name() == name && work.cluster() == failure.cluster();
                cx.works().iter().find(here)
            });
        let by = match (&owner, work.and_then(Work::placement)) {
            (Some((kind, name)), Some(placement)) => {
                format!("{kind} {name} of {placement} owns it")
            }
            (Some((kind, name)), None) => format!("{kind} {name} owns it"),
            (None, _) => "another owner is set on it".to_owned(),
        };
        let object = &failure.object;
        finding = finding
            .message(format!(
                "The member agent does not apply {object} on {}: {by}.",
                clusters_of(&group)
            ))
            .why(
                "The member agent never takes an object from another owner. allowCoOwnership does \
                  not let two placements share one.",
            )
            .hint(format!("Select {object} in one placement only, or let the other owner go."))
            .step(owners_command(object), format!("shows who owns {object} on the member"))
            .also_at(work.map(|work| work.meta.name_span), "this Work brought it first");
        cx.report(after_repair_of(finding, cx, &group, Repair::Member));
    }
}

fn owners_command(object: &ObjectKey) -> Option<Command> {
    let builder = look_at(&object.cluster).words("get").object(object);
    builder.words("-o jsonpath={.metadata.ownerReferences}").build()
}
