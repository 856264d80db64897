//! FL0763 pod-unschedulable.

use crate::declare_rule;
use crate::finding::{Command, Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::graph::Ailing;
use crate::model::condition::Condition;
use crate::model::pod::Pod;
use crate::model::read::Text;
use crate::rule::{Cx, Scope};
use crate::rules::chain::{clip, kubectl_on, member_name};
use crate::rules::member::patient::{
    explain_ailing, find_in_manifest, pod_events, share, take_apart,
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
        scope: Scope::Bundle,
        reads: &[Kind::Pod, Kind::Work, Kind::Binding, Kind::Placement, Kind::Deployment, Kind::ReplicaSet, Kind::StatefulSet, Kind::DaemonSet, Kind::Event, Kind::Node],
        check: pod_unschedulable,
    }
}

fn pod_unschedulable(cx: &mut Cx<'_>) {
    for ailing in cx.ailing() {
        let pending: Vec<_> =
            ailing.pods.iter().filter_map(|pod| Some((*pod, unscheduled(pod)?))).collect();
        let events = pod_events(&ailing, &["FailedScheduling"]);
        let told = pending.iter().find_map(|(_, condition)| condition.message.as_ref());
        let Some(words) = told.or_else(|| events.last().and_then(|event| event.message.as_ref()))
        else {
            continue;
        };
        let finding = describe(cx, &ailing, words, pending.len());
        // A claim that is not bound explains its pods.
        let finding = pending
            .iter()
            .fold(finding, |finding, (pod, _)| finding.about(Topic::Object(pod.meta.key.clone())));
        let event = events.last().filter(|event| Some(event.best_span()) != Some(words.span));
        cx.report(explain_ailing(
            finding.also_at(event.map(|event| event.best_span()), "the scheduler's event"),
            &ailing,
        ));
    }
}

fn describe(cx: &Cx<'_>, ailing: &Ailing<'_>, words: &Text, count: usize) -> Finding {
    let said = take_apart(words, None);
    let phrase = said.find(&["pod.unschedulable", "pod.unschedulable-old", "pod.volume-unbound"]);
    let reasons = phrase.and_then(|phrase| phrase.get("reasons"));
    let why = reasons.map_or_else(|| clip(words), clip);
    let span = phrase.map_or(words.span, |phrase| cx.span_of_part(&phrase, "reasons"));
    let mut finding = POD_UNSCHEDULABLE
        .at(span, "no node takes the pod")
        .message(format!(
            "{} of {} no node on {}{}: {why}",
            if count == 1 { "a pod" } else { "the pods" },
            if count == 1 { format!("{} finds", ailing.key) } else { format!("{} find", ailing.key) },
            member_name(&ailing.key.cluster),
            share(ailing, count)
        ))
        .help("the object was applied; the member's scheduler looks at every node and refuses each for the reasons given")
        .recover(Recoverability::ResumesAfterRepair)
        .command(Command::look(format!("{} describe nodes", kubectl_on(&ailing.key.cluster))));
    // The resource that is short, as the pod asks for it and as the nodes have it.
    let short = ["cpu", "memory", "ephemeral-storage"]
        .into_iter()
        .find(|name| why.contains(&format!("Insufficient {name}")));
    if let Some(resource) = short {
        let waiting = ailing.pods.iter().filter(|pod| unscheduled(pod).is_some());
        let asked = waiting.flat_map(|pod| &pod.containers).find_map(|container| {
            Some((
                container.name.as_deref()?,
                container.resources.as_ref()?.at(&["requests", resource])?,
            ))
        });
        if let Some((container, request)) = asked {
            let path = ["resources", "requests", resource];
            finding = finding.also(request.span, "the pod asks for this").also_at(
                find_in_manifest(cx, &ailing.key, container, &path),
                "the hub sends it so",
            );
        }
        let nodes = cx.objects(Kind::Node, "Node");
        let here = nodes.iter().find(|node| node.key.cluster == ailing.key.cluster);
        let room = here.and_then(|node| node.root.at(&["status", "allocatable", resource]));
        finding = finding.also_at(room.map(|room| room.span), "a node has this much in all");
    }
    finding
}

/// Returns the condition of a pod that waits for a node.
fn unscheduled(pod: &Pod) -> Option<&Condition> {
    pod.condition("PodScheduled").filter(|condition| condition.is_false())
}
