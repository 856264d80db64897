//! FL1107 uncovered-cluster.

use crate::behaviour::staging::stages_taking;
use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::FileRole;
use crate::manifest::members::may_pick;
use crate::model::run::Run;
use crate::rule::Cx;

declare_rule! {
    /// A cluster of the placement that is in no stage.
    ///
    /// ## Why it matters
    /// A run has to find a stage for every selected cluster; one without fails it at initialization.
    ///
    /// ## What to do
    /// Add a stage for the cluster, or change its labels.
    pub static UNCOVERED_CLUSTER = Rule {
        code: "FL1107",
        name: "uncovered-cluster",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Run, Kind::Strategy, Kind::Placement, Kind::MemberCluster],
        check: uncovered_cluster,
    }
}

fn uncovered_cluster(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    let members = repository.members();
    for run in repository.all::<Run>() {
        let (Some(placement), Some(strategy)) =
            (repository.placement_of(run), repository.strategy_of(run))
        else {
            continue;
        };
        let touched = run.is_judged() || placement.is_judged() || strategy.is_judged();
        let stages = strategy.plain_stages();
        let lost = members.iter().find(|member| {
            (touched || member.manifest.role == FileRole::Judged)
                && repository.is_member_for(member, strategy.manifest.span)
                && may_pick(&placement, member)
                && stages_taking(&stages, &member.labels).is_empty()
        });
        let (Some(member), Some(list)) = (lost, &strategy.stages.site) else { continue };
        let chosen = placement.policy.kind.as_deref() == Some("PickN");
        let severity = if chosen { Severity::Warning } else { Severity::Error };
        let finding = UNCOVERED_CLUSTER
            .at_field(&list.place(), "none of these takes it")
            .also(member.manifest.name_place().span, "the cluster")
            .also(run.manifest.name_place().span, "the run")
            .severity(severity)
            .message(format!(
                "cluster {} of placement {} is in no stage of {}",
                member.name,
                placement.name(),
                strategy.name()
            ))
            .why("the run fails at initialization: some clusters are not placed in any stage");
        cx.report(cx.by_members(finding));
    }
}
