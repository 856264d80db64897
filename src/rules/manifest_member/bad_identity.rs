//! FL1707 bad-identity.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
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
    for manifest in cx.of(Kind::MemberCluster) {
        let Some(identity) = manifest.stored().at(&["spec", "identity"]) else { continue };
        let Some(kind) = identity.get("kind") else { continue };
        let nameless = identity.text("namespace").is_none_or(str::is_empty);
        let (place, why) = match kind.str() {
            Some("ServiceAccount") if nameless => {
                (identity.missing("namespace"), "a ServiceAccount needs its namespace")
            }
            Some("ServiceAccount" | "User" | "Group") | None => continue,
            Some(_) => (kind.place(), "only ServiceAccount, User and Group can be bound"),
        };
        let finding = BAD_IDENTITY
            .on(&place, why)
            .message(format!(
                "no role can be bound to the identity of MemberCluster {}: {why}",
                manifest.name()
            ))
            .why("the member never gets access to its namespace on the hub");
        cx.report(finding);
    }
}
