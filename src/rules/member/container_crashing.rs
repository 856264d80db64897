//! FL0761 container-crashing.

use crate::declare_rule;
use crate::facts::container_log::{ContainerName, LogEnd};
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Command, Finding, Severity};
use crate::grammar::kind::Kind;
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::model::pod::{ContainerStatus, Pod};
use crate::model::read::Text;
use crate::rule::Cx;
use crate::rules::commands::{describe_on_member, look_at};
use crate::rules::consequence::{Repair, after_repair_of, edit_on_hub};
use crate::rules::member::pod_finding::{explain_unavailable, pods_of_workload};
use crate::rules::member::sent_manifest::find_in_manifest;
use crate::rules::sentence::{clip, full_stop, member_name};
use crate::source::Span;

declare_rule! {
    /// A container that ends again and again.
    ///
    /// ## Why it matters
    /// The workload was applied and its pods start, but a container fails each time and the kubelet waits
    /// longer and longer before the next try. `OOMKilled` means that it used more memory than its limit.
    ///
    /// ## What to do
    /// Read the log of the container's previous life on the member. For `OOMKilled` raise `limits.memory` on
    /// the hub, or find out why this member needs more than the others.
    pub static CONTAINER_CRASHING = Rule {
        code: "FL0761",
        name: "container-crashing",
        severity: Severity::Error,
        reads: &[Kind::Pod, Kind::Work],
        check: container_crashing,
    }
}

fn container_crashing(cx: &mut Cx<'_>) {
    for unavailable in cx.unavailable_workloads() {
        let crashing: Vec<_> = unavailable
            .pods
            .iter()
            .filter(|pod| !pod.is_ready())
            .flat_map(|pod| pod.statuses.iter().map(move |status| (*pod, status)))
            .filter(|(_, status)| is_crashing(status))
            .collect();
        let finding = match crashing.first() {
            Some((pod, status)) => Some(describe(cx, unavailable, pod, status, crashing.len())),
            None => by_event(cx, unavailable),
        };
        if let Some(finding) = finding {
            cx.report(explain_unavailable(finding, unavailable));
        }
    }
}

/// Tells a crash of which only the kubelet's events were sent.
fn by_event(cx: &Cx<'_>, unavailable: &UnavailableWorkload<'_>) -> Option<Finding> {
    let restarts = |event: &&&Event| event.message().contains("restarting failed container");
    let events = unavailable.pod_events(&["BackOff"]);
    let event = events.iter().rev().find(restarts)?;
    let finding = CONTAINER_CRASHING.at(event.best_span(), "reported by the kubelet").message(
        full_stop(&format!(
            "A container of {} crashes on {}: {}",
            unavailable.key,
            member_name(&unavailable.key.cluster),
            clip(event.message())
        )),
    );
    let pod = &event.about;
    let name = ContainerName {
        cluster: &unavailable.key.cluster,
        namespace: &pod.namespace,
        pod: &pod.name,
        container: "",
    };
    let finding = match cx.find_log_end(&name) {
        Some(end) => by_log(cx, finding, unavailable, &end),
        None => {
            let look = look_at(&unavailable.key.cluster).words("logs").name(&pod.name);
            let look = look.words("--all-containers --previous --tail=50");
            let why = "The container starts and ends. Why it ends stands in the log of its \
                       previous life.";
            finding.why(why).step(
                look.namespace(&pod.namespace).build(),
                "shows the last lines before the container ended",
            )
        }
    };
    Some(after_repair_of(finding, cx, unavailable, Repair::Resource))
}

fn describe(
    cx: &Cx<'_>,
    unavailable: &UnavailableWorkload<'_>,
    pod: &Pod,
    status: &ContainerStatus,
    count: usize,
) -> Finding {
    let ended = status.ended.as_ref();
    let reason = ended.and_then(|ended| ended.reason.as_ref());
    let code = ended.and_then(|ended| ended.exit_code);
    let refusal = runtime_refusal(status);
    let (name, member) = (status.name(), member_name(&unavailable.key.cluster));
    let mut how: Vec<String> = reason.map(|reason| reason.to_string()).into_iter().collect();
    how.extend(code.map(|code| format!("exit code {}", code.value)));
    how.extend(refusal.map(|words| clip(words)));
    how.extend(status.restarts.map(|restarts| format!("{} restarts", restarts.value)));
    // A row of a table says that it crashes, not which container and how.
    let shown =
        if name.is_empty() { "A container".to_owned() } else { format!("Container {name}") };
    let how = if how.is_empty() { status.waits_for().to_owned() } else { how.join(", ") };
    let span = reason.map_or_else(|| status.waiting_span(), |reason| reason.span);
    let finding = CONTAINER_CRASHING
        .at(span, "how it ended last")
        .also_at(code.map(|code| code.span), "its exit code")
        .message(full_stop(&format!(
            "{shown} of {} crashes on {member}{}: {how}",
            unavailable.key,
            pods_of_workload(unavailable, count),
        )));
    if reason.is_some_and(|reason| *reason == "OOMKilled") {
        return out_of_memory(cx, finding, unavailable, pod, name);
    }
    let finding = match (refusal, last_words(cx, status)) {
        (Some(words), _) => finding
            .also(words.span, "reported by the container runtime")
            .why(
                "The container runtime cannot start the container, so it leaves no log. Its \
                  command, arguments and mounts decide.",
            )
            .step(
                describe_on_member(&ObjectKey {
                    cluster: unavailable.key.cluster.clone(),
                    ..pod.meta.key.clone()
                }),
                "shows command, arguments and mounts beside the events",
            ),
        (None, Some((span, words))) => finding
            .also(span, "its last words")
            .why(format!("The container starts and ends. It says: {}", full_stop(&words)))
            .step(edit_on_hub(cx, &unavailable.key), "opens the manifest that the hub sends"),
        (None, None) => match log_end(cx, unavailable, pod, name) {
            Some(end) => by_log(cx, finding, unavailable, &end),
            None => finding
                .why(
                    "The member agent applied the workload and the container starts. Why it ends \
                      stands in the log of its previous life.",
                )
                .step(
                    previous_log(unavailable, pod, name),
                    "shows the last lines before the container ended",
                ),
        },
    };
    after_repair_of(finding, cx, unavailable, Repair::Resource)
}

