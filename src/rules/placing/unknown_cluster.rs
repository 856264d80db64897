//! FL0608 unknown-cluster.

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::graph::Listing;
use crate::kube::spelling::nearest_name;
use crate::model::said::Phrase;
use crate::rule::Cx;
use crate::rules::chain::join_names;
use crate::rules::commands::look_at_hub;
use crate::rules::placing::shortage::{Refused, Shortage, shortages};

declare_rule! {
    /// A placement that names a cluster which is not in the fleet.
    ///
    /// ## Why it matters
    /// A PickFixed policy wants every cluster that it names. A misspelt name, or a cluster that has left, keeps
    /// `Scheduled` False, fails every run, and counts as unavailable in a rolling update.
    ///
    /// ## What to do
    /// Correct the name in `spec.policy.clusterNames`, take it out, or join the cluster again.
    pub static UNKNOWN_CLUSTER = Rule {
        code: "FL0608",
        name: "unknown-cluster",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::PolicySnapshot, Kind::MemberCluster, Kind::Binding, Kind::Run],
        check: unknown_cluster,
    }
}

fn unknown_cluster(cx: &mut Cx<'_>) {
    for shortage in shortages(cx) {
        let refusals = shortage.refused_for(&[id::DECISION_FIXED_NOTFOUND, id::OLD_DEC_NOTFOUND]);
        let findings: Vec<Finding> =
            refusals.iter().filter_map(|refusal| describe(cx, &shortage, refusal)).collect();
        findings.into_iter().for_each(|finding| cx.report(finding));
    }
}

fn describe(
    cx: &Cx<'_>,
    shortage: &Shortage<'_>,
    (refused, phrase): &(&Refused<'_>, Phrase<'_>),
) -> Option<Finding> {
    let name = refused.name()?;
    let key = shortage.key();
    let listed = shortage.policy().clusters.iter().find(|cluster| &***cluster == name);
    let place = listed.map_or_else(|| cx.span_of(phrase), |listed| listed.span);
    let members: Vec<&str> = cx.members().iter().map(|member| member.meta.name()).collect();
    let bindings = cx.bindings_of(&key.namespace, &key.name);
    let left = bindings.into_iter().find(|binding| binding.cluster() == name);
    let near = nearest_name(name, members.iter().copied());
    let guess = match near {
        Some(near) if left.is_none() && near != name => format!("; did you mean {near}?"),
        _ if cx.find_member(name).is_some() => {
            "; at capture it is there, so the decision is older".to_owned()
        }
        _ if left.is_some() => "; it was there before and has left".to_owned(),
        _ => String::new(),
    };
    let fleet = if cx.listing("MemberCluster", "") == Listing::All {
        format!(" (the fleet has {})", join_names(&members))
    } else {
        String::new()
    };
    let finding = UNKNOWN_CLUSTER
        .at(place, "no member cluster has this name")
        .also(cx.span_of(phrase), "what the scheduler says")
        .also_at(left.map(|binding| binding.meta.name_span), format!("left over from {name}"))
        .message(format!("{key} {}: it names cluster {name}, which is not found in the fleet{guess}", shortage.show()))
        .why(format!("a PickFixed policy wants every cluster that it names{fleet}; the others are placed all the same"))
        .recover(Recoverability::ResumesAfterRepair)
        .command(look_at_hub().words("get memberclusters").build());
    Some(shortage.settle(finding))
}
