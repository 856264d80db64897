//! FL0211 outdated-overrides.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::model::snapshot::is_latest;
use crate::rule::Cx;

declare_rule! {
    /// An override that is newer than the run that should use it.
    ///
    /// ## Why it matters
    /// A run notes the override snapshots of each cluster when it is initialized. A newer one is not rolled out by this run.
    ///
    /// ## What to do
    /// Make a new run to roll the newer override out.
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
        let used: Vec<_> = run
            .stages
            .iter()
            .flat_map(|stage| &stage.clusters)
            .flat_map(|cluster| {
                let names =
                    cluster.overrides.iter().map(|(namespace, name)| (&*namespace.value, name));
                names.chain(cluster.cluster_overrides.iter().map(|name| ("", name)))
            })
            .collect();
        for newer in cx.override_snapshots().iter().filter(|snapshot| is_latest(&snapshot.meta)) {
            let sibling = used.iter().find(|(namespace, name)| is_older(newer, namespace, name));
            let Some((_, name)) = sibling else { continue };
            cx.report(
                OUTDATED_OVERRIDES
                    .at(name.span, "the run uses this snapshot")
                    .also(newer.meta.name_span, "this one is newer")
                    .message(format!(
                        "{} rolls out override snapshot {}, but {} is the latest",
                        run.meta.name(),
                        &***name,
                        newer.meta.name(),
                    ))
                    .why("a run notes its override snapshots when it is initialized; a newer one waits for the next run")
                    .recover(Recoverability::WaitsForPerson),
            );
        }
    }
}

/// Says whether a used snapshot is an older one of the same override.
fn is_older(newer: &Override, namespace: &str, used: &str) -> bool {
    let of_same = used.rsplit_once('-').is_some_and(|(owner, _)| owner == newer.override_name());
    newer.meta.namespace() == namespace && of_same && used != newer.meta.name()
}
