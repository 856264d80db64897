//! FL1313 removed-toleration.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::model::read::Site;
use crate::rule::Cx;

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
    for placement in cx.drafts::<Placement>() {
        let Some(before) = placement.before() else { continue };
        let rule = placement.manifest.server_rule("policy-removed");
        let Some(policy) = placement.policy.site.as_ref().filter(|_| rule.is_some()) else {
            continue;
        };
        let (old, new) = (before.policy.tolerations(), placement.policy.tolerations());
        for gone in &old {
            if new.iter().any(|kept| kept.words() == gone.words()) {
                continue;
            }
            let list = new.site.as_ref().map(Site::key_place);
            let place = list.unwrap_or_else(|| policy.missing("tolerations"));
            let key = gone.key.as_deref().unwrap_or_default();
            let finding = REMOVED_TOLERATION
                .at_field(&place, "not here any more")
                .also(gone.site.place().span, "this one is gone")
                .message(format!("{} loses the toleration of `{key}`", placement.show()))
                .why(
                    "tolerations have been updated/deleted, only additions to tolerations are \
                     allowed",
                );
            cx.report(cx.refused_or_warned(placement.manifest, finding));
        }
    }
}
