//! FL1207 premature-index.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Draft;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A snapshot index on the first run of a placement.
    ///
    /// ## Why it matters
    /// An External placement makes no snapshot by itself: the first run without an index makes it. A first run
    /// that names one fails with "no resourceSnapshots with index".
    ///
    /// ## What to do
    /// Leave the index out of the first run.
    pub static PREMATURE_INDEX = Rule {
        code: "FL1207",
        name: "premature-index",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Run, Kind::Placement],
        check: premature_index,
    }
}

fn premature_index(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for run in cx.drafts::<Run>().filter(Draft::is_new) {
        let Some(index) = run.index.as_ref().filter(|index| !index.is_empty()) else { continue };
        let Some(placement) = repository.placement_of(run) else { continue };
        let key = &placement.meta.key;
        let works_on_it = |run: &Draft<'_, Run>| {
            repository.placement_of(*run).is_some_and(|p| p.meta.key == *key)
        };
        let only = repository.all::<Run>().filter(works_on_it).count() == 1;
        let fresh = placement.is_judged() && placement.is_new();
        if !(placement.is_external() && fresh && only) {
            continue;
        }
        let finding = PREMATURE_INDEX
            .at_field(&index.place(), "this snapshot will not exist")
            .also(placement.manifest.name_place().span, "a new placement")
            .message(format!("run {} names a snapshot that nobody has made", run.name()))
            .why("an External placement makes no snapshot; the first run without an index does")
            .fix(Safety::Consent, run.manifest.remove(&index.pointer()));
        cx.report(finding);
    }
}
