//! FL0303 rival-runs.

use std::collections::BTreeMap;

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::read::SpanOr;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::set_state_for;

declare_rule! {
    /// Two active runs of one placement.
    ///
    /// ## Why it matters
    /// Both write the same bindings, and the later writer wins, cluster by cluster. A run that loses a cluster which it is
    /// updating fails permanently; one that had finished it does not notice, and the fleet ends with mixed versions.
    ///
    /// ## What to do
    /// Stop or delete one of them before it continues.
    pub static RIVAL_RUNS = Rule {
        code: "FL0303",
        name: "rival-runs",
        severity: Severity::Warning,
        reads: &[Kind::Run],
        check: rival_runs,
    }
}

fn rival_runs(cx: &mut Cx<'_>) {
    let active: Vec<&Run> = cx.runs().iter().filter(|run| run.is_active()).collect();
    // Each beside the next younger one: with many runs of one placement, all pairs would be told by all others.
    let mut rivals: BTreeMap<_, Vec<&Run>> = BTreeMap::new();
    for run in active {
        if let Some(target) = run.target() {
            rivals.entry(target).or_default().push(run);
        }
    }
    for mut runs in rivals.into_values() {
        // The older one is usually the one that nobody wants any more.
        runs.sort_by_key(|run| created(run));
        for (older, newer) in runs.iter().zip(runs.iter().skip(1)) {
            cx.report(describe(older, newer));
        }
    }
}

fn describe(older: &Run, newer: &Run) -> Finding {
    let place = |run: &Run| run.placement.span_or(run.meta.name_span);
    let version = |run: &Run| match run.wanted_index() {
        Some(index) => format!("{} rolls out snapshot {index}", run.meta.name()),
        None => format!("{} rolls it out", run.meta.name()),
    };
    let used = |run: &Run| run.index_used.as_ref().map(|index| index.span);
    let stop = |run: &Run, other: &Run| {
        set_state_for(
            &run.meta.key,
            "Stop",
            format!("stops {}, so that {} continues alone", run.meta.name(), other.meta.name()),
        )
    };
    let (a, b) = (older.meta.name(), newer.meta.name());
    RIVAL_RUNS
        .at(place(older), format!("{a} rolls this out"))
        .also(place(newer), format!("{b} rolls it out too"))
        .also_at(used(older), version(older))
        .also_at(used(newer), version(newer))
        .message(format!(
            "{} and {b} are both active on placement {}.",
            older.meta.title(),
            older.placement.as_deref().unwrap_or_default(),
        ))
        .why(
            "Two runs of one placement write the same bindings. Each cluster goes to \
             the last writer.",
        )
        .then(format!(
            "Neither makes way for the other. {} or {b} fails if the other takes a \
                 cluster that it is updating.",
            older.meta.title()
        ))
        .recover(Recoverability::WaitsForPerson)
        .decide("Decide which run should continue.", vec![stop(older, newer), stop(newer, older)])
        .explains(Topic::takeover_of(older))
        .explains(Topic::versions_of(older))
}

fn created(run: &Run) -> Option<jiff::Timestamp> {
    run.meta.created.map(|created| created.value)
}
