//! FL1303 no-cluster-names.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::Placement;
use crate::model::read::Site;
use crate::rule::Cx;

declare_rule! {
    /// A PickFixed policy without cluster names.
    ///
    /// ## Why it matters
    /// Nothing is ever scheduled, the condition stays Unknown, and clusters that already hold the resources
    /// keep them: it is not a way to scale to zero.
    ///
    /// ## What to do
    /// Name the clusters, or delete the placement.
    pub static NO_CLUSTER_NAMES = Rule {
        code: "FL1303",
        name: "no-cluster-names",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Placement],
        check: no_cluster_names,
    }
}

fn no_cluster_names(cx: &mut Cx<'_>) {
    for placement in cx.drafts::<Placement>() {
        let policy = &placement.policy;
        let Some(site) = policy.site.as_ref().filter(|_| policy.names_nobody()) else { continue };
        let names = policy.clusters.site.as_ref().map(Site::key_place);
        let place = names.unwrap_or_else(|| site.missing("clusterNames"));
        let finding = NO_CLUSTER_NAMES
            .at_field(&place, "no clusters")
            .message(format!("{} is PickFixed and names no cluster", placement.show()))
            .why("it is never scheduled, and what is placed already stays");
        cx.report(finding);
    }
}
