//! FL0902 stuck-in-log.

use crate::declare_rule;
use crate::facts::after_repair::{LoggedRun, of_logged};
use crate::finding::Severity;
use crate::finding::Topic;
use crate::grammar::message::{HoleRole, LogLines, line};
use crate::model::key::ObjectKey;
use crate::model::log::{LogEvent, LogRef};
use crate::rule::Cx;
use crate::rules::commands::{binding_command, works_command};
use crate::rules::logs::binding_status::{LoggedBindingStatus, last_statuses};
use crate::rules::logs::binding_takeovers::{RUN_ENDS, ends_run, is_same};
use crate::rules::logs::completeness::is_rest_kept;
use crate::rules::sentence::full_stop;

declare_rule! {
    /// A stuck run that only the log of hub-agent shows.
    ///
    /// ## Why it matters
    /// The controller writes which cluster passed its five minutes, and goes on waiting. Why the cluster does not finish is
    /// not in this log beyond the words of its binding, which are told where the log repeats them.
    ///
    /// ## What to do
    /// Ask for the run, the binding, the Works and the objects on the cluster.
    pub static STUCK_IN_LOG = Rule {
        code: "FL0902",
        name: "stuck-in-log",
        severity: Severity::Error,
        reads: &[],
        check: stuck_in_log,
    }
}

fn stuck_in_log(cx: &mut Cx<'_>) {
    let events = cx.log_events();
    let mut told: Vec<(&str, &str, &str)> = Vec::new();
    for (index, event) in events.iter().enumerate().rev().filter(|(_, event)| is_stuck(event)) {
        let (Some(run), Some(cluster)) = (event.find(HoleRole::Run), event.find(HoleRole::Cluster))
        else {
            continue;
        };
        let identity = (&*run.namespace, &*run.name, &*cluster.name);
        let mut later = events.iter().skip(index + 1).filter(|later| later.log == event.log);
        let over = later.any(|later| ended(later, run, cluster))
            || !is_rest_kept(cx, event, &[CLUSTER_DONE])
            || !is_rest_kept(cx, event, &RUN_ENDS);
        if told.contains(&identity) || over || cx.has_run(&run.namespace, &run.name) {
            continue;
        }
        told.push(identity);
        let Some(key) = run.object() else { continue };
        let stage = event
            .named(HoleRole::Stage)
            .map(|stage| format!(" in stage {stage}"))
            .unwrap_or_default();
        cx.ask(
            binding_command(&key, None),
            format!("what keeps {} from finishing in {}", cluster.name, key.name),
        );
        cx.ask(
            works_command(&cluster.name),
            format!("what keeps {} from finishing in {}", cluster.name, key.name),
        );
        let words = words_of_binding(cx, run, cluster);
        let failed = words.as_ref().and_then(|words| words.failed.first());
        let failed = failed.map(|object| format!(" It waits for {}", full_stop(&object.shown())));
        let mut finding = STUCK_IN_LOG
            .at(cluster.span, "passed its five minutes")
            .for_object(key.clone())
            .also_log(run.span, "the run that waits", Some(key.clone()))
            .message(format!(
                "{} was stuck on {}{stage}{}, by the log of the hub agent.{}",
                key.name,
                cluster.name,
                cx.at_time(event),
                failed.as_deref().unwrap_or_default(),
            ))
            .why(match failed {
                Some(_) => {
                    "This log does not tell why that object is not as wanted. The objects on \
                     the cluster do."
                }
                None => {
                    "This log does not tell why the cluster does not finish. The binding and \
                     the objects on the cluster do."
                }
            })
            .outlook(of_logged(&key.name, LoggedRun::Stuck(&cluster.name)))
            .step(
                words.as_ref().and_then(|words| words.failed.first()?.describe(&cluster.name)),
                format!("shows its state on {} and its events", cluster.name),
            )
            .about(Topic::RunCluster(key, cluster.name.clone()));
        if let Some(placement) = placement_of(cx, run) {
            // The log of the member may show what is refused there.
            finding = finding.about(Topic::PlacementCluster(placement, cluster.name.clone()));
        }
        if let Some(words) = words.filter(|words| !words.failed.is_empty()) {
            let binding = words.binding.object();
            finding = finding.also_log(words.span, "the last status of the binding", binding);
        }
        cx.report(finding);
    }
}

/// The line that says that a run is through with a cluster.
const CLUSTER_DONE: LogLines = line::CLUSTER_DONE;

fn is_stuck(event: &LogEvent) -> bool {
    event.is(line::STUCK) || event.is(line::UPDATERUN_TIME_WAITING_CLUSTER_UPDATE)
}

/// Says whether a later line shows that the cluster, or the whole run, came to an end.
fn ended(event: &LogEvent, run: &LogRef, cluster: &LogRef) -> bool {
    let own = || event.find(HoleRole::Run).is_some_and(|named| is_same(named, run));
    let done = event.is(CLUSTER_DONE) && event.named(HoleRole::Cluster) == Some(&*cluster.name);
    (done && own()) || ends_run(event, run)
}

/// Returns the placement of a run, by a line that names both.
fn placement_of(cx: &Cx<'_>, run: &LogRef) -> Option<ObjectKey> {
    cx.log_events().iter().find_map(|event| {
        event.find(HoleRole::Run).filter(|named| is_same(named, run))?;
        event.find(HoleRole::Placement)?.object()
    })
}

/// Returns what the log last says of the binding by which the run works on the cluster.
fn words_of_binding<'g>(
    cx: &Cx<'g>,
    run: &LogRef,
    cluster: &LogRef,
) -> Option<LoggedBindingStatus<'g>> {
    let bound = cx.log_events().iter().rev().find(|event| {
        event.is(line::BOUND)
            && event.named(HoleRole::Cluster) == Some(&*cluster.name)
            && event.find(HoleRole::Run).is_some_and(|named| is_same(named, run))
    });
    let binding = bound?.find(HoleRole::Binding)?;
    last_statuses(cx).into_iter().rfind(|words| is_same(words.binding, binding))
}
