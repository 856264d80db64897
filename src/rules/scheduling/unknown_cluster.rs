//! FL0608 unknown-cluster.

use serde_json::json;

use crate::declare_rule;
use crate::facts::shortage::{RefusedCluster, Shortage};
use crate::finding::{Command, Finding, Incident, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::graph::Listing;
use crate::kube::spelling::nearest_name;
use crate::model::parsed_message::Phrase;
use crate::rule::Cx;
use crate::rules::commands::{edit_command, look_at_hub};
use crate::rules::scheduling::shortage_words::{after_change, explain_shortage, show};
use crate::rules::sentence::join_names;

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
        reads: &[Kind::Placement, Kind::MemberCluster, Kind::Binding],
        check: unknown_cluster,
    }
}

fn unknown_cluster(cx: &mut Cx<'_>) {
    for shortage in cx.shortages() {
        let refusals = shortage.refused_for(&[id::DECISION_FIXED_NOTFOUND, id::OLD_DEC_NOTFOUND]);
        let findings: Vec<Finding> =
            refusals.iter().filter_map(|refusal| describe(cx, shortage, refusal)).collect();
        findings.into_iter().for_each(|finding| cx.report(finding));
    }
}

fn describe(
    cx: &Cx<'_>,
    shortage: &Shortage<'_>,
    (refused, phrase): &(&RefusedCluster<'_>, Phrase<'_>),
) -> Option<Finding> {
    let name = refused.name()?;
    let key = shortage.key();
    let listed = shortage.policy().clusters.iter().find(|cluster| **cluster == name);
    let place = listed.map_or_else(|| cx.span_of(phrase), |listed| listed.span);
    let members: Vec<&str> = cx.members().iter().map(|member| member.meta.name()).collect();
    let bindings = cx.bindings_of(&key.namespace, &key.name);
    let left = bindings.into_iter().find(|binding| binding.cluster() == name);
    let near = nearest_name(name, members.iter().copied());
    let guess = match near {
        Some(near) if left.is_none() && near != name => format!("Did you mean {near}?"),
        _ if cx.find_member(name).is_some() => {
            "At the capture it exists: the decision is older.".to_owned()
        }
        _ if left.is_some() => format!("A binding for {name} exists: it has left the fleet."),
        _ => String::new(),
    };
    let guessed = near.filter(|near| left.is_none() && *near != name);
    let rename = guessed.and_then(|near| rename_command(shortage, name, near));
    let fleet = if cx.listing("MemberCluster", "") == Listing::All {
        format!(" The fleet has {}.", join_names(&members))
    } else {
        String::new()
    };
    let finding = UNKNOWN_CLUSTER
        .at(place, "no member cluster has this name")
        .also(cx.span_of(phrase), "the scheduler does not find it")
        .also_at(left.map(|binding| binding.meta.name_span), format!("left over from {name}"))
        .message(format!("{} It names {name}, which does not exist in the fleet.", show(shortage)))
        .why(format!(
            "A PickFixed policy needs every cluster that it names. The others are placed all the \
             same.{fleet}"
        ))
        .hint(guess)
        .of_event(Incident::MemberGone(name.into()))
        .step(
            look_at_hub().words("get memberclusters").build().filter(|_| fleet.is_empty()),
            "lists the clusters of the fleet",
        )
        .step(rename.clone(), format!("puts the cluster that exists in place of {name}"))
        .step(
            edit_command(key).filter(|_| rename.is_none()),
            format!("opens it to correct {name} in spec.policy.clusterNames"),
        );
    Some(explain_shortage(shortage, after_change(finding, cx, shortage)))
}

/// Puts another name into the policy; the `test` refuses the patch if the list has changed since.
fn rename_command(shortage: &Shortage<'_>, name: &str, near: &str) -> Option<Command> {
    let names = &shortage.placement.policy.clusters;
    let index = names.iter().position(|listed| *listed == name)?;
    let path = format!("/spec/policy/clusterNames/{index}");
    let patch = json!([
        {"op": "test", "path": path, "value": name},
        {"op": "replace", "path": path, "value": near},
    ]);
    let builder = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("patch");
    builder.object(shortage.key()).patch("--type=json", &patch).build()
}