/// Finds what the container's own log says near its end.
fn log_end(
    cx: &Cx<'_>,
    unavailable: &UnavailableWorkload<'_>,
    pod: &Pod,
    container: &str,
) -> Option<LogEnd> {
    cx.find_log_end(&ContainerName {
        cluster: &unavailable.key.cluster,
        namespace: pod.meta.namespace(),
        pod: pod.meta.name(),
        container,
    })
}

/// Tells of a container whose log was sent.
fn by_log(
    cx: &Cx<'_>,
    finding: Finding,
    unavailable: &UnavailableWorkload<'_>,
    end: &LogEnd,
) -> Finding {
    finding
        .also(end.span, "near the end of its log")
        .why(format!(
            "The container starts and ends. Near its end its log says: {}",
            full_stop(&clip(&end.words))
        ))
        .step(edit_on_hub(cx, &unavailable.key), "opens the manifest that the hub sends")
}

/// Tells of a container that used more memory than it may.
fn out_of_memory(
    cx: &Cx<'_>,
    finding: Finding,
    unavailable: &UnavailableWorkload<'_>,
    pod: &Pod,
    name: &str,
) -> Finding {
    let path = ["resources", "limits", "memory"];
    let limit = pod.find_container(name).and_then(|container| container.resources.as_ref());
    let limit = limit.and_then(|resources| resources.at(&["limits", "memory"]));
    let text = limit.and_then(|limit| limit.as_str()).map(|limit| format!(" of {limit}"));
    let text = text.unwrap_or_default();
    let end = log_end(cx, unavailable, pod, name);
    let finding = finding
        .also_at(end.as_ref().map(|end| end.span), "near the end of its log")
        .why(format!("The kernel killed it because it used more memory than its limit{text}."))
        .also_at(limit.map(|limit| limit.span), "its limit")
        .also_at(find_in_manifest(cx, &unavailable.key, name, &path), "the hub sends this limit")
        .hint("Raise limits.memory in the manifest on the hub, or in an override for this cluster.")
        .step(
            previous_log(unavailable, pod, name).filter(|_| end.is_none()),
            "shows what the container did before it was killed",
        )
        .step(edit_on_hub(cx, &unavailable.key), "opens it to raise limits.memory");
    after_repair_of(finding, cx, unavailable, Repair::Resource)
}

/// Finds what a container said at its end: the last line of the message that it left.
fn last_words(cx: &Cx<'_>, status: &ContainerStatus) -> Option<(Span, String)> {
    let text = status.ended.as_ref()?.message.as_ref()?;
    let body = text.trim_end();
    let start = body.rfind('\n').map_or(0, |at| at + 1);
    let last = body.get(start..).filter(|line| !line.trim().is_empty())?;
    Some((cx.within(text, start..body.len()), clip(last.trim())))
}

fn previous_log(unavailable: &UnavailableWorkload<'_>, pod: &Pod, name: &str) -> Option<Command> {
    let builder = look_at(&unavailable.key.cluster).words("logs").name(pod.meta.name());
    let builder = if name.is_empty() { builder } else { builder.words("-c").name(name) };
    builder.words("--previous --tail=50").namespace(pod.meta.namespace()).build()
}

/// Returns why the container runtime could not start the container at all.
fn runtime_refusal(status: &ContainerStatus) -> Option<&Text> {
    let ended = status.ended.as_ref();
    let reason = ended.and_then(|ended| ended.reason.as_deref());
    let never_ran = matches!(reason, Some("StartError" | "ContainerCannotRun"))
        || matches!(status.waits_for(), "RunContainerError" | "StartError");
    let waiting = || status.waiting.as_ref().and_then(|waiting| waiting.message.as_ref());
    let words = ended.and_then(|ended| ended.message.as_ref()).or_else(waiting);
    words.filter(|_| never_ran)
}

/// Says whether a container keeps ending: it waits for its next life, or has had several.
fn is_crashing(status: &ContainerStatus) -> bool {
    let failed = status.ended.as_ref().is_some_and(|ended| {
        ended.exit_code.is_none_or(|code| code.value != 0)
            && ended.reason.as_deref() != Some("Completed")
    });
    let lives = status.restarts.map_or(0, |restarts| restarts.value);
    matches!(status.waits_for(), "CrashLoopBackOff" | "RunContainerError" | "StartError")
        || (failed && lives >= 3)
}
