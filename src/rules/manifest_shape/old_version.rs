//! FL1006 old-version.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::rule::Cx;

declare_rule! {
    /// A manifest in version v1alpha1.
    ///
    /// ## Why it matters
    /// The version is still served, but it lacks fields, and writing an object through it drops what it does
    /// not know: the state of a run, maxConcurrency and the gates before a stage.
    ///
    /// ## What to do
    /// Use v1beta1.
    pub static OLD_VERSION = Rule {
        code: "FL1006",
        name: "old-version",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[],
        check: old_version,
    }
}

fn old_version(cx: &mut Cx<'_>) {
    for manifest in cx.judged() {
        let Some(spec) = manifest.spec.filter(|spec| spec.is_fleet()) else { continue };
        let place = manifest.written().get("apiVersion").map(|version| version.place());
        if let (Some(place), "v1alpha1", Some(_)) = (place, &*manifest.version, manifest.schema) {
            let finding = OLD_VERSION
                .at_field(&place, "an old version")
                .message(format!("{} {} is written in v1alpha1", spec.name, manifest.name()))
                .hint(format!("use `{}`", spec.api_version(spec.storage)))
                .fix(Safety::Consent, manifest.in_stored_version());
            cx.report(finding);
        }
    }
}
