//! The engine: runs the rules, links causes, resolves places, sorts.
//!
//! Owns the way from a [`crate::graph::Graph`] to a [`Report`]. Rules run in parallel; a rule that panics becomes a
//! finding of its own and the others go on. The order of everything is fixed by keys and spans.

mod apply_policy;
mod bundle_subject;
mod catch_panic;
mod cluster_takeovers;
pub mod compare;
mod coverage;
mod diagram;
mod finding_id;
mod finding_places;
mod focus;
mod judge;
mod key_moments;
mod link;
mod log_reading;
mod missing_inputs;
mod names_in_prose;
mod order;
mod pipeline;
mod provenance;
mod related_log_lines;
mod report;
mod report_history;
mod resolve;
mod rest_of_hub;
mod run_line;
mod sanitize;
mod tree_marks;
pub mod verdict;
mod version;

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::finding::Finding;
use crate::rule::{Ask, Check, Cx, Explained, Reads, Rule, World};
use crate::source::Sources;

pub use crate::views::RunLine;

pub use apply_policy::{
    PolicyOutcome, Suppressed, SuppressedBy, SuppressedFinding, apply_policy, suppressed,
};
pub use catch_panic::is_judging;
pub(crate) use catch_panic::{broken_rule, guarded};
pub use cluster_takeovers::ClusterTakeover;
pub use diagram::{
    Bar, Board, BoardCluster, BoardStage, CauseList, CauseRow, ClusterProgress, Diagram, GateCard,
    Lane, Lanes, SelectedCluster, SelectorRow, SelectorTable,
};
pub use judge::{judge, judge_graph};
pub use key_moments::{KeyMoment, KeyMoments, key_moments};
pub use link::link;
pub use log_reading::{LogReading, log_readings};
pub use pipeline::{Judged, PipelineSteps, Request, judge_world};
pub use provenance::Provenance;
pub use report::{Coverage, FixedFinding, NotEvaluated, Report, Subject};
pub use report_history::{HistoryEvent, ReportHistory, report_history};
pub use resolve::{Place, ResolvedFinding, ResolvedFix, place_of, resolve, sort_findings};
pub use rest_of_hub::RestOfHub;
pub use run_line::run_lines;
pub use sanitize::sanitized;
pub use tree_marks::marked_tree;
pub use verdict::Verdict;

/// What one rule gave.
#[derive(Debug)]
pub struct RuleOutcome {
    /// The rule.
    pub rule: &'static Rule,
    /// The findings of the rule.
    pub findings: Vec<Finding>,
    /// Commands for what the rule needed and the bundle lacks.
    pub asks: BTreeSet<Ask>,
    /// The kinds it was served.
    pub reads: Reads,
    /// The message of its panic, if it panicked.
    pub panic: Option<String>,
}

impl RuleOutcome {
    /// Returns what the rule found; a rule that panicked is itself a finding, and the others go on.
    pub(crate) fn into_findings(self, sources: &Sources) -> Vec<Finding> {
        match self.panic {
            Some(panic) => broken_rule(self.rule, &panic, sources).into_iter().collect(),
            None => self.findings,
        }
    }
}

/// Runs rules over an input, in parallel, each guarded; those that look at what is left come last.
pub fn run_rules<'w>(rules: &[&'static Rule], world: &'w World<'w>) -> Vec<RuleOutcome> {
    let rounds = rules.iter().map(|rule| rule.round()).max().unwrap_or_default();
    let mut outcomes: Vec<(usize, RuleOutcome)> = Vec::new();
    let (mut told, mut heard) = (Explained::default(), 0);
    for round in 0..=rounds {
        let fresh = outcomes.get(heard..).unwrap_or_default();
        told.add(fresh.iter().flat_map(|(_, outcome)| &outcome.findings));
        heard = outcomes.len();
        let due = rules.par_iter().enumerate().filter(|(_, rule)| rule.round() == round);
        outcomes.par_extend(due.map(|(index, rule)| (index, run_rule(rule, world, &told))));
    }
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn run_rule<'w>(rule: &'static Rule, world: &'w World<'w>, told: &Explained) -> RuleOutcome {
    let judged = guarded(|| {
        let mut cx = Cx::new(world);
        match rule.check {
            Check::Input(check) => check(&mut cx),
            Check::Remainder(check) | Check::Net(check) => check(&mut cx, told),
        }
        cx.finish()
    });
    match judged {
        Ok((findings, asks, reads)) => RuleOutcome { rule, findings, asks, reads, panic: None },
        Err(panic) => {
            let (findings, asks, reads) = Default::default();
            RuleOutcome { rule, findings, asks, reads, panic: Some(panic) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Encoding, Origin};

    #[test]
    fn a_rule_that_panics_is_reported() {
        let mut sources = Sources::default();
        sources.add("a.yaml", Origin::default(), Encoding::Utf8, "kind: Namespace\n");
        let rule = crate::rules::find_rule("FL1102").expect("a rule");
        let broken = RuleOutcome {
            rule,
            findings: Vec::new(),
            asks: BTreeSet::new(),
            reads: Reads::default(),
            panic: Some("on purpose".to_owned()),
        };
        let found = broken.into_findings(&sources);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, "FL0009");
        assert!(found[0].message.contains("on purpose"), "{}", found[0].message);
    }
}
