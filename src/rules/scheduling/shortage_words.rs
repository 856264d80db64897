//! How a shortage of clusters is told: its words, its weight, and what it explains.

use crate::facts::shortage::{Shortage, ShortageKind};
use crate::finding::{Command, Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::latest_command;
use crate::rules::consequence::{self, Repair};

/// Returns what it means for the placement, as a sentence: `X gets 3 of 4 clusters.`
pub fn show(shortage: &Shortage<'_>) -> String {
    let key = match shortage.key() {
        unnamed if unnamed.name.is_empty() => "The placement".to_owned(),
        key => key.to_string(),
    };
    match (shortage.grade, shortage.wanted()) {
        (ShortageKind::Unfulfilled, Some(wanted)) => {
            let noun = if wanted == 1 { "cluster" } else { "clusters" };
            match shortage.found.filter(|found| *found < wanted) {
                Some(found) => format!("{key} gets {found} of {wanted} {noun}."),
                // The numbers are of two moments, or cut.
                None => format!("{key} does not get the {wanted} {noun} that it asks for."),
            }
        }
        (ShortageKind::Unfulfilled, None) => match shortage.found.filter(|found| *found > 0) {
            Some(found) => {
                format!("{key} does not get the clusters that it asks for. It gets {found}.")
            }
            None => format!("{key} does not get the clusters that it asks for."),
        },
        (ShortageKind::Empty, _) => format!("{key} picks no cluster."),
        (ShortageKind::Partial, _) if !shortage.knows_policy() => {
            format!("{key} has the clusters that it asks for. Others are left out.")
        }
        (ShortageKind::Partial, _) => format!("{key} picks every cluster that fits."),
    }
}

/// Says what becomes of the placement once the policy or a member is changed.
pub fn after_change(finding: Finding, cx: &Cx<'_>, shortage: &Shortage<'_>) -> Finding {
    if shortage.grade == ShortageKind::Partial {
        return finding
            .then("The scheduler picks again by itself when the policy or the cluster changes.")
            .recover(Recoverability::WaitsForPerson);
    }
    consequence::after_repair(finding, cx, Some(shortage.key()), &[], Repair::Policy)
}

/// Finishes the finding of a reason: its weight, where the scheduler says it, and what it explains.
pub fn explain_shortage(shortage: &Shortage<'_>, finding: Finding) -> Finding {
    let key = shortage.key();
    let severity = match shortage.grade {
        ShortageKind::Unfulfilled => Severity::Error,
        ShortageKind::Empty if shortage.ended_run => Severity::Error,
        ShortageKind::Empty => Severity::Warning,
        ShortageKind::Partial => Severity::Note,
    };
    let finding = finding.severity(severity);
    if shortage.grade == ShortageKind::Partial {
        return finding;
    }
    let finding = finding
        .also(shortage.scheduled.best_span(), "the verdict of the scheduler")
        .explains(Topic::Placement(key.clone()));
    if shortage.starves_rollout() { finding.explains(Topic::Rollout(key.clone())) } else { finding }
}

/// Returns the command that shows the decisions.
pub fn decisions_command(shortage: &Shortage<'_>) -> Option<Command> {
    let key = shortage.key();
    latest_command(Kind::PolicySnapshot.in_namespace(&key.namespace), key)
}
