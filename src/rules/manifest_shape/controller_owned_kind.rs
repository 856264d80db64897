//! FL1024 controller-owned-kind.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Author;
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// An object that only controllers make.
    ///
    /// ## Why it matters
    /// Snapshots, bindings and Work are made and replaced by controllers; a copy in a repository is stale at
    /// once and may confuse them.
    ///
    /// ## What to do
    /// Remove it.
    pub static CONTROLLER_OWNED_KIND = Rule {
        code: "FL1024",
        name: "controller-owned-kind",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[],
        check: controller_owned_kind,
    }
}

fn controller_owned_kind(cx: &mut Cx<'_>) {
    for manifest in cx.judged() {
        let owned =
            manifest.spec.is_some_and(|spec| spec.is_fleet() && spec.author == Author::Agent);
        let approval = manifest.family() == Some(Kind::ApprovalRequest);
        let Some(kind) = manifest.written().get("kind").filter(|_| owned && !approval) else {
            continue;
        };
        let finding = CONTROLLER_OWNED_KIND
            .at_field(&kind.place(), "made by controllers")
            .message(format!(
                "{} {} is made by controllers and does not belong in a repository",
                manifest.key.kind,
                manifest.name()
            ))
            .why("a copy is stale at once");
        cx.report(finding);
    }
}
