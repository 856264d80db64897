//! FL0107 cluster-in-no-stage.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{Role, id};
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};
use crate::rules::staging::stages_to_read;

declare_rule! {
    /// A picked cluster that no stage selects.
    ///
    /// ## Why it matters
    /// Every cluster that the placement picked must be in a stage. A stage without a selector selects none, one with
    /// an empty selector selects all. The stages are computed from the present labels at every look, so a changed label
    /// fails a run on the way.
    ///
    /// ## What to do
    /// Add a stage for the cluster or widen a selector, restore the label, or let the placement pick fewer clusters.
    /// Then make a new run.
    pub static CLUSTER_IN_NO_STAGE = Rule {
        code: "FL0107",
        name: "cluster-in-no-stage",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::MemberCluster, Kind::Strategy],
        check: cluster_in_no_stage,
    }
}

/// A cluster is in no stage.
const NO_STAGE: Claim = &[id::ERR_CLUSTERS_MISSING, id::ERR_CLUSTERS_MISSING_OLD];

fn cluster_in_no_stage(cx: &mut Cx<'_>) {
    for cause in causes(cx, NO_STAGE) {
        let run = cause.run;
        let named = cause.all_named(Role::Cluster);
        let clusters = if named.is_empty() { "some clusters".to_owned() } else { named.join(", ") };
        let moved = if cause.is_late() { " any more (the labels changed on the way)" } else { "" };
        let stages = stages_to_read(cx, run);
        let mut finding = CLUSTER_IN_NO_STAGE
            .at(cause.place(cx, Role::Cluster), "in no stage")
            .message(format!("{} failed: no stage selects {clusters}{moved}", run.meta.name()))
            .why("every cluster that the placement picked must be selected by one stage, by its labels")
            .recover(Recoverability::RunIsDead);
        for name in named.iter().take(3) {
            let Some(member) = cx.find_member(name) else { continue };
            let keys = stages
                .iter()
                .filter_map(|stage| stage.selector.as_ref())
                .flat_map(|selector| &selector.labels);
            let label = keys.filter_map(|pair| member.meta.label(&pair.key)).next();
            finding = match label {
                Some(label) => finding.also(label.span, "no stage selects this label"),
                None => finding.also(
                    member.meta.name_span,
                    "carries none of the labels that stages select by",
                ),
            };
            if let Some((stage, status)) = run.find_cluster(name) {
                finding = finding.also(status.name.span, format!("was in stage {}", stage.name()));
            }
        }
        let finding = cause.settle(cx, finding);
        cx.report(finding);
    }
}
