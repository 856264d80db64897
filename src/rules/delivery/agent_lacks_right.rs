//! FL0710 agent-lacks-right.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::refused_resource::{causes, finding_for_refusals, refused};
use crate::rules::sentence::member_name;

declare_rule! {
    /// A right that the member agent does not have on its cluster.
    ///
    /// ## Why it matters
    /// The agent applies as its own service account. The API server refuses it, or refuses to let it grant
    /// rights in a Role that it does not hold itself, so the object never arrives.
    ///
    /// ## What to do
    /// Grant the right that the message names to the account that it names, on the member.
    pub static AGENT_LACKS_RIGHT = Rule {
        code: "FL0710",
        name: "agent-lacks-right",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: agent_lacks_right,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_RBAC, id::K8S_ESCALATION];

fn agent_lacks_right(cx: &mut Cx<'_>) {
    let lacks = causes(cx, WORDS, |refusal, phrase| {
        let user = phrase.get("user").unwrap_or_default().to_owned();
        (refusal.object.cluster.clone(), user, refusal.object.kind.clone())
    });
    for ((cluster, user, _), cause) in lacks {
        let Some(finding) =
            finding_for_refusals(&AGENT_LACKS_RIGHT, cx, &cause, "user", "this account is refused")
        else {
            continue;
        };
        let Some((_, phrase)) = cause.first() else { continue };
        let what = match (phrase.get("verb"), phrase.get("resource")) {
            (Some(verb), Some(resource)) => format!("may not {verb} {resource}"),
            _ => "may not grant rights that it does not hold".to_owned(),
        };
        let finding = finding
            .message(format!(
                "{} refuses {}: {user} {what}.",
                member_name(&cluster),
                refused(&cause),
            ))
            .why(
                "The member agent applies as its own account. The API server grants that \
                  account no such right.",
            )
            .hint(format!(
                "Grant the right on {}, by a ClusterRole bound to {user}.",
                member_name(&cluster)
            ))
            .step(
                look_at(&cluster).words("auth can-i --list").rbac_name("--as=", &user).build(),
                format!("lists what {user} may do"),
            );
        cx.report(after_repair_of(finding, cx, &cause, Repair::Member));
    }
}
