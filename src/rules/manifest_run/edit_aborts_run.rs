//! FL1213 edit-aborts-run.

use crate::behaviour::staging::stages_taking;
use crate::declare_rule;
use crate::finding::{Finding, Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::Draft;
use crate::manifest::members::{DescribedMember, labels_of, may_pick, member};
use crate::model::apply::ApplyStrategy;
use crate::model::cluster::MemberCluster;
use crate::model::placement::Placement;
use crate::model::read::Site;
use crate::model::run::Run;
use crate::model::strategy::Strategy;
use crate::rule::Cx;

declare_rule! {
    /// A change to a placement or a cluster that aborts a run at work.
    ///
    /// ## Why it matters
    /// A run holds on to the policy and the apply strategy that it started with, and to the clusters of its
    /// stages in their order; a change of any of these fails it. A change of the strategy does not: the run
    /// has a copy.
    ///
    /// ## What to do
    /// Stop or finish the run first.
    pub static EDIT_ABORTS_RUN = Rule {
        code: "FL1213",
        name: "edit-aborts-run",
        severity: Severity::Warning,
        layer: Layer::Controller,
        reads: &[Kind::Placement, Kind::Run, Kind::Strategy, Kind::MemberCluster],
        check: edit_aborts_run,
    }
}

fn edit_aborts_run(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for run in repository.all::<Run>().filter(|run| run.state() == "Run") {
        let Some(placement) = repository.placement_of(run) else { continue };
        let findings = edited_placement(placement, run);
        findings.into_iter().for_each(|finding| cx.report(finding));
        let Some(strategy) = repository.strategy_of(run) else { continue };
        for cluster in cx.drafts::<MemberCluster>() {
            if let Some(finding) = moved_member(cluster, placement, &strategy, run) {
                cx.report(finding);
            }
        }
    }
}

/// Finds changes of what a run holds on to.
fn edited_placement(placement: Draft<'_, Placement>, run: Draft<'_, Run>) -> Vec<Finding> {
    let Some(before) = placement.before() else { return Vec::new() };
    let changes = [
        ("spec.policy", placement.policy.differs(&before.policy), placement.policy.site.as_ref()),
        (
            "spec.strategy.applyStrategy",
            !ApplyStrategy::differences(before.apply.as_ref(), placement.apply.as_ref()).is_empty(),
            placement.apply.as_ref().map(|apply| &apply.site),
        ),
    ];
    let changed = changes.into_iter().filter(|(_, changed, _)| *changed);
    let finding = |(path, _, site): (&str, bool, Option<&Site>)| {
        // What was removed has no place of its own.
        let place = site.cloned().or_else(|| placement.meta.spec())?.key_place();
        let what = format!("changing {path} of {}", placement.name());
        let help = "a run fails when the policy or the apply strategy that it started with changes";
        Some(aborts(EDIT_ABORTS_RUN.at_field(&place, "changed"), run, &what).why(help))
    };
    changed.filter_map(finding).collect()
}

/// Finds a change of labels that moves a cluster to another stage, or within its stage.
fn moved_member(
    cluster: Draft<'_, MemberCluster>,
    placement: Draft<'_, Placement>,
    strategy: &Strategy,
    run: Draft<'_, Run>,
) -> Option<Finding> {
    let new = member(cluster.manifest);
    let old = DescribedMember { labels: labels_of(&cluster.before()?.meta), ..new.clone() };
    let (from, to) = (stages_of(&old, strategy), stages_of(&new, strategy));
    if from == to || !may_pick(&placement, &old) {
        return None;
    }
    let labels = cluster.meta.labels_site();
    let place = labels.map_or_else(|| cluster.manifest.name_place(), |labels| labels.key_place());
    let stages = |list: &[(usize, _)]| list.iter().map(|(at, _)| *at).collect::<Vec<_>>();
    let what = if stages(&from) == stages(&to) {
        format!("changing the order of cluster {} within its stage", cluster.name())
    } else {
        let strategy = strategy.meta.name();
        format!("moving cluster {} between the stages of {strategy}", cluster.name())
    };
    let help = "a run fails when its clusters are no longer those of the stages it started with";
    Some(aborts(EDIT_ABORTS_RUN.at_field(&place, "changed"), run, &what).why(help))
}

/// Returns the stages that take a cluster, and by what they sort it.
fn stages_of<'m>(
    member: &DescribedMember<'m>,
    strategy: &Strategy,
) -> Vec<(usize, Option<&'m str>)> {
    let stages = strategy.plain_stages();
    let order = |stage: usize| member.labels.get(stages.get(stage)?.sorting_key?).copied();
    let taking = stages_taking(&stages, &member.labels);
    taking.into_iter().map(|stage| (stage, order(stage))).collect()
}

/// Says what a change does to a run; whether it is over by now cannot be told from its manifest.
fn aborts(finding: Finding, run: Draft<'_, Run>, what: &str) -> Finding {
    finding
        .also(run.manifest.name_place().span, "this run")
        .message(format!("{what} aborts run {}, if that is still at work", run.name()))
}
