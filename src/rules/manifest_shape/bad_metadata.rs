//! FL1017 bad-metadata.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A part of the metadata that the API server does not take.
    ///
    /// ## Why it matters
    /// An object that is created must not carry the resourceVersion of another one, times have to be RFC 3339,
    /// and finalizers are qualified names.
    ///
    /// ## What to do
    /// Remove what was copied from a live object.
    pub static BAD_METADATA = Rule {
        code: "FL1017",
        name: "bad-metadata",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: bad_metadata,
    }
}

fn bad_metadata(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let FaultKind::BadMetadata(why) = &fault.kind else { continue };
        let finding = BAD_METADATA
            .at_field(&fault.place, "not taken")
            .message(format!(
                "{} of {} {}: {why}",
                fault.place.path.field,
                manifest.key.kind,
                manifest.name()
            ))
            .why("this usually comes from copying a live object");
        cx.report(finding);
    }
}
