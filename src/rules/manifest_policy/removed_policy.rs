//! FL1314 removed-policy.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::Placement) {
        let Some(before) = manifest.before() else { continue };
        let root = manifest.stored();
        let (Some(old), None) = (before.at(&["spec", "policy"]), root.at(&["spec", "policy"]))
        else {
            continue;
        };
        let (Some(rule), Some(spec)) = (manifest.server_rule("policy-removed"), root.get("spec"))
        else {
            continue;
        };
        let finding = REMOVED_POLICY
            .on(&spec.missing("policy"), "policy is gone")
            .also(old.key_span(), "it was set here")
            .message(format!("the policy of {} {} was removed", manifest.key.kind, manifest.name()))
            .why(&*rule.message);
        cx.report(finding);
    }
}
