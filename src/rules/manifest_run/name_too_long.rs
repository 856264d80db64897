//! FL1201 name-too-long.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;

declare_rule! {
    /// A run or member cluster whose name is too long.
    ///
    /// ## Why it matters
    /// The name becomes the value of labels, which have at most 63 characters; the API server refuses longer
    /// names, and an object that an old version let through cannot even be updated.
    ///
    /// ## What to do
    /// Choose a shorter name.
    pub static NAME_TOO_LONG = Rule {
        code: "FL1201",
        name: "name-too-long",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[Kind::Run, Kind::MemberCluster],
        check: name_too_long,
    }
}

fn name_too_long(cx: &mut Cx<'_>) {
    for (family, id, most) in
        [(Kind::Run, "run-name-length", 63), (Kind::MemberCluster, "member-name-length", 63)]
    {
        for manifest in cx.of(family) {
            let Some(rule) = manifest.server_rule(id) else { continue };
            let most = if &*manifest.version == "v1alpha1" { 127 } else { most };
            let length = manifest.name().chars().count();
            if length <= most {
                continue;
            }
            let finding = NAME_TOO_LONG
                .at_field(&manifest.name_place(), format!("{length} characters"))
                .message(format!(
                    "the name of this {} has {length} characters, at most {most} are allowed",
                    manifest.key.kind
                ))
                .why(&*rule.message);
            cx.report(finding);
        }
    }
}
