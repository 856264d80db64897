//! FL0206 pruned-snapshot.

use crate::declare_rule;
use crate::facts::new_run::{NewRunVersion, Order};
use crate::finding::{Finding, Outlook, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::read::Text;
use crate::model::run::Run;
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
    /// Create a new run with a snapshot that exists, or without an index. Raise `revisionHistoryLimit` if runs wait long.
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
        let said = find_words(cx, run, placement);
        // A snapshot that a list lacks may have been lost out of it: the hub's words or the numbers have to show it.
        if said.is_none() && !cx.is_pruned(run.meta.namespace(), placement, index) {
            continue;
        }
        let finding = describe(cx, run, index, placement)
            .also_at(said.map(Condition::best_span), "the hub agent does not find it")
            .outlook(outlook(cx, run));
        cx.report(finding);
    }
}

/// Finds the words of a binding of the run that the snapshot is gone.
fn find_words<'g>(cx: &Cx<'g>, run: &Run, placement: &str) -> Option<&'g Condition> {
    let name = run.snapshot_name();
    let bindings = cx.bindings_of(run.meta.namespace(), placement);
    let own = bindings.into_iter().filter(|it| it.snapshot.as_deref() == name.as_deref());
    let mut failing = own.filter_map(|it| it.current("Overridden").filter(|it| it.is_false()));
    failing.find(|condition| condition.message().contains(NOT_FOUND))
}

fn outlook(cx: &Cx<'_>, run: &Run) -> Outlook {
    let then = format!(
        "{} cannot roll out a snapshot that is gone. Create a new run; it replaces {}.",
        run.meta.title(),
        run.meta.name()
    );
    let steps = cx.new_run(run, &Order::now(NewRunVersion::Fresh));
    Outlook { steps, ..Outlook::new(Recoverability::RunIsDead, then) }
}

fn describe(cx: &Cx<'_>, run: &Run, index: &Text, placement: &str) -> Finding {
    let mut finding = PRUNED_SNAPSHOT
        .at(index.span, "this snapshot is gone")
        .message(format!(
            "{} uses resource snapshot {} of {placement}, which does not exist any more.",
            run.meta.title(),
            &**index
        ))
        .why(
            "Old snapshots are pruned beyond revisionHistoryLimit, also those that a run still \
             needs. The failure then shows as Overridden False.",
        );
    let name = run.snapshot_name();
    // The bindings that still name it suffer the same.
    if let Some(name) = &name {
        let kind = Kind::ResourceSnapshot.in_namespace(run.meta.namespace());
        let key = ObjectKey::on_hub(kind, run.meta.namespace(), name);
        finding = finding.explains(Topic::Object(key));
    }
    for binding in cx.bindings_of(run.meta.namespace(), placement) {
        if binding.snapshot.as_deref() == name.as_deref() && binding.first_failing().is_some() {
            finding = finding.explains(Topic::placement_cluster(run, placement, binding.cluster()));
        }
    }
    finding
}
