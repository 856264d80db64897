//! FL0740 hanging-binding-deletion.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::{hub_agent_command, show_command};
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
    /// Look at the hub agent and its log. If the placement's cluster was picked again, the new binding goes on by itself when the
    /// old one is gone.
    pub static HANGING_BINDING_DELETION = Rule {
        code: "FL0740",
        name: "hanging-binding-deletion",
        severity: Severity::Warning,
        reads: &[Kind::Binding],
        check: hanging_binding_deletion,
    }
}

/// The hub looks again after half a minute.
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
        let waits = if next.is_some() { ", and its successor waits for that" } else { "" };
        let mut finding = HANGING_BINDING_DELETION
            .at(deleting.span, "deleted here")
            .also_at(binding.meta.finalizers.first().map(|text| text.span), "still there")
            .also_at(next.map(|next| next.meta.name_span), "picked again, and not rolled out")
            .message(format!(
                "the binding of {key} for {cluster} was deleted {} ago and does not go{waits}",
                age.show()
            ))
            .why("the hub lets a binding go half a minute after it has deleted the Works, without waiting for the member")
            .recover(Recoverability::ResumesAfterRepair)
            .command(show_command(&binding.meta.key))
            .command(hub_agent_command())
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
