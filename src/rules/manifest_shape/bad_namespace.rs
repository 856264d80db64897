//! FL1015 bad-namespace.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A namespace that cannot exist.
    ///
    /// ## Why it matters
    /// No namespace can have such a name, so the server answers that it is not found.
    ///
    /// ## What to do
    /// Write the name of a namespace: a-z, 0-9 and `-`, at most 63 characters.
    pub static BAD_NAMESPACE = Rule {
        code: "FL1015",
        name: "bad-namespace",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: bad_namespace,
    }
}

fn bad_namespace(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let FaultKind::BadNamespace(why) = &fault.kind else { continue };
        let finding = BAD_NAMESPACE
            .at_field(&fault.place, "no namespace can have this name")
            .message(format!(
                "{} {} names an impossible namespace: {why}",
                manifest.key.kind,
                manifest.name()
            ))
            .why("the server answers that the namespace is not found");
        cx.report(finding);
    }
}
