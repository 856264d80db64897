//! FL0603 too-few-clusters.

use serde_json::json;

use crate::declare_rule;
use crate::facts::shortage::{Shortage, ShortageKind};
use crate::finding::{Certainty, Finding, Recoverability, Risk, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::rule::Cx;
use crate::rules::commands::{edit_command, merge_command, show_command};
use crate::rules::scheduling::shortage_words::{
    after_change, decisions_command, explain_shortage, show,
};
use crate::rules::sentence::join_names;

declare_rule! {
    /// A placement that asks for more clusters than it gets.
    ///
    /// ## Why it matters
    /// `Scheduled` stays False and every run of the placement fails. The clusters that were picked continue, but in a
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
        reads: &[Kind::Placement, Kind::MemberCluster],
        check: too_few_clusters,
    }
}

fn too_few_clusters(cx: &mut Cx<'_>) {
    for shortage in
        cx.shortages().iter().filter(|shortage| shortage.grade == ShortageKind::Unfulfilled)
    {
        if shortage.scheduled.reason.is_none() && shortage.refused.is_empty() {
            let key = shortage.key();
            cx.ask(show_command(key), format!("why {key} is not scheduled"));
            cx.report(describe_row(shortage));
            continue;
        }
        let finding = describe(cx, shortage);
        if shortage.refused.is_empty() && shortage.wanted().is_none() {
            let key = shortage.key();
            cx.ask(decisions_command(shortage), format!("why {key} does not get its clusters"));
        }
        cx.report(finding);
    }
}

/// Describes a verdict without its reason: refused selectors leave the same mark as too few clusters.
fn describe_row(shortage: &Shortage<'_>) -> Finding {
    let key = shortage.key();
    let finding = TOO_FEW_CLUSTERS
        .at(shortage.scheduled.best_span(), "not scheduled")
        .message(format!("{key} is not scheduled. Why is not shown; mostly it lacks clusters."))
        .why(
            "Scheduled is False while clusters are missing, and while the controller refuses the \
              selectors of the placement.",
        )
        .then(format!("{} is scheduled by itself once the cause is removed.", key.name))
        .certainty(Certainty::Likely)
        .recover(Recoverability::ResumesAfterRepair)
        .step(show_command(key), "shows the reason in its conditions")
        .about(Topic::Placement(key.clone()));
    explain_shortage(shortage, finding)
}

fn describe(cx: &Cx<'_>, shortage: &Shortage<'_>) -> Finding {
    let (key, policy) = (shortage.key(), shortage.policy());
    let number = policy.count.map(|count| count.span);
    let names = policy.clusters.first().map(|name| name.span);
    let (place, label) = match number.or(names) {
        Some(place) => (place, "asked for here"),
        None => (shortage.scheduled.best_span(), "not scheduled"),
    };
    let held = if shortage.starves_rollout() {
        " The rolling update counts the missing clusters as unavailable, so it may not update the \
         others either."
    } else {
        ""
    };
    let mut finding = TOO_FEW_CLUSTERS
        .at(place, label)
        .message(format!("{}{}", show(shortage), reason(cx, shortage)))
        .why(format!(
            "Scheduled stays False until the scheduler has all clusters. Runs of the placement \
             fail meanwhile.{held}"
        ))
        .about(Topic::Placement(key.clone()));
    finding = next_step(cx, finding, shortage);
    for refused in shortage.refused.iter().take(4) {
        let name = refused.name().unwrap_or("this one");
        finding = finding.also(refused.span(), format!("why not {name}"));
    }
    explain_shortage(shortage, after_change(finding, cx, shortage))
}

/// Says whom the scheduler skips, or that there is nobody left.
fn reason(cx: &Cx<'_>, shortage: &Shortage<'_>) -> String {
    let refused = &shortage.refused;
    if !refused.is_empty() {
        let names = join_names(refused.iter().filter_map(|refused| refused.name()));
        // The scheduler notes 20 at most (KubeFleet pkg/scheduler/framework).
        let cut = if refused.len() >= 20 { " (it notes 20 at most)" } else { "" };
        return if names.is_empty() {
            String::new()
        } else {
            format!(" The scheduler skips {names}{cut}.")
        };
    }
    if takes_all(cx, shortage) {
        let members = cx.members().len();
        format!(" The fleet has {members} members, and all of them are picked.")
    } else if shortage.placement.meta.partial || shortage.snapshot.is_none() {
        String::new()
    } else {
        " The scheduler skipped no other cluster, so the fleet has no more.".to_owned()
    }
}

/// Says whether the bundle shows the whole fleet, and all of it is picked.
fn takes_all(cx: &Cx<'_>, shortage: &Shortage<'_>) -> bool {
    let whole = cx.listing("MemberCluster", "") == Listing::All;
    whole && cx.members().len() == shortage.picked.len()
}

/// Adds what can be done: look at the decisions where they were not sent, else ask for fewer clusters.
fn next_step(cx: &Cx<'_>, finding: Finding, shortage: &Shortage<'_>) -> Finding {
    let key = shortage.key();
    let found = shortage.found.filter(|found| *found > 0 && shortage.refused.is_empty());
    match (shortage.policy().kind(), found) {
        _ if shortage.snapshot.is_none() && !takes_all(cx, shortage) => finding
            .step(decisions_command(shortage), "shows why the scheduler skips each other cluster"),
        ("PickN", Some(found)) => finding.hint("More members, or PickAll, also settle it.").step(
            merge_command(
                Risk::Reversible,
                key,
                &json!({"spec": {"policy": {"numberOfClusters": found}}}),
            ),
            format!("asks for the {found} clusters that there are"),
        ),
        _ => finding.step(edit_command(key), "opens it to change the policy"),
    }
}
