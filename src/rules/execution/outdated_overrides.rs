//! FL0211 outdated-overrides.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::model::snapshot::is_latest;
use crate::rule::Cx;

declare_rule! {
    /// An override that is newer than the run that should use it.
    ///
    /// ## Why it matters
    /// A run notes the override snapshots of each cluster when it is initialized. A newer one is not rolled out by this run.
    ///
    /// ## What to do
    /// Create a new run to roll the newer override out.
    pub static OUTDATED_OVERRIDES = Rule {
        code: "FL0211",
        name: "outdated-overrides",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::OverrideSnapshot],
        check: outdated_overrides,
    }
}

fn outdated_overrides(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| run.is_initialized() && !run.is_terminal()) {
        let used = used_overrides(run);
        for newer in cx.override_snapshots().iter().filter(|snapshot| is_latest(&snapshot.meta)) {
            let sibling = used.iter().find(|(namespace, name)| is_older(newer, namespace, name));
            let Some((_, name)) = sibling else { continue };
            let title = run.meta.title();
            let finding = OUTDATED_OVERRIDES
                .at(name.span, format!("{} uses this snapshot", run.meta.name()))
                .also(newer.meta.name_span, "the latest snapshot of the override")
                .message(format!(
                    "{title} uses override snapshot {}, but {} is the latest.",
                    &***name,
                    newer.meta.name(),
                ))
                .why("A run notes its override snapshots when it starts, and keeps them.");
            let then =
                format!("{title} keeps the older one. The newer one waits for the next run.");
            cx.report(finding.then(then).recover(Recoverability::WaitsForPerson));
        }
    }
}

/// Returns the override snapshots that a run notes, with their namespaces.
fn used_overrides(run: &Run) -> Vec<(&str, &Text)> {
    let clusters = run.stages.iter().flat_map(|stage| &stage.clusters);
    let named = clusters.flat_map(|cluster| {
        let names = cluster.overrides.iter().map(|(namespace, name)| (&*namespace.value, name));
        names.chain(cluster.cluster_overrides.iter().map(|name| ("", name)))
    });
    named.collect()
}

/// Says whether a used snapshot is an older one of the same override.
fn is_older(newer: &Override, namespace: &str, used: &str) -> bool {
    let of_same = used.rsplit_once('-').is_some_and(|(owner, _)| owner == newer.override_name());
    newer.meta.namespace() == namespace && of_same && used != newer.meta.name()
}
