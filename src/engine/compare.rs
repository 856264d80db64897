//! Two reports compared by meaning: runs that moved, causes that are gone, new or still there.
//!
//! Owns [`Comparison`]. Findings are the same if they have the same id, which is made of object and field; a cause whose
//! object the newer bundle does not hold is not "gone" but unknown, since nothing shows that it was repaired.

use std::collections::{BTreeMap, BTreeSet};

use super::verdict::{Cause, Standing};
use super::{Report, ResolvedFinding, RunLine};
use crate::model::key::ObjectKey;

/// What changed between two bundles.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Runs and placements whose state or progress changed, or that one bundle does not hold.
    pub moved: Vec<StandingChange>,
    /// How many stand as they stood.
    pub unmoved: usize,
    /// Causes that the newer bundle no longer has.
    pub gone: Vec<CauseLine>,
    /// Causes that only the newer bundle has.
    pub new: Vec<CauseLine>,
    /// Causes that both have, in the newer words.
    pub still: Vec<CauseLine>,
    /// Causes of the older bundle whose object the newer one does not hold.
    pub unknown: Vec<CauseLine>,
}

/// One run or placement in both bundles.
#[derive(Clone, Debug)]
pub struct StandingChange {
    /// The run or placement.
    pub object: ObjectKey,
    /// Its name for people.
    pub name: String,
    /// How it stood; `None` if the older bundle does not hold it.
    pub before: Option<String>,
    /// How it stands; `None` if the newer bundle does not hold it.
    pub after: Option<String>,
    /// The gate at which the run waited and behind which it is now: `before stage dev`.
    pub opened: Option<String>,
    /// Clusters that became updated in between, where both bundles tell.
    pub finished: Option<usize>,
}

/// A cause in one line.
#[derive(Clone, Debug)]
pub struct CauseLine {
    /// The finding's id.
    pub id: String,
    /// The rule's number.
    pub code: &'static str,
    /// What was found; text of the bundle, not cleaned.
    pub message: String,
}

/// Compares two reports; `held` says whether the newer bundle holds an object.
pub fn compare(old: &Report, new: &Report, held: impl Fn(&ObjectKey) -> bool) -> Comparison {
    let mut comparison = Comparison::default();
    let (before, after) = (standings(old), standings(new));
    let (old_runs, new_runs) = (runs(old), runs(new));
    let keys: BTreeSet<&ObjectKey> = before.keys().chain(after.keys()).copied().collect();
    for key in keys {
        let (one, two) = (before.get(key).copied(), after.get(key).copied());
        let runs = old_runs.get(key).zip(new_runs.get(key));
        let opened = runs.and_then(|(one, two)| opened(one, two));
        let change = StandingChange { opened, ..change(key, one, two) };
        if change.before == change.after {
            comparison.unmoved += 1;
        } else {
            comparison.moved.push(change);
        }
    }
    let (old_causes, new_causes) = (causes(old), causes(new));
    for (id, cause) in &old_causes {
        match new_causes.get(id) {
            Some(now) => comparison.still.push(cause_line(now)),
            None if cause.primary.object.as_ref().is_none_or(&held) => {
                comparison.gone.push(cause_line(cause))
            }
            None => comparison.unknown.push(cause_line(cause)),
        }
    }
    let fresh = new_causes.iter().filter(|(id, _)| !old_causes.contains_key(*id));
    comparison.new = fresh.map(|(_, cause)| cause_line(cause)).collect();
    comparison
}

fn standings(report: &Report) -> BTreeMap<&ObjectKey, &Standing> {
    let verdict = &report.verdict;
    [&verdict.succeeded, &verdict.available, &verdict.superseded, &verdict.planned, &verdict.unwell]
        .into_iter()
        .flatten()
        .map(|standing| (&standing.object, standing))
        .collect()
}

fn runs(report: &Report) -> BTreeMap<&ObjectKey, &RunLine> {
    report.runs.iter().map(|run| (&run.object, run)).collect()
}

/// Returns the gate that a run has passed; one that failed or was stopped passed none.
fn opened(before: &RunLine, after: &RunLine) -> Option<String> {
    let side = before.gate?;
    let same = after.gate == before.gate && after.stage_name == before.stage_name;
    let is_past = matches!(after.state, "PROGRESSING" | "SUCCEEDED" | "STUCK" | "WAITING");
    let stage = before.stage_name.as_deref()?;
    (is_past && !same).then(|| format!("{} stage {stage}", side.word()))
}

fn change(key: &ObjectKey, before: Option<&Standing>, after: Option<&Standing>) -> StandingChange {
    let words = |it: &Standing| format!("{} {}", it.state.word(), it.words).trim().to_owned();
    let finished = before
        .and_then(|it| it.updated)
        .zip(after.and_then(|it| it.updated))
        .and_then(|((done, _), (now, _))| now.checked_sub(done))
        .filter(|count| *count > 0);
    let name = after.or(before).map(|standing| standing.name.clone()).unwrap_or_default();
    StandingChange {
        object: key.clone(),
        name,
        before: before.map(words),
        after: after.map(words),
        opened: None,
        finished,
    }
}

fn causes(report: &Report) -> BTreeMap<&str, &ResolvedFinding> {
    let causes = report.verdict.causes.iter().flat_map(Cause::members);
    let found = causes.filter_map(|it| report.findings.get(it.finding));
    found.map(|resolved| (&*resolved.id, resolved)).collect()
}

fn cause_line(resolved: &ResolvedFinding) -> CauseLine {
    let finding = &resolved.finding;
    CauseLine { id: resolved.id.clone(), code: finding.code, message: finding.message.clone() }
}
