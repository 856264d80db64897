//! FL0101 missing-placement.

use crate::declare_rule;
use crate::facts::new_run::Version;
use crate::facts::remedy::Repair;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::graph::Listing;
use crate::model::key::ObjectKey;
use crate::model::placement::Placement;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::failure::{Cause, Claim, causes, settle};

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
const NO_PLACEMENT: Claim =
    &[id::ERR_PLACEMENT_NOT_FOUND, id::ERR_CRP_NOT_FOUND, id::ERR_RP_NOT_FOUND_DOC];

fn missing_placement(cx: &mut Cx<'_>) {
    for cause in causes(cx, NO_PLACEMENT) {
        // The snapshots went with the placement, or never were: an old index names none.
        let outlook = cx.outlook_at(cause.run, Repair::Strategy, Version::Fresh);
        let finding = settle(cx, cause.run, describe(cx, &cause), outlook);
        cx.report(finding);
    }
}

fn describe(cx: &Cx<'_>, cause: &Cause<'_>) -> Finding {
    let run = cause.run;
    let name = run.placement.as_deref().unwrap_or_default();
    let wanted = Kind::Placement.in_namespace(run.meta.namespace());
    let other = find_in_other_scope(cx, run);
    let message = match (cause.is_late(), name) {
        // The words alone do not tell whether the run was at its start or under way.
        (_, "") if !cause.shows_phase() => {
            format!("The placement of {} does not exist.", run.meta.name())
        }
        (..) if !cause.shows_phase() => {
            format!("There is no {wanted} {name}, which {} rolls out.", run.meta.name())
        }
        (true, "") => {
            format!("Someone deleted the placement of {} while it was under way.", run.meta.name())
        }
        (true, _) => {
            format!("Someone deleted placement {name} while {} was under way.", run.meta.name())
        }
        (false, "") => {
            format!("The placement of {} did not exist when the run started.", run.meta.name())
        }
        (false, _) => format!("There was no {wanted} {name} when {} started.", run.meta.name()),
    };
    let why = match other {
        Some(other) => format!(
            "{} exists, but a {} looks for a {wanted} in its own scope only.",
            other.meta.key, run.meta.key.kind
        ),
        None if cause.shows_phase() && cause.is_late() => {
            "A run needs its placement at every check. Bindings and Works go with it.".to_owned()
        }
        None => format!("A {} looks for a {wanted} of that name.", run.meta.key.kind),
    };
    let place = run.placement.as_ref().map_or(cause.span, |placement| placement.span);
    let mut finding = MISSING_PLACEMENT
        .at(place, "no such placement in the run's scope")
        .also(cause.span, cause.label())
        .message(message)
        .why(why);
    if let Some(other) = other {
        let label = format!("{} of that name, in another scope", other.meta.key.kind);
        finding = finding.also(other.meta.name_span, label).hint(format!(
            "A {} rolls out a {}.",
            Kind::Run.in_namespace(other.meta.namespace()),
            other.meta.key.kind
        ));
    }
    if !name.is_empty() && cx.listing(wanted, run.meta.namespace()) != Listing::All {
        let key = ObjectKey::of(Kind::Placement, run.meta.namespace(), name);
        let look = look_at_hub().words("get").object(&key);
        finding = finding.command(look.effect("shows whether the placement exists now").build());
    }
    finding
}

fn find_in_other_scope<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g Placement> {
    let name = run.placement.as_deref()?;
    cx.placements().iter().find(|placement| {
        placement.meta.name() == name && placement.meta.namespace() != run.meta.namespace()
    })
}
