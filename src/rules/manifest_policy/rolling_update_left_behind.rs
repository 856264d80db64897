//! FL1327 rolling-update-left-behind.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{Draft, Manifest};
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A placement that becomes External while its rolling update stays behind.
    ///
    /// ## Why it matters
    /// The webhook had filled in `rollingUpdate` although the file did not have it. `kubectl apply` changes only what
    /// the file speaks of, so the block stays, and the webhook refuses it together with External. Replacing the
    /// object works.
    ///
    /// ## What to do
    /// Write `rollingUpdate: null` beside `type: External` for the first apply.
    pub static ROLLING_UPDATE_LEFT_BEHIND = Rule {
        code: "FL1327",
        name: "rolling-update-left-behind",
        severity: Severity::Warning,
        layer: Layer::Webhook,
        reads: &[Kind::Placement],
        check: rolling_update_left_behind,
    }
}

fn rolling_update_left_behind(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>().filter(|it| it.manifest.is_cluster_scoped()) {
        let (Some(before), true) = (placement.before(), cx.has_webhooks()) else { continue };
        let Some(kind) = &placement.strategy else { continue };
        let was = before.strategy.as_deref().unwrap_or("RollingUpdate");
        if *kind != "External" || was != "RollingUpdate" || is_spoken_of(cx, &placement) {
            continue;
        }
        let finding = ROLLING_UPDATE_LEFT_BEHIND
            .at_field(&kind.place(), "rollingUpdate stays beside it")
            .message(format!(
                "kubectl apply cannot make {} External: the stored rollingUpdate stays, \
                     and is refused",
                placement.name()
            ))
            .hint("write `rollingUpdate: null` beside it, or replace the object");
        cx.report(finding);
    }
}

/// Says whether the old or the new manifest speaks of `rollingUpdate`, be it as null: then apply takes it away.
fn is_spoken_of(cx: &Cx<'_>, placement: &Draft<'_, Placement>) -> bool {
    let speaks = |manifest: &Manifest| {
        let strategy = manifest.written().at(&["spec", "strategy"]);
        strategy.is_some_and(|strategy| strategy.has_key("rollingUpdate"))
    };
    let before = placement.manifest.before.as_ref();
    let old = before.and_then(|old| cx.repository().manifests.get(old.index));
    speaks(placement.manifest) || old.is_none_or(speaks)
}
