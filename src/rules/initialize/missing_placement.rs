//! FL0101 missing-placement.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::facts::new_run::NewRunVersion;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::graph::Listing;
use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::model::read::SpanOr;
use crate::model::run::{Phase, Run};
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::run_failure::{
    ClaimedMessages, RunFailureCause, causes, finish_failed_run, in_other_scopes,
};

declare_rule! {
    /// A run whose placement does not exist.
    ///
    /// ## Why it matters
    /// A run looks its placement up by name, in its own scope: a ClusterStagedUpdateRun needs a
    /// ClusterResourcePlacement, a StagedUpdateRun a ResourcePlacement in its own namespace. Without it the run
    /// fails permanently, at the start or, when someone deletes the placement on the way, at its next check. Bindings
    /// and Works go with a deleted placement, so the finished clusters lose the resources too.
    ///
    /// ## What to do
    /// Create the placement (strategy External) in the run's scope, or use a run of the placement's scope. Then create
    /// a new run; a failed one cannot be resumed.
    pub static MISSING_PLACEMENT = Rule {
        code: "FL0101",
        name: "missing-placement",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Placement],
        check: missing_placement,
    }
}

/// The placement does not exist.
const NO_PLACEMENT: ClaimedMessages =
    &[id::ERR_PLACEMENT_NOT_FOUND, id::ERR_CRP_NOT_FOUND, id::ERR_RP_NOT_FOUND_DOC];

fn missing_placement(cx: &mut Cx<'_>) {
    for cause in causes(cx, NO_PLACEMENT) {
        // The snapshots went with the placement, or never were: an old index names none.
        let mut outlook = cx.outlook_at(cause.run, Repair::Strategy, NewRunVersion::Fresh);
        if find_elsewhere(cx, cause.run).is_some() {
            // A run of this kind would fail again, unless a placement comes into its scope.
            outlook.steps.clear();
        }
        let finding = finish_failed_run(cx, cause.run, describe(cx, &cause), outlook);
        cx.report(finding);
    }
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let run = cause.run;
    let name = run.placement.as_deref().unwrap_or_default();
    let wanted = Kind::Placement.in_namespace(run.meta.namespace());
    let other = find_elsewhere(cx, run);
    let whose = run.meta.name();
    let message = match (run.failed_in(), name) {
        (None, "") => format!("The placement of {whose} does not exist."),
        (None, _) => format!("There is no {wanted} {name}, which {whose} rolls out."),
        (Some(Phase::Execution), "") => {
            format!("Someone deleted the placement of {whose} while it was under way.")
        }
        (Some(Phase::Execution), _) => {
            format!("Someone deleted placement {name} while {whose} was under way.")
        }
        (Some(Phase::Initialization), "") => {
            format!("The placement of {whose} did not exist when the run started.")
        }
        (Some(Phase::Initialization), _) => {
            format!("There was no {wanted} {name} when {whose} started.")
        }
    };
    let why = match other {
        Some(other) => format!(
            "{} exists, but a {} looks for a {wanted} in its own scope only.",
            other.meta.key, run.meta.key.kind
        ),
        None if cause.is_late() => {
            "A run needs its placement at every check. Bindings and Works go with it.".to_owned()
        }
        None if run.meta.shows_scope() => {
            format!("A {} looks for a {wanted} of that name.", run.meta.key.kind)
        }
        None => "A run looks for its placement in its own scope only, at every check.".to_owned(),
    };
    let place = run.placement.span_or(cause.span);
    let mut finding = MISSING_PLACEMENT
        .at(place, "no such placement in the run's scope")
        .also(cause.span, cause.label())
        .message(message)
        .why(why);
    if let Some(other) = other {
        let label = format!("{} of that name, in another scope", other.meta.key.kind);
        let namespace = other.meta.namespace();
        let (run, strategy) =
            (Kind::Run.in_namespace(namespace), Kind::Strategy.in_namespace(namespace));
        let strategies = look_at_hub().words("get").resource(strategy).namespace(namespace);
        let effect = format!("lists the strategies that a {run} can use");
        return finding
            .also(other.meta.name_span, label)
            .command(strategies.effect(effect).build())
            .hint(format!(
                "Create a {run} with a {strategy}, which rolls out {}.",
                other.meta.key
            ));
    }
    if !name.is_empty() && cx.listing(wanted, run.meta.namespace()) != Listing::All {
        let key = ObjectKey::of(Kind::Placement, run.meta.namespace(), name);
        let look = look_at_hub().words("get").object(&key);
        finding = finding.command(look.effect("shows whether the placement exists now").build());
    }
    if !name.is_empty() {
        finding = finding.hint(match cause.is_late() {
            true => format!(
                "Create {wanted} {name} again first, from its manifest, with strategy type \
                 External."
            ),
            false => format!(
                "Create {wanted} {name} first, with strategy type External, or name the right \
                 placement in the new run."
            ),
        });
    }
    finding
}

fn find_elsewhere<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g Placement> {
    in_other_scopes(cx.placements(), run, &run.placement).next()
}
