//! FL1517 changed-override-placement.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::same;
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
    for manifest in cx.of(Kind::Override) {
        let Some(rule) = manifest.server_rule("override-placement-immutable") else { continue };
        let Some(before) = manifest.before() else { continue };
        let root = manifest.stored();
        let (Some(was), Some(spec)) = (before.get("spec"), root.get("spec")) else { continue };
        let (old, new) = (was.get("placement"), spec.get("placement"));
        let alike = match (&old, &new) {
            (Some(old), Some(new)) => same(old.node, new.node),
            (None, None) => true,
            _ => false,
        };
        if alike {
            continue;
        }
        let place = new.map_or_else(|| spec.missing("placement"), |new| new.key_place());
        let finding = CHANGED_OVERRIDE_PLACEMENT
            .on(&place, "changed")
            .also_at(old.map(|old| old.key_span()), "was this")
            .message(format!(
                "the placement of {} {} may not change",
                manifest.key.kind,
                manifest.name()
            ))
            .why(&*rule.message);
        cx.report(finding);
    }
}
