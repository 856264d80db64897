//! FL0412 empty-stage.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::approve_named;

declare_rule! {
    /// A stage that holds a run although it has no clusters.
    ///
    /// ## Why it matters
    /// The stage's selector matches no cluster that the placement picked. Releases up to v0.3.1 run the tasks of
    /// such a stage all the same, so the run waits for an approval of nothing.
    ///
    /// ## What to do
    /// Give the approval (there is nothing to check), and for the next run label a cluster or drop the stage.
    pub static EMPTY_STAGE = Rule {
        code: "FL0412",
        name: "empty-stage",
        severity: Severity::Warning,
        reads: &[Kind::Run, Kind::Strategy],
        check: empty_stage,
    }
}

fn empty_stage(cx: &mut Cx<'_>) {
    for gate in cx.open_gates() {
        let Some(stage) =
            gate.status.filter(|stage| stage.clusters.is_empty() && !gate.run.meta.partial)
        else {
            continue;
        };
        let key = &gate.run.meta.key;
        let mut finding = EMPTY_STAGE
            .at(gate.progress.best_span(), "waits for a stage without clusters")
            .message(format!(
                "{} waits {}, but no cluster is in that stage: its selector matches none of the picked clusters",
                key.name,
                gate.show(),
            ))
            .why("the tasks of an empty stage are run by releases up to v0.3.1; later ones skip the stage")
            .recover(Recoverability::WaitsForPerson)
            .explains(gate.topic());
        if let Some(name) = &stage.name {
            finding = finding.also(name.span, "no clusters in this stage");
        }
        let strategy = cx.find_strategy(gate.run);
        let named = |stages: &'_ [crate::model::strategy::Stage]| {
            let stage = stages.iter().find(|stage| stage.name() == gate.stage)?;
            Some(stage.selector.as_ref().map_or(stage.site.span, |selector| selector.span))
        };
        if let Some(span) = strategy.and_then(|strategy| named(&strategy.stages)) {
            finding = finding.also(span, "matches no picked cluster");
        }
        if gate.open_approval().is_some() {
            finding = finding.command(approve_named(key, &gate.request_name()));
        }
        cx.report(finding);
    }
}
