//! FL0640 rival-policy-snapshots.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::model::snapshot::{PolicySnapshot, is_latest};
use crate::rule::Cx;
use crate::rules::commands::labels_command;
use crate::rules::sentence::join_names;
use std::collections::BTreeMap;

declare_rule! {
    /// A placement with several policy snapshots that are called the latest.
    ///
    /// ## Why it matters
    /// The scheduler and every run look for exactly one. With two they stop with an error, and the placement keeps the
    /// clusters that it has.
    ///
    /// ## What to do
    /// Take the label `kubernetes-fleet.io/is-latest-snapshot` off all but the one with the highest index (set it to "false").
    pub static RIVAL_POLICY_SNAPSHOTS = Rule {
        code: "FL0640",
        name: "rival-policy-snapshots",
        severity: Severity::Error,
        reads: &[Kind::PolicySnapshot],
        check: rival_policy_snapshots,
    }
}

fn rival_policy_snapshots(cx: &mut Cx<'_>) {
    let mut groups: BTreeMap<ObjectKey, Vec<&PolicySnapshot>> = BTreeMap::new();
    for snapshot in cx.policy_snapshots().iter().filter(|it| is_latest(&it.meta)) {
        let Some(placement) = snapshot.placement() else { continue };
        let key = ObjectKey::of(Kind::Placement, snapshot.meta.namespace(), placement);
        groups.entry(key).or_default().push(snapshot);
    }
    for (key, group) in groups {
        let [first, others @ ..] = group.as_slice() else { continue };
        if others.is_empty() {
            continue;
        }
        let label = |snapshot: &PolicySnapshot| {
            let label = snapshot.meta.label("kubernetes-fleet.io/is-latest-snapshot");
            label.map_or(snapshot.meta.name_span, |label| label.span)
        };
        let names = join_names(group.iter().map(|snapshot| snapshot.meta.name()));
        let mut finding = RIVAL_POLICY_SNAPSHOTS
            .at(label(first), "marked as the latest")
            .message(format!(
                "{key} has {} policy snapshots that are marked as the latest: {names}.",
                group.len()
            ))
            .why(
                "The scheduler and runs look for exactly one latest policy snapshot. With two \
                  they stop with an error.",
            )
            .then(format!(
                "{} continues by itself once one is left: the one with the highest index.",
                key.name
            ))
            .recover(Recoverability::NeedsPatch)
            .step(
                labels_command(&first.meta.key.kind, &key.namespace, &key.name),
                "lists the snapshots with their indexes, to see which one is the latest",
            )
            .explains(Topic::Placement(key.clone()));
        for other in others.iter().take(3) {
            finding = finding.also(label(other), "marked as well");
        }
        cx.report(finding);
    }
}
