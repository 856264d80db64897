//! FL1304 bad-cluster-name.

use std::collections::BTreeSet;

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::grammar::kind::Kind;
use crate::kube::names::subdomain_trouble;
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
    for manifest in cx.of(Kind::Placement) {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let names = manifest.stored().at(&["spec", "policy", "clusterNames"]);
        for name in names.map(|names| names.items()).unwrap_or_default() {
            let text = name.str().unwrap_or_default();
            let mut repeat = None;
            let why = match subdomain_trouble(text) {
                Some(why) => why,
                None if text.len() > 63 => {
                    format!("it has {} characters, at most 63 are allowed", text.len())
                }
                None if seen.insert(text) => continue,
                None => {
                    repeat = manifest.without(&name.pointer());
                    "it stands here before".to_owned()
                }
            };
            let finding = BAD_CLUSTER_NAME
                .on(&name.place(), "not allowed")
                .layer(cx.hook_layer(manifest))
                .message(format!(
                    "{} {} names the cluster `{text}`: {why}",
                    manifest.key.kind,
                    manifest.name()
                ))
                .why("each member is named once, by a DNS name of at most 63 characters")
                .fix(Safety::Safe, repeat);
            cx.report(finding);
        }
    }
}
