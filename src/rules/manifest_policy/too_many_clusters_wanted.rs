//! FL1306 too-many-clusters-wanted.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::members::may_pick;
use crate::model::placement::Placement;
use crate::rule::Cx;

declare_rule! {
    /// A placement that asks for more clusters than can match.
    ///
    /// ## Why it matters
    /// The placement is never fully scheduled, which also blocks every run of it.
    ///
    /// ## What to do
    /// Ask for fewer clusters, or widen the terms.
    pub static TOO_MANY_CLUSTERS_WANTED = Rule {
        code: "FL1306",
        name: "too-many-clusters-wanted",
        severity: Severity::Warning,
        layer: Layer::Advice,
        reads: &[Kind::Placement, Kind::MemberCluster],
        check: too_many_clusters_wanted,
    }
}

fn too_many_clusters_wanted(cx: &mut Cx<'_>) {
    let members = cx.repository().fleet();
    for placement in cx.drafts::<Placement>().filter(|_| !members.is_empty()) {
        let policy = &placement.policy;
        let (Some(wanted), Some(site)) = (policy.count, &policy.count_site) else { continue };
        let able = members.iter().filter(|member| may_pick(&placement, member)).count();
        let is_met = usize::try_from(wanted.value).is_ok_and(|wanted| wanted <= able);
        if policy.kind() != "PickN" || is_met {
            continue;
        }
        let finding = TOO_MANY_CLUSTERS_WANTED
            .at_field(&site.place(), format!("{able} can match"))
            .message(format!(
                "{} asks for more clusters than the {able} that can match",
                placement.show()
            ))
            .why("it is never fully scheduled, and every run of it fails");
        cx.report(finding);
    }
}
