//! FL0756 unseen-member.

use jiff::SignedDuration;

use crate::declare_rule;
use crate::finding::{Certainty, Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::kube::time::{read_age, show_duration};
use crate::model::cluster::MemberCluster;
use crate::model::condition::Condition;
use crate::rule::Cx;
use crate::rules::commands::member_agent_command;
use crate::syntax::Syntax;

declare_rule! {
    /// A member cluster whose agent the hub does not see, as a row of `kubectl get` shows it.
    ///
    /// ## Why it matters
    /// Without a heartbeat the scheduler does not pick the cluster, and nothing that is written for it is applied.
    /// JOINED stays True when the agent stops; only the age of its last heartbeat tells.
    ///
    /// ## What to do
    /// Look at the pods of the member agent on that cluster, and at their log.
    pub static UNSEEN_MEMBER = Rule {
        code: "FL0756",
        name: "unseen-member",
        severity: Severity::Warning,
        reads: &[Kind::MemberCluster],
        check: unseen_member,
    }
}

/// Installing and joining takes a while, and the scheduler gives a silent agent as long.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

fn unseen_member(cx: &mut Cx<'_>) {
    for member in cx.members().iter().filter(|member| member.meta.syntax == Syntax::Table) {
        let finding = silent(member).or_else(|| never_joined(member));
        if let Some(finding) = finding {
            let name = member.meta.name();
            cx.report(
                finding
                    .recover(Recoverability::ResumesAfterRepair)
                    .step(member_agent_command(name), "shows whether a member agent runs there")
                    .explains(Topic::Member(name.into())),
            );
        }
    }
}

/// Tells an agent whose last heartbeat is old.
fn silent(member: &MemberCluster) -> Option<Finding> {
    let seen = member.row_last_seen()?;
    let age = read_age(&seen).filter(|age| *age >= PATIENCE)?;
    let name = member.meta.name();
    let finding = UNSEEN_MEMBER
        .at(seen.span, "the last heartbeat")
        .message(format!(
            "The member agent of {name} was last seen {} before this table was printed.",
            show_duration(age)
        ))
        .why("The agent reports every minute. JOINED stays True while it is silent.")
        .then(format!("{name} gets by itself what it has missed once its member agent is back."));
    Some(finding)
}

/// Tells a member whose agent has not joined.
fn never_joined(member: &MemberCluster) -> Option<Finding> {
    let joined = member.condition("Joined");
    let seen = member.row_last_seen().is_some();
    let age = member.meta.row_age()?;
    if seen || joined.is_some_and(Condition::is_true) {
        return None;
    }
    // A cell that is empty may be a column that was lost.
    let joined = joined?;
    let (name, young) = (member.meta.name(), age.value < PATIENCE);
    let finding = UNSEEN_MEMBER
        .at(joined.status.span, "not joined")
        .also(age.span, "and this old")
        .message(format!(
            "Member cluster {name} has not joined {} after it was created. The hub has never seen \
             its member agent.",
            show_duration(age.value)
        ))
        .why("The scheduler does not pick a cluster without heartbeats.")
        .then(format!("{name} can be picked once its agent has joined."))
        .certainty(Certainty::Likely);
    Some(if young { finding.severity(Severity::Note) } else { finding })
}
