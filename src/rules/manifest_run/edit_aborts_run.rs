//! FL1213 edit-aborts-run.

use crate::declare_rule;
use crate::finding::{Finding, Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::fleet::{Member, labels_of, may_pick, member};
use crate::manifest::labels::Selector;
use crate::manifest::{Manifest, same};
use crate::rule::ManifestCx;
use crate::rules::manifest_strategy::stage::stages;

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
        manifest: edit_aborts_run,
    }
}

fn edit_aborts_run(cx: &mut ManifestCx<'_>) {
    let repository = cx.repository();
    let running = |run: &&Manifest| {
        let state = run.stored().at(&["spec", "state"]);
        state.is_some_and(|state| state.str() == Some("Run"))
    };
    for run in repository.of(Kind::Run).filter(running) {
        let Some(placement) = repository.placement_of(run) else { continue };
        let findings = edited_placement(placement, run);
        findings.into_iter().for_each(|finding| cx.report(finding));
        let Some(strategy) = repository.strategy_of(run) else { continue };
        let members = cx.of(Kind::MemberCluster).filter(|member| member.before.is_some());
        for finding in members.filter_map(|member| moved_member(member, placement, strategy, run)) {
            cx.report(finding);
        }
    }
}

/// Finds changes of what a run holds on to.
fn edited_placement(placement: &Manifest, run: &Manifest) -> Vec<Finding> {
    let Some(before) = placement.before() else { return Vec::new() };
    let root = placement.stored();
    let changed = |path: &&[&str]| {
        let (old, new) = (before.at(path), root.at(path));
        match (&old, &new) {
            (Some(old), Some(new)) => !same(old.node, new.node),
            (None, None) => false,
            _ => true,
        }
    };
    let paths = [&["spec", "policy"][..], &["spec", "strategy", "applyStrategy"][..]];
    let finding = |path: &[&str]| {
        let place = root.at(path).or(root.get("spec"))?.key_place();
        let what = format!("changing {} of {}", path.join("."), placement.name());
        let help = "a run fails when the policy or the apply strategy that it started with changes";
        Some(aborts(EDIT_ABORTS_RUN.on(&place, "changed"), run, &what).help(help))
    };
    paths.into_iter().filter(changed).filter_map(finding).collect()
}

/// Finds a change of labels that moves a cluster to another stage, or within its stage.
fn moved_member(
    manifest: &Manifest,
    placement: &Manifest,
    strategy: &Manifest,
    run: &Manifest,
) -> Option<Finding> {
    let before = manifest.before()?;
    let old = Member { labels: labels_of(&before, manifest.name()), ..member(manifest) };
    let new = member(manifest);
    let at = |member: &Member<'_>| -> Vec<(usize, Option<String>)> {
        let stages = stages(strategy);
        let takes = stages.iter().enumerate().filter_map(|(index, stage)| {
            let selector = Selector::read(&stage.get("labelSelector")?)?;
            let order = stage.text("sortingLabelKey").and_then(|key| member.labels.get(key));
            selector.matches(&member.labels).then(|| (index, order.cloned()))
        });
        takes.collect()
    };
    let (from, to) = (at(&old), at(&new));
    if from == to || !may_pick(placement, &old) {
        return None;
    }
    let labels = manifest.written().at(&["metadata", "labels"]);
    let place = labels.map_or_else(|| manifest.name_place(), |labels| labels.key_place());
    let stage =
        |list: &[(usize, Option<String>)]| list.iter().map(|(at, _)| *at).collect::<Vec<_>>();
    let what = if stage(&from) == stage(&to) {
        format!("changing the order of cluster {} within its stage", manifest.name())
    } else {
        format!("moving cluster {} between the stages of {}", manifest.name(), strategy.name())
    };
    let help = "a run fails when its clusters are no longer those of the stages it started with";
    Some(aborts(EDIT_ABORTS_RUN.on(&place, "changed"), run, &what).help(help))
}

/// Says what a change does to a run; whether it is over by now cannot be told from its manifest.
fn aborts(finding: Finding, run: &Manifest, what: &str) -> Finding {
    finding
        .also(run.name_place().span, "this run")
        .message(format!("{what} aborts run {}, if that is still at work", run.name()))
}
