//! FL1324 dotted-placement-name.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::ManifestCx;

declare_rule! {
    /// A placement with a dot in its name.
    ///
    /// ## Why it matters
    /// The API server takes the name, but the scheduler makes a DNS label of it, which may not hold dots: it
    /// fails without trying again, the placement stays unscheduled, and every run of it fails.
    ///
    /// ## What to do
    /// Choose a name without dots.
    pub static DOTTED_PLACEMENT_NAME = Rule {
        code: "FL1324",
        name: "dotted-placement-name",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        manifest: dotted_placement_name,
    }
}

fn dotted_placement_name(cx: &mut ManifestCx<'_>) {
    for manifest in cx.of(Kind::Placement).filter(|manifest| manifest.name().contains('.')) {
        let finding = DOTTED_PLACEMENT_NAME
            .on(&manifest.name_place(), "has a dot")
            .message(format!("the scheduler cannot work with the name of {} {}", manifest.key.kind, manifest.name()))
            .help("it makes a DNS label of the name, and a label has no dots; the placement stays unscheduled");
        cx.report(finding);
    }
}
