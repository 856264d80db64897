//! From an opened bundle to a finished report.

use super::bundle_subject::BundleSubject;
use super::cluster_takeovers::cluster_takeovers;
use super::coverage::coverage;
use super::diagram::diagram;
use super::focus::narrow;
use super::missing_inputs::{ask_for_names, ask_for_objects, ask_how_far};
use super::order::order;
use super::related_log_lines::add_lines;
use super::rest_of_hub::RestOfHub;
use super::verdict::{Chains, verdict};
use super::version::version_by_wording;
use super::{
    Judged, NotEvaluated, PipelineSteps, Report, Request, Subject, judge_world, log_readings,
    run_lines, sanitized,
};
use crate::bundle::Bundle;
use crate::config::{Config, Pages};
use crate::finding::Finding;
use crate::graph::{self, Graph};
use crate::rule::{Rule, World};
use crate::source::Sources;

/// Judges a bundle.
pub fn judge(bundle: &Bundle, config: &Config) -> Report {
    judge_graph(bundle, &graph::build(bundle, config.now), config)
}

/// Judges a bundle whose graph is built.
pub fn judge_graph(bundle: &Bundle, graph: &Graph, config: &Config) -> Report {
    let world = World::of_capture(graph, bundle);
    // First, since it takes the messages apart on all threads, which the rules then find done.
    let version = version_by_wording(world.facts());
    let Config { select, ignore, policy, .. } = config;
    let request = Request { select, ignore, policy, runs_all: false };
    let steps = CaptureSteps { graph, sources: &bundle.sources };
    let Judged { mut findings, suppressed, mut asks, judged, unable } =
        judge_world(&world, graph, &bundle.sources, &request, &steps);
    findings.retain(|resolved| resolved.finding.severity >= config.min_severity);
    asks.extend(ask_for_names(graph, &findings));
    let ticket = BundleSubject::of(graph, bundle);
    order(&mut findings, graph, &ticket);
    let mut runs = run_lines(graph, &findings);
    let elsewhere = RestOfHub::of(&runs, &ticket, graph);
    narrow(&mut findings, &mut runs, &config.focus);
    let chains = Chains::of(&findings);
    let mut verdict = verdict(graph, &findings, &runs, &chains, &config.focus);
    asks.extend(ask_how_far(&verdict));
    if asks.is_empty() && verdict.basis.is_rows() {
        asks.extend(ask_for_objects(graph));
    }
    verdict.narrowed = config.is_narrow() || !suppressed.is_empty();
    let report = Report {
        subject: Subject::Bundle,
        coverage: coverage(bundle, graph, version),
        logs: log_readings(bundle, graph),
        clock: graph.clock,
        runs,
        diagram: diagram(graph, &findings, &verdict),
        history: None,
        provenance: None,
        verdict,
        rest_of_hub: elsewhere,
        takeovers: cluster_takeovers(graph, &findings),
        findings,
        suppressed,
        judged,
        not_evaluated: unable.into_iter().map(not_evaluated).collect(),
        asks: asks.into_iter().collect(),
        fixed: Vec::new(),
        pages: Pages::default(),
    };
    sanitized(report, &bundle.sources)
}

/// What a capture adds to the steps of a judgement.
struct CaptureSteps<'g> {
    graph: &'g Graph,
    sources: &'g Sources,
}

impl PipelineSteps for CaptureSteps<'_> {
    fn enrich(&self, kept: &mut Vec<Finding>) {
        add_lines(kept, self.graph, self.sources);
    }
}

fn not_evaluated(rule: &'static Rule) -> NotEvaluated {
    let lacks = rule.reads.first().map(|kind| format!("{kind:?}")).unwrap_or_default();
    NotEvaluated { code: rule.code, name: rule.name, lacks }
}
