//! FL1707 bad-identity.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::cluster::MemberCluster;
use crate::rule::Cx;

declare_rule! {
    /// A member identity that cannot be bound to a role.
    ///
    /// ## Why it matters
    /// The hub agent makes a role binding of it: only ServiceAccount, User and Group can be bound, and a
    /// ServiceAccount needs its namespace.
    ///
    /// ## What to do
    /// Correct the identity.
    pub static BAD_IDENTITY = Rule {
        code: "FL1707",
        name: "bad-identity",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::MemberCluster],
        check: bad_identity,
    }
}

fn bad_identity(cx: &mut Cx<'_>) {
    for member in cx.drafts::<MemberCluster>() {
        let Some(identity) = &member.identity else { continue };
        let Some(kind) = &identity.kind else { continue };
        let nameless = identity.namespace.as_deref().is_none_or(str::is_empty);
        let (place, why) = match &**kind {
            "ServiceAccount" if nameless => {
                (identity.site.missing("namespace"), "a ServiceAccount needs its namespace")
            }
            "ServiceAccount" | "User" | "Group" => continue,
            _ => (kind.place(), "only ServiceAccount, User and Group can be bound"),
        };
        let finding = BAD_IDENTITY
            .at_field(&place, why)
            .message(format!(
                "no role can be bound to the identity of MemberCluster {}: {why}",
                member.name()
            ))
            .why("the member never gets access to its namespace on the hub");
        cx.report(finding);
    }
}
