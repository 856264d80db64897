//! FL0106 cluster-in-two-stages.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};
use crate::rules::staging::{stages_of, stages_to_read};

declare_rule! {
    /// A cluster that two stages select.
    ///
    /// ## Why it matters
    /// Each picked cluster must be in exactly one stage. The stages are computed from the labels of the member
    /// clusters, again at every look: a label that is changed on the way fails a run that had begun well.
    ///
    /// ## What to do
    /// Make the selectors disjoint, or correct the labels of the cluster. Then make a new run.
    pub static CLUSTER_IN_TWO_STAGES = Rule {
        code: "FL0106",
        name: "cluster-in-two-stages",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::MemberCluster, Kind::Strategy],
        check: cluster_in_two_stages,
    }
}

/// A cluster is in two stages.
const TWO_STAGES: Claim = &[id::ERR_CLUSTER_TWICE, id::ERR_CLUSTER_TWICE_DOC];

fn cluster_in_two_stages(cx: &mut Cx<'_>) {
    for cause in causes(cx, TWO_STAGES) {
        let run = cause.run;
        let cluster = cause.named(Role::Cluster).unwrap_or("(not named)");
        let stages = stages_to_read(cx, run);
        let member = cx.find_member(cluster);
        let selecting: Vec<_> = member.map(|member| stages_of(&stages, member)).unwrap_or_default();
        let names: Vec<&str> = selecting.iter().map(|stage| stage.name()).collect();
        let which =
            if names.len() > 1 { format!(" ({})", names.join(" and ")) } else { String::new() };
        let mut finding = CLUSTER_IN_TWO_STAGES
            .at(cause.place(cx, Role::Cluster), "is in two stages")
            .message(format!("{} failed: cluster {cluster} is selected by more than one stage{which}", run.meta.name()))
            .why("stages are computed from the labels of the member clusters; each picked cluster must be in exactly one")
            .recover(Recoverability::RunIsDead);
        for stage in selecting {
            let span = stage.selector.as_ref().map_or(stage.site.span, |selector| selector.span);
            finding = finding.also(span, format!("stage {} selects it", stage.name()));
        }
        if let Some(member) = member {
            finding = finding.also(member.meta.name_span, "this cluster");
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
