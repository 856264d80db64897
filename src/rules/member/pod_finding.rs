//! How the rules about pods tell one cause of all pods of a workload that suffer it.

use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Certainty, Finding, Topic};
use crate::grammar::message::MessageContext;
use crate::model::key::ObjectKey;
use crate::model::parsed_message::ParsedMessage;
use crate::model::read::Text;
use crate::rule::Cx;
use crate::rules::consequence::{HeldUp, explain};
use crate::rules::sentence::join_names;

/// Takes the message of an event or a container apart.
pub fn parse_message<'g>(
    cx: &Cx<'g>,
    message: &'g Text,
    reason: Option<&'g Text>,
) -> ParsedMessage {
    cx.said(
        message,
        MessageContext { reason: reason.map(|text| &**text), ..MessageContext::default() },
    )
}

/// Returns how many pods suffer, for a sentence: `1 of 3 pods`; nothing where only events tell of it.
pub fn pods_of_workload(unavailable: &UnavailableWorkload<'_>, suffering: usize) -> String {
    match (suffering, unavailable.pods.len()) {
        (0, _) | (_, 0) => String::new(),
        (1, 1) => " (its only pod)".to_owned(),
        (2, 2) => " (both pods)".to_owned(),
        (some, all) if some >= all => format!(" (all {all} pods)"),
        (some, all) => format!(" ({some} of {all} pods)"),
    }
}

/// Says that a cause below a workload explains what the workload and its placement suffer.
///
/// Where the files do not say which of several members they are from, that is said.
pub fn explain_unavailable(finding: Finding, unavailable: &UnavailableWorkload<'_>) -> Finding {
    let mut finding = match unavailable.failure {
        None => explain(finding, &unavailable.key, None),
        Some(_) => unavailable.failures().fold(finding, |finding, failure| {
            explain(finding, &failure.object, failure.placement.as_ref())
        }),
    };
    for (run, cluster) in &unavailable.awaited_by {
        finding = finding.explains(Topic::RunCluster(run.clone(), cluster.clone()));
    }
    if !unavailable.is_placed {
        finding = finding.certainty(Certainty::Likely);
    }
    if !unavailable.others.is_empty() {
        let members = join_names(unavailable.failures().map(|failure| failure.cluster()));
        finding = finding.hint(format!(
            "The files with the pods do not name their cluster. {members} report this workload as \
             unavailable."
        ));
    }
    let report = unavailable.failure.and_then(|failure| failure.witnesses.first());
    if let Some(report) = report {
        finding =
            finding.also(report.span, format!("so the {} is not available", unavailable.key.kind));
    }
    finding
}

impl HeldUp for UnavailableWorkload<'_> {
    fn placement(&self) -> Option<&ObjectKey> {
        self.failure.and_then(|failure| failure.placement.as_ref())
    }

    fn clusters(&self) -> Vec<&str> {
        self.failures().map(|failure| failure.cluster()).collect()
    }
}
