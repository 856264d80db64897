//! How an override that fails is told: where the finding starts, its words, and what comes after a repair.

use crate::facts::broken_override::BrokenOverride;
use crate::finding::{Command, Finding};
use crate::rule::{Cx, Rule};
use crate::rules::commands::{edit_command, look_at_hub};
use crate::rules::consequence::{self, Repair, explain_stall};
use crate::rules::sentence::{join_names, member_name};
use crate::source::Span;

/// Returns the name of the override for a sentence.
pub fn name(broken: &BrokenOverride<'_>) -> String {
    let own = broken.source.map(|source| format!("Override {}", source.override_name()));
    let taken = || broken.snapshot.map(|name| format!("Override snapshot {name}"));
    own.or_else(taken).unwrap_or_else(|| "An override".to_owned())
}

/// Returns the clusters for a sentence.
pub fn clusters(broken: &BrokenOverride<'_>) -> String {
    join_names(broken.stalls.iter().map(|stall| member_name(&stall.cluster)))
}

/// Starts the finding at what has to be corrected, and explains what waits.
pub fn finding_for_override(
    broken: &BrokenOverride<'_>,
    cx: &Cx<'_>,
    rule: &Rule,
    at: Option<(Span, &str)>,
) -> Finding {
    let words = cx.span_of(&broken.core);
    let mut finding = match at {
        Some((span, label)) => rule.at(span, label).also(words, "reported by the binding"),
        None if broken.is_known() => rule.at(words, "does not apply"),
        None => rule.at(words, "reported by the binding"),
    };
    for stall in broken.stalls.iter().skip(1).take(3) {
        finding = finding
            .also(stall.condition.best_span(), format!("also for {}", member_name(&stall.cluster)));
    }
    for stall in &broken.stalls {
        finding = explain_stall(finding, stall);
    }
    finding
}

/// Adds the way to the override, and says what becomes of the placement once it is corrected.
pub fn after_repair(finding: Finding, cx: &Cx<'_>, broken: &BrokenOverride<'_>) -> Finding {
    let source = broken.source.map(|source| source.own_key());
    let finding = match &source {
        Some(key) => {
            let what = broken.path.map_or_else(|| "it".to_owned(), |path| format!("path {path}"));
            finding.step(edit_command(key), format!("opens {} to correct {what}", key.name))
        }
        None => finding.step(overrides_command(), "lists the overrides, to find the one at fault"),
    };
    let placement = broken.stalls.first().map(|stall| &stall.placement);
    let clusters: Vec<&str> = broken.stalls.iter().map(|stall| &*stall.cluster).collect();
    consequence::after_repair(finding, cx, placement, &clusters, Repair::Override)
}

fn overrides_command() -> Option<Command> {
    look_at_hub().words("get clusterresourceoverrides,resourceoverrides -A -o yaml").build()
}
