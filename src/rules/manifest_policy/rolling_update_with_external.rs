//! FL1317 rolling-update-with-external.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
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
    for placement in cx.drafts::<Placement>() {
        let external = placement.strategy.as_deref() == Some("External");
        let Some(rolling) = placement.rolling_update.as_ref().filter(|_| external) else {
            continue;
        };
        let finding = ROLLING_UPDATE_WITH_EXTERNAL
            .at_field(&rolling.key_place(), "not with External")
            .message(format!("{} is External and sets rollingUpdate", placement.show()))
            .why("with External the runs decide how clusters are updated")
            .fix(Safety::Consent, placement.manifest.remove(&rolling.pointer()));
        cx.report(cx.refused_or_warned(placement.manifest, finding));
    }
}
