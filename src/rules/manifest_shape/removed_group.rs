//! FL1005 removed-group.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::find_kind;
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A group that KubeFleet gave up with v0.1.
    ///
    /// ## Why it matters
    /// No hub serves `fleet.azure.com` any more. The kinds of that group have successors, but their fields
    /// differ.
    ///
    /// ## What to do
    /// Write the object anew for the group that the finding names.
    pub static REMOVED_GROUP = Rule {
        code: "FL1005",
        name: "removed-group",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: removed_group,
    }
}

fn removed_group(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let FaultKind::RemovedGroup(group) = &fault.kind else { continue };
        let successor = find_kind(&manifest.key.kind).filter(|spec| spec.is_fleet());
        let help = successor.map_or_else(
            || "it has no successor".to_owned(),
            |spec| format!("its successor is `{}`", spec.api_version(spec.storage)),
        );
        let finding = REMOVED_GROUP
            .at_field(&fault.place, "no hub serves this group")
            .message(format!("the group `{group}` was removed in v0.1"))
            .why(help);
        cx.report(finding);
    }
}
