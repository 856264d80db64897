//! The one way from an input to what a report shows: choose, run, suppress, link, resolve.
//!
//! Owns the order of these steps, for captures and manifests alike. What is particular to one of them (comments that
//! suppress, a baseline, log lines beside a finding) is added at its step by [`PipelineSteps`].

use std::collections::BTreeSet;

use super::{
    PolicyOutcome, ResolvedFinding, Suppressed, SuppressedBy, SuppressedFinding, apply_policy,
    resolve, run_rules, suppressed,
};
use crate::config::Policy;
use crate::finding::Finding;
use crate::graph::Locate;
use crate::rule::{Ask, Rule, World};
use crate::rules::input::broken_rule::BROKEN_RULE;
use crate::rules::{self, find_rule};
use crate::source::Sources;

/// What the user wants to see.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// Rules whose findings are shown, by code, beginning of a code, or name; empty means all.
    pub select: &'r [String],
    /// Rules whose findings are counted only.
    pub ignore: &'r [String],
    /// Levels of rules, and what is ignored.
    pub policy: &'r Policy,
    /// Whether rules run that nobody chose: only then is it known what is left untold, and which suppression is not needed.
    pub runs_all: bool,
}

/// What the kind of input adds to the steps.
pub trait PipelineSteps {
    /// Takes out what the input itself suppresses, and adds what is wrong with that.
    fn suppress(&self, found: Vec<Finding>) -> (Vec<Finding>, Vec<SuppressedFinding>) {
        (found, Vec::new())
    }

    /// Takes out what is known already; `used` tells which entries of the policy took something out.
    fn take_known(
        &self,
        kept: Vec<Finding>,
        _used: &[bool],
    ) -> (Vec<Finding>, Vec<SuppressedFinding>) {
        (kept, Vec::new())
    }

    /// Adds what else the input shows to the findings that stay.
    fn enrich(&self, _kept: &mut Vec<Finding>) {}
}

/// The result of the pipeline.
#[derive(Debug)]
pub struct Judged {
    /// What is shown, causes first.
    pub findings: Vec<ResolvedFinding>,
    /// What is not shown, and why.
    pub suppressed: Vec<Suppressed>,
    /// What the chosen rules lacked.
    pub asks: BTreeSet<Ask>,
    /// How many of the chosen rules ran.
    pub judged: usize,
    /// The chosen rules for which the input has no subject.
    pub unable: Vec<&'static Rule>,
}

impl Request<'_> {
    fn chooses(&self, rule: &Rule) -> bool {
        self.select.is_empty() || rule.is_named(self.select)
    }

    /// Says whether a finding is asked for; that a rule broke down is told in any case.
    fn shows(&self, finding: &Finding) -> bool {
        self.select.is_empty()
            || finding.code == BROKEN_RULE.code
            || find_rule(finding.code).is_some_and(|rule| self.chooses(rule))
    }

    fn ignores(&self, finding: &Finding) -> bool {
        !self.ignore.is_empty()
            && find_rule(finding.code).is_some_and(|rule| rule.is_named(self.ignore))
    }
}

/// Judges an input.
pub fn judge_world<'w>(
    world: &'w World<'w>,
    locate: &dyn Locate,
    sources: &Sources,
    request: &Request<'_>,
    steps: &dyn PipelineSteps,
) -> Judged {
    let rules = rules::ALL.iter().copied().filter(|rule| rule.scope() == world.scope());
    let (able, mut unable): (Vec<_>, Vec<_>) = rules.partition(|rule| world.has_subject(rule));
    unable.retain(|rule| request.chooses(rule));
    // What is left untold is known only where all rules have run.
    let all = request.runs_all || able.iter().any(|rule| request.chooses(rule) && rule.round() > 0);
    let due: Vec<_> = able.into_iter().filter(|rule| all || request.chooses(rule)).collect();
    let mut outcomes = run_rules(&due, world);
    // What ran for the sake of others alone is not told.
    outcomes.retain(|outcome| request.runs_all || request.chooses(outcome.rule));
    let chosen = || outcomes.iter().filter(|outcome| request.chooses(outcome.rule));
    let judged = chosen().count();
    let asks = chosen().flat_map(|outcome| outcome.asks.iter().cloned()).collect();
    let found = outcomes.into_iter().flat_map(|outcome| outcome.into_findings(sources)).collect();
    let (kept, mut hidden) = steps.suppress(found);
    let PolicyOutcome { kept, hidden: outcome, used } = apply_policy(kept, request.policy, locate);
    hidden.extend(outcome);
    let (mut kept, known) = steps.take_known(kept, &used);
    hidden.extend(known);
    kept.retain(|finding| request.shows(finding));
    let ignored = kept.extract_if(.., |finding| request.ignores(finding));
    let by_argument =
        |finding| SuppressedFinding { finding, by: SuppressedBy::Argument, reason: String::new() };
    hidden.extend(ignored.map(by_argument));
    steps.enrich(&mut kept);
    let findings = resolve(kept, locate, sources);
    let suppressed = suppressed(hidden, locate, sources);
    Judged { findings, suppressed, asks, judged, unable }
}
