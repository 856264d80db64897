//! FL1207 premature-index.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Role;
use crate::rule::ManifestCx;

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
        manifest: premature_index,
    }
}

fn premature_index(cx: &mut ManifestCx<'_>) {
    let repository = cx.repository();
    for run in cx.of(Kind::Run).filter(|run| run.before.is_none()) {
        let Some(index) =
            run.stored().at(&["spec", "resourceSnapshotIndex"]).filter(|i| i.str() != Some(""))
        else {
            continue;
        };
        let Some(placement) = repository.placement_of(run) else { continue };
        let external = placement
            .stored()
            .at(&["spec", "strategy", "type"])
            .is_some_and(|kind| kind.str() == Some("External"));
        let fresh = placement.role == Role::Judged && placement.before.is_none();
        let only = repository
            .of(Kind::Run)
            .filter(|other| repository.placement_of(other).is_some_and(|p| p.key == placement.key))
            .count()
            == 1;
        if !(external && fresh && only) {
            continue;
        }
        let finding = PREMATURE_INDEX
            .on(&index.place(), "this snapshot will not exist")
            .also(placement.name_place().span, "a new placement")
            .message(format!("run {} names a snapshot that nobody has made", run.name()))
            .help("an External placement makes no snapshot; the first run without an index does")
            .fix(Safety::Consent, run.without(&index.pointer()));
        cx.report(finding);
    }
}
