//! FL0702 admission-denied.

use crate::declare_rule;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::admission::PolicyValidation;
use crate::model::meta::Meta;
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of, edit_on_hub};
use crate::rules::refused_resource::{
    RefusalGroup, causes, finding_for_refusals, members, refused,
};
use crate::rules::sentence::{clip, full_stop};
use crate::source::Span;

declare_rule! {
    /// An admission webhook or policy on a member that refuses what a placement brings.
    ///
    /// ## Why it matters
    /// The member's own rules refuse the object, or the pods of a workload that was applied. Its words are
    /// the reason. Neither waiting nor a new run helps as long as the object and the rule stay as they are.
    ///
    /// ## What to do
    /// Change the object on the hub so that it meets the rule (that makes a new resource snapshot, so a staged
    /// update needs a new run), or exempt it in the policy or webhook on the member; then the agent succeeds
    /// with its next try.
    pub static ADMISSION_DENIED = Rule {
        code: "FL0702",
        name: "admission-denied",
        severity: Severity::Error,
        reads: &[Kind::Work, Kind::Other],
        check: admission_denied,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_WEBHOOK, id::K8S_VAP];

fn admission_denied(cx: &mut Cx<'_>) {
    let denials = causes(cx, WORDS, |_, phrase| {
        let name = ["webhook", "policy"].iter().find_map(|hole| phrase.get(hole));
        (phrase.is(&[id::K8S_WEBHOOK]), name.unwrap_or_default().to_owned())
    });
    for ((is_webhook, name), cause) in denials {
        let hole = if is_webhook { "webhook" } else { "policy" };
        let label = "refused by this";
        let Some(finding) = finding_for_refusals(&ADMISSION_DENIED, cx, &cause, hole, label) else {
            continue;
        };
        let who = if is_webhook { "admission webhook" } else { "ValidatingAdmissionPolicy" };
        let refusal = format!("{name} on {} refuses {}", members(&cause), refused(&cause));
        let (actor, words) = (if is_webhook { "Admission webhook" } else { who }, reason(&cause));
        let finding = finding
            .message(full_stop(&format!("{actor} {refusal}: {}", clip(&words))))
            .why(format!(
                "The {who} belongs to {}, not to the fleet. The API server there refuses every \
                 object that it does not allow, whoever sends it.",
                members(&cause)
            ))
            .hint(format!(
                "An exemption on {} needs no change on the hub: the member agent applies the \
                 object within 15m of it.",
                members(&cause)
            ));
        let object = cause.first().map(|(refusal, _)| &refusal.object);
        let finding = point_at_policy(cx, finding, &cause, (who, &name), &words);
        let edit = object.and_then(|object| edit_on_hub(cx, object));
        let finding = finding.step(edit, "opens it to make it meet the policy");
        cx.report(after_repair_of(finding, cx, &cause, Repair::Resource));
    }
}

/// Points at what the policy demands, where the bundle holds the policy, else asks for it.
fn point_at_policy(
    cx: &Cx<'_>,
    finding: Finding,
    cause: &RefusalGroup<'_>,
    (who, name): (&str, &str),
    words: &str,
) -> Finding {
    let cluster = cause.first().map(|(refusal, _)| refusal.cluster()).unwrap_or_default();
    if who == "admission webhook" {
        let kinds = "get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml";
        let effect = format!("shows which objects webhook {name} is asked about");
        return finding.step(look_at(cluster).words(kinds).build(), effect);
    }
    let policies = cx.objects(Kind::Other, "ValidatingAdmissionPolicy");
    let is_here = |meta: &&&Meta| meta.key.cluster.is_empty() || &*meta.key.cluster == cluster;
    let named = |meta: &&&Meta| meta.name() == name;
    let Some(policy) = policies.iter().filter(is_here).find(named) else {
        let look = look_at(cluster).words("get validatingadmissionpolicies").name(name);
        return finding
            .step(look.words("-o yaml").build(), format!("shows what policy {name} demands"));
    };
    let demands = find_demand(policy, words);
    let look = look_at(cluster).words("get validatingadmissionpolicybindings -o yaml");
    finding
        .also_at(demands, "the policy demands this")
        .step(look.build(), format!("shows in which namespaces policy {name} applies"))
}

/// Finds the expression of a policy that has these words as its message, else its first one.
fn find_demand(policy: &Meta, words: &str) -> Option<Span> {
    let validations = PolicyValidation::all_of(policy);
    let says = |validation: &&PolicyValidation| {
        let message = validation.message.as_deref().unwrap_or_default();
        !message.is_empty() && words.contains(message)
    };
    let validation = validations.iter().find(says).or_else(|| validations.first())?;
    validation.expression.as_ref().map(|expression| expression.span)
}

/// Returns the words of the webhook or policy itself.
fn reason(cause: &RefusalGroup<'_>) -> String {
    let first = cause.first();
    let said = first.and_then(|(refusal, phrase)| {
        phrase.get("message").or_else(|| refusal.said.core().map(|core| core.words()))
    });
    said.unwrap_or_default().trim_end_matches(')').to_owned()
}
