//! FL1317 rolling-update-with-external.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// Settings of the rolling update where runs do the rollout.
    ///
    /// ## Why it matters
    /// With `type: External` nothing rolls by itself. The webhook of ClusterResourcePlacement refuses the
    /// block; a ResourcePlacement ignores it.
    ///
    /// ## What to do
    /// Remove `rollingUpdate`.
    pub static ROLLING_UPDATE_WITH_EXTERNAL = Rule {
        code: "FL1317",
        name: "rolling-update-with-external",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: rolling_update_with_external,
    }
}

fn rolling_update_with_external(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Placement) {
        let Some(strategy) = manifest.stored().at(&["spec", "strategy"]) else { continue };
        let external = strategy.text("type") == Some("External");
        let Some(rolling) = strategy.get("rollingUpdate").filter(|_| external) else { continue };
        let layer = cx.hook_layer(manifest);
        let finding = ROLLING_UPDATE_WITH_EXTERNAL
            .on(&rolling.key_place(), "not with External")
            .message(format!(
                "{} {} is External and sets rollingUpdate",
                manifest.key.kind,
                manifest.name()
            ))
            .why("with External the runs decide how clusters are updated")
            .fix(Safety::Consent, manifest.without(&rolling.pointer()));
        cx.report(match layer {
            Layer::Webhook => finding.layer(layer),
            _ => finding.layer(Layer::Advice).severity(Severity::Warning),
        });
    }
}
