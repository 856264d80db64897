//! FL1301 field-not-for-type.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A field of the policy that does not go with its placement type.
    ///
    /// ## Why it matters
    /// PickFixed takes cluster names only, PickAll no names and no number, PickN a number and no names. A key
    /// counts even if its value is empty.
    ///
    /// ## What to do
    /// Remove the field, or change the placement type.
    pub static FIELD_NOT_FOR_TYPE = Rule {
        code: "FL1301",
        name: "field-not-for-type",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: field_not_for_type,
    }
}

fn field_not_for_type(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let policy = &placement.object.policy;
        let (Some(site), Some(kind)) = (&policy.site, &policy.kind) else { continue };
        let word = &**kind;
        let (id, refused) = match word {
            "PickFixed" => (
                "policy-pickfixed-fields",
                vec![
                    policy.affinity.clone(),
                    policy.count_site.clone(),
                    policy.spread_site(),
                    policy.tolerations().site,
                ],
            ),
            "PickAll" => (
                "policy-pickall-fields",
                vec![policy.clusters.site.clone(), policy.count_site.clone(), policy.spread_site()],
            ),
            "PickN" => ("policy-pickn-fields", vec![policy.clusters.site.clone()]),
            _ => continue,
        };
        let manifest = placement.manifest;
        let Some(rule) = manifest.server_rule(id) else { continue };
        if manifest.is_ratcheted(&site.place()) {
            continue;
        }
        for field in refused.into_iter().flatten() {
            let place = field.key_place();
            let name = &place.path.field;
            let finding = FIELD_NOT_FOR_TYPE
                .at_field(&place, format!("not with {word}"))
                .also(kind.place().span, "the type")
                .message(format!("{name} cannot be set when the placement type is {word}"))
                .why(&*rule.message)
                .fix(
                    Safety::Consent,
                    manifest.remove(&field.pointer()).filter(|_| field.is_empty()),
                );
            cx.report(finding);
        }
    }
}
