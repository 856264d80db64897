//! FL0643 outgrown-affinity.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::cluster::MemberCluster;
use crate::model::scheduling::{ClusterSelectorTerm, UnmetTerm};
use crate::model::snapshot::is_latest;
use crate::rule::Cx;

declare_rule! {
    /// A cluster that keeps what was placed although its labels no longer satisfy the required affinity.
    ///
    /// ## Why it matters
    /// The affinity is asked when a cluster is picked and ignored afterwards: a label that is changed or taken away later
    /// takes nothing off the cluster, and the placement continues updating it.
    ///
    /// ## What to do
    /// Nothing, if the cluster should keep it. Otherwise evict it, or give the placement another policy: then every cluster
    /// is judged anew.
    pub static OUTGROWN_AFFINITY = Rule {
        code: "FL0643",
        name: "outgrown-affinity",
        severity: Severity::Note,
        reads: &[Kind::PolicySnapshot, Kind::Binding, Kind::MemberCluster],
        check: outgrown_affinity,
    }
}

fn outgrown_affinity(cx: &mut Cx<'_>) {
    for policy in cx.policy_snapshots().iter().filter(|policy| is_latest(&policy.meta)) {
        let Some(placement) = policy.placement() else { continue };
        let terms = policy.policy.required_terms();
        if terms.is_empty() {
            continue;
        }
        for binding in cx.bindings_of(policy.meta.namespace(), placement) {
            let bound = binding.state.as_deref() == Some("Bound")
                && binding.meta.deleting.is_none()
                && binding.policy.as_deref() == Some(policy.meta.name());
            let member = bound.then(|| cx.find_member(binding.cluster())).flatten();
            let Some((member, lack)) =
                member.and_then(|member| Some((member, lack(member, &terms)?)))
            else {
                continue;
            };
            let name = member.meta.name();
            let (place, label) = match &lack.has {
                Some((value, span)) => (*span, format!("{name} has {value}")),
                None => (member.meta.name_span, format!("{name} has no {}", lack.key)),
            };
            cx.report(
                OUTGROWN_AFFINITY
                    .at(place, label)
                    .also(lack.span, "the policy requires this")
                    .also_at(binding.state.as_ref().map(|state| state.span), "still bound")
                    .message(format!(
                        "{name} keeps what {placement} placed although its labels no longer \
                         satisfy the affinity."
                    ))
                    .why("The scheduler checks the affinity only when it picks a cluster.")
                    .then(format!(
                        "{name} keeps it until someone evicts it or changes the policy. No action \
                         needed if it should stay."
                    ))
                    .recover(Recoverability::WaitsForPerson),
            );
        }
    }
}

/// Returns a label that a member lacks though every term requires one; properties come and go by themselves.
fn lack(member: &MemberCluster, terms: &[ClusterSelectorTerm]) -> Option<UnmetTerm> {
    if member.meta.partial || member.meta.labels.is_empty() {
        return None;
    }
    let labels =
        |term: &ClusterSelectorTerm| ClusterSelectorTerm { properties: Vec::new(), ..term.clone() };
    let lacks: Vec<_> = terms.iter().map(|term| labels(term).unmet(member)).collect();
    if lacks.iter().any(Vec::is_empty) {
        return None;
    }
    lacks.into_iter().flatten().next()
}
