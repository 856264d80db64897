//! FL0761 container-crashing.

use crate::declare_rule;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::model::pod::{ContainerStatus, Pod};
use crate::model::read::Text;
use crate::rule::Cx;
use crate::rules::chain::{clip, member_name};
use crate::rules::commands::{describe_on_member, look_at};
use crate::rules::member::patient::{explain_unavailable, find_in_manifest, pod_events, share};

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
            None => by_event(unavailable),
        };
        if let Some(finding) = finding {
            cx.report(explain_unavailable(finding, unavailable));
        }
    }
}

/// Tells a crash of which only the kubelet's events were sent.
fn by_event(unavailable: &UnavailableWorkload<'_>) -> Option<Finding> {
    let restarts = |event: &&&Event| event.message().contains("restarting failed container");
    let events = pod_events(unavailable, &["BackOff"]);
    let event = events.iter().rev().find(restarts)?;
    let finding = CONTAINER_CRASHING
        .at(event.best_span(), "the kubelet says")
        .message(format!(
            "a container of {} crashes on {}: {}",
            unavailable.key,
            member_name(&unavailable.key.cluster),
            clip(event.message())
        ))
        .why("the container starts and ends; why it ends stands in the log of its previous life")
        .recover(Recoverability::ResumesAfterRepair)
        .command(
            look_at(&unavailable.key.cluster)
                .words("logs")
                .name(&event.about.name)
                .words("--previous")
                .namespace(&event.about.namespace)
                .build(),
        );
    Some(finding)
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
    let out_of_memory = reason.is_some_and(|reason| &**reason == "OOMKilled");
    let refusal = runtime_refusal(status);
    let (name, member) = (status.name(), member_name(&unavailable.key.cluster));
    let mut how: Vec<String> = reason.map(|reason| reason.to_string()).into_iter().collect();
    how.extend(code.map(|code| format!("exit code {}", code.value)));
    how.extend(refusal.map(|words| clip(words)));
    how.extend(status.restarts.map(|restarts| format!("{} restarts", restarts.value)));
    // A row of a table says that it crashes, not which container and how.
    let shown =
        if name.is_empty() { "a container".to_owned() } else { format!("container {name}") };
    let how = if how.is_empty() { status.waits_for().to_owned() } else { how.join(", ") };
    let span = reason.map_or_else(|| status.waiting_span(), |reason| reason.span);
    let mut finding = CONTAINER_CRASHING
        .at(span, "how it ended last")
        .also_at(code.map(|code| code.span), "its exit code")
        .message(format!(
            "{shown} of {} crashes on {member}{}: {how}",
            unavailable.key,
            share(unavailable, count),
        ))
        .recover(Recoverability::ResumesAfterRepair)
        .command(match refusal {
            Some(_) => describe_on_member(&ObjectKey {
                cluster: unavailable.key.cluster.clone(),
                ..pod.meta.key.clone()
            }),
            None => look_at(&unavailable.key.cluster)
                .words("logs")
                .name(pod.meta.name())
                .words("-c")
                .name(name)
                .words("--previous")
                .namespace(pod.meta.namespace())
                .build(),
        });
    if out_of_memory {
        let path = ["resources", "limits", "memory"];
        let limit = pod.find_container(name).and_then(|container| container.resources.as_ref());
        let limit = limit.and_then(|resources| resources.at(&["limits", "memory"]));
        let text = limit.and_then(|limit| limit.as_str()).map(|limit| format!(" of {limit}"));
        finding = finding
            .why(format!(
                "the kernel killed it because it used more memory than its limit{}",
                text.unwrap_or_default()
            ))
            .also_at(limit.map(|limit| limit.span), "its limit")
            .also_at(find_in_manifest(cx, &unavailable.key, name, &path), "the hub sends it so");
    } else if let Some(words) = refusal {
        finding = finding
            .also(words.span, "what the runtime says")
            .why("the container runtime cannot start it, so it leaves no log; command, arguments and mounts of the container decide");
    } else {
        finding = finding.why("the object was applied and the container starts; why it ends stands in the log of its previous life");
    }
    finding
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
