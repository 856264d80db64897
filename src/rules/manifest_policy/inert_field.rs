//! FL1322 inert-field.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A field that no controller reads.
    ///
    /// ## Why it matters
    /// `deleteStrategy` and `reportBackStrategy` are stored and have no effect up to the current release.
    ///
    /// ## What to do
    /// Do not rely on it.
    pub static INERT_FIELD = Rule {
        code: "FL1322",
        name: "inert-field",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Placement],
        check: inert_field,
    }
}

fn inert_field(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        for (key, part) in placement.inert_strategies() {
            let finding = INERT_FIELD
                .at_field(&part.site.key_place(), "has no effect")
                .message(format!("{} sets {key}, which no controller reads", placement.show()))
                .why("it is stored, and nothing follows from it");
            cx.report(finding);
        }
    }
}
