//! FL0412 empty-stage.

use crate::declare_rule;
use crate::facts::gate::Gate;
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::run::StageStatus;
use crate::rule::Cx;
use crate::rules::commands::approve_named;
use crate::rules::gates::after_gate::after_gate;

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
        let empty = gate.status.filter(|stage| stage.clusters.is_empty());
        let Some(stage) = empty.filter(|_| !gate.run.meta.partial) else { continue };
        let mut finding = describe(gate, stage);
        let strategy = cx.find_strategy(gate.run);
        let stages = strategy.into_iter().flat_map(|strategy| strategy.stages.iter());
        let own = stages.into_iter().find(|stage| stage.name() == gate.stage);
        let selector = own.map(|own| own.selector.as_ref().map_or(own.site.span, |it| it.span));
        finding = finding.also_at(selector, "matches no picked cluster");
        if gate.open_approval().is_some() {
            let effect = format!("opens the gate {}, which holds nothing back", gate.show());
            finding = finding
                .command(approve_named(&gate.run.meta.key, &gate.request_name(), effect))
                .then(after_gate(gate));
        }
        cx.report(finding);
    }
}

fn describe(gate: &Gate<'_>, stage: &StageStatus) -> Finding {
    EMPTY_STAGE
        .at(gate.progress.best_span(), "waits for a stage without clusters")
        .also_at(stage.name.as_ref().map(|name| name.span), "no clusters in this stage")
        .message(format!(
            "{} waits {}, but that stage has no clusters.",
            gate.run.meta.title(),
            gate.show(),
        ))
        .why(
            "The selector of the stage matches none of the picked clusters. Releases up to v0.3.1 \
             run the tasks of an empty stage; later ones skip it.",
        )
        .recover(Recoverability::WaitsForPerson)
        .explains(gate.topic())
}
