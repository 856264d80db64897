//! FL0705 namespace-missing.

use crate::declare_rule;
use crate::facts::refusal::Refusal;
use crate::finding::{Command, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::model::work::{Work, WorkManifest};
use crate::rule::Cx;
use crate::rules::commands::show_command;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::refused_resource::{
    RefusalGroup, causes, finding_for_refusals, members, refused,
};
use crate::rules::sentence::join_names;
use crate::rules::sentence::member_name;

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
    /// NamespaceOnly` on the same clusters. The agent tries again by itself, and a stuck run then continues.
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
        let Some(mut finding) = finding_for_refusals(
            &NAMESPACE_MISSING,
            cx,
            &cause,
            "namespace",
            "the member has no such namespace",
        ) else {
            continue;
        };
        let Some((refusal, _)) = cause.first() else { continue };
        let bringer = find_bringer(cx, refusal, &namespace);
        finding = finding
            .message(format!(
                "Namespace {namespace} does not exist on {}, so {} cannot be created there.",
                members(&cause),
                refused(&cause)
            ))
            .why(
                "A placement creates no namespace unless it selects the namespace itself. A \
                  ResourcePlacement never does.",
            );
        finding = match bringer {
            Some(placement) => finding
                .hint(format!(
                    "{placement} selects namespace {namespace} for {}. Repair that placement \
                     first.",
                    refusal.cluster()
                ))
                .step(
                    show_command(&placement),
                    format!("shows why {placement} has not created the namespace"),
                ),
            None => finding
                .hint(format!(
                    "To create it on every cluster, select namespace {namespace} in a \
                     ClusterResourcePlacement with selectionScope: NamespaceOnly."
                ))
                .step(create_namespace(refusal.cluster(), &namespace), creates(&namespace, &cause)),
        };
        cx.report(after_repair_of(finding, cx, &cause, Repair::Member));
    }
}

/// Says what the command does, and where else it is needed.
fn creates(namespace: &str, cause: &RefusalGroup<'_>) -> String {
    let here = cause.first().map(|(refusal, _)| refusal.cluster());
    let others = cause.iter().map(|(refusal, _)| refusal.cluster());
    let others = join_names(others.filter(|cluster| Some(*cluster) != here).map(member_name));
    match others.is_empty() {
        true => format!("creates namespace {namespace}"),
        false => format!("creates namespace {namespace}; the same on {others}"),
    }
}

/// Finds the placement that should bring the namespace: one whose Work for the cluster carries it.
fn find_bringer(cx: &Cx<'_>, refusal: &Refusal, namespace: &str) -> Option<ObjectKey> {
    let is_it = |manifest: &WorkManifest| {
        manifest.kind.as_deref() == Some("Namespace") && manifest.name.as_deref() == Some(namespace)
    };
    let here = cx.works_of(refusal.cluster());
    here.filter(|work| work.manifests.iter().any(is_it)).find_map(Work::placement)
}

fn create_namespace(cluster: &str, namespace: &str) -> Option<Command> {
    let place = RunsOn::of_cluster(cluster);
    Command::kubectl(Risk::Reversible, place).words("create namespace").name(namespace).build()
}
