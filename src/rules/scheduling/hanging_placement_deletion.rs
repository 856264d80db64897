//! FL0627 hanging-placement-deletion.

use crate::declare_rule;
use crate::finding::{Command, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::{hub_agent_command, hub_agent_log, look_at_hub};
use crate::rules::sentence::join_names;
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
            (Some(text), _, _) => (text, "the scheduler has not released its bindings"),
            (None, _, Some(text)) => (text, "a finalizer of someone else is left"),
            (None, Some(text), None) => (text, "the hub agent has not deleted its snapshots"),
            _ => continue,
        };
        let own = finalizer.starts_with("kubernetes-fleet.io/");
        let bindings = cx.bindings_of(&key.namespace, &key.name);
        let left = join_names(bindings.iter().map(|binding| binding.meta.name()));
        let left = if left.is_empty() { String::new() } else { format!(" (left: {left})") };
        cx.report(
            HANGING_PLACEMENT_DELETION
                .at(finalizer.span, "this finalizer is left")
                .also(deleting.span, "deleted here")
                .message(format!(
                    "{key} has been stuck in deletion for {}: {who}{left}.",
                    age.show()
                ))
                .why(if own {
                    "The finalizers of KubeFleet wait for the hub agent, never for a member."
                } else {
                    "KubeFleet has removed its own finalizers. Whoever set this one has to remove \
                     it."
                })
                .then(if own {
                    format!("{} goes within a minute once the hub agent works again.", key.name)
                } else {
                    format!("{} goes as soon as this finalizer is removed.", key.name)
                })
                .recover(Recoverability::ResumesAfterRepair)
                .step(
                    hub_agent_command().filter(|_| own),
                    "shows whether the hub agent runs and who holds its lease",
                )
                .step(
                    hub_agent_log().filter(|_| own),
                    format!("shows what fails in the deletion of {}", key.name),
                )
                .step(
                    managers_command(key).filter(|_| !own),
                    "shows who set the finalizer (managedFields)",
                )
                .about(Topic::HubAgent)
                .explains(Topic::Placement(key.clone())),
        );
    }
}

fn managers_command(key: &ObjectKey) -> Option<Command> {
    look_at_hub().words("get").object(key).words("-o yaml --show-managed-fields").build()
}
