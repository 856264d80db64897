//! FL0117 untouched-run.

use crate::declare_rule;
use crate::finding::{Certainty, Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::age::Age;
use crate::model::log::Agent;
use crate::model::run::Run;
use crate::rule::Cx;
use crate::rules::commands::{hub_agent_command, hub_agent_log};
use crate::source::Span;
use jiff::SignedDuration;

/// The first condition comes within seconds; a minute is long.
const PATIENCE: SignedDuration = SignedDuration::from_mins(1);

declare_rule! {
    /// A run that no controller has touched, or that does not get through its initialization.
    ///
    /// ## Why it matters
    /// A run gets its finalizer and its first condition within seconds. Without a finalizer no controller watches runs of
    /// this scope: the hub agent is down, or runs are switched off (`--enable-staged-update-run-apis`, and
    /// `--enable-resource-placement` for namespaced ones). With a finalizer but no condition the initialization is
    /// retried again and again: the log of the hub agent says why.
    ///
    /// ## What to do
    /// Check the hub agent: is it running, does it hold the lease, which flags has it, what does its log say?
    pub static UNTOUCHED_RUN = Rule {
        code: "FL0117",
        name: "untouched-run",
        severity: Severity::Error,
        reads: &[Kind::Run],
        check: untouched_run,
    }
}

fn untouched_run(cx: &mut Cx<'_>) {
    for run in cx.runs().iter().filter(|run| run.conditions.is_empty() && !run.meta.partial) {
        let created = run.meta.created.filter(|_| run.meta.deleting.is_none());
        let Some(created) = created else { continue };
        let Some(age) = cx.surely_over(created.value, PATIENCE) else { continue };
        let has_log = cx.logs().iter().any(|log| log.agent == Agent::Hub);
        let mut finding = describe(run, created.span, &age).command(hub_agent_command());
        if !has_log {
            finding = finding.command(hub_agent_log());
        }
        if run.meta.may_go_on() {
            finding = finding.severity(Severity::Warning).certainty(Certainty::Likely);
        }
        cx.report(finding);
    }
}

fn describe(run: &Run, created: Span, age: &Age) -> Finding {
    let (name, age) = (run.meta.name(), age.show());
    let (message, why) = match run.meta.finalizers.is_empty() {
        true => (
            format!("The hub agent has not picked up {name} for {age}."),
            "Without a finalizer no controller has seen this run. The hub agent is down, or runs \
             of this scope are switched off.",
        ),
        false => (
            format!("The hub agent has tried to initialize {name} for {age}, without a result."),
            "The finalizer shows that the controller saw the run. It retries, and only its log \
             says why it fails.",
        ),
    };
    UNTOUCHED_RUN
        .at(created, format!("created {age} before the capture"))
        .message(message)
        .why(why)
        .then(format!("{} starts by itself once the controller works.", run.meta.title()))
        .recover(Recoverability::ResumesAfterRepair)
        .about(Topic::HubAgent)
        .explains(Topic::Run(run.meta.key.clone()))
}
