//! [`Verdict`]: what a report says first, for every format: who is not well and why, what is as planned, what is well.
//!
//! Owns the grouping of findings: the leading ones that need somebody are the causes, numbered; what they explain are
//! their symptoms; notes are remarks; what is said about the bundle itself is bookkeeping.
//! Findings are named by their place in [`super::Report::findings`].

mod basis;
mod chains;
mod log_only_runs;
mod merged_causes;
mod placement_standings;
mod standing;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::finding_places::FindingPlaces;
use super::{ResolvedFinding, RunLine};
use crate::config::Focus;
use crate::finding::{Matter, Severity};
use crate::graph::Graph;

pub use basis::Basis;
pub(super) use chains::Chains;
pub use placement_standings::COMPARED;
pub use standing::{Standing, StandingReason, StandingState};

/// What a report says first.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Runs and placements that are not well, the worst first.
    pub unwell: Vec<Standing>,
    /// Runs and placements that wait or work as they should.
    pub planned: Vec<Standing>,
    /// Runs that failed, and that nothing is to be done about any more: a later run took over.
    pub superseded: Vec<Standing>,
    /// Runs that succeeded.
    pub succeeded: Vec<Standing>,
    /// Placements that are available everywhere.
    pub available: Vec<Standing>,
    /// What is wrong, numbered from 1 in this order.
    pub causes: Vec<Cause>,
    /// Notes that lead: worth knowing, and nothing is broken.
    pub remarks: Vec<usize>,
    /// What is said about the bundle itself.
    pub bookkeeping: Vec<usize>,
    /// What was sent and could not be read, of [`Self::bookkeeping`].
    pub unread: Vec<usize>,
    /// Whether a remark tells something of which nothing says whether it is wrong.
    pub unsettled: bool,
    /// What the verdict rests on.
    pub basis: Basis,
    /// Whether only a part was asked for, so that more may be wrong.
    pub narrowed: bool,
}

/// The overall health that a verdict states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Something needs somebody.
    Ill,
    /// What could be read is well, and not all could be.
    Unread,
    /// Nothing was recognised that could be judged.
    Nothing,
    /// Something is told of which nothing says whether it is wrong.
    Unsettled,
    /// Nothing wrong is shown, and not of everything how far it is.
    Untold,
    /// The tables show nothing wrong, and there is nothing but tables.
    Rows,
    /// Nothing needs anybody.
    Well,
}

/// A finding that leads, and what follows from it.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The finding.
    pub finding: usize,
    /// The runs and placements of [`Verdict::unwell`] that it holds up, by their place there.
    pub holds: Vec<usize>,
    /// The findings that it explains, however far.
    pub symptoms: Vec<usize>,
    /// Causes that say the same of other clusters or objects, and are told with it.
    pub alike: Vec<Self>,
    /// The cluster or the object that it speaks of, where others say the same.
    pub name: String,
}

impl Cause {
    fn new(finding: usize, symptoms: Vec<usize>) -> Self {
        Self { finding, holds: Vec::new(), symptoms, alike: Vec::new(), name: String::new() }
    }

    /// Returns the cause itself and those that say the same.
    pub fn members(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.alike)
    }

    /// Returns the runs and placements that it and those that say the same hold up.
    pub fn all_holds(&self) -> Vec<usize> {
        let all: BTreeSet<usize> =
            self.members().flat_map(|cause| cause.holds.iter().copied()).collect();
        all.into_iter().collect()
    }
}

impl Verdict {
    /// Draws the verdict on manifests: every fault is a cause, the worst first, and notes are remarks.
    pub fn of_manifests(findings: &[ResolvedFinding]) -> Self {
        let mut verdict = Self::default();
        for (index, resolved) in findings.iter().enumerate() {
            match resolved.finding.severity {
                Severity::Note => verdict.remarks.push(index),
                _ => verdict.causes.push(Cause::new(index, Vec::new())),
            }
        }
        number(&mut verdict, findings);
        verdict
    }

    /// Returns the number of a finding among the causes, from 1.
    pub fn number_of(&self, finding: usize) -> Option<usize> {
        let is_of = |cause: &Cause| cause.members().any(|member| member.finding == finding);
        self.causes.iter().position(is_of).map(|index| index + 1)
    }

    /// Returns, for each finding of causes that say the same, the place of its cause and the name that it speaks of.
    pub fn groups(&self) -> BTreeMap<usize, (usize, &str)> {
        let folded = self.causes.iter().enumerate().filter(|(_, cause)| !cause.alike.is_empty());
        let members = folded.flat_map(|(index, cause)| cause.members().map(move |it| (index, it)));
        members.map(|(index, member)| (member.finding, (index, &*member.name))).collect()
    }

    /// Counts the findings that some cause explains.
    pub fn symptoms(&self) -> usize {
        let members = self.causes.iter().flat_map(Cause::members);
        let all: BTreeSet<usize> =
            members.flat_map(|cause| cause.symptoms.iter().copied()).collect();
        all.len()
    }

    /// Counts the runs that wait or work as planned, and those of which the bundle does not tell how far they are.
    pub fn planned_runs(&self) -> (usize, usize) {
        let runs = self.planned.iter();
        let runs = runs.filter(|standing| standing.object.kind.ends_with("StagedUpdateRun"));
        let (unknown, planned): (Vec<_>, Vec<_>) =
            runs.partition(|standing| standing.state == StandingState::Unknown);
        (planned.len(), unknown.len())
    }

