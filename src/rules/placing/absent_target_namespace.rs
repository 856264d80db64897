//! FL0610 absent-target-namespace.

use crate::declare_rule;
use crate::finding::{Command, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::{Cx, Scope};
use crate::rules::chain::join_names;
use crate::rules::placing::shortage::shortages;

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
        scope: Scope::Bundle,
        reads: &[Kind::Placement, Kind::PolicySnapshot, Kind::MemberCluster, Kind::Run],
        check: absent_target_namespace,
    }
}

fn absent_target_namespace(cx: &mut Cx<'_>) {
    for shortage in shortages(cx) {
        let refusals = shortage.refused_for(&["decision.ns.absent", "decision.ns.nodata"]);
        let Some((_, first)) = refusals.first() else { continue };
        let key = shortage.key();
        let namespace = &key.namespace;
        let names = join_names(refusals.iter().filter_map(|(refused, _)| refused.name()));
        let names = if names.is_empty() { "a cluster".to_owned() } else { names };
        let mut finding = ABSENT_TARGET_NAMESPACE
            .at(cx.span_of(first), "the namespace is not there")
            .message(format!("{key} {}: namespace {namespace} does not exist on {names}", shortage.show()))
            .help("a ResourcePlacement does not place its own namespace; a ClusterResourcePlacement has to bring it first")
            .recover(Recoverability::ResumesAfterRepair)
            .command(Command::look(format!("kubectl get clusterresourceplacements -o yaml | grep -B3 -A3 'name: {namespace}'")));
        for (refused, phrase) in refusals.iter().skip(1).take(3) {
            let name = refused.name().unwrap_or("this one");
            finding = finding.also(cx.span_of(phrase), format!("why not {name}"));
        }
        let finding = shortage.settle(finding);
        cx.report(finding);
    }
}
