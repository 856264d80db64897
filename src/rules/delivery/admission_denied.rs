//! FL0702 admission-denied.

use crate::declare_rule;
use crate::finding::{Command, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::chain::{Cause, causes, members, refused, tell};
use crate::rules::commands::look_at;

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
        reads: &[Kind::Work],
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
        let Some(finding) = tell(&ADMISSION_DENIED, cx, &cause, hole, "refused by this") else {
            continue;
        };
        let who = if is_webhook { "admission webhook" } else { "ValidatingAdmissionPolicy" };
        let finding = finding
            .message(format!(
                "{who} {name} on {} denies {}: {}",
                members(&cause),
                refused(&cause),
                reason(&cause)
            ))
            .why(format!(
                "the {who} belongs to the member, not to the fleet; the object has to meet it, or be exempt from it"
            ))
            .recover(Recoverability::ResumesAfterRepair)
            .command(look(&cause, is_webhook, &name));
        cx.report(finding);
    }
}

/// Returns the words of the webhook or policy itself.
fn reason(cause: &Cause<'_>) -> String {
    let first = cause.first();
    let said = first.and_then(|(refusal, phrase)| {
        phrase.get("message").or_else(|| refusal.said.core().map(|core| core.words()))
    });
    said.unwrap_or_default().trim_end_matches(')').to_owned()
}

fn look(cause: &Cause<'_>, is_webhook: bool, name: &str) -> Option<Command> {
    let cluster = cause.first().map(|(refusal, _)| refusal.cluster()).unwrap_or_default();
    let builder = look_at(cluster).words("get");
    if is_webhook {
        builder.words("validatingwebhookconfigurations,mutatingwebhookconfigurations")
    } else {
        builder.words("validatingadmissionpolicies").name(name)
    }
    .words("-o yaml")
    .build()
}
