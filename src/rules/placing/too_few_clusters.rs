//! FL0603 too-few-clusters.

use crate::declare_rule;
use crate::finding::{Certainty, Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::rule::Cx;
use crate::rules::chain::join_names;
use crate::rules::commands::show_command;
use crate::rules::placing::shortage::{Grade, Shortage, shortages};

declare_rule! {
    /// A placement that asks for more clusters than it gets.
    ///
    /// ## Why it matters
    /// `Scheduled` stays False and every run of the placement fails. The clusters that were picked go on, but in a
    /// rolling update the missing ones count as unavailable: with few clusters the budget is then used up and no
    /// change is rolled out at all.
    ///
    /// ## What to do
    /// See in the policy snapshot why each other cluster was refused. If none was, the fleet is too small: ask for
    /// fewer clusters, use PickAll, or join more.
    pub static TOO_FEW_CLUSTERS = Rule {
        code: "FL0603",
        name: "too-few-clusters",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::PolicySnapshot, Kind::MemberCluster, Kind::Run],
        check: too_few_clusters,
    }
}

fn too_few_clusters(cx: &mut Cx<'_>) {
    for shortage in shortages(cx).iter().filter(|shortage| shortage.grade == Grade::Unfulfilled) {
        if shortage.scheduled.reason.is_none() && shortage.refused.is_empty() {
            let key = shortage.key();
            cx.ask(show_command(key), format!("why {key} is not scheduled"));
            cx.report(describe_row(shortage));
            continue;
        }
        let finding = describe(cx, shortage);
        if shortage.refused.is_empty() && shortage.wanted().is_none() {
            let key = shortage.key();
            cx.ask(shortage.decisions_command(), format!("why {key} does not get its clusters"));
        }
        cx.report(finding);
    }
}

/// Describes a verdict without its reason: refused selectors leave the same mark as too few clusters.
fn describe_row(shortage: &Shortage<'_>) -> Finding {
    let key = shortage.key();
    let finding = TOO_FEW_CLUSTERS
        .at(shortage.scheduled.best_span(), "not scheduled")
        .message(format!(
            "{key} is not scheduled; what is shown does not say why, as a rule it does not get the clusters that it asks for"
        ))
        .why("Scheduled is False while clusters are missing, and while the controller refuses the placement's selectors; its conditions tell which")
        .certainty(Certainty::Likely)
        .recover(Recoverability::ResumesAfterRepair)
        .command(show_command(key))
        .about(Topic::Placement(key.clone()));
    shortage.settle(finding)
}

fn describe(cx: &Cx<'_>, shortage: &Shortage<'_>) -> Finding {
    let (key, policy) = (shortage.key(), shortage.policy());
    let number = policy.count.map(|count| count.span);
    let names = policy.clusters.first().map(|name| name.span);
    let (place, label) = match number.or(names) {
        Some(place) => (place, "asked for here"),
        None => (shortage.scheduled.best_span(), "not scheduled"),
    };
    let refused = &shortage.refused;
    let members = cx.members().len();
    let whole = cx.listing("MemberCluster", "") == Listing::All;
    let why = if !refused.is_empty() {
        let names = join_names(refused.iter().filter_map(|refused| refused.name()));
        // The scheduler notes 20 at most (KubeFleet pkg/scheduler/framework).
        let cut = if refused.len() >= 20 { " (20 are noted at most)" } else { "" };
        if names.is_empty() { String::new() } else { format!("; refused: {names}{cut}") }
    } else if whole && members == shortage.picked.len() {
        format!("; all {members} members of the fleet are picked, there are no more")
    } else if shortage.placement.meta.partial {
        String::new()
    } else {
        "; no other cluster was refused, so the fleet has no more".to_owned()
    };
    let held = if shortage.starves_rollout() {
        " The rolling update counts the missing clusters as unavailable, so it may not touch the others either."
    } else {
        ""
    };
    let mut finding = TOO_FEW_CLUSTERS
        .at(place, label)
        .message(format!("{key} {}{why}", shortage.show()))
        .why(format!("the scheduler leaves Scheduled False until it has all clusters; runs of the placement fail meanwhile.{held}"))
        .recover(Recoverability::ResumesAfterRepair)
        .command(shortage.decisions_command())
        .about(Topic::Placement(key.clone()));
    for refused in refused.iter().take(4) {
        let name = refused.name().unwrap_or("this one");
        finding = finding.also(refused.span(), format!("why not {name}"));
    }
    shortage.settle(finding)
}
