//! FL0609 ineligible-cluster.

use crate::declare_rule;
use crate::finding::{Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::commands::{member_agent_command, member_cluster_command};
use crate::rules::scheduling::shortage_words::{after_change, explain_shortage, show};
use crate::rules::sentence::full_stop;

declare_rule! {
    /// A cluster that the scheduler passes by because of the state of its member agent.
    ///
    /// ## Why it matters
    /// The scheduler only picks clusters whose agent has joined, is healthy, and has sent a heartbeat within five
    /// minutes, and that are not being removed. `Joined` may still say True. Clusters that were picked before stay.
    ///
    /// ## What to do
    /// Look at the member cluster and its agent. The scheduler checks again when the cluster becomes eligible.
    pub static INELIGIBLE_CLUSTER = Rule {
        code: "FL0609",
        name: "ineligible-cluster",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::MemberCluster],
        check: ineligible_cluster,
    }
}

const ELIGIBILITY: [MessageId; 6] = [
    id::DECISION_ELIG_LEFT,
    id::DECISION_ELIG_OFFLINE,
    id::DECISION_ELIG_HEARTBEAT,
    id::DECISION_ELIG_NOTJOINED,
    id::DECISION_ELIG_NOHEALTH,
    id::DECISION_ELIG_UNHEALTHY,
];

fn ineligible_cluster(cx: &mut Cx<'_>) {
    for shortage in cx.shortages() {
        for (refused, phrase) in shortage.refused_for(&ELIGIBILITY) {
            let name = refused.name().unwrap_or("a cluster");
            let member = refused.name().and_then(|name| cx.find_member(name));
            let mut finding = INELIGIBLE_CLUSTER
                .at(cx.span_of(&phrase), format!("why not {name}"))
                .message(full_stop(&format!(
                    "{} The scheduler skips {name}: {}",
                    show(shortage),
                    phrase.words()
                )))
                .why(
                    "The scheduler picks only clusters whose member agent has joined, is healthy \
                      and has sent a heartbeat within 5m.",
                );
            if let Some(member) = member {
                let deleting = member.meta.deleting.map(|deleting| deleting.span);
                let beat = member.heartbeat().map(|beat| beat.span);
                let label =
                    if deleting.is_some() { "it is being deleted" } else { "its last heartbeat" };
                finding = finding.also(deleting.or(beat).unwrap_or(member.meta.name_span), label);
            }
            if let Some(name) = refused.name() {
                finding = finding
                    .step(
                        member_cluster_command(name).filter(|_| member.is_none()),
                        format!("shows the heartbeat and the conditions of {name}"),
                    )
                    .step(
                        member_agent_command(name).filter(|_| member.is_some()),
                        format!("shows whether the member agent of {name} runs"),
                    )
                    .about(Topic::Member(name.into()));
            }
            let finding = explain_shortage(shortage, after_change(finding, cx, shortage));
            cx.report(finding);
        }
    }
}
