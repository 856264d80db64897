//! FL1314 removed-policy.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A policy that was set and is gone.
    ///
    /// ## Why it matters
    /// The API server refuses to forget a policy once it is set.
    ///
    /// ## What to do
    /// Keep the policy, or make a new placement.
    pub static REMOVED_POLICY = Rule {
        code: "FL1314",
        name: "removed-policy",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Placement],
        check: removed_policy,
    }
}

fn removed_policy(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let Some(before) = placement.before() else { continue };
        let (Some(old), None) = (&before.policy.site, &placement.policy.site) else { continue };
        let rule = placement.manifest.server_rule("policy-removed");
        let (Some(rule), Some(spec)) = (rule, placement.meta.spec()) else { continue };
        let finding = REMOVED_POLICY
            .at_field(&spec.missing("policy"), "policy is gone")
            .also(old.key_place().span, "it was set here")
            .message(format!("the policy of {} was removed", placement.show()))
            .why(&*rule.message);
        cx.report(finding);
    }
}
