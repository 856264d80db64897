//! FL1603 data-under-spec.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// An envelope with its data under `spec`.
    ///
    /// ## Why it matters
    /// `data` stands at the top level of an envelope, not under `spec`; the API server does not know `spec`
    /// here.
    ///
    /// ## What to do
    /// Move `data` to the top level.
    pub static DATA_UNDER_SPEC = Rule {
        code: "FL1603",
        name: "data-under-spec",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Envelope],
        check: data_under_spec,
    }
}

fn data_under_spec(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Envelope) {
        let Some(data) = manifest.written().at(&["spec", "data"]) else { continue };
        let finding = DATA_UNDER_SPEC
            .at_field(&data.key_place(), "belongs to the top level")
            .message(format!(
                "the data of {} {} stands under spec",
                manifest.key.kind,
                manifest.name()
            ))
            .why("an envelope has no spec: `data` stands beside `metadata`")
            .fix(Safety::Consent, manifest.unnest(&data.pointer()));
        cx.report(finding);
    }
}
