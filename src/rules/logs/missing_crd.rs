//! FL0905 missing-crd.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::message::line;
use crate::model::log::LogEvent;
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;

declare_rule! {
    /// A hub-agent that cannot start because a CRD is missing.
    ///
    /// ## Why it matters
    /// Without all CRDs of KubeFleet hub-agent ends right after its start, and nothing on the hub moves.
    ///
    /// ## What to do
    /// Install the CRD that the line names; hub-agent then starts by itself.
    pub static MISSING_CRD = Rule {
        code: "FL0905",
        name: "missing-crd",
        severity: Severity::Error,
        reads: &[],
        check: missing_crd,
    }
}

fn missing_crd(cx: &mut Cx<'_>) {
    let events = cx.log_events();
    let Some((index, event)) = events.iter().enumerate().rfind(|(_, event)| lacks_crd(event))
    else {
        return;
    };
    // A process that got as far as asking for the lease has found everything.
    let mut later = events.iter().skip(index + 1).filter(|later| later.log == event.log);
    if later.any(|later| later.is(line::LEASE_A)) {
        return;
    }
    let error = event.error.as_ref().map(|(error, _)| format!(": {error}")).unwrap_or_default();
    cx.report(
        MISSING_CRD
            .at(event.span, "hub-agent ends here")
            .message(format!("The hub agent does not find a CRD that it needs and ends{error}."))
            .why("The hub agent needs all CRDs of KubeFleet at its start.")
            .then("The hub agent continues by itself at its next start once the CRD is installed.")
            .recover(Recoverability::ResumesAfterRepair)
            .command(look_at_hub().words("get crds -o name").build())
            .explains(Topic::HubAgent),
    );
}

fn lacks_crd(event: &LogEvent) -> bool {
    event.is(line::SETUP_CRD) || event.is(line::WORKLOAD_UNABLE_FIND_REQUIRED_CRD)
}
