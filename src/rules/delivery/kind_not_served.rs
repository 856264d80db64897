//! FL0707 kind-not-served.

use crate::declare_rule;
use crate::facts::refusal::Refusal;
use crate::finding::{Command, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::refused_resource::{causes, finding_for_refusals, members, refused};

declare_rule! {
    /// An object of a kind that the member's API server does not know.
    ///
    /// ## Why it matters
    /// The CustomResourceDefinition is not installed on the member (or not in this version), so the agent
    /// cannot even read the manifest: `DecodingErred`. Everything else in the Work is applied.
    ///
    /// ## What to do
    /// Place the CRD on the same members, best by a placement of its own that is rolled out first, or take
    /// the object out. If the CRD is in the same Work, the agent needs one more pass and succeeds by itself.
    pub static KIND_NOT_SERVED = Rule {
        code: "FL0707",
        name: "kind-not-served",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: kind_not_served,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_NOMATCH];

fn kind_not_served(cx: &mut Cx<'_>) {
    let unknown = causes(cx, WORDS, |refusal, phrase| {
        let kind = phrase.get("kind").unwrap_or(&refusal.object.kind).to_owned();
        let version = phrase.get("group-version").unwrap_or_default().to_owned();
        (refusal.placement.clone(), kind, version)
    });
    for ((_, kind, version), cause) in unknown {
        let Some(mut finding) = finding_for_refusals(
            &KIND_NOT_SERVED,
            cx,
            &cause,
            "kind",
            "the member does not know this kind",
        ) else {
            continue;
        };
        let Some((refusal, _)) = cause.first() else { continue };
        let group = version.split_once('/').map_or("", |(group, _)| group);
        finding = finding
            .message(format!(
                "{} cannot be applied on {}: no CustomResourceDefinition for {kind} ({version}) \
                 is installed there.",
                refused(&cause),
                members(&cause),
            ))
            .why(
                "The API server of the member does not serve this kind, so the member agent \
                  cannot decode the manifest. It applies the rest of the Work.",
            )
            .step(
                resources_of(refusal.cluster(), group),
                format!("lists what the member serves of {}", group_name(group)),
            );
        if brings_definition(cx, refusal, &kind) {
            finding = finding.severity(Severity::Warning).why(
                "A Work of the same cluster brings the CustomResourceDefinition. Once it is \
                 served, the next attempt of the member agent succeeds.",
            );
        } else {
            finding = finding.hint(format!(
                "Place the CustomResourceDefinition of {kind} on {} first, by a \
                 ClusterResourcePlacement of its own.",
                members(&cause)
            ));
        }
        cx.report(after_repair_of(finding, cx, &cause, Repair::Member));
    }
}

/// Says whether a Work brings the definition of a kind to the same cluster.
fn brings_definition(cx: &Cx<'_>, refusal: &Refusal, kind: &str) -> bool {
    let works = cx.works_of(refusal.cluster());
    let manifests = works.flat_map(|work| &work.manifests);
    let mut definitions =
        manifests.filter(|manifest| manifest.kind.as_deref() == Some("CustomResourceDefinition"));
    definitions.any(|definition| definition.defined_kind().is_some_and(|defined| *defined == *kind))
}

fn group_name(group: &str) -> String {
    if group.is_empty() { "the core group".to_owned() } else { format!("group {group}") }
}

/// Lists what a member serves of a group; the core group has no name.
fn resources_of(cluster: &str, group: &str) -> Option<Command> {
    let builder = look_at(cluster).words("api-resources");
    match group {
        "" => builder.words("--api-group="),
        _ => builder.joined("--api-group=", group),
    }
    .build()
}
