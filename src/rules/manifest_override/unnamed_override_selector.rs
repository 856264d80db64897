//! FL1519 unnamed-override-selector.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

declare_rule! {
    /// A ClusterResourceOverride that does not select by name.
    ///
    /// ## Why it matters
    /// Overrides name the objects that they change; the webhook refuses label selectors and selectors without a
    /// name.
    ///
    /// ## What to do
    /// Name each object.
    pub static UNNAMED_OVERRIDE_SELECTOR = Rule {
        code: "FL1519",
        name: "unnamed-override-selector",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: unnamed_override_selector,
    }
}

fn unnamed_override_selector(cx: &mut Cx<'_>) {
    for item in cx.drafts::<Override>().filter(|it| it.manifest.is_cluster_scoped()) {
        for selector in &item.selectors {
            let (place, why) = match &selector.labels {
                Some(labels) => (
                    labels.site.key_place(),
                    "label selector is not supported for resource selection",
                ),
                None if selector.name.as_deref().is_none_or(str::is_empty) => {
                    (selector.site.place(), "resource name is required for resource selection")
                }
                None => continue,
            };
            let finding = UNNAMED_OVERRIDE_SELECTOR
                .at_field(&place, "has to be selected by name")
                .layer(cx.hook_layer(item.manifest))
                .message(format!(
                    "a selector of ClusterResourceOverride {} is refused: {why}",
                    item.name()
                ))
                .hint("name each object that is to be overridden");
            cx.report(finding);
        }
    }
}
