//! FL1301 field-not-for-type.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::Placement) {
        let Some(policy) = manifest.stored().at(&["spec", "policy"]) else { continue };
        let (id, refused): (_, &[&str]) = match policy.text("placementType") {
            Some("PickFixed") => (
                "policy-pickfixed-fields",
                &["affinity", "numberOfClusters", "topologySpreadConstraints", "tolerations"],
            ),
            Some("PickAll") => (
                "policy-pickall-fields",
                &["clusterNames", "numberOfClusters", "topologySpreadConstraints"],
            ),
            Some("PickN") => ("policy-pickn-fields", &["clusterNames"]),
            _ => continue,
        };
        let Some(rule) = manifest.server_rule(id) else { continue };
        if manifest.is_ratcheted(&policy.place()) {
            continue;
        }
        let kind = policy.get("placementType");
        for field in refused.iter().filter_map(|key| policy.get(key)) {
            let word = policy.text("placementType").unwrap_or_default();
            let name = field.place().path.field;
            let finding = FIELD_NOT_FOR_TYPE
                .on(&field.key_place(), format!("not with {word}"))
                .also_at(kind.as_ref().map(|kind| kind.place().span), "the type")
                .message(format!("{name} cannot be set when the placement type is {word}"))
                .why(&*rule.message)
                .fix(
                    Safety::Consent,
                    manifest.without(&field.pointer()).filter(|_| field.node.is_empty()),
                );
            cx.report(finding);
        }
    }
}