    /// Says how things are, as far as what was recognised tells.
    pub(super) fn health(&self) -> Health {
        if !(self.causes.is_empty() && self.unwell.is_empty()) {
            Health::Ill
        } else if !self.unread.is_empty() {
            Health::Unread
        } else if self.unsettled {
            Health::Unsettled
        } else if self.planned.iter().any(|standing| standing.state == StandingState::Unknown) {
            Health::Untold
        } else if self.basis.is_rows() {
            Health::Rows
        } else {
            Health::Well
        }
    }
}

/// What a leading finding is to a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nature {
    Cause,
    Remark,
    Bookkeeping,
}

/// Says what a finding is to a reader: what is said about the input comes last.
fn nature(resolved: &ResolvedFinding) -> Nature {
    let finding = &resolved.finding;
    match (finding.matter, finding.severity) {
        (Matter::Input | Matter::Loss, _) => Nature::Bookkeeping,
        (Matter::Fleet | Matter::Unsettled, Severity::Note) => Nature::Remark,
        (Matter::Fleet | Matter::Unsettled, _) => Nature::Cause,
    }
}

/// Draws the verdict of a report.
pub(super) fn verdict(
    graph: &Graph,
    findings: &[ResolvedFinding],
    runs: &[RunLine],
    chains: &Chains,
    focus: &Focus,
) -> Verdict {
    let mut verdict = Verdict { basis: basis::basis(graph), ..Verdict::default() };
    let leading = |index: usize| chains.leads(index);
    for (index, resolved) in findings.iter().enumerate().filter(|(index, _)| leading(*index)) {
        match nature(resolved) {
            Nature::Cause => {
                let symptoms = chains.symptoms_of(index);
                verdict.causes.push(Cause::new(index, symptoms));
            }
            Nature::Remark => {
                verdict.unsettled |= resolved.finding.matter == Matter::Unsettled;
                verdict.remarks.push(index);
            }
            Nature::Bookkeeping => {
                let lost = resolved.finding.matter == Matter::Loss;
                verdict.unread.extend(lost.then_some(index));
                verdict.bookkeeping.push(index);
            }
        }
    }
    verdict.causes = merged_causes::fold(std::mem::take(&mut verdict.causes), findings, graph);
    let by_object = chains.by_object(findings);
    let known = (chains, &FindingPlaces::of(findings));
    let mut standings: Vec<Standing> =
        runs.iter().map(|run| standing::of_run(run, findings, known, &graph.clock)).collect();
    standings.extend(log_only_runs::runs(graph, findings, chains, &by_object, focus));
    let told: BTreeSet<usize> =
        standings.iter().flat_map(|it| &it.reasons).map(|it| it.finding).collect();
    standings
        .extend(placement_standings::placements(graph, findings, chains, &by_object, focus, &told));
    for standing in standings {
        sort_in(&mut verdict, standing, findings);
    }
    let is_elsewhere = |standing: &Standing| {
        let mut causes = standing.reasons.iter().filter_map(|it| findings.get(it.finding));
        !standing.reasons.is_empty() && causes.all(|cause| cause.elsewhere)
    };
    verdict.unwell.sort_by_cached_key(|standing| (is_elsewhere(standing), standing.rank()));
    number(&mut verdict, findings);
    verdict
}

/// Puts a run or a placement where it belongs.
fn sort_in(verdict: &mut Verdict, standing: Standing, findings: &[ResolvedFinding]) {
    let worst = standing.severity;
    let ended_badly = matches!(standing.state, StandingState::Failed | StandingState::Stuck);
    let settled = worst == Some(Severity::Note)
        && standing.reasons.iter().all(|reason| {
            findings.get(reason.finding).is_some_and(|it| it.finding.severity == Severity::Note)
        });
    let target = match standing.state {
        StandingState::Failed if settled => &mut verdict.superseded,
        _ if worst >= Some(Severity::Warning) || ended_badly => &mut verdict.unwell,
        StandingState::Blocked if worst.is_none() => &mut verdict.unwell,
        StandingState::Succeeded => &mut verdict.succeeded,
        StandingState::Available => &mut verdict.available,
        _ => &mut verdict.planned,
    };
    target.push(standing);
}

/// Orders the causes: those of the ticket before the rest of the hub, the worst first, then those that hold up most, those of one run side by side.
fn number(verdict: &mut Verdict, findings: &[ResolvedFinding]) {
    let mut held: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, standing) in verdict.unwell.iter().enumerate() {
        for reason in &standing.reasons {
            held.entry(reason.finding).or_default().push(index);
        }
    }
    let holds = |cause: &Cause| held.get(&cause.finding).cloned().unwrap_or_default();
    for cause in &mut verdict.causes {
        cause.holds = holds(cause);
        cause.alike.iter_mut().for_each(|alike| alike.holds = holds(alike));
    }
    let is_elsewhere = |cause: &Cause| findings.get(cause.finding).is_some_and(|it| it.elsewhere);
    verdict.causes.sort_by_cached_key(|cause| {
        let severity = findings.get(cause.finding).map(|it| it.finding.severity);
        let elsewhere = is_elsewhere(cause) && cause.alike.iter().all(is_elsewhere);
        let held = cause.all_holds();
        let first = held.first().copied().unwrap_or(usize::MAX);
        (elsewhere, Reverse(severity), Reverse(held.len()), first, cause.finding)
    });
}
