//! FL1518 name-becomes-label.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A name that is too long for the label that is made of it.
    ///
    /// ## Why it matters
    /// Names of placements, overrides and envelopes become label values, which have at most 63 characters. The
    /// webhook refuses such a ClusterResourcePlacement; the others are stored and nothing is ever made of them.
    ///
    /// ## What to do
    /// Choose a name of at most 63 characters.
    pub static NAME_BECOMES_LABEL = Rule {
        code: "FL1518",
        name: "name-becomes-label",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement, Kind::Override, Kind::Envelope],
        check: name_becomes_label,
    }
}

fn name_becomes_label(cx: &mut Cx<'_>) {
    for family in [Kind::Placement, Kind::Override, Kind::Envelope] {
        for manifest in cx.of(family) {
            let length = manifest.name().len();
            if length <= 63 {
                continue;
            }
            // Only the webhook of the placement looks at the name.
            let layer =
                if family == Kind::Placement { cx.hook_layer(manifest) } else { Layer::Controller };
            let finding = NAME_BECOMES_LABEL
                .at_field(&manifest.name_place(), format!("{length} characters"))
                .layer(layer)
                .message(format!(
                    "the name of this {} has {length} characters, at most 63 work",
                    manifest.key.kind
                ))
                .why("the name becomes the value of a label");
            cx.report(finding);
        }
    }
}
