//! FL0763 pod-unschedulable.

use crate::declare_rule;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::condition::Condition;
use crate::model::pod::Pod;
use crate::model::read::Text;
use crate::rule::Cx;
use crate::rules::chain::{clip, member_name};
use crate::rules::commands::look_at;
use crate::rules::member::patient::{
    explain_unavailable, find_in_manifest, pod_events, share, take_apart,
};

declare_rule! {
    /// A pod that no node of the member can take.
    ///
    /// ## Why it matters
    /// The workload was applied, but the member's scheduler finds no node with enough room, or with the labels,
    /// taints or volumes that the pod asks for. It stays so until nodes or requests change.
    ///
    /// ## What to do
    /// Correct requests, node selector or tolerations on the hub (a new snapshot: a staged update needs a new
    /// run), or add nodes to the member; then the pods start by themselves.
    pub static POD_UNSCHEDULABLE = Rule {
        code: "FL0763",
        name: "pod-unschedulable",
        severity: Severity::Error,
        reads: &[Kind::Pod, Kind::Work, Kind::Node],
        check: pod_unschedulable,
    }
}

fn pod_unschedulable(cx: &mut Cx<'_>) {
    for unavailable in cx.unavailable_workloads() {
        let pending: Vec<_> =
            unavailable.pods.iter().filter_map(|pod| Some((*pod, unscheduled(pod)?))).collect();
        let events = pod_events(unavailable, &["FailedScheduling"]);
        let told = pending.iter().find_map(|(_, condition)| condition.message.as_ref());
        let Some(words) = told.or_else(|| events.last().and_then(|event| event.message.as_ref()))
        else {
            continue;
        };
        let finding = describe(cx, unavailable, words, pending.len());
        // A claim that is not bound explains its pods.
        let finding = pending
            .iter()
            .fold(finding, |finding, (pod, _)| finding.about(Topic::Object(pod.meta.key.clone())));
        let event = events.last().filter(|event| Some(event.best_span()) != Some(words.span));
        cx.report(explain_unavailable(
            finding.also_at(event.map(|event| event.best_span()), "the scheduler's event"),
            unavailable,
        ));
    }
}

fn describe<'g>(
    cx: &Cx<'g>,
    unavailable: &UnavailableWorkload<'_>,
    words: &'g Text,
    count: usize,
) -> Finding {
    let said = take_apart(cx, words, None);
    let phrase =
        said.find(&[id::POD_UNSCHEDULABLE, id::POD_UNSCHEDULABLE_OLD, id::POD_VOLUME_UNBOUND]);
    let reasons = phrase.and_then(|phrase| phrase.get("reasons"));
    let why = reasons.map_or_else(|| clip(words), clip);
    let span = phrase.map_or(words.span, |phrase| cx.span_of_part(&phrase, "reasons"));
    let mut finding = POD_UNSCHEDULABLE
        .at(span, "no node takes the pod")
        .message(format!(
            "{} of {} no node on {}{}: {why}",
            if count == 1 { "a pod" } else { "the pods" },
            if count == 1 { format!("{} finds", unavailable.key) } else { format!("{} find", unavailable.key) },
            member_name(&unavailable.key.cluster),
            share(unavailable, count)
        ))
        .why("the object was applied; the member's scheduler looks at every node and refuses each for the reasons given")
        .recover(Recoverability::ResumesAfterRepair)
        .command(look_at(&unavailable.key.cluster).words("describe nodes").build());
    // The resource that is short, as the pod asks for it and as the nodes have it.
    let short = ["cpu", "memory", "ephemeral-storage"]
        .into_iter()
        .find(|name| why.contains(&format!("Insufficient {name}")));
    if let Some(resource) = short {
        let waiting = unavailable.pods.iter().filter(|pod| unscheduled(pod).is_some());
        let asked = waiting.flat_map(|pod| &pod.containers).find_map(|container| {
            Some((
                container.name.as_deref()?,
                container.resources.as_ref()?.at(&["requests", resource])?,
            ))
        });
        if let Some((container, request)) = asked {
            let path = ["resources", "requests", resource];
            finding = finding.also(request.span, "the pod asks for this").also_at(
                find_in_manifest(cx, &unavailable.key, container, &path),
                "the hub sends it so",
            );
        }
        let nodes = cx.objects(Kind::Node, "Node");
        let here = nodes.iter().find(|node| node.key.cluster == unavailable.key.cluster);
        let room = here.and_then(|node| node.root.at(&["status", "allocatable", resource]));
        finding = finding.also_at(room.map(|room| room.span), "a node has this much in all");
    }
    finding
}

/// Returns the condition of a pod that waits for a node.
fn unscheduled(pod: &Pod) -> Option<&Condition> {
    pod.condition("PodScheduled").filter(|condition| condition.is_false())
}
