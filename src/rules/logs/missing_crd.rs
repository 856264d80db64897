//! FL0905 missing-crd.

use crate::declare_rule;
use crate::finding::{Command, Topic};
use crate::finding::{Recoverability, Severity};
use crate::rule::{Cx, Scope};

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
        scope: Scope::Bundle,
        reads: &[],
        check: missing_crd,
    }
}

fn missing_crd(cx: &mut Cx<'_>) {
    let Some(event) = cx.log_events().iter().rev().find(|event| event.is("log-setup-crd")) else {
        return;
    };
    let error = event.error.as_ref().map(|(error, _)| format!(": {error}")).unwrap_or_default();
    cx.report(
        MISSING_CRD
            .at(event.span, "hub-agent ends here")
            .message(format!("hub-agent does not find a CRD that it needs and ends{error}"))
            .help("without all CRDs of KubeFleet nothing on the hub moves")
            .recover(Recoverability::ResumesAfterRepair)
            .command(Command::look("kubectl get crds | grep kubernetes-fleet.io"))
            .explains(Topic::HubAgent),
    );
}
