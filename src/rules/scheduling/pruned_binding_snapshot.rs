//! FL0629 pruned-binding-snapshot.

use std::collections::BTreeSet;

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::binding::Binding;
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::labels_command;

declare_rule! {
    /// A binding whose resource snapshot does not exist any more.
    ///
    /// ## Why it matters
    /// Snapshots beyond `revisionHistoryLimit` are pruned, also those that a cluster still runs. What was applied stays, but
    /// anything that needs the snapshot again (another override, a lost Work) fails, and shows as `Overridden` False with
    /// "master resource snapshot is not found", which is not about overrides.
    ///
    /// ## What to do
    /// Roll a version out that exists: unblock the rolling update, or create a run. A higher `revisionHistoryLimit` keeps more.
    pub static PRUNED_BINDING_SNAPSHOT = Rule {
        code: "FL0629",
        name: "pruned-binding-snapshot",
        severity: Severity::Error,
        reads: &[Kind::Binding, Kind::ResourceSnapshot, Kind::Placement],
        check: pruned_binding_snapshot,
    }
}

fn pruned_binding_snapshot(cx: &mut Cx<'_>) {
    let kept: BTreeSet<&str> =
        cx.resource_snapshots().iter().map(|snapshot| snapshot.meta.name()).collect();
    for binding in cx.bindings() {
        let bound = binding.state.as_deref() == Some("Bound") && binding.meta.deleting.is_none();
        let Some(key) = binding.placement_key().filter(|_| bound) else { continue };
        if let Some(finding) = describe(cx, binding, &key, &kept) {
            cx.report(finding);
        }
    }
}

fn describe(
    cx: &Cx<'_>,
    binding: &Binding,
    key: &ObjectKey,
    kept: &BTreeSet<&str>,
) -> Option<Finding> {
    let name = binding.snapshot.as_ref().filter(|name| !name.is_empty())?;
    let kind = Kind::ResourceSnapshot.in_namespace(&key.namespace);
    let group = cx.snapshots_of(&key.namespace, &key.name);
    let gone = !group.is_empty()
        && cx.listing(kind, &key.namespace) == Listing::All
        && !kept.contains(&**name);
    let said = binding.current("Overridden").filter(|condition| {
        condition.is_false()
            && condition.message().contains("master resource snapshot is not found")
    });
    if !gone && said.is_none() {
        return None;
    }
    let limit = cx.find_placement_by(key).and_then(|placement| placement.history_limit);
    let finding = PRUNED_BINDING_SNAPSHOT
        .at(name.span, "this snapshot no longer exists")
        .also_at(
            said.map(|said| said.best_span()),
            "reported as an override error, and it is not one",
        )
        .also_at(limit.map(|limit| limit.span), "so many snapshots are kept")
        .message(format!(
            "{} runs resource snapshot {} of {key}, which no longer exists.",
            binding.cluster(),
            &**name
        ))
        .why(
            "The hub agent deletes snapshots beyond revisionHistoryLimit, also those in use. What \
              was applied stays, but nothing can be written again from such a snapshot.",
        )
        .then(format!(
            "{} stays as it is until another snapshot is rolled out to it.",
            binding.cluster()
        ))
        .recover(Recoverability::WaitsForPerson)
        .step(
            labels_command(kind, &key.namespace, &key.name).filter(|_| !gone),
            "lists the snapshots that exist",
        )
        .about(Topic::Object(ObjectKey::on_hub(kind, &key.namespace, name)));
    Some(match said {
        Some(_) => finding
            .explains(Topic::PlacementCluster(key.clone(), binding.cluster().into()))
            .explains(Topic::Rollout(key.clone())),
        None => finding.severity(Severity::Note),
    })
}
