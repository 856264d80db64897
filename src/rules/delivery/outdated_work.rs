//! FL0742 outdated-work.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::hub_agent_log;
use jiff::SignedDuration;

declare_rule! {
    /// A Work that holds another version than its binding asks for.
    ///
    /// ## Why it matters
    /// The binding names a resource snapshot, the Work says of which it was made. When they differ for long, the hub agent does
    /// not write Works, and the member keeps the old version while the binding may look done.
    ///
    /// ## What to do
    /// Look for errors of the work generator in the hub agent's log; conditions of the binding tell the same if they are new.
    pub static OUTDATED_WORK = Rule {
        code: "FL0742",
        name: "outdated-work",
        severity: Severity::Warning,
        reads: &[Kind::Work, Kind::Binding],
        check: outdated_work,
    }
}

/// Works are written within seconds of the binding.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

fn outdated_work(cx: &mut Cx<'_>) {
    for work in cx.works().iter().filter(|work| work.meta.deleting.is_none()) {
        let made = work.meta.annotation("kubernetes-fleet.io/parent-resource-snapshot-name");
        let (Some(made), Some(name)) = (made, work.binding()) else { continue };
        let Some(key) = work.placement() else { continue };
        let slash = if key.namespace.is_empty() { "" } else { "/" };
        let binding = cx.find_binding_named(&format!("{}{slash}{name}", key.namespace));
        let binding = binding.filter(|binding| binding.placement() == Some(&*key.name));
        let Some(binding) = binding.filter(|it| it.meta.deleting.is_none()) else { continue };
        let Some(wanted) = binding.snapshot.as_ref().filter(|it| !it.is_empty()) else { continue };
        let started = binding.current("RolloutStarted").and_then(|started| started.since);
        let late = started.and_then(|since| cx.surely_over(since.value, PATIENCE));
        if made.value == wanted.value || late.is_none() {
            continue;
        }
        cx.report(
            OUTDATED_WORK
                .at(made.span, "the Work was made of this snapshot")
                .also(wanted.span, "the binding asks for this one")
                .message(format!(
                    "{} still holds {}, and its binding asks for {}.",
                    work.meta.key, &**made, &**wanted
                ))
                .why(
                    "The hub agent writes Works within seconds. What the binding says about \
                      Applied and Available is about the old snapshot.",
                )
                .then(format!("{} continues by itself once the hub agent works again.", key.name))
                .recover(Recoverability::ResumesAfterRepair)
                .step(hub_agent_log(), format!("shows why {} is not written", work.meta.name()))
                .about(Topic::PlacementCluster(key, binding.cluster().into()))
                .about(Topic::HubAgent),
        );
    }
}
