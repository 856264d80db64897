//! FL0734 work-not-processed.

use crate::declare_rule;
use crate::facts::blocked_rollout::BlockedRollout;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::age::Age;
use crate::model::condition::Condition;
use crate::model::key::ObjectKey;
use crate::model::work::Work;
use crate::rule::Cx;
use crate::rules::commands::{member_agent_command, member_agent_log, works_command};
use crate::rules::sentence::{clip, full_stop, member_name};
use jiff::SignedDuration;
use smol_str::SmolStr;
use std::collections::BTreeSet;

declare_rule! {
    /// A Work that the member agent has not looked at.
    ///
    /// ## Why it matters
    /// The hub wrote the Work, but its conditions still speak of an older generation, or it has none. Lists of
    /// failed objects are empty then, and what they said before is out of date. An agent looks within seconds;
    /// if it takes minutes it is down, cut off from the hub, or stuck on the way.
    ///
    /// ## What to do
    /// Look at the heartbeat of the member cluster and at the member agent's log. If the agent lives, its log
    /// tells where it stops (`Failed to remove left-over manifests` is a known place).
    pub static WORK_NOT_PROCESSED = Rule {
        code: "FL0734",
        name: "work-not-processed",
        severity: Severity::Error,
        reads: &[Kind::Work],
        check: work_not_processed,
    }
}

/// An agent that lives looks within seconds, and reports at least every few minutes.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

fn work_not_processed(cx: &mut Cx<'_>) {
    let mut told: BTreeSet<(ObjectKey, SmolStr)> = BTreeSet::new();
    for work in
        cx.works().iter().filter(|work| work.meta.deleting.is_none() && !work.is_processed())
    {
        let Some(placement) = work.placement().filter(|_| !work.meta.partial) else { continue };
        // The finalizer is the agent's own: it has looked, and what it wrote was not sent.
        if work.verdict().is_none() && work.meta.may_go_on() {
            continue;
        }
        let slot = (placement, work.cluster().into());
        let stall = cx.blocked_rollouts().iter().find(|stall| is_at(stall, &slot));
        let first = work.verdict().is_none().then_some(work.meta.created).flatten();
        let since = stall.and_then(|stall| stall.condition.since).or(first);
        let overdue = since.and_then(|since| cx.overdue(since.value, PATIENCE));
        // Without a condition that is False, a Work that was just written looks the same.
        let Some(overdue) = overdue.filter(|it| stall.is_some() || it.is_proven()) else {
            continue;
        };
        told.insert(slot.clone());
        let finding = by_work(work, overdue.age).rests_on(&overdue);
        cx.report(finish(finding, &slot));
    }
    for stall in cx.blocked_rollouts() {
        let waits = stall.find(&[
            id::BINDING_APPLIED_INPROGRESS,
            id::BINDING_APPLIED_INCOMPLETE,
            id::BINDING_AVAILABLE_INCOMPLETE,
        ]);
        let slot = (stall.placement.clone(), stall.cluster.clone());
        let overdue = stall.condition.since.and_then(|it| cx.overdue(it.value, PATIENCE));
        let Some(overdue) = overdue.filter(|_| waits.is_some() && !told.contains(&slot)) else {
            continue;
        };
        let finding = WORK_NOT_PROCESSED
            .at(stall.condition.best_span(), "no report since then")
            .message(full_stop(&format!(
                "The member agent of {} has reported nothing about {} for {}: {}",
                member_name(&stall.cluster),
                stall.placement,
                overdue.show(),
                clip(stall.condition.message())
            )))
            .rests_on(&overdue);
        cx.ask(
            works_command(&stall.cluster),
            format!(
                "which Work of {} is not processed on {}",
                stall.placement,
                member_name(&stall.cluster)
            ),
        );
        cx.report(finish(finding, &slot));
    }
}

fn by_work(work: &Work, age: Age) -> Finding {
    let member = work.cluster();
    let (generation, verdict) = (work.meta.generation, work.verdict());
    let span =
        verdict.map(Condition::generation_span).or(generation.map(|generation| generation.span));
    let seen = verdict.map_or_else(
        || "no generation at all".to_owned(),
        |verdict| format!("generation {}", verdict.generation()),
    );
    let began = work.reports.iter().flat_map(|report| &report.conditions);
    let began = began.into_iter().find(|condition| condition.reason() == "PreparingToProcess");
    WORK_NOT_PROCESSED
        .at(span.unwrap_or(work.meta.name_span), "the member agent has processed this")
        .also_at(began.map(Condition::best_span), "it began and did not finish")
        .also_at(
            generation.filter(|_| verdict.is_some()).map(|g| g.span),
            "the Work is at this generation",
        )
        .message(format!(
            "The member agent of {member} has not processed {} for {}: it reported on {seen}, and \
             the Work is at generation {}.",
            work.meta.key,
            age.show(),
            generation.map_or(0, |generation| generation.value),
        ))
}

fn finish(finding: Finding, (placement, cluster): &(ObjectKey, SmolStr)) -> Finding {
    finding
        .why("A member agent that works processes a Work within seconds.")
        .then(format!(
            "{} continues by itself once the member agent of {} works again.",
            placement.name,
            member_name(cluster)
        ))
        .recover(Recoverability::ResumesAfterRepair)
        .step(member_agent_command(cluster), "shows whether the member agent runs")
        .step(member_agent_log(cluster), "shows where the member agent stops")
        .about(Topic::Member(cluster.clone()))
        .explains(Topic::PlacementCluster(placement.clone(), cluster.clone()))
        .explains(Topic::Rollout(placement.clone()))
}

fn is_at(stall: &BlockedRollout, (placement, cluster): &(ObjectKey, SmolStr)) -> bool {
    stall.placement == *placement && stall.cluster == *cluster
}
