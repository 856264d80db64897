//! FL1102 no-stages.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;

declare_rule! {
    /// A strategy without stages.
    ///
    /// ## Why it matters
    /// The API server accepts it; every run fails as soon as one cluster is selected, since no stage takes it.
    ///
    /// ## What to do
    /// Add a stage.
    pub static NO_STAGES = Rule {
        code: "FL1102",
        name: "no-stages",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Strategy],
        manifest: no_stages,
    }
}

fn no_stages(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Strategy) {
        let Some(list) =
            manifest.stored().at(&["spec", "stages"]).filter(|list| list.node.is_empty())
        else {
            continue;
        };
        let finding = NO_STAGES
            .on(&list.key_place(), "empty")
            .message(format!("{} {} has no stages", manifest.key.kind, manifest.name()))
            .help("a run fails as soon as one cluster is selected");
        cx.report(finding);
    }
}
