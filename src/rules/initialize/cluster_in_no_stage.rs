//! FL0107 cluster-in-no-stage.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Command, Finding, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{HoleRole, id};
use crate::model::key::ObjectKey;
use crate::model::strategy::Stage;
use crate::rule::Cx;
use crate::rules::commands::edit_command;
use crate::rules::run_failure::{ClaimedMessages, RunFailureCause, report_causes};
use crate::rules::sentence::join_names;
use crate::rules::staging::stages_to_read;

declare_rule! {
    /// A picked cluster that no stage selects.
    ///
    /// ## Why it matters
    /// Every cluster that the placement picked must be in a stage. A stage without a selector selects none, one with
    /// an empty selector selects all. The stages are computed from the present labels at every check, so a changed label
    /// fails a run on the way.
    ///
    /// ## What to do
    /// Add a stage for the cluster or widen a selector, restore the label, or let the placement pick fewer clusters.
    /// Then create a new run.
    pub static CLUSTER_IN_NO_STAGE = Rule {
        code: "FL0107",
        name: "cluster-in-no-stage",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::MemberCluster, Kind::Strategy],
        check: cluster_in_no_stage,
    }
}

/// A cluster is in no stage.
const NO_STAGE: ClaimedMessages = &[id::ERR_CLUSTERS_MISSING, id::ERR_CLUSTERS_MISSING_OLD];

fn cluster_in_no_stage(cx: &mut Cx<'_>) {
    report_causes(cx, NO_STAGE, Repair::Strategy, describe);
}

fn describe<'g>(cx: &Cx<'g>, cause: &RunFailureCause<'g>) -> Finding {
    let run = cause.run;
    let named = cause.all_named(HoleRole::Cluster);
    let clusters =
        if named.is_empty() { "some picked clusters".to_owned() } else { join_names(&named) };
    let stages = stages_to_read(cx, run);
    let name = run.meta.name();
    let had = |cluster: &&str| run.find_cluster(cluster).is_some();
    let message = match cause.is_late() {
        true if named.iter().all(had) && !named.is_empty() => {
            format!(
                "No stage selects {clusters} any more: labels changed while {name} was under way."
            )
        }
        true => format!("No stage selects {clusters}, picked while {name} was under way."),
        false => format!("No stage of the strategy selects {clusters}."),
    };
    let why = match cause.is_late() {
        true => "A run computes its stages again at every check, from the labels of that moment.",
        false => {
            "Each cluster that the placement picked must be in exactly one stage, by its labels."
        }
    };
    let mut finding = CLUSTER_IN_NO_STAGE
        .at(cause.place(cx, HoleRole::Cluster), cause.label())
        .message(message)
        .why(why);
    for name in named.iter().take(3) {
        let Some(member) = cx.find_member(name) else { continue };
        let selectors = stages.iter().filter_map(|stage| stage.selector.as_ref());
        let keys = selectors.flat_map(|selector| &selector.labels);
        let label = keys.filter_map(|pair| member.meta.label(&pair.key)).next();
        finding = match label {
            Some(label) => finding.also(label.span, "no stage selects this label"),
            None => finding.also(member.meta.name_span, "has no label that a stage selects by"),
        };
        if let Some((stage, status)) = run.find_cluster(name) {
            finding = finding.also(status.name.span, format!("was in stage {}", stage.name()));
        }
    }
    if let [cluster] = named.as_slice() {
        // Where it was is where it most likely belongs.
        let was = run.find_cluster(cluster).map(|(stage, _)| stage.name());
        let mut ordered = stages.clone();
        ordered.sort_by_key(|stage| Some(stage.name()) != was);
        // A strategy serves the runs that use it; a label of a cluster serves everything that selects by it.
        let open = cx.find_strategy(run).and_then(|strategy| edit_command(&strategy.meta.key));
        let open = open.map(|open| {
            open.with_effect(format!("opens the strategy to add a stage that selects {cluster}"))
        });
        let mut choices: Vec<_> = ordered.iter().map(|stage| label_into(cluster, stage)).collect();
        choices.insert(usize::from(was.is_some()).min(choices.len()), open);
        finding = finding.decide(format!("Decide in which stage {cluster} belongs."), choices);
    }
    finding
}

/// Labels a cluster so that a stage selects it, where labels alone decide.
fn label_into(cluster: &str, stage: &Stage) -> Option<Command> {
    let selector = stage.selector.as_ref().filter(|selector| {
        !selector.labels.is_empty() && selector.expressions.is_empty() && !selector.malformed
    })?;
    let member = ObjectKey::on_hub("MemberCluster", "", cluster);
    let command = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("label").object(&member);
    let labelled = selector
        .labels
        .iter()
        .fold(command, |command, pair| command.label(&pair.key, &pair.value, ""));
    let effect = format!(
        "puts {cluster} into stage {}; whatever else selects by this label sees the change, too",
        stage.name()
    );
    labelled.words("--overwrite").effect(effect).build()
}
