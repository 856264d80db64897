//! FL0604 empty-pick.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::placing::shortage::{Grade, shortages};

declare_rule! {
    /// A PickAll placement that picks no cluster.
    ///
    /// ## Why it matters
    /// PickAll counts as fulfilled with whatever it finds, also with nothing: `Scheduled` is True, no other condition
    /// appears, and nothing is placed anywhere. The refusals stand in the policy snapshot only.
    ///
    /// ## What to do
    /// Compare the policy with the labels, properties and taints of the member clusters.
    pub static EMPTY_PICK = Rule {
        code: "FL0604",
        name: "empty-pick",
        severity: Severity::Warning,
        reads: &[Kind::Placement, Kind::PolicySnapshot, Kind::MemberCluster, Kind::Run],
        check: empty_pick,
    }
}

fn empty_pick(cx: &mut Cx<'_>) {
    for shortage in shortages(cx).iter().filter(|shortage| shortage.grade == Grade::Empty) {
        let key = shortage.key();
        let place = shortage.policy().span.unwrap_or(shortage.placement.meta.name_span);
        let mut finding = EMPTY_PICK
            .at(place, "picks no cluster")
            .message(format!("{key} picks no cluster, so nothing is placed anywhere"))
            .why("PickAll counts as scheduled with whatever it finds, also with nothing; no further condition appears")
            .recover(Recoverability::ResumesAfterRepair)
            .command(shortage.decisions_command())
            .about(Topic::Placement(key.clone()));
        for refused in shortage.refused.iter().take(4) {
            let name = refused.name().unwrap_or("this one");
            finding = finding.also(refused.span(), format!("why not {name}"));
        }
        cx.report(shortage.settle(finding));
    }
}
