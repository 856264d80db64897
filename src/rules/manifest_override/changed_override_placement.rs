//! FL1517 changed-override-placement.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::model::read::Site;
use crate::rule::Cx;

declare_rule! {
    /// An override whose placement was added, removed or changed.
    ///
    /// ## Why it matters
    /// The reference is fixed when the override is made; an absent scope counts as Cluster.
    ///
    /// ## What to do
    /// Make a new override under another name.
    pub static CHANGED_OVERRIDE_PLACEMENT = Rule {
        code: "FL1517",
        name: "changed-override-placement",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Override],
        check: changed_override_placement,
    }
}

fn changed_override_placement(cx: &mut Cx<'_>) {
    for item in cx.drafts::<Override>() {
        let manifest = item.manifest;
        let Some(rule) = manifest.server_rule("override-placement-immutable") else { continue };
        let Some(before) = item.before() else { continue };
        let (Some(_), Some(spec)) = (before.meta.spec(), item.meta.spec()) else { continue };
        if said(before) == said(&item) {
            continue;
        }
        let (old, new) = (&before.placement_site, &item.placement_site);
        let place = new.as_ref().map_or_else(|| spec.missing("placement"), Site::key_place);
        let finding = CHANGED_OVERRIDE_PLACEMENT
            .at_field(&place, "changed")
            .also_at(old.as_ref().map(|old| old.key_place().span), "was this")
            .message(format!("the placement of {} may not change", item.show()))
            .why(&*rule.message);
        cx.report(finding);
    }
}

/// Returns what an override says of its placement, if anything.
fn said(item: &Override) -> Option<(Option<&str>, Option<&str>)> {
    item.placement_site.as_ref()?;
    Some((item.placement.as_deref(), item.placement_scope.as_deref()))
}
