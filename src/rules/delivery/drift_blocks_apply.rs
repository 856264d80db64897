//! FL0718 drift-blocks-apply.

use serde_json::json;

use crate::declare_rule;
use crate::facts::failure::Failure;
use crate::finding::{Command, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::commands::managers_on_member;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::failed_resource::{clusters_of, finding_for_group, group_failures};
use crate::rules::member::sent_manifest::find_manifest;
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
    for group in group_failures(cx, WORDS) {
        let Some((failure, phrase)) = group.first() else { continue };
        let drift = failure.details.first();
        let span = drift.and_then(|detail| detail.member.as_ref().or(Some(&detail.path)));
        let span = span.map_or_else(|| cx.span_of(phrase), |text| text.span);
        let at = (span, "the value on the member");
        let Some(mut finding) = finding_for_group(&DRIFT_BLOCKS_APPLY, cx, &group, at) else {
            continue;
        };
        let object = &failure.object;
        let what = show_details(&failure.details);
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
            .command(undo(cx, failure))
            .also_at(
                drift.and_then(|detail| detail.hub.as_ref()).map(|text| text.span),
                "the value on the hub",
            );
        cx.report(after_repair_of(finding, cx, &group, Repair::Member));
    }
}

/// Sets what was changed on the member back to what the hub sends, guarded by what it was found to be.
fn undo(cx: &Cx<'_>, failure: &Failure) -> Option<Command> {
    let [detail] = failure.details.as_slice() else { return None };
    let (path, member) = (&*detail.path, detail.member.as_deref()?);
    // Nothing of a Secret is text of a command.
    let manifest =
        find_manifest(cx, &failure.object).filter(|_| *failure.object.kind != *"Secret")?;
    let sent = manifest.field_at(path)?;
    let (is, was) = match (sent.trim().parse::<i64>().ok(), sent.trim().parse::<bool>().ok()) {
        (Some(number), _) => (json!(member.parse::<i64>().ok()?), json!(number)),
        (_, Some(told)) => (json!(member.parse::<bool>().ok()?), json!(told)),
        _ => return None,
    };
    let patch = json!([
        {"op": "test", "path": path, "value": is},
        {"op": "replace", "path": path, "value": was},
    ]);
    let place = RunsOn::of_cluster(failure.cluster());
    let command = Command::kubectl(Risk::Reversible, place).words("patch").object(&failure.object);
    let effect = format!("undoes the change: sets {path} back to {was}, as the hub sends it");
    command.patch("--type=json", &patch).effect(effect).build()
}
