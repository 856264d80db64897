//! FL0602 mixed-versions.

use crate::declare_rule;
use crate::facts::new_run::{NewRunVersion, Order};
use crate::finding::{Certainty, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::binding::Binding;
use crate::rule::Cx;
use crate::rules::commands::labels_command;

declare_rule! {
    /// Clusters that run different versions while no run is left that would level them.
    ///
    /// ## Why it matters
    /// A run that was deleted, stopped or has failed half-way leaves some clusters on the new snapshot and others on the old
    /// one. Without another run that stays so.
    ///
    /// ## What to do
    /// Make a new run for the version that is wanted everywhere.
    pub static MIXED_VERSIONS = Rule {
        code: "FL0602",
        name: "mixed-versions",
        severity: Severity::Warning,
        reads: &[Kind::Placement, Kind::Binding, Kind::Run],
        check: mixed_versions,
    }
}

fn mixed_versions(cx: &mut Cx<'_>) {
    for placement in cx.placements().iter().filter(|placement| placement.is_external()) {
        let key = &placement.meta.key;
        let runs = cx.runs_of(&key.namespace, &key.name);
        if runs.iter().any(|run| !run.is_terminal()) {
            continue;
        }
        let bound: Vec<&Binding> = cx
            .bindings_of(&key.namespace, &key.name)
            .into_iter()
            .filter(|binding| binding.state.as_deref() == Some("Bound"))
            .collect();
        let Some((first, name)) =
            bound.iter().find_map(|binding| Some((binding, binding.snapshot.as_ref()?)))
        else {
            continue;
        };
        let other = bound.iter().find_map(|binding| {
            let snapshot =
                binding.snapshot.as_ref().filter(|snapshot| snapshot.value != name.value)?;
            Some((binding, snapshot))
        });
        let Some((second, snapshot)) = other else { continue };
        let started = placement.condition("RolloutStarted");
        let indexes = || {
            let indexes = bound.iter().filter_map(|binding| binding.snapshot_index());
            indexes.filter_map(|index| Some((index.parse::<u64>().ok()?, index)))
        };
        let (newest, oldest) = (indexes().max(), indexes().min());
        let version =
            newest.map_or(NewRunVersion::Fresh, |(_, index)| NewRunVersion::Pinned(index));
        let when = "To level the clusters, create a new run".to_owned();
        let create = cx.run_for(placement, &Order { version, strategy: None, when });
        let back = oldest.filter(|oldest| newest.is_some_and(|newest| newest.0 > oldest.0));
        let hint = back.filter(|_| !create.is_empty()).map(|(_, index)| {
            format!(
                "To go back to snapshot {index} instead, write resourceSnapshotIndex: \
                 \"{index}\" in its manifest."
            )
        });
        let list = labels_command(
            Kind::ResourceSnapshot.in_namespace(&key.namespace),
            &key.namespace,
            &key.name,
        );
        // What a manifest names already has not to be looked up.
        let list = list.filter(|_| create.is_empty());
        let all = cx.listing(Kind::Run.in_namespace(&key.namespace), &key.namespace);
        let (none, certainty) = match all {
            Listing::All => ("no run is in progress", Certainty::Shown),
            _ => ("the bundle shows no run in progress", Certainty::Likely),
        };
        cx.report(
            MIXED_VERSIONS
                .at(snapshot.span, format!("{} runs this snapshot", second.cluster()))
                .also(name.span, format!("{} runs this snapshot", first.cluster()))
                .also_at(
                    started.map(|started| started.best_span()),
                    "the placement reports the rollout as a whole",
                )
                .message(format!(
                    "The clusters of {key} run different snapshots ({} and {}), and {none}.",
                    &**name, &**snapshot,
                ))
                .why(
                    "A run that was deleted, stopped or failed half-way leaves two versions \
                      behind.",
                )
                .then(format!(
                    "{} stays so until someone creates a run for the snapshot that all clusters \
                     should have.",
                    key.name
                ))
                .recover(Recoverability::WaitsForPerson)
                .certainty(certainty)
                .step(list, "lists the snapshots that a run could roll out")
                .steps(create)
                .hint(hint.unwrap_or_default())
                .about(Topic::Versions(key.clone())),
        );
    }
}
