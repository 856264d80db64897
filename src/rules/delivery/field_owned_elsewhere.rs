//! FL0709 field-owned-elsewhere.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::commands::managers_on_member;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::refused_resource::{causes, finding_for_refusals, members};
use crate::rules::sentence::join_names;

declare_rule! {
    /// A field that another manager owns on the member, so server-side apply refuses the object.
    ///
    /// ## Why it matters
    /// With `ServerSideApply` and without `force`, the API server refuses to take a field from another manager
    /// whose value differs. Until one of the two gives it up, no later change of the object arrives either.
    ///
    /// ## What to do
    /// Let the other manager give the field up, drop the field from the object on the hub, or set
    /// `serverSideApplyConfig.force: true` in the placement, which takes the field over.
    pub static FIELD_OWNED_ELSEWHERE = Rule {
        code: "FL0709",
        name: "field-owned-elsewhere",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: field_owned_elsewhere,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_CONFLICT_SSA];

fn field_owned_elsewhere(cx: &mut Cx<'_>) {
    let conflicts = causes(cx, WORDS, |refusal, phrase| {
        let manager = phrase.get("manager").unwrap_or_default().to_owned();
        (refusal.placement.clone(), refusal.object.kind.clone(), refusal.object.path(), manager)
    });
    for ((_, _, _, manager), cause) in conflicts {
        let Some(finding) = finding_for_refusals(
            &FIELD_OWNED_ELSEWHERE,
            cx,
            &cause,
            "manager",
            "this manager owns the fields",
        ) else {
            continue;
        };
        let Some((refusal, phrase)) = cause.first() else { continue };
        let owners = show_owners(&manager, phrase.get("fields").unwrap_or("some fields"));
        let object = &refusal.object;
        let finding = finding
            .message(format!(
                "The member agent cannot apply {object} on {}: {owners}.",
                members(&cause)
            ))
            .why(
                "Server-side apply without force does not take a field from another manager. \
                  One of the two has to give the field up.",
            )
            .step(
                managers_on_member(object),
                "shows who wrote which field (managedFields) and when",
            )
            .hint(
                "force: true in serverSideApplyConfig takes the fields. The other \
                   manager may write them back.",
            );
        cx.report(after_repair_of(finding, cx, &cause, Repair::Member));
    }
}

/// Returns who owns what, for a sentence. The API server lists several fields line by line, manager by manager.
fn show_owners(manager: &str, fields: &str) -> String {
    let mut parts = fields.trim_end_matches(')').split("conflicts with \"");
    let first = parts.next().unwrap_or_default();
    let mut owners = vec![(manager, first)];
    // `helm" using v1: .data.a`, or with the fields on lines of their own.
    owners.extend(parts.filter_map(|part| {
        let (manager, rest) = part.split_once('"')?;
        Some((manager, rest.split_once(':')?.1))
    }));
    let shown = owners.iter().map(|(manager, fields)| {
        let fields = fields.split_whitespace().filter(|word| *word != "-");
        format!("{manager} owns {}", join_names(fields.map(|field| field.trim_end_matches(';'))))
    });
    shown.collect::<Vec<_>>().join("; ")
}
