//! FL1602 envelope-namespace.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Draft;
use crate::model::envelope::{Envelope, EnvelopedObject};
use crate::rule::Cx;
use crate::syntax::edit::{NewValue, TextEdit};
use crate::syntax::node_path::FieldPlace;

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
    for envelope in cx.drafts::<Envelope>() {
        for entry in &envelope.object.entries {
            let Some((place, why)) = misfit(&envelope, entry) else { continue };
            let finding = ENVELOPE_NAMESPACE
                .at_field(&place, "does not belong in this envelope")
                .message(format!("`{}` in {} is {why}", entry.key, envelope.show()))
                .why("the placement fails on every cluster")
                .fix(Safety::Safe, with_namespace(&envelope, entry));
            cx.report(finding);
        }
    }
}

/// Says where and why the namespace of an entry is not that of its envelope.
fn misfit(envelope: &Draft<'_, Envelope>, entry: &EnvelopedObject) -> Option<(FieldPlace, String)> {
    let metadata = entry.metadata.as_ref()?;
    let own = &*envelope.manifest.key.namespace;
    match (entry.stated_namespace(), envelope.manifest.is_cluster_scoped()) {
        (Some(namespace), true) => {
            let why = "a namespaced object in a cluster resource envelope";
            Some((namespace.place(), why.to_owned()))
        }
        (Some(namespace), false) if !own.is_empty() && **namespace != *own => {
            Some((namespace.place(), format!("an object of another namespace than {own}")))
        }
        (None, false) if entry.lacks_namespace() => {
            let why = "an object without namespace in a resource envelope";
            Some((metadata.missing("namespace"), why.to_owned()))
        }
        _ => None,
    }
}

/// Writes the namespace that can only be meant.
fn with_namespace(envelope: &Draft<'_, Envelope>, entry: &EnvelopedObject) -> Option<TextEdit> {
    let (metadata, own) = (entry.metadata.as_ref()?, &*envelope.manifest.key.namespace);
    let lacks = entry.stated_namespace().is_none() && !envelope.manifest.is_cluster_scoped();
    let namespace = NewValue::Text(own.to_owned());
    let change = envelope.manifest.insert(&metadata.pointer(), "name", "namespace", namespace);
    change.filter(|_| lacks && !own.is_empty())
}
