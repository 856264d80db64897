//! FL1315 changed-placement-type.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A placement type that was changed.
    ///
    /// ## Why it matters
    /// The type of a placement is fixed when it is made; an absent type counts as PickAll.
    ///
    /// ## What to do
    /// Keep the type, or make a new placement.
    pub static CHANGED_PLACEMENT_TYPE = Rule {
        code: "FL1315",
        name: "changed-placement-type",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: changed_placement_type,
    }
}

fn changed_placement_type(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let Some(before) = placement.before() else { continue };
        let (Some(old), Some(new)) = (&before.policy.kind, &placement.policy.kind) else {
            continue;
        };
        let Some(rule) = placement.manifest.server_rule("policy-type-immutable") else { continue };
        let (from, to) = (&**old, &**new);
        if from == to {
            continue;
        }
        let finding = CHANGED_PLACEMENT_TYPE
            .at_field(&new.place(), format!("{to}, also where nothing is written"))
            .also(old.place().span, "was this")
            .message(format!("{} may not change from {from} to {to}", placement.show()))
            .why(&*rule.message);
        cx.report(finding);
    }
}
