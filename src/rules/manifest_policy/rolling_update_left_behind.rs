//! FL1327 rolling-update-left-behind.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::syntax::tree::Node;

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
    for manifest in cx.of(Kind::Placement).filter(|manifest| manifest.is_cluster_scoped()) {
        let (Some(before), true) = (manifest.before(), cx.has_webhooks()) else { continue };
        let Some(kind) = manifest.stored().at(&["spec", "strategy", "type"]) else { continue };
        let was = before.at(&["spec", "strategy", "type"]);
        let becomes = kind.str() == Some("External")
            && was.is_none_or(|was| was.str() == Some("RollingUpdate"));
        // Written, be it as null: then apply takes it away.
        let speaks = |root: &Node| {
            root.at(&["spec", "strategy"]).is_some_and(|node| node.entry("rollingUpdate").is_some())
        };
        let old = manifest.before.as_ref().and_then(|old| cx.repository().manifests.get(old.index));
        if !becomes || speaks(&manifest.root) || old.is_none_or(|old| speaks(&old.root)) {
            continue;
        }
        let finding = ROLLING_UPDATE_LEFT_BEHIND
            .on(&kind.place(), "rollingUpdate stays beside it")
            .message(format!(
                "kubectl apply cannot make {} External: the stored rollingUpdate stays, and is refused",
                manifest.name()
            ))
            .hint("write `rollingUpdate: null` beside it, or replace the object");
        cx.report(finding);
    }
}
