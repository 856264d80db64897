//! FL0605 unmatched-affinity.

use std::collections::BTreeMap;

use serde_json::json;

use crate::declare_rule;
use crate::facts::shortage::{Shortage, ShortageKind};
use crate::finding::{Certainty, Command, Finding, Risk, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::graph::Listing;
use crate::model::cluster::MemberCluster;
use crate::model::scheduling::{ClusterSelectorTerm, UnmetTerm};
use crate::rule::Cx;
use crate::rules::commands::{edit_command, look_at_hub, merge_command};
use crate::rules::scheduling::shortage_words::{after_change, explain_shortage, show};
use crate::rules::sentence::join_names;

declare_rule! {
    /// A required cluster affinity that too few clusters satisfy.
    ///
    /// ## Why it matters
    /// A cluster has to satisfy one of the required terms, with all labels and properties in it. A PickN policy that
    /// does not find its number stays unscheduled; a PickAll policy that finds none is called scheduled and places
    /// nothing.
    ///
    /// ## What to do
    /// Correct the value in the policy, or label the clusters that are meant. The scheduler checks again by itself
    /// when labels or properties change.
    pub static UNMATCHED_AFFINITY = Rule {
        code: "FL0605",
        name: "unmatched-affinity",
        severity: Severity::Error,
        reads: &[Kind::Placement, Kind::MemberCluster],
        check: unmatched_affinity,
    }
}

const AFFINITY: [MessageId; 2] = [id::DECISION_AFFINITY, id::OLD_DEC_AFFINITY];

fn unmatched_affinity(cx: &mut Cx<'_>) {
    for shortage in cx.shortages() {
        // PickAll with an affinity is meant to leave clusters out.
        let told = !shortage.refused_for(&AFFINITY).is_empty();
        if shortage.grade == ShortageKind::Partial
            || !(told || shows_why_without_decisions(cx, shortage))
        {
            continue;
        }
        // The affinity is asked first: who is refused for another reason satisfies it. If those would
        // be enough, it is not the affinity that is at fault.
        let missing = shortage.wanted().map_or(1, |wanted| {
            usize::try_from(wanted).unwrap_or_default().saturating_sub(shortage.picked.len())
        });
        if matching_elsewhere(shortage).len() >= missing {
            continue;
        }
        let finding = describe(cx, shortage);
        cx.report(finding);
    }
}

/// Says whether nothing was picked, no decision was sent, and yet the members show why.
fn shows_why_without_decisions(cx: &Cx<'_>, shortage: &Shortage<'_>) -> bool {
    let terms = shortage.policy().required_terms();
    let lacks = |member: &MemberCluster| terms.iter().all(|term| !term.unmet(member).is_empty());
    shortage.grade == ShortageKind::Empty
        && shortage.refused.is_empty()
        && !terms.is_empty()
        && cx.listing("MemberCluster", "") == Listing::All
        && cx.members().iter().all(|member| !member.meta.partial && lacks(member))
}

/// What a refused member lacks for the term that it comes nearest to.
struct Miss<'g> {
    member: &'g MemberCluster,
    lacks: Vec<UnmetTerm>,
}

