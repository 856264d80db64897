//! FL0705 namespace-missing.

use crate::declare_rule;
use crate::facts::refusal::Refusal;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::work::{Manifest, Work};
use crate::rule::Cx;
use crate::rules::chain::{causes, members, refused, tell};
use crate::rules::commands::look_at;

declare_rule! {
    /// Objects for a namespace that does not exist on the member.
    ///
    /// ## Why it matters
    /// A ResourcePlacement brings the objects of its namespace, never the namespace itself, and a
    /// ClusterResourcePlacement can select objects without it too. Every create fails until the namespace is
    /// there; the scheduler filters such clusters only where namespaces are collected.
    ///
    /// ## What to do
    /// Place the namespace first: a ClusterResourcePlacement that selects it with `selectionScope:
    /// NamespaceOnly` on the same clusters. The agent tries again by itself, and a stuck run then goes on.
    pub static NAMESPACE_MISSING = Rule {
        code: "FL0705",
        name: "namespace-missing",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: namespace_missing,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_NONAMESPACE];

fn namespace_missing(cx: &mut Cx<'_>) {
    let missing = causes(cx, WORDS, |refusal, phrase| {
        let namespace = phrase.get("namespace").unwrap_or(&refusal.object.namespace).to_owned();
        (refusal.placement.clone(), namespace)
    });
    for ((_, namespace), cause) in missing {
        let Some(mut finding) =
            tell(&NAMESPACE_MISSING, cx, &cause, "namespace", "no such namespace on the member")
        else {
            continue;
        };
        let Some((refusal, _)) = cause.first() else { continue };
        finding = finding
            .message(format!(
                "namespace {namespace} does not exist on {}, so {} cannot be created there",
                members(&cause),
                refused(&cause)
            ))
            .why(help(cx, refusal, &namespace))
            .recover(Recoverability::ResumesAfterRepair)
            .command(look_at(refusal.cluster()).words("get namespaces").name(&namespace).build());
        cx.report(finding);
    }
}

/// Tells who should bring the namespace: a Work that carries it and waits itself, or nobody so far.
fn help(cx: &Cx<'_>, refusal: &Refusal, namespace: &str) -> String {
    let is_it = |manifest: &Manifest| {
        manifest.kind.as_deref() == Some("Namespace") && manifest.name.as_deref() == Some(namespace)
    };
    let here = cx.works_of(refusal.cluster());
    let bringer = here.filter(|work| work.manifests.iter().any(is_it)).find_map(Work::placement);
    match bringer {
        Some(placement) => format!(
            "{placement} should bring the namespace to {}: look there first",
            refusal.cluster()
        ),
        None => "place the namespace first, with a ClusterResourcePlacement that selects it (selectionScope \
                 NamespaceOnly) on the same clusters; the agent then succeeds with its next try"
            .to_owned(),
    }
}
