//! FL1307 preferred-with-pick-all.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A preference among clusters where all of them are picked.
    ///
    /// ## Why it matters
    /// PickAll takes every cluster that is allowed, so preferences mean nothing; the webhook of
    /// ClusterResourcePlacement refuses them.
    ///
    /// ## What to do
    /// Remove the preferences, or use PickN.
    pub static PREFERRED_WITH_PICK_ALL = Rule {
        code: "FL1307",
        name: "preferred-with-pick-all",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: preferred_with_pick_all,
    }
}

fn preferred_with_pick_all(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let kind = placement.policy.kind.as_deref();
        let preferences = placement.policy.preferences();
        let preferred = preferences.site.as_ref().filter(|_| !preferences.is_empty());
        let Some(preferred) = preferred.filter(|_| kind == Some("PickAll")) else { continue };
        let finding = PREFERRED_WITH_PICK_ALL
            .at_field(&preferred.key_place(), "means nothing with PickAll")
            .message(format!("{} picks all clusters and prefers some", placement.show()))
            .why("preferences choose among clusters; PickAll does not choose");
        cx.report(cx.refused_or_warned(placement.manifest, finding));
    }
}
