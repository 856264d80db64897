//! FL0303 rival-runs.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::set_state;

declare_rule! {
    /// Two active runs of one placement.
    ///
    /// ## Why it matters
    /// Both write the same bindings, and the later writer wins, cluster by cluster. A run that loses a cluster which it is
    /// updating fails for good; one that had finished it does not notice, and the fleet ends with mixed versions.
    ///
    /// ## What to do
    /// Stop or delete one of them before it goes on.
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
    for (index, first) in active.iter().enumerate() {
        for second in active.iter().skip(index + 1).filter(|second| is_rival(first, second)) {
            // The older one is usually the one that nobody wants any more.
            let (older, newer) =
                if created(first) <= created(second) { (first, second) } else { (second, first) };
            let place = |run: &Run| {
                run.placement.as_ref().map_or(run.meta.name_span, |placement| placement.span)
            };
            cx.report(
                RIVAL_RUNS
                    .at(place(older), format!("{} rolls this out", older.meta.name()))
                    .also(place(newer), format!("{} too", newer.meta.name()))
                    .also_at(older.index_used.as_ref().map(|index: &Text| index.span), "this version")
                    .also_at(newer.index_used.as_ref().map(|index| index.span), "and this one")
                    .message(format!(
                        "runs {} and {} of placement {} are both active and will take clusters from each other",
                        older.meta.name(),
                        newer.meta.name(),
                        older.placement.as_deref().unwrap_or_default(),
                    ))
                    .why("the later writer wins cluster by cluster; the run that loses a cluster in flight fails for good")
                    .recover(Recoverability::WaitsForPerson)
                    .command(set_state(&older.meta.key, "Stop"))
                    .explains(Topic::takeover_of(older)),
            );
        }
    }
}

fn is_rival(first: &Run, second: &Run) -> bool {
    first.meta.namespace() == second.meta.namespace()
        && first.placement.is_some()
        && first.placement.as_deref() == second.placement.as_deref()
}

fn created(run: &Run) -> Option<jiff::Timestamp> {
    run.meta.created.map(|created| created.value)
}
