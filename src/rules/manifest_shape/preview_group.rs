//! FL1007 preview-group.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest;
use crate::rule::Cx;

declare_rule! {
    /// A manifest of the next generation of the API, which no hub serves.
    ///
    /// ## Why it matters
    /// The CRDs of `placement.kubefleet.dev` are not part of the hub chart and no controller reads them.
    ///
    /// ## What to do
    /// Use the kinds of `placement.kubernetes-fleet.io`.
    pub static PREVIEW_GROUP = Rule {
        code: "FL1007",
        name: "preview-group",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[],
        check: preview_group,
    }
}

fn preview_group(cx: &mut Cx<'_>) {
    for object in cx.judged() {
        let place = object.written().get("apiVersion").map(|version| version.place());
        let preview = object.spec.is_some_and(|spec| spec.group == manifest::PREVIEW_GROUP);
        if let (Some(place), true) = (place, preview) {
            let finding = PREVIEW_GROUP
                .at_field(&place, "not shipped with the hub chart")
                .message("no hub serves `placement.kubefleet.dev` yet")
                .why("applying it fails with \"no matches for kind\" on a standard hub");
            cx.report(finding);
        }
    }
}
