//! FL1004 version-not-served.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A version in which the kind is not served.
    ///
    /// ## Why it matters
    /// Evictions, disruption budgets and envelopes have no v1, and the namespaced kinds have no v1alpha1; the
    /// server answers with "not found".
    ///
    /// ## What to do
    /// Use one of the versions that the finding names.
    pub static VERSION_NOT_SERVED = Rule {
        code: "FL1004",
        name: "version-not-served",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: version_not_served,
    }
}

fn version_not_served(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let FaultKind::VersionNotServed(version, spec) = &fault.kind else { continue };
        let finding = VERSION_NOT_SERVED
            .at_field(&fault.place, "this version has no such kind")
            .message(format!("{} is not served as `{version}`", spec.name))
            .why(format!("it is served as {}", spec.versions.join(", ")))
            .fix(Safety::Safe, manifest.in_stored_version());
        cx.report(finding);
    }
}
