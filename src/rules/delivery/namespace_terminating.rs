//! FL0706 namespace-terminating.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::refused_resource::{causes, finding_for_refusals, refused};
use crate::rules::sentence::member_name;

declare_rule! {
    /// Objects for a namespace that is going away on the member.
    ///
    /// ## Why it matters
    /// A namespace in phase `Terminating` takes no new objects. It goes once everything in it is gone; a
    /// finalizer that nobody serves keeps it permanently.
    ///
    /// ## What to do
    /// Find what holds the namespace on the member (its conditions name kinds and finalizers) and let the
    /// deletion finish, then place the namespace again. The agent tries again by itself.
    pub static NAMESPACE_TERMINATING = Rule {
        code: "FL0706",
        name: "namespace-terminating",
        severity: Severity::Error,
        reads: &[Kind::Work, Kind::Namespace],
        check: namespace_terminating,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_NSTERMINATING];

fn namespace_terminating(cx: &mut Cx<'_>) {
    let going = causes(cx, WORDS, |refusal, phrase| {
        let namespace = phrase.get("namespace").unwrap_or(&refusal.object.namespace).to_owned();
        (refusal.object.cluster.clone(), namespace)
    });
    for ((cluster, namespace), cause) in going {
        let Some(mut finding) = finding_for_refusals(
            &NAMESPACE_TERMINATING,
            cx,
            &cause,
            "namespace",
            "this namespace is being terminated",
        ) else {
            continue;
        };
        let key = ObjectKey {
            cluster: cluster.clone(),
            kind: "Namespace".into(),
            namespace: "".into(),
            name: namespace.as_str().into(),
        };
        let deleted = cx.find_object(Kind::Namespace, &key).and_then(|meta| meta.deleting);
        finding = finding
            .also_at(deleted.map(|time| time.span), "deleted here")
            .message(format!(
                "Namespace {namespace} on {} is being terminated, so {} cannot be created there.",
                member_name(&cluster),
                refused(&cause)
            ))
            .why(
                "A terminating namespace accepts no new objects. It goes when everything in it \
                  is gone; a finalizer that no controller removes holds it permanently.",
            )
            .step(
                look_at(&cluster).words("get namespaces").name(&namespace).words("-o yaml").build(),
                "names in its conditions the kinds and finalizers that are left",
            );
        cx.report(after_repair_of(finding, cx, &cause, Repair::Member));
    }
}
