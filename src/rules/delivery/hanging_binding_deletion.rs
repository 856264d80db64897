//! FL0740 hanging-binding-deletion.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::{hub_agent_command, hub_agent_log};
use jiff::SignedDuration;

declare_rule! {
    /// A binding that was deleted minutes ago and does not go.
    ///
    /// ## Why it matters
    /// The hub deletes the Works of the cluster and lets the binding go at its next look, half a minute later; it does not wait
    /// for the member. A binding that stays longer waits for the hub agent. Meanwhile a successor for the same cluster is not
    /// rolled out.
    ///
    /// ## What to do
    /// Look at the hub agent and its log. If the placement's cluster was picked again, the new binding continues by itself when the
    /// old one is gone.
    pub static HANGING_BINDING_DELETION = Rule {
        code: "FL0740",
        name: "hanging-binding-deletion",
        severity: Severity::Warning,
        reads: &[Kind::Binding],
        check: hanging_binding_deletion,
    }
}

/// The hub checks again after half a minute.
const PATIENCE: SignedDuration = SignedDuration::from_mins(10);

fn hanging_binding_deletion(cx: &mut Cx<'_>) {
    for binding in cx.bindings() {
        let Some(deleting) = binding.meta.deleting else { continue };
        let age = cx.surely_over(deleting.value, PATIENCE);
        let (Some(age), Some(key)) = (age, binding.placement_key()) else { continue };
        let cluster = binding.cluster();
        let bindings = cx.bindings_of(&key.namespace, &key.name);
        let next = bindings
            .into_iter()
            .find(|other| other.cluster() == cluster && other.meta.deleting.is_none());
        let waits = if next.is_some() { ", and its successor waits for it" } else { "" };
        let mut finding = HANGING_BINDING_DELETION
            .at(deleting.span, "deleted here")
            .also_at(
                binding.meta.finalizers.first().map(|text| text.span),
                "the finalizer that is left",
            )
            .also_at(next.map(|next| next.meta.name_span), "its successor, not rolled out")
            .message(format!(
                "The binding of {key} for {cluster} has been stuck in deletion for {}{waits}.",
                age.show()
            ))
            .why(
                "The hub agent removes the finalizer of a binding half a minute after it has \
                  deleted the Works. It does not wait for the member.",
            )
            .then("The binding goes within a minute once the hub agent works again.")
            .recover(Recoverability::ResumesAfterRepair)
            .step(hub_agent_command(), "shows whether the hub agent runs and who holds its lease")
            .step(hub_agent_log(), "shows what fails for this binding")
            .about(Topic::HubAgent);
        if next.is_some() {
            finding = finding
                .severity(Severity::Error)
                .explains(Topic::PlacementCluster(key.clone(), cluster.into()))
                .explains(Topic::Rollout(key));
        }
        cx.report(finding);
    }
}
