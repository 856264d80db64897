//! FL0102 placement-not-external.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Command, Finding, Recoverability, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::delete_run;
use crate::rules::run_failure::{
    ClaimedMessages, RunFailureCause, causes, finish_failed_run, in_other_scopes,
};
use serde_json::json;

declare_rule! {
    /// A run for a placement that is rolled out by the rolling-update controller.
    ///
    /// ## Why it matters
    /// Only a placement with strategy type `External` is left to runs. With `RollingUpdate`, which is the default,
    /// the placement rolls itself out and every run fails permanently.
    ///
    /// ## What to do
    /// Decide who rolls out. For runs, set `spec.strategy.type` to `External` (this cannot be undone) and create a new
    /// run. Otherwise delete the run; the placement does not need it.
    pub static PLACEMENT_NOT_EXTERNAL = Rule {
        code: "FL0102",
        name: "placement-not-external",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Placement],
        check: placement_not_external,
    }
}

/// The placement is rolled out by another controller.
const NOT_EXTERNAL: ClaimedMessages = &[id::ERR_NOT_EXTERNAL, id::ERR_CRP_NOT_EXTERNAL];

fn placement_not_external(cx: &mut Cx<'_>) {
    for cause in causes(cx, NOT_EXTERNAL) {
        let run = cause.run;
        let mut outlook = cx.outlook_of_run(run, Repair::Strategy);
        if outlook.recoverability == Recoverability::RunIsDead {
            outlook.then = format!(
                "{} cannot be resumed. Create a new run only if runs are to roll out {}.",
                run.meta.title(),
                run.show_placement()
            );
        }
        let finding = finish_failed_run(cx, run, describe(cx, &cause), outlook);
        cx.report(finding);
    }
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let run = cause.run;
    let placement = cx.find_placement(run);
    let strategy = placement.and_then(|placement| placement.strategy.as_ref());

    let is_now = strategy.is_some_and(|strategy| *strategy == "External");
    let kind = strategy.filter(|_| !is_now).map_or("RollingUpdate", |strategy| &strategy.value);
    let place = strategy.map_or(cause.span, |strategy| strategy.span);
    let label = if is_now { "External by now" } else { "runs need External here" };
    let run_name = run.meta.name();
    let message = format!(
        "{} had strategy {kind} when {run_name} started. Runs need External.",
        run.placement_title()
    );
    let mut finding = PLACEMENT_NOT_EXTERNAL
        .at(place, label)
        .also(cause.span, cause.label())
        .message(message)
        .why("A RollingUpdate placement rolls itself out. Runs work on External placements only.");
    let twin = find_external_twin(cx, run);
    if let Some(twin) = twin {
        let label = format!("{} of that name, which is External", twin.meta.key.kind);
        finding = finding.also(twin.meta.name_span, label).hint(format!(
            "Is {} meant? Then create a {} for it.",
            twin.meta.key,
            Kind::Run.in_namespace(twin.meta.namespace()),
        ));
    }
    // A placement that does well by itself is not switched because a run of another one was meant.
    if let Some(placement) = placement.filter(|_| twin.is_none() && !is_now) {
        finding = finding.decide(
            format!("Decide who rolls out {}.", placement.meta.name()),
            vec![delete_run(&run.meta.key), switch(placement)],
        );
    }
    finding
}

fn switch(placement: &Placement) -> Option<Command> {
    let patch = json!({"spec": {"strategy": {"type": "External", "rollingUpdate": null}}});
    let command = Command::kubectl(Risk::Destructive, RunsOn::Hub).words("patch");
    let effect = format!("hands {} over to runs, and cannot be undone", placement.meta.name());
    command.object(&placement.meta.key).patch("--type=merge", &patch).effect(effect).build()
}

fn find_external_twin<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g Placement> {
    let mut others = in_other_scopes(cx.placements(), run, &run.placement);
    others.find(|placement| placement.strategy.as_deref() == Some("External"))
}
