//! FL1604 config-map-as-envelope.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::{ENVELOPE_ANNOTATION, FileRole};
use crate::rule::Cx;

declare_rule! {
    /// A ConfigMap that is marked as an envelope.
    ///
    /// ## Why it matters
    /// Releases before v0.1 unpacked such a ConfigMap on the members. Today it is placed as it is, and what is in
    /// it is never applied.
    ///
    /// ## What to do
    /// Write a ClusterResourceEnvelope or a ResourceEnvelope.
    pub static CONFIG_MAP_AS_ENVELOPE = Rule {
        code: "FL1604",
        name: "config-map-as-envelope",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[],
        check: config_map_as_envelope,
    }
}

fn config_map_as_envelope(cx: &mut Cx<'_>) {
    for object in cx.repository().foreign.iter().filter(|object| object.role == FileRole::Judged) {
        let annotations = object.written().at(&["metadata", "annotations"]);
        let mark = annotations.and_then(|annotations| annotations.get(ENVELOPE_ANNOTATION));
        let Some(mark) = mark.filter(|_| &*object.key.kind == "ConfigMap") else { continue };
        let finding = CONFIG_MAP_AS_ENVELOPE
            .at_field(&mark.key_place(), "no longer means anything")
            .for_object(object.key.clone())
            .message(format!("{} is marked as an envelope, which is not unpacked", object.key))
            .why("it is placed as a plain ConfigMap; write a ResourceEnvelope instead");
        cx.report(finding);
    }
}
