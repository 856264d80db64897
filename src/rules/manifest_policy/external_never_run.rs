//! FL1318 external-never-run.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// An External placement that no run names.
    ///
    /// ## Why it matters
    /// Nothing is ever rolled out: with External only runs update clusters.
    ///
    /// ## What to do
    /// Add a run, or use RollingUpdate.
    pub static EXTERNAL_NEVER_RUN = Rule {
        code: "FL1318",
        name: "external-never-run",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Placement, Kind::Run],
        check: external_never_run,
    }
}

fn external_never_run(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for placement in cx.drafts::<Placement>().filter(|placement| placement.is_external()) {
        let Some(kind) = &placement.strategy else { continue };
        let key = &placement.meta.key;
        let wanted = Kind::Run.in_scope(placement.manifest.scope());
        let target = Some((wanted, placement.meta.namespace(), placement.name()));
        if repository.all::<Run>().any(|run| run.target() == target) || !cx.knows_surroundings() {
            continue;
        }
        let finding = EXTERNAL_NEVER_RUN
            .at_field(&kind.place(), "only runs update it")
            .message(format!("no run here names {} {}", key.kind, placement.name()))
            .why("nothing is rolled out until a run is made for it");
        // Runs are often made by hand, and not kept.
        cx.report(cx.unless_elsewhere(finding));
    }
}
