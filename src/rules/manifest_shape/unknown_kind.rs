//! FL1003 unknown-kind.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// An `apiVersion` or `kind` that no hub knows.
    ///
    /// ## Why it matters
    /// The object cannot even be sent: there is no such kind in that group.
    ///
    /// ## What to do
    /// Write the kind and the group as KubeFleet has them.
    pub static UNKNOWN_KIND = Rule {
        code: "FL1003",
        name: "unknown-kind",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: unknown_kind,
    }
}

fn unknown_kind(cx: &mut Cx<'_>) {
    for (_, fault) in cx.faults() {
        let (message, help) = match &fault.kind {
            FaultKind::NoIdentity(key) => (
                format!("`{key}` is missing"),
                "without it nobody can tell what the object is".to_owned(),
            ),
            FaultKind::UnknownKind(kind, near) => (
                format!("there is no kind `{kind}` in this group"),
                near.map_or_else(
                    || "kinds are written with capitals and in the singular".to_owned(),
                    |spec| format!("did you mean `{}`?", spec.name),
                ),
            ),
            FaultKind::WrongGroup(version, spec) => (
                format!("there is no {} in `{version}`", spec.name),
                format!("it is served as `{}`", spec.api_version(spec.storage)),
            ),
            _ => continue,
        };
        let finding =
            UNKNOWN_KIND.at_field(&fault.place, "no hub knows this").message(message).hint(help);
        cx.report(finding);
    }
}
