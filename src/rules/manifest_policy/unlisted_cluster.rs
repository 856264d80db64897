//! FL1305 unlisted-cluster.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::kube::spelling::nearest_name;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A cluster name that no member of the repository has.
    ///
    /// ## Why it matters
    /// The cluster is reported as not found and nothing is placed there; runs of the placement fail, since the
    /// count is not reached.
    ///
    /// ## What to do
    /// Correct the name, or add the member.
    pub static UNLISTED_CLUSTER = Rule {
        code: "FL1305",
        name: "unlisted-cluster",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Placement, Kind::MemberCluster],
        check: unlisted_cluster,
    }
}

fn unlisted_cluster(cx: &mut Cx<'_>) {
    let members = cx.repository().fleet();
    for placement in cx.drafts::<Placement>().filter(|_| !members.is_empty()) {
        for name in &placement.policy.clusters {
            let text = &**name;
            if members.iter().any(|member| member.name == text) {
                continue;
            }
            let finding = UNLISTED_CLUSTER
                .at_field(&name.place(), "no such member here")
                .message(format!(
                    "{} names cluster {text}, which is none of the {} members here",
                    placement.show(),
                    members.len()
                ))
                .why("a cluster that is not there is never placed, and runs fail because of it")
                .meant(nearest_name(text, members.iter().map(|member| member.name)));
            cx.report(finding);
        }
    }
}
