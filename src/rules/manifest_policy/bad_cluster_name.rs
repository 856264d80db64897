//! FL1304 bad-cluster-name.

use std::collections::BTreeSet;

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::kube::names::subdomain_trouble;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A cluster name that no member can have, or one that is repeated.
    ///
    /// ## Why it matters
    /// Member names are DNS names of at most 63 characters. The webhook of ClusterResourcePlacement refuses
    /// others and repetitions; in a ResourcePlacement the cluster is simply not found.
    ///
    /// ## What to do
    /// Correct the name.
    pub static BAD_CLUSTER_NAME = Rule {
        code: "FL1304",
        name: "bad-cluster-name",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Placement],
        check: bad_cluster_name,
    }
}

fn bad_cluster_name(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for name in &placement.object.policy.clusters {
            let mut repeat = None;
            let why = match subdomain_trouble(name) {
                Some(why) => why,
                None if name.len() > 63 => {
                    format!("it has {} characters, at most 63 are allowed", name.len())
                }
                None if seen.insert(name) => continue,
                None => {
                    repeat = placement.manifest.remove(&name.pointer());
                    "it stands here before".to_owned()
                }
            };
            let finding = BAD_CLUSTER_NAME
                .at_field(&name.place(), "not allowed")
                .layer(cx.hook_layer(placement.manifest))
                .message(format!("{} names the cluster `{}`: {why}", placement.show(), &**name))
                .why("each member is named once, by a DNS name of at most 63 characters")
                .fix(Safety::Safe, repeat);
            cx.report(finding);
        }
    }
}
