//! FL1022 status-in-manifest.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::rule::Cx;

declare_rule! {
    /// A status in a manifest.
    ///
    /// ## Why it matters
    /// What stands there is dropped when the file is applied. Approving through a file never works: the status
    /// has its own door.
    ///
    /// ## What to do
    /// Remove it. To approve, patch the status subresource.
    pub static STATUS_IN_MANIFEST = Rule {
        code: "FL1022",
        name: "status-in-manifest",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[],
        check: status_in_manifest,
    }
}

fn status_in_manifest(cx: &mut Cx<'_>) {
    for manifest in cx.judged().filter(|m| m.spec.is_some_and(|spec| spec.status_subresource)) {
        let Some(status) =
            manifest.written().get("status").filter(|status| !status.node.is_empty())
        else {
            continue;
        };
        let finding = STATUS_IN_MANIFEST
            .at_field(&status.key_place(), "dropped")
            .message(format!(
                "the status of {} {} is dropped when it is applied",
                manifest.key.kind,
                manifest.name()
            ))
            .why("the status is written by controllers, through a door of its own")
            .fix(Safety::Safe, manifest.remove(&status.pointer()));
        cx.report(finding);
    }
}
