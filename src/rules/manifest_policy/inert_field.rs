//! FL1322 inert-field.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::Placement) {
        let Some(strategy) = manifest.stored().at(&["spec", "strategy"]) else { continue };
        for key in ["deleteStrategy", "reportBackStrategy"] {
            let Some(field) = strategy.get(key) else { continue };
            let finding = INERT_FIELD
                .on(&field.key_place(), "has no effect")
                .message(format!(
                    "{} {} sets {key}, which no controller reads",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why("it is stored, and nothing follows from it");
            cx.report(finding);
        }
    }
}
