//! From an opened bundle to a finished report.

use std::collections::BTreeSet;

use super::asks::{ask_for_names, ask_for_objects, ask_how_far};
use super::coverage::coverage;
use super::elsewhere::Elsewhere;
use super::evidence::add_lines;
use super::focus::narrow;
use super::handover::handovers;
use super::order::order;
use super::picture::picture;
use super::ticket::Ticket;
use super::verdict::{Chains, verdict};
use super::version::version_by_wording;
use super::{
    By, Hidden, NotEvaluated, Report, Subject, Tailored, log_readings, resolve, run_lines,
    run_rules, sealed, suppressed, tailor,
};
use crate::bundle::Bundle;
use crate::config::Config;
use crate::finding::Finding;
use crate::graph::{self, Graph};

use crate::rule::{Rule, Scope, World};
use crate::rules;

/// Judges a bundle.
pub fn judge(bundle: &Bundle, config: &Config) -> Report {
    judge_graph(bundle, &graph::build(bundle, config.now), config)
}

/// Judges a bundle whose graph is built.
pub fn judge_graph(bundle: &Bundle, graph: &Graph, config: &Config) -> Report {
    let is_chosen = |rule: &Rule| config.select.is_empty() || rule.is_named(&config.select);
    let rules = rules::ALL.iter().copied().filter(|rule| rule.scope() == Scope::Bundle);
    let (able, unable): (Vec<_>, Vec<_>) = rules.partition(|rule| has_subject(rule, graph));
    // What is left untold is known only where all rules have run, chosen or not.
    let all = able.iter().any(|rule| is_chosen(rule) && rule.round() > 0);
    let to_run: Vec<_> = able.into_iter().filter(|rule| all || is_chosen(rule)).collect();
    let world = World::of_capture(graph, bundle);
    // First, since it takes the messages apart on all threads, which the rules then find done.
    let version = version_by_wording(world.facts());
    let mut outcomes = run_rules(&to_run, &world);
    outcomes.retain(|outcome| is_chosen(outcome.rule));
    let judged = outcomes.len();
    let mut asks: BTreeSet<_> =
        outcomes.iter_mut().flat_map(|outcome| std::mem::take(&mut outcome.asks)).collect();
    let (ignored, kept): (Vec<_>, Vec<_>) =
        outcomes.into_iter().partition(|outcome| outcome.rule.is_named(&config.ignore));
    let findings: Vec<Finding> =
        kept.into_iter().flat_map(|outcome| outcome.into_findings(&bundle.sources)).collect();
    let Tailored { mut kept, mut hidden, .. } = tailor(findings, &config.policy, graph);
    let ignored = ignored.into_iter().flat_map(|outcome| outcome.findings);
    hidden.extend(ignored.map(|finding| Hidden {
        finding,
        by: By::Argument,
        reason: String::new(),
    }));
    add_lines(&mut kept, graph, &bundle.sources);
    let mut findings = resolve(kept, graph, &bundle.sources);
    findings.retain(|resolved| resolved.finding.severity >= config.min_severity);
    asks.extend(ask_for_names(graph, &findings));
    let ticket = Ticket::of(graph);
    order(&mut findings, graph, &ticket);
    let mut runs = run_lines(graph, &findings);
    let elsewhere = Elsewhere::of(&runs, &ticket, graph);
    narrow(&mut findings, &mut runs, &config.focus);
    let chains = Chains::of(&findings);
    let mut verdict = verdict(graph, &findings, &runs, &chains, &config.focus);
    asks.extend(ask_how_far(&verdict));
    if asks.is_empty() && verdict.basis.is_rows() {
        asks.extend(ask_for_objects(graph));
    }
    verdict.narrowed = config.is_narrow() || !hidden.is_empty();
    let report = Report {
        subject: Subject::Bundle,
        coverage: coverage(bundle, graph, version),
        logs: log_readings(bundle, graph),
        clock: graph.clock,
        runs,
        picture: picture(graph, &findings, &verdict),
        chronicle: None,
        provenance: None,
        verdict,
        elsewhere,
        handovers: handovers(graph, &findings),
        findings,
        suppressed: suppressed(hidden, graph, &bundle.sources),
        judged,
        not_evaluated: unable
            .into_iter()
            .filter(|rule| is_chosen(rule))
            .map(not_evaluated)
            .collect(),
        asks: asks.into_iter().collect(),
        fixed: Vec::new(),
    };
    sealed(report, &bundle.sources)
}

/// Says whether the bundle holds what the rule is about: the first kind it reads.
fn has_subject(rule: &Rule, graph: &Graph) -> bool {
    rule.reads.first().is_none_or(|kind| graph.holds(*kind))
}

fn not_evaluated(rule: &'static Rule) -> NotEvaluated {
    let lacks = rule.reads.first().map(|kind| format!("{kind:?}")).unwrap_or_default();
    NotEvaluated { code: rule.code, name: rule.name, lacks }
}
