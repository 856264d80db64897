//! FL0610 absent-target-namespace.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::scheduling::shortage_words::{after_change, explain_shortage, show};

use crate::rules::sentence::join_names;

declare_rule! {
    /// A ResourcePlacement whose namespace is not on the cluster.
    ///
    /// ## Why it matters
    /// A ResourcePlacement does not bring its namespace along. Where members report their namespaces, the scheduler
    /// refuses a cluster that lacks it.
    ///
    /// ## What to do
    /// Place the namespace with a ClusterResourcePlacement (`selectionScope: NamespaceOnly`); the scheduler looks
    /// again when the member reports it.
    pub static ABSENT_TARGET_NAMESPACE = Rule {
        code: "FL0610",
        name: "absent-target-namespace",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::MemberCluster],
        check: absent_target_namespace,
    }
}

fn absent_target_namespace(cx: &mut Cx<'_>) {
    for shortage in cx.shortages() {
        let refusals = shortage.refused_for(&[id::DECISION_NS_ABSENT, NO_DATA]);
        let Some((_, first)) = refusals.first() else { continue };
        let namespace = &shortage.key().namespace;
        let names = join_names(refusals.iter().filter_map(|(refused, _)| refused.name()));
        let names = if names.is_empty() { "a cluster".to_owned() } else { names };
        let by_now: Vec<_> = refusals
            .iter()
            .filter_map(|(refused, _)| {
                let member = cx.find_member(refused.name()?)?;
                Some((member.meta.name(), member.namespace_span(namespace)?))
            })
            .collect();
        let unknown = refusals.iter().all(|(_, phrase)| phrase.is(&[NO_DATA]));
        let what = if unknown {
            format!("{names} has not reported its namespaces")
        } else {
            format!("namespace {namespace} does not exist on {names}")
        };
        let since = match by_now.as_slice() {
            [] => String::new(),
            known => format!(
                " At the capture {} has it: the decision is older.",
                join_names(known.iter().map(|(name, _)| *name))
            ),
        };
        let mut finding = ABSENT_TARGET_NAMESPACE
            .at(cx.span_of(first), "refused for this namespace")
            .message(format!("{} The scheduler skips a cluster: {what}.", show(shortage)))
            .why(format!(
                "A ResourcePlacement does not place its own namespace. A ClusterResourcePlacement \
                 has to create it first.{since}"
            ))
            .hint(format!(
                "Select namespace {namespace} in a ClusterResourcePlacement with selectionScope: \
                 NamespaceOnly, on the same clusters."
            ))
            .step(
                look_at_hub().words(SELECTIONS).build(),
                format!("shows which placement selects namespace {namespace}"),
            );
        for (refused, phrase) in refusals.iter().skip(1).take(3) {
            let name = refused.name().unwrap_or("this one");
            finding = finding.also(cx.span_of(phrase), format!("why not {name}"));
        }
        for (name, span) in by_now.iter().take(2) {
            finding = finding.also(*span, format!("{name} has it by now"));
        }
        let finding = explain_shortage(shortage, after_change(finding, cx, shortage));
        cx.report(finding);
    }
}

/// Lists what each placement selects.
const SELECTIONS: &str = "get clusterresourceplacements \
     -o custom-columns=NAME:.metadata.name,SELECTS:.spec.resourceSelectors[*].name";

/// The scheduler's words for a cluster that reports no namespaces at all.
const NO_DATA: MessageId = id::DECISION_NS_NODATA;