fn describe(cx: &Cx<'_>, shortage: &Shortage<'_>) -> Finding {
    let key = shortage.key();
    let terms = shortage.policy().required_terms();
    let refusals = shortage.refused_for(&AFFINITY);
    let told = refusals.iter().filter_map(|(refused, _)| cx.find_member(refused.name()?));
    let misses: Vec<Miss<'_>> = match refusals.as_slice() {
        [] => cx.members().iter().filter_map(|member| miss(member, &terms)).collect(),
        _ => told.filter_map(|member| miss(member, &terms)).collect(),
    };
    let near = misses.iter().filter(|miss| !miss.lacks.is_empty());
    let near = near.min_by_key(|miss| miss.lacks.len()).and_then(|miss| miss.lacks.first());
    let place =
        near.map(|unmet| unmet.span).or_else(|| terms.iter().find_map(ClusterSelectorTerm::place));
    let demands: Vec<String> =
        terms.iter().map(ClusterSelectorTerm::show).filter(|d| !d.is_empty()).collect();
    let demands = match demands.as_slice() {
        [] => "an affinity that the bundle does not show".to_owned(),
        known => known.join(" or "),
    };
    let mut matching = shortage.picked.clone();
    matching.extend(matching_elsewhere(shortage));
    let found = match matching.as_slice() {
        [] if misses.iter().any(|miss| miss.lacks.is_empty()) => {
            "no cluster matched when it decided".to_owned()
        }
        [] => "no cluster matches".to_owned(),
        [only] => format!("only {only} matches"),
        several => format!("only {} match", join_names(several)),
    };
    let mut finding = UNMATCHED_AFFINITY
        .at(
            place.unwrap_or_else(|| shortage.scheduled.best_span()),
            match matching.as_slice() {
                [] => "no cluster has this",
                _ => "too few clusters have this",
            },
        )
        .message(format!(
            "{} It requires {demands}, and {found}.{}",
            show(shortage),
            show_values(&misses),
        ))
        .why(help(&misses))
        .step(
            look_at_hub()
                .words("get memberclusters --show-labels")
                .build()
                .filter(|_| misses.is_empty()),
            "shows the labels of the clusters, to compare with the policy",
        );
    // A label can be set; a property is measured.
    let mut lacking = misses.iter().filter(|miss| !miss.lacks.is_empty());
    let by_labels = lacking.any(|miss| miss.lacks.iter().all(|unmet| unmet.is_label));
    let labels = if by_labels { "; labels on the MemberClusters work as well" } else { "" };
    let open = edit_command(key).filter(|_| !misses.is_empty()).map(|open| {
        open.with_effect(format!("opens {} to correct the affinity{labels}", key.name))
    });
    finding = match fewer(shortage) {
        Some(fewer) => {
            let question = format!("Decide how many clusters {} should get.", key.name);
            finding.decide(question, vec![Some(fewer), open])
        }
        None => finding.command(open),
    };
    for miss in misses.iter().take(2) {
        let Some(unmet) = miss.lacks.first() else { continue };
        let name = miss.member.meta.name();
        finding = match &unmet.has {
            Some((value, span)) => finding.also(*span, format!("{name} has {value}")),
            None => {
                finding.also(miss.member.meta.name_span, format!("{name} has no {}", unmet.key))
            }
        };
    }
    let finding = match refusals.first() {
        Some((refused, _)) => {
            let name = refused.name().unwrap_or("a cluster");
            finding.also(refused.span(), format!("why not {name}"))
        }
        None => finding.certainty(Certainty::Likely),
    };
    explain_shortage(shortage, after_change(finding, cx, shortage))
}

/// Asks for no more clusters than match, where some do and all of them are picked.
fn fewer(shortage: &Shortage<'_>) -> Option<Command> {
    let picked = shortage.picked.len();
    let some = picked > 0 && shortage.policy().kind() == "PickN";
    let all = matching_elsewhere(shortage).is_empty();
    let patch = json!({"spec": {"policy": {"numberOfClusters": picked}}});
    let command =
        merge_command(Risk::Reversible, shortage.key(), &patch).filter(|_| some && all)?;
    Some(command.with_effect(match picked {
        1 => "asks for the one cluster that matches".to_owned(),
        _ => format!("asks for the {picked} clusters that match"),
    }))
}

/// Returns the clusters that were refused for another reason.
fn matching_elsewhere<'s>(shortage: &'s Shortage<'_>) -> Vec<&'s str> {
    let others = shortage.refused.iter().filter(|refused| refused.said.find(&AFFINITY).is_none());
    others.filter_map(|refused| refused.name()).collect()
}

fn miss<'g>(member: &'g MemberCluster, terms: &[ClusterSelectorTerm]) -> Option<Miss<'g>> {
    if member.meta.partial {
        return None;
    }
    let lacks = terms.iter().map(|term| term.unmet(member)).min_by_key(Vec::len)?;
    Some(Miss { member, lacks })
}

/// Returns what the members have, as sentences: ` environment is dev on member1 and prod on member3.`
fn show_values(misses: &[Miss<'_>]) -> String {
    let mut keys: BTreeMap<&str, BTreeMap<Option<&str>, Vec<&str>>> = BTreeMap::new();
    for miss in misses {
        for unmet in &miss.lacks {
            let has = unmet.has.as_ref().map(|(value, _)| &**value);
            let name = miss.member.meta.name();
            keys.entry(&unmet.key).or_default().entry(has).or_default().push(name);
        }
    }
    let key = |(key, values): (&&str, &BTreeMap<Option<&str>, Vec<&str>>)| {
        let value = |(value, names): (&Option<&str>, &Vec<&str>)| {
            format!("{} on {}", value.unwrap_or("absent"), join_names(names))
        };
        format!(" {key} is {}.", join_names(values.iter().map(value)))
    };
    keys.iter().take(3).map(key).collect()
}

fn help(misses: &[Miss<'_>]) -> String {
    let fit = misses.iter().filter(|miss| miss.lacks.is_empty());
    let fit = join_names(fit.map(|miss| miss.member.meta.name()));
    let since = if fit.is_empty() {
        String::new()
    } else {
        format!(
            " At the capture {fit} would match: the decision is older than its labels or \
             properties."
        )
    };
    format!(
        "The scheduler picks a cluster only if it satisfies one required term as a whole, labels \
         and properties.{since}"
    )
}
