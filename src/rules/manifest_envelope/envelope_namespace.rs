//! FL1602 envelope-namespace.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::syntax::change::Fresh;

declare_rule! {
    /// An object in an envelope of the wrong scope or namespace.
    ///
    /// ## Why it matters
    /// A ClusterResourceEnvelope holds cluster-scoped objects, which have no namespace; a ResourceEnvelope
    /// holds objects of its own namespace, and each has to say so.
    ///
    /// ## What to do
    /// Set the namespace of the envelope, or use the other envelope.
    pub static ENVELOPE_NAMESPACE = Rule {
        code: "FL1602",
        name: "envelope-namespace",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Envelope],
        check: envelope_namespace,
    }
}

fn envelope_namespace(cx: &mut Cx<'_>) {
    for manifest in cx.of(Kind::Envelope) {
        let entries = manifest.stored().get("data").map(|data| data.entries());
        for (key, entry) in entries.unwrap_or_default() {
            let Some(meta) = entry.get("metadata") else { continue };
            let namespace = meta.get("namespace").filter(|at| at.str() != Some(""));
            let own = &*manifest.key.namespace;
            let absent = namespace.is_none() && !own.is_empty();
            let (place, why) = match (namespace, manifest.is_cluster_scoped()) {
                (Some(at), true) => {
                    (at.place(), "a namespaced object in a cluster resource envelope".to_owned())
                }
                (None, false) => (
                    meta.missing("namespace"),
                    "an object without namespace in a resource envelope".to_owned(),
                ),
                (Some(at), false) if !own.is_empty() && at.str() != Some(own) => {
                    (at.place(), format!("an object of another namespace than {own}"))
                }
                _ => continue,
            };
            let finding = ENVELOPE_NAMESPACE
                .on(&place, "does not belong in this envelope")
                .message(format!("`{key}` in {} {} is {why}", manifest.key.kind, manifest.name()))
                .why("the placement fails on every cluster")
                .fix(
                    Safety::Safe,
                    manifest
                        .with(&meta.pointer(), "name", "namespace", Fresh::Text(own.to_owned()))
                        .filter(|_| absent && !manifest.is_cluster_scoped()),
                );
            cx.report(finding);
        }
    }
}
