//! FL1512 override-clash.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::same;
use crate::rule::Cx;
use crate::rules::manifest_override::part::selectors;

declare_rule! {
    /// An object that two overrides select.
    ///
    /// ## Why it matters
    /// Only one override of a kind may select an object, even if they are for different placements; the webhook
    /// refuses the second.
    ///
    /// ## What to do
    /// Merge the two overrides.
    pub static OVERRIDE_CLASH = Rule {
        code: "FL1512",
        name: "override-clash",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: override_clash,
    }
}

fn override_clash(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for manifest in cx.of(Kind::Override) {
        for selector in selectors(manifest) {
            let others = repository.of(Kind::Override).filter(|other| {
                other.key.kind == manifest.key.kind
                    && other.key.namespace == manifest.key.namespace
                    && other.key.name != manifest.key.name
                    && repository.is_together(manifest.span, other.span)
            });
            for other in others {
                let taken =
                    selectors(other).into_iter().find(|taken| same(taken.node, selector.node));
                let Some(taken) = taken else { continue };
                let finding = OVERRIDE_CLASH
                    .on(&selector.place(), "selected here")
                    .also(taken.place().span, "and here")
                    .layer(cx.hook_layer(manifest))
                    .message(format!(
                        "{} {} is selected by both {} and {}",
                        selector.text("kind").unwrap_or_default(),
                        selector.text("name").unwrap_or_default(),
                        manifest.name(),
                        other.name()
                    ))
                    .why("one object is overridden by one override: merge them");
                cx.report(finding);
            }
        }
    }
}
