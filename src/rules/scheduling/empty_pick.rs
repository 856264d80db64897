//! FL0604 empty-pick.

use crate::declare_rule;
use crate::facts::shortage::ShortageKind;
use crate::finding::{Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::scheduling::shortage_words::{after_change, decisions_command, explain_shortage};

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
        reads: &[Kind::Placement],
        check: empty_pick,
    }
}

fn empty_pick(cx: &mut Cx<'_>) {
    for shortage in cx.shortages().iter().filter(|shortage| shortage.grade == ShortageKind::Empty) {
        let key = shortage.key();
        let place = shortage.policy().span.unwrap_or(shortage.placement.meta.name_span);
        let mut finding = EMPTY_PICK
            .at(place, "picks no cluster")
            .message(format!("{key} picks no cluster, so nothing is placed."))
            .why(
                "A PickAll policy counts as scheduled with whatever it finds, even with nothing. \
                  No further condition appears.",
            )
            .step(
                decisions_command(shortage).filter(|_| shortage.snapshot.is_none()),
                "shows why the scheduler skips each cluster",
            )
            .step(
                look_at_hub()
                    .words("get memberclusters --show-labels")
                    .build()
                    .filter(|_| shortage.snapshot.is_some()),
                "shows the labels of the clusters, to compare with the policy",
            )
            .about(Topic::Placement(key.clone()));
        finding = after_change(finding, cx, shortage);
        for refused in shortage.refused.iter().take(4) {
            let name = refused.name().unwrap_or("this one");
            finding = finding.also(refused.span(), format!("why not {name}"));
        }
        cx.report(explain_shortage(shortage, finding));
    }
}
