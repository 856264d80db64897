//! FL0627 hanging-placement-deletion.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::chain::join_names;
use crate::rules::commands::{hub_agent_command, hub_agent_log};
use jiff::SignedDuration;

declare_rule! {
    /// A placement that was deleted minutes ago and does not go.
    ///
    /// ## Why it matters
    /// Two finalizers are taken off one after the other: `scheduler-cleanup` when the scheduler has handed its bindings
    /// over, `crp-cleanup` when the snapshots are gone. Neither waits for the members, so a deletion takes seconds. The one
    /// that is left names the controller that does not work.
    ///
    /// ## What to do
    /// Look at the hub agent and its log. Do not take the finalizers off by hand: bindings or snapshots would stay behind.
    pub static HANGING_PLACEMENT_DELETION = Rule {
        code: "FL0627",
        name: "hanging-placement-deletion",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::Binding],
        check: hanging_placement_deletion,
    }
}

/// Neither finalizer waits for a member.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

fn hanging_placement_deletion(cx: &mut Cx<'_>) {
    for placement in cx.placements() {
        let key = &placement.meta.key;
        let Some(deleting) = placement.meta.deleting else { continue };
        let age = cx.surely_over(deleting.value, PATIENCE);
        let Some(age) = age else { continue };
        let held = |part: &str| {
            let mut all = placement.meta.finalizers.iter();
            all.find(|text| text.ends_with(part))
        };
        let foreign =
            placement.meta.finalizers.iter().find(|text| !text.starts_with("kubernetes-fleet.io/"));
        let (finalizer, who) = match (held("/scheduler-cleanup"), held("/crp-cleanup"), foreign) {
            (Some(text), _, _) => (text, "the scheduler has not handed its bindings over"),
            (None, _, Some(text)) => (text, "nobody takes this finalizer off"),
            (None, Some(text), None) => {
                (text, "the placement controller has not removed its snapshots")
            }
            _ => continue,
        };
        let bindings = cx.bindings_of(&key.namespace, &key.name);
        let left = join_names(bindings.iter().map(|binding| binding.meta.name()));
        let left = if left.is_empty() { String::new() } else { format!("; left: {left}") };
        cx.report(
            HANGING_PLACEMENT_DELETION
                .at(finalizer.span, "still there")
                .also(deleting.span, "deleted here")
                .message(format!(
                    "{key} was deleted {} ago and does not go: {who}{left}",
                    age.show()
                ))
                .why(if finalizer.starts_with("kubernetes-fleet.io/") {
                    "these finalizers wait for the hub agent, never for a member; its log tells what fails"
                } else {
                    "KubeFleet has let it go; whoever set this finalizer has to take it off"
                })
                .recover(Recoverability::ResumesAfterRepair)
                .command(hub_agent_command())
                .command(hub_agent_log())
                .about(Topic::HubAgent)
                .explains(Topic::Placement(key.clone())),
        );
    }
}
