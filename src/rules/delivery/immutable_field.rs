//! FL0708 immutable-field.

use crate::declare_rule;
use crate::finding::{Command, Finding, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::model::parsed_message::Phrase;
use crate::rule::Cx;
use crate::rules::commands::{delete_on_member, get_on_member};
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::refused_resource::{causes, finding_for_refusals, members};
use crate::rules::sentence::clip;

declare_rule! {
    /// A change to a field that cannot change after creation, so the member refuses the update.
    ///
    /// ## Why it matters
    /// The object on the member was made with another value: it was deleted and made again on the hub, or it
    /// existed before. Kubernetes refuses to change the selector of a workload, the template of a Job, most of
    /// a StatefulSet, or a ConfigMap or Secret marked immutable. The agent tries permanently.
    ///
    /// ## What to do
    /// Delete the object on the member, the agent then makes it anew (its pods go with it), or put the old
    /// value back on the hub, or give the new object a new name. With a staged update do the first before the
    /// run reaches the cluster; a new snapshot needs a new run.
    pub static IMMUTABLE_FIELD = Rule {
        code: "FL0708",
        name: "immutable-field",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: immutable_field,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[
    id::K8S_IMMUTABLE,
    id::K8S_IMMUTABLE_VALUE,
    id::K8S_IMMUTABLE_DATA,
    id::K8S_IMMUTABLE_STS,
    id::K8S_IMMUTABLE_CREATION,
    id::K8S_IMMUTABLE_UPDATE,
    id::K8S_IMMUTABLE_UPDATES,
];

fn immutable_field(cx: &mut Cx<'_>) {
    let changes = causes(cx, WORDS, |refusal, phrase| {
        let field = phrase.get("field").unwrap_or_default().to_owned();
        (refusal.placement.clone(), refusal.object.kind.clone(), refusal.object.path(), field)
    });
    for ((_, _, _, field), cause) in changes {
        let Some(finding) =
            finding_for_refusals(&IMMUTABLE_FIELD, cx, &cause, "field", "this field is immutable")
        else {
            continue;
        };
        let Some((refusal, phrase)) = cause.first() else { continue };
        let object = &refusal.object;
        let finding = finding
            .message(format!(
                "{object} on {} cannot be updated: {}.",
                members(&cause),
                what(&field, phrase)
            ))
            .why(format!(
                "{object} on the member was created with another value. Kubernetes never changes \
                 this field, so each attempt of the member agent is refused."
            ))
            .hint(
                "The old value on the hub, or a new name for the object, also settles it. Either \
                   makes a new snapshot.",
            )
            .step(get_on_member(object), "shows the value that the member has");
        let finding = remove(finding, object);
        cx.report(after_repair_of(finding, cx, &cause, Repair::Member));
    }
}

/// Adds the commands that make room for the new object, what is lost said beside each.
///
/// Of a workload the pods can stay until the new ones run; a Job or a set of data is gone at once.
fn remove(finding: Finding, object: &ObjectKey) -> Finding {
    let orphans =
        matches!(&*object.kind, "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet");
    if orphans {
        let place = RunsOn::of_cluster(&object.cluster);
        let delete = Command::kubectl(Risk::Destructive, place).words("delete").object(object);
        return finding.step(
            delete.words("--cascade=orphan").build(),
            format!("removes {object} and leaves its pods running"),
        );
    }
    let runs = if &*object.kind == "Job" { ", and it runs again" } else { "" };
    finding.step(
        delete_on_member(object),
        format!("removes {object} and what it owns; the member agent creates it anew{runs}"),
    )
}

/// Says what cannot change: the field where one field is meant, else in the API server's words.
fn what(field: &str, phrase: &Phrase<'_>) -> String {
    if phrase.is(&[id::K8S_IMMUTABLE, id::K8S_IMMUTABLE_VALUE, id::K8S_IMMUTABLE_UPDATE]) {
        format!("field {field} is immutable")
    } else if phrase.words().contains("when `immutable` is set") {
        format!("its {field} cannot be changed, because it is marked immutable")
    } else {
        let words = clip(phrase.words());
        format!("it is immutable in part: {}", words.trim_end_matches(['.', ')']))
    }
}
