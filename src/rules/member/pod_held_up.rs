//! FL0771 pod-held-up.

use smol_str::SmolStr;

use crate::behaviour::timing::STUCK_AFTER;
use crate::declare_rule;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::age::Age;
use crate::model::condition::Condition;
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::model::pod::{ContainerStatus, Pod};
use crate::rule::Cx;
use crate::rules::commands::describe_on_member;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::member::missing_object::missing_object;
use crate::rules::member::pod_finding::{explain_unavailable, parse_message, pods_of_workload};
use crate::rules::sentence::{clip, full_stop, member_name};
use crate::source::Span;

declare_rule! {
    /// A pod that has a node and still does not run, or runs and is never ready.
    ///
    /// ## Why it matters
    /// The workload was applied and its pods found a node. What holds them up is told by the node alone: a volume that
    /// cannot be attached, a network that is not set up, a node that runs short and evicts them, an init container that
    /// does not end, a container that is never ready.
    ///
    /// ## What to do
    /// Read what the kubelet says of the pod. The pods get on by themselves once that is repaired, and a stuck run then
    /// continues.
    pub static POD_HELD_UP = Rule {
        code: "FL0771",
        name: "pod-held-up",
        severity: Severity::Error,
        reads: &[Kind::Pod],
        check: pod_held_up,
    }
}

/// What a kubelet warns of before the containers of a pod can be made.
const NODE_WARNINGS: [&str; 6] = [
    "FailedMount",
    "FailedAttachVolume",
    "FailedMapVolume",
    "FailedCreatePodSandBox",
    "NetworkNotReady",
    "FailedPostStartHook",
];

/// Why the pods of a workload do not get on, in the words of a node.
struct Hold {
    /// One of the pods.
    pod: SmolStr,
    span: Span,
    label: &'static str,
    verb: String,
    words: String,
    count: usize,
    help: &'static str,
}

fn pod_held_up(cx: &mut Cx<'_>) {
    for unavailable in cx.unavailable_workloads() {
        let hold = ended(unavailable)
            .or_else(|| warned(cx, unavailable))
            .or_else(|| unfinished(cx, unavailable, "Initialized"))
            .or_else(|| unfinished(cx, unavailable, "Ready"));
        let Some(hold) = hold else { continue };
        let pod =
            ObjectKey { kind: "Pod".into(), name: hold.pod.clone(), ..unavailable.key.clone() };
        let finding = POD_HELD_UP
            .at(hold.span, hold.label)
            .message(full_stop(&format!(
                "The pods of {} on {} {}{}: {}",
                unavailable.key,
                member_name(&unavailable.key.cluster),
                hold.verb,
                pods_of_workload(unavailable, hold.count),
                hold.words
            )))
            .why(hold.help)
            .step(describe_on_member(&pod), "shows what the kubelet says about the pod")
            // A rule that knows a deeper cause of this workload has the word.
            .about(Topic::Object(unavailable.key.clone()));
        let finding = after_repair_of(finding, cx, unavailable, Repair::Member);
        cx.report(explain_unavailable(finding, unavailable));
    }
}

/// Pods that their node has ended.
fn ended(unavailable: &UnavailableWorkload<'_>) -> Option<Hold> {
    let is_ended = |pod: &&&Pod| pod.phase.as_deref() == Some("Failed") && pod.reason.is_some();
    let ended: Vec<&&Pod> = unavailable.pods.iter().filter(is_ended).collect();
    let pod = ended.first()?;
    let reason = pod.reason.as_ref()?;
    let words = pod.message.as_deref().map(|message| format!(", {}", clip(message)));
    Some(Hold {
        pod: pod.meta.name().into(),
        span: pod.message.as_ref().unwrap_or(reason).span,
        label: "why the node ended the pod",
        verb: "were ended by their node".to_owned(),
        words: format!("{}{}", &**reason, words.unwrap_or_default()),
        count: ended.len(),
        help: "A pod that its node has ended does not come back. Its controller creates others, \
               which end alike while the node stays as it is.",
    })
}

/// Pods that the kubelet cannot prepare.
fn warned<'g>(cx: &Cx<'g>, unavailable: &UnavailableWorkload<'g>) -> Option<Hold> {
    // What is missing is told by FL0762.
    let misses = |event: &&'g Event| {
        let said =
            event.message.as_ref().map(|text| parse_message(cx, text, event.reason.as_ref()));
        said.is_some_and(|said| missing_object(&said).is_some())
    };
    let mut events = unavailable.pod_events(&NODE_WARNINGS);
    events.retain(|event| !misses(event));
    let event = events.iter().rev().find(|event| event.is_warning())?;
    let mut names: Vec<&str> = events.iter().map(|event| &*event.about.name).collect();
    names.sort_unstable();
    names.dedup();
    Some(Hold {
        pod: event.about.name.clone(),
        span: event.best_span(),
        label: "reported by the kubelet",
        verb: "cannot start".to_owned(),
        words: clip(event.message()),
        count: names.len(),
        help: "The pods have a node, and the node cannot prepare what their containers need. The \
               kubelet tries again by itself.",
    })
}

/// Pods that have not reached a step of their start for too long.
fn unfinished<'g>(cx: &Cx<'g>, unavailable: &UnavailableWorkload<'g>, step: &str) -> Option<Hold> {
    if !unavailable.pod_events(&["Unhealthy"]).is_empty() {
        return None;
    }
    let late = |pod: &'g Pod| -> Option<(&'g Pod, &'g Condition, Age)> {
        let condition = pod.condition(step).filter(|condition| condition.is_false())?;
        if pod.statuses.iter().any(has_own_trouble) {
            return None;
        }
        let age = cx.surely_over(condition.since?.value, STUCK_AFTER)?;
        let scheduled = pod.condition("PodScheduled").is_some_and(Condition::is_true);
        scheduled.then_some((pod, condition, age))
    };
    let held: Vec<_> = unavailable.pods.iter().filter_map(|pod| late(pod)).collect();
    let (pod, condition, age) = held.first()?;
    let (told, help) = match step {
        "Initialized" => (
            "have not finished their init containers",
            "The containers of a pod start only after its init containers have succeeded.",
        ),
        _ => (
            "have not been ready",
            "The events of the pods and the logs of their containers show what they wait for.",
        ),
    };
    Some(Hold {
        pod: pod.meta.name().into(),
        span: condition.best_span(),
        label: "reported by the kubelet",
        verb: format!("{told} for {}", age.show()),
        words: clip(condition.message()),
        count: held.len(),
        help,
    })
}

/// Says whether a container fails by itself, which rules of their own tell.
fn has_own_trouble(status: &ContainerStatus) -> bool {
    let waits = status.waits_for();
    let starts = matches!(waits, "" | "PodInitializing" | "ContainerCreating");
    !starts || status.restarts.is_some_and(|restarts| restarts.value > 2)
}
