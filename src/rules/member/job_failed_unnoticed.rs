//! FL0768 job-failed-unnoticed.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::condition::Condition;
use crate::model::event::Event;
use crate::model::key::{HUB, ObjectKey};
use crate::model::work::WorkManifest;
use crate::model::workload::Workload;
use crate::rule::Cx;
use crate::rules::commands::{look_at, look_at_hub};
use crate::rules::member::pod_unschedulable::why_unscheduled;
use crate::rules::sentence::{clip, full_stop, member_name};

declare_rule! {
    /// A Job that failed on a member while its placement is available.
    ///
    /// ## Why it matters
    /// KubeFleet does not track Jobs: as soon as one is applied it counts as available, and a run continues to
    /// the next cluster. That the Job failed shows on the member only.
    ///
    /// ## What to do
    /// Repair the Job and give it a new name: a finished Job does not run again, and its template cannot be
    /// changed. Never read `Available` as "the Job succeeded".
    pub static JOB_FAILED_UNNOTICED = Rule {
        code: "FL0768",
        name: "job-failed-unnoticed",
        severity: Severity::Warning,
        reads: &[Kind::Job, Kind::Work, Kind::Event],
        check: job_failed_unnoticed,
    }
}

fn job_failed_unnoticed(cx: &mut Cx<'_>) {
    for job in cx.jobs() {
        let key = &job.meta.key;
        let events = cx.events_of(key);
        let event = events.iter().rfind(|event| ENDS.contains(&event.reason()));
        let failed = job.condition("Failed").filter(|condition| condition.is_true());
        let done = job.condition("Complete").is_some_and(Condition::is_true);
        // A describe text shows no conditions, only the event that ended the Job.
        let (span, reason, words) = match (failed, event) {
            (Some(failed), _) => (failed.best_span(), failed.reason(), failed.message()),
            (None, Some(event)) if !done => (event.best_span(), event.reason(), event.message()),
            _ => continue,
        };
        if !is_placed(cx, job) {
            continue;
        }
        let pods = cx.events_of_pods(key);
        let held_up = pods.iter().rfind(|event| HELD_UP.contains(&event.reason()));
        let other = event.map(|event| event.best_span()).filter(|event| *event != span);
        let on_hub = ObjectKey::on_hub(&key.kind, &key.namespace, &key.name);
        let finding = JOB_FAILED_UNNOTICED
            .at(span, reason.to_owned())
            .also_at(held_up.map(|event| event.best_span()), "why its pod did not do the work")
            .also_at(other, "its last event")
            .message(format!(
                "{}{}",
                full_stop(&format!(
                    "Job {} failed on {} ({reason}), and KubeFleet does not notice: {}",
                    key.path(),
                    member_name(&key.cluster),
                    clip(words)
                )),
                held_up.map(|event| describe_pod(cx, event)).unwrap_or_default()
            ))
            .why(
                "KubeFleet does not track Jobs. An applied Job counts as available, and the \
                  placement and its runs continue as if it had succeeded.",
            )
            .then(
                "A finished Job does not run again, and its template cannot be changed. Give \
                   the corrected Job a new name.",
            )
            .recover(Recoverability::WaitsForPerson)
            .step(
                // A pod that no node took has written nothing.
                look_at(&key.cluster)
                    .words("logs")
                    .joined("job/", &key.name)
                    .words("--all-containers --tail=50")
                    .namespace(&key.namespace)
                    .build()
                    .filter(|_| held_up.is_none_or(|event| event.reason() != "FailedScheduling")),
                "shows the last lines of its pods, while they exist",
            )
            .step(
                look_at_hub().words("get").object(&on_hub).words("-o yaml").build(),
                "shows the manifest that the hub sends, to correct under a new name",
            );
        cx.report(finding);
    }
}

/// Says what held a pod of the Job up, as a further sentence.
fn describe_pod<'g>(cx: &Cx<'g>, event: &'g Event) -> String {
    let (pod, words) = (&event.about.name, event.message.as_ref());
    let told = match (event.reason(), words) {
        ("FailedScheduling", Some(words)) => {
            format!("No node took its pod {pod}: {}", why_unscheduled(cx, words))
        }
        (reason, _) => format!("Its pod {pod} shows {reason}: {}", clip(event.message())),
    };
    format!(" {}", full_stop(&told))
}

/// Events that say why a pod did not do its work.
const HELD_UP: [&str; 4] = ["FailedScheduling", "Failed", "BackOff", "FailedMount"];

/// Events by which the Job controller gives up.
const ENDS: [&str; 3] = ["BackoffLimitExceeded", "DeadlineExceeded", "PodFailurePolicy"];

/// Says whether a placement brought the Job: it is owned by an AppliedWork, or a Work carries it.
fn is_placed(cx: &Cx<'_>, job: &Workload) -> bool {
    let key = &job.meta.key;
    let is_it = |manifest: &WorkManifest| {
        manifest.kind.as_deref() == Some("Job")
            && manifest.name.as_deref() == Some(&*key.name)
            && manifest.namespace.as_deref() == Some(&*key.namespace)
    };
    let carried = cx.works().iter().any(|work| work.manifests.iter().any(is_it));
    &*key.cluster != HUB
        && (carried || job.meta.owners.iter().any(|owner| &*owner.kind == "AppliedWork"))
}
