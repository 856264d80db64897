//! FL1023 live-metadata.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::rule::Cx;

declare_rule! {
    /// Metadata of a live object in a manifest.
    ///
    /// ## Why it matters
    /// uid, resourceVersion, generation, creationTimestamp and managedFields belong to one object on one
    /// server; a copy of them is ignored at best.
    ///
    /// ## What to do
    /// Remove them.
    pub static LIVE_METADATA = Rule {
        code: "FL1023",
        name: "live-metadata",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[],
        check: live_metadata,
    }
}

fn live_metadata(cx: &mut Cx<'_>) {
    const LIVE: [&str; 8] = [
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "selfLink",
        "managedFields",
    ];
    for manifest in cx.judged() {
        let Some(meta) = manifest.written().get("metadata") else { continue };
        let found: Vec<_> = LIVE.iter().filter_map(|key| meta.get(key)).collect();
        let Some(first) = found.first() else { continue };
        let mut finding = LIVE_METADATA
            .at_field(&first.key_place(), "of a live object")
            .message(format!(
                "{} {} was copied from a live object",
                manifest.key.kind,
                manifest.name()
            ))
            .why("these keys belong to one object on one server");
        for more in found.iter().skip(1) {
            finding = finding.also(more.key_span(), "this too");
        }
        cx.report(finding.fix_all(Safety::Safe, manifest.without_keys(&meta.pointer(), &LIVE)));
    }
}
