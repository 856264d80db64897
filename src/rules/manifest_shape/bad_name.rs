//! FL1014 bad-name.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// An object name that Kubernetes does not allow.
    ///
    /// ## Why it matters
    /// Names are lower-case DNS names: a-z, 0-9, `-` and `.`, at most 253 characters.
    ///
    /// ## What to do
    /// Choose another name. References to the object have to follow.
    pub static BAD_NAME = Rule {
        code: "FL1014",
        name: "bad-name",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: bad_name,
    }
}

fn bad_name(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let FaultKind::BadName(why) = &fault.kind else { continue };
        let finding = BAD_NAME
            .at_field(&fault.place, "not allowed as a name")
            .message(format!("the name of this {} is not allowed: {why}", manifest.key.kind))
            .why("names of objects are lower-case DNS names");
        cx.report(finding);
    }
}
