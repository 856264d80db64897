//! FL0902 stuck-in-log.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::message::Role;
use crate::model::key::ObjectKey;
use crate::model::log::LogEvent;
use crate::rule::{Cx, Scope};
use crate::rules::logs::lookup::run_kind;
use crate::rules::wording::{binding_command, works_command};

declare_rule! {
    /// A stuck run that only the log of hub-agent shows.
    ///
    /// ## Why it matters
    /// The controller writes which cluster passed its five minutes, and goes on waiting. Why the cluster does not finish is
    /// not in this log beyond the words of its binding.
    ///
    /// ## What to do
    /// Ask for the run, the binding, the Works and the objects on the cluster.
    pub static STUCK_IN_LOG = Rule {
        code: "FL0902",
        name: "stuck-in-log",
        severity: Severity::Error,
        scope: Scope::Bundle,
        reads: &[],
        check: stuck_in_log,
    }
}

fn stuck_in_log(cx: &mut Cx<'_>) {
    let events = cx.log_events();
    let mut told: Vec<(&str, &str, &str)> = Vec::new();
    for (index, event) in events.iter().enumerate().rev().filter(|(_, event)| is_stuck(event)) {
        let (Some(run), Some(cluster)) = (event.find(Role::Run), event.find(Role::Cluster)) else {
            continue;
        };
        let identity = (&*run.namespace, &*run.name, &*cluster.name);
        let over =
            events.iter().skip(index + 1).any(|later| ended(later, &run.name, &cluster.name));
        if told.contains(&identity) || over || cx.has_run(&run.namespace, &run.name) {
            continue;
        }
        told.push(identity);
        let key = ObjectKey::on_hub(run_kind(&run.namespace), &run.namespace, &run.name);
        let stage =
            event.named(Role::Stage).map(|stage| format!(" in stage {stage}")).unwrap_or_default();
        let when = event.shown_time().map(|time| format!(" at {time}")).unwrap_or_default();
        cx.ask(
            binding_command(&key, None).text,
            format!("what keeps {} from finishing in {}", cluster.name, key.name),
        );
        cx.ask(
            works_command(&cluster.name).text,
            format!("what keeps {} from finishing in {}", cluster.name, key.name),
        );
        cx.report(
            STUCK_IN_LOG
                .at(cluster.span, "passed its five minutes")
                .for_object(key.clone())
                .also_log(run.span, "the run that waits", Some(key.clone()))
                .message(format!(
                    "{} {} is stuck on cluster {}{stage}, by the log of hub-agent{when}",
                    key.kind,
                    key.path(),
                    cluster.name
                ))
                .help("why the cluster does not finish is not in this log; the binding and the objects on the cluster tell")
                .recover(Recoverability::ResumesAfterRepair)
                .about(Topic::RunCluster(key, cluster.name.clone())),
        );
    }
}

fn is_stuck(event: &LogEvent) -> bool {
    event.is("log-stuck") || event.is("log-updaterun-time-waiting-cluster-update")
}

/// Says whether a later line shows that the cluster, or the whole run, came to an end.
fn ended(event: &LogEvent, run: &str, cluster: &str) -> bool {
    let same_run = event.named(Role::Run) == Some(run);
    let done = event.is("log-cluster-done") && event.named(Role::Cluster) == Some(cluster);
    same_run && (done || event.is("log-preempted") || event.is("log-completed"))
}
