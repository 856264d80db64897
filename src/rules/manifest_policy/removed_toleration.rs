//! FL1313 removed-toleration.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::At;
use crate::rule::Cx;
use crate::source::Span;

declare_rule! {
    /// A toleration that was removed or changed.
    ///
    /// ## Why it matters
    /// Tolerations of a placement can only be added. The webhook of ClusterResourcePlacement refuses the
    /// update; in a ResourcePlacement clusters that were picked because of it stay picked.
    ///
    /// ## What to do
    /// Keep the old entry and add the new one beside it.
    pub static REMOVED_TOLERATION = Rule {
        code: "FL1313",
        name: "removed-toleration",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: removed_toleration,
    }
}

fn removed_toleration(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        let Some(before) = manifest.before() else { continue };
        let list = |root: At<'_>| -> Vec<(Span, [String; 4])> {
            let items = root.at(&["spec", "policy", "tolerations"]).map(|list| list.items());
            items.unwrap_or_default().iter().map(|item| (item.place().span, words(item))).collect()
        };
        let new = list(manifest.stored());
        let policy = manifest.stored().at(&["spec", "policy"]);
        let Some(policy) = policy.filter(|_| manifest.server_rule("policy-removed").is_some())
        else {
            continue;
        };
        for (span, old) in list(before) {
            if new.iter().any(|(_, words)| *words == old) {
                continue;
            }
            let place = policy
                .get("tolerations")
                .map_or_else(|| policy.missing("tolerations"), |at| at.key_place());
            let layer = cx.hook_layer(manifest);
            let finding = REMOVED_TOLERATION
                .on(&place, "not here any more")
                .also(span, "this one is gone")
                .message(format!("{} {} loses the toleration of `{}`", manifest.key.kind, manifest.name(), old[0]))
                .why("tolerations have been updated/deleted, only additions to tolerations are allowed");
            cx.report(match layer {
                Layer::Webhook => finding.layer(layer),
                _ => finding.layer(Layer::Advice).severity(Severity::Warning),
            });
        }
    }
}

fn words(toleration: &At<'_>) -> [String; 4] {
    ["key", "operator", "value", "effect"]
        .map(|key| toleration.text(key).unwrap_or_default().to_owned())
}
