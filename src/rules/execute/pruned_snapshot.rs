//! FL0206 pruned-snapshot.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::rule::Cx;

declare_rule! {
    /// A run whose resource snapshot has been pruned.
    ///
    /// ## Why it matters
    /// Old snapshots are deleted when the placement has more than `revisionHistoryLimit` of them (10 unless set), also those
    /// that a waiting run is going to use. Nothing refuses to start such a run; its bindings then fail with words about
    /// overrides, because the snapshot cannot be read.
    ///
    /// ## What to do
    /// Make a new run with a snapshot that exists, or without an index. Raise `revisionHistoryLimit` if runs wait long.
    pub static PRUNED_SNAPSHOT = Rule {
        code: "FL0206",
        name: "pruned-snapshot",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::ResourceSnapshot, Kind::Placement, Kind::Binding],
        check: pruned_snapshot,
    }
}

/// How the hub agent says that a snapshot is gone.
const NOT_FOUND: &str = "master resource snapshot is not found";

fn pruned_snapshot(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| run.is_initialized() && !run.is_terminal()) {
        let (Some(index), Some(placement)) = (&run.index_used, run.placement.as_deref()) else {
            continue;
        };
        let kind = Kind::ResourceSnapshot.in_namespace(run.meta.namespace());
        let name = run.snapshot_name();
        let bindings = cx.bindings_of(run.meta.namespace(), placement);
        let said = bindings.iter().find_map(|binding| {
            let condition = binding.current("Overridden").filter(|it| it.is_false())?;
            let ours = binding.snapshot.as_deref() == name.as_deref();
            (ours && condition.message().contains(NOT_FOUND)).then_some(condition)
        });
        // A snapshot that a list lacks may have been lost out of it: the hub's words or the numbers have to show it.
        if said.is_none() && !cx.is_pruned(run.meta.namespace(), placement, index) {
            continue;
        }
        let mut finding = PRUNED_SNAPSHOT
            .at(index.span, "this snapshot is gone")
            .also_at(said.map(|said| said.best_span()), "the hub agent does not find it")
            .message(format!("{} uses resource snapshot {} of {placement}, which does not exist any more", run.meta.name(), &**index))
            .why("old snapshots are pruned beyond revisionHistoryLimit, also those that a run still needs; the failure then shows as Overridden False")
            .recover(Recoverability::RunIsDead);
        // The bindings that still name it suffer the same.
        if let Some(name) = &name {
            let key = ObjectKey::on_hub(kind, run.meta.namespace(), name);
            finding = finding.explains(Topic::Object(key));
        }
        for binding in bindings {
            if binding.snapshot.as_deref() == name.as_deref() && binding.first_failing().is_some() {
                finding =
                    finding.explains(Topic::placement_cluster(run, placement, binding.cluster()));
            }
        }
        cx.report(finding);
    }
}
