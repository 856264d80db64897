//! FL0631 cascading-override.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::overrides::override_finding::{
    after_repair, clusters, finding_for_override, name,
};
use crate::rules::sentence::{clip, full_stop};

declare_rule! {
    /// An override of a namespace that fails on an object within it.
    ///
    /// ## Why it matters
    /// A ClusterResourceOverride that selects a Namespace is applied to the namespace and to every object in it. A patch
    /// that fits the one seldom fits all others, and one failure keeps the whole placement from the cluster.
    ///
    /// ## What to do
    /// Override single objects with ResourceOverrides, or make the patch fit everything in the namespace (for a label:
    /// every object needs `metadata.labels`).
    pub static CASCADING_OVERRIDE = Rule {
        code: "FL0631",
        name: "cascading-override",
        severity: Severity::Error,
        reads: &[Kind::Binding],
        check: cascading_override,
    }
}

fn cascading_override(cx: &mut Cx<'_>) {
    for breakage in cx.broken_overrides().iter().filter(|breakage| breakage.is_cascade()) {
        let selector = breakage.source.and_then(|source| source.selectors.first());
        let namespace = selector.and_then(|selector| selector.name.as_deref()).unwrap_or("?");
        let place =
            breakage.patch_place().map(|span| (span, "applied to everything in the namespace"));
        let (name, clusters) = (name(breakage), clusters(breakage));
        let object = breakage.object.unwrap_or("an object");
        let finding = finding_for_override(breakage, cx, &CASCADING_OVERRIDE, place)
            .also_at(
                selector.map(|selector| selector.site.span),
                "selects the namespace, and everything in it",
            )
            .message(full_stop(&format!(
                "{name} selects namespace {namespace} and so patches every object in it. It fails \
                 on {object} for {clusters}: {}",
                clip(breakage.core.words()),
            )))
            .why(
                "A ClusterResourceOverride of a Namespace is applied to each object in it as well. \
                  If one patch fails, nothing of the placement reaches the cluster.",
            )
            .hint("Override single objects with a ResourceOverride.");
        cx.report(after_repair(finding, cx, breakage));
    }
}
