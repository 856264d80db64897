//! The causes of a busy hub, each with the runs and placements that it holds up.

use crate::engine::verdict::StandingState;
use crate::engine::{ResolvedFinding, Verdict};

/// More causes are counted.
const MOST: usize = 12;
/// More runs and placements of one cause are counted.
const HELD: usize = 6;

/// The causes, in their order.
#[derive(Clone, Debug)]
pub struct CauseList {
    /// The first of them.
    pub rows: Vec<CauseRow>,
    /// How many there are beside those.
    pub more: usize,
}

/// One cause.
#[derive(Clone, Debug)]
pub struct CauseRow {
    /// Its number, from 1.
    pub number: usize,
    /// The message of its finding.
    pub text: String,
    /// What it holds up, with its state.
    pub holds: Vec<(String, StandingState)>,
    /// How many it holds up beside those.
    pub more: usize,
}

/// Returns the list of causes; nothing where none of them holds anything up.
pub(super) fn list(findings: &[ResolvedFinding], verdict: &Verdict) -> Option<CauseList> {
    let rows: Vec<CauseRow> = verdict
        .causes
        .iter()
        .enumerate()
        .take(MOST)
        .filter_map(|(index, cause)| {
            let all = cause.all_holds();
            let held = all.iter().filter_map(|at| verdict.unwell.get(*at));
            Some(CauseRow {
                number: index + 1,
                text: findings.get(cause.finding)?.finding.message.clone(),
                holds: held.take(HELD).map(|it| (it.name.clone(), it.state)).collect(),
                more: all.len().saturating_sub(HELD),
            })
        })
        .collect();
    let more = verdict.causes.len() - rows.len();
    rows.iter().any(|row| !row.holds.is_empty()).then_some(CauseList { rows, more })
}
