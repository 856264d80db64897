//! `analyze`: what broke in a captured fleet.

use super::Judgement;
use crate::bundle::Bundle;
use crate::config::Config;
use crate::engine::{Provenance, judge_graph, report_history};
use crate::error::Error;
use crate::graph;
use crate::input::Input;

/// Judges a bundle: folders, archives, files, or bytes in memory.
///
/// What cannot be read is part of the report; an error means that a named path is not there. An input in which nothing
/// is recognised gives a report that says so ([`Report::health`](crate::engine::Report::health)).
///
/// ```
/// use fleetlens::types::Severity;
/// use fleetlens::{AnalyzeOptions, Format, Input, Look, analyze};
///
/// let run = "\
/// apiVersion: placement.kubernetes-fleet.io/v1beta1
/// kind: ClusterStagedUpdateRun
/// metadata: {name: web-2, generation: 1}
/// spec: {placementName: web, stagedRolloutStrategyName: rings, state: Run}
/// status:
///   conditions:
///   - type: Initialized
///     status: \"False\"
///     observedGeneration: 1
///     lastTransitionTime: \"2026-11-16T12:00:00Z\"
///     reason: UpdateRunInitializedFailed
///     message: \"cannot continue the updateRun: failed to validate the updateRun: parent placement not found\"
/// ";
/// let judged = analyze(&[Input::bytes("runs.yaml", run)], &AnalyzeOptions::default())?;
/// assert!(judged.report.reaches(Severity::Error));
/// assert!(judged.render(Format::Human, Look::plain(80)).contains("web-2"));
/// # Ok::<(), fleetlens::Error>(())
/// ```
pub fn analyze(inputs: &[Input], options: &Config) -> Result<Judgement, Error> {
    let bundle = Bundle::read(inputs)?;
    let graph = graph::build(&bundle, options.now);
    let mut report = judge_graph(&bundle, &graph, options);
    report.history = report_history(&graph, &bundle.sources, &report, &options.focus);
    report.provenance = Some(Provenance { inputs: bundle.digests(), flags: Vec::new() });
    Ok(Judgement { report, sources: bundle.sources })
}
