//! FL0763 pod-unschedulable.

use crate::declare_rule;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Command, Finding, Risk, RunsOn, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::cluster_node::ClusterNode;
use crate::model::condition::Condition;
use crate::model::overrides::Override;
use crate::model::pod::Pod;
use crate::model::read::{Pair, Text};
use crate::rule::Cx;
use crate::rules::commands::{edit_command, look_at};
use crate::rules::consequence::{Repair, after_repair_of, edit_on_hub};
use crate::rules::member::pod_finding::{explain_unavailable, parse_message, pods_of_workload};
use crate::rules::member::sent_manifest::{find_in_manifest, find_manifest};
use crate::rules::sentence::{clip, full_stop, member_name};
use crate::source::Span;

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
        reads: &[Kind::Pod, Kind::Work, Kind::Node, Kind::Override, Kind::OverrideSnapshot],
        check: pod_unschedulable,
    }
}

fn pod_unschedulable(cx: &mut Cx<'_>) {
    for unavailable in cx.unavailable_workloads() {
        let pending: Vec<_> =
            unavailable.pods.iter().filter_map(|pod| Some((*pod, unscheduled(pod)?))).collect();
        let events = unavailable.pod_events(&["FailedScheduling"]);
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
            finding.also_at(event.map(|event| event.best_span()), "its last event"),
            unavailable,
        ));
    }
}

fn describe<'g>(
    cx: &Cx<'g>,
    unavailable: &UnavailableWorkload<'g>,
    words: &'g Text,
    count: usize,
) -> Finding {
    let said = parse_message(cx, words, None);
    let phrase = said.find(&REFUSALS);
    let reasons = phrase.and_then(|phrase| phrase.get("reasons"));
    let why = reasons.map_or_else(|| clip(words), clip);
    let span = phrase.map_or(words.span, |phrase| cx.span_of_part(&phrase, "reasons"));
    let finding = POD_UNSCHEDULABLE
        .at(span, "no node takes the pod")
        .message(full_stop(&format!(
            "No node of {} takes {}{}{}: {}",
            member_name(&unavailable.key.cluster),
            match count {
                _ if &*unavailable.key.kind == "Pod" => "",
                1 => "a pod of ",
                _ => "the pods of ",
            },
            unavailable.key,
            pods_of_workload(unavailable, count),
            spelt(&why)
        )))
        .why(
            "The member agent applied the workload. The scheduler of the member checks every node \
              and refuses each for the reason given.",
        );
    let (finding, repair) = point_at_cause(cx, finding, unavailable, &why);
    after_repair_of(finding, cx, unavailable, repair)
}

/// Returns why the scheduler of a member refuses its nodes for a pod, by its words.
pub(super) fn why_unscheduled<'g>(cx: &Cx<'g>, words: &'g Text) -> String {
    let said = parse_message(cx, words, None);
    let phrase = said.find(&REFUSALS);
    let reasons = phrase.and_then(|phrase| phrase.get("reasons").map(clip));
    spelt(&reasons.unwrap_or_else(|| clip(words)))
}

/// The wordings in which the scheduler refuses the nodes.
const REFUSALS: [MessageId; 3] =
    [id::POD_UNSCHEDULABLE, id::POD_UNSCHEDULABLE_OLD, id::POD_VOLUME_UNBOUND];

/// Spells the reasons of the scheduler out: `2 Insufficient cpu` counts nodes.
fn spelt(why: &str) -> String {
    let one = |reason: &str| {
        let short = reason.split_once(" Insufficient ").and_then(|(count, resource)| {
            let count = count.parse::<usize>().ok()?;
            let nodes = if count == 1 { "1 node has" } else { "nodes have" };
            let count = if count == 1 { String::new() } else { format!("{count} ") };
            Some(format!("{count}{nodes} insufficient {resource}"))
        });
        short.unwrap_or_else(|| reason.to_owned())
    };
    why.split(", ").map(one).collect::<Vec<_>>().join(", ")
}

/// Goes on to what the nodes lack: room, a label that the pod selects by, a free or tolerated node.
fn point_at_cause<'g>(
    cx: &Cx<'g>,
    finding: Finding,
    unavailable: &UnavailableWorkload<'g>,
    why: &str,
) -> (Finding, Repair) {
    let short = ["cpu", "memory", "ephemeral-storage"]
        .into_iter()
        .find(|name| why.contains(&format!("Insufficient {name}")));
    if let Some(resource) = short {
        return (short_of(cx, finding, unavailable, resource), Repair::Resource);
    }
    let nodes = cx.nodes_of(&unavailable.key.cluster);
    if (why.contains("node affinity/selector") || why.contains("node selector"))
        && let Some(found) = unmet_selector(cx, &finding, unavailable, &nodes)
    {
        return found;
    }
    let mut finding = finding;
    let cordoned: Vec<_> =
        nodes.iter().filter_map(|node| Some((node.meta.name(), node.cordoned?))).collect();
    if why.contains("unschedulable") && !cordoned.is_empty() {
        for (name, span) in cordoned.iter().take(2) {
            finding = finding.also(*span, format!("someone has cordoned node {name}"));
        }
        for (name, _) in cordoned.iter().take(2) {
            let place = RunsOn::of_cluster(&unavailable.key.cluster);
            let uncordon = Command::kubectl(Risk::Reversible, place).words("uncordon").name(name);
            finding = finding.step(
                uncordon.build(),
                format!("lets pods onto node {name} again, if it is ready"),
            );
        }
        return (finding, Repair::Member);
    }
    let tainted = nodes.iter().flat_map(|node| node.taints.iter().map(move |taint| (node, taint)));
    let mut named = tainted.filter(|(_, taint)| why.contains(&*taint.key)).peekable();
    if why.contains("taint") && named.peek().is_some() {
        for (node, taint) in named.take(3) {
            finding = finding.also(taint.site.span, format!("taint of node {}", node.meta.name()));
        }
        return (finding.hint(TAINTED), Repair::Member);
    }
    let look = look_at(&unavailable.key.cluster).words("describe nodes").build();
    (finding.step(look, "shows taints, labels and free room of each node"), Repair::Member)
}

/// The two ways out of a taint.
const TAINTED: &str = "Remove the taint on the member when it is no longer meant, or tolerate it \
     in the manifest on the hub; that needs a new snapshot.";

/// Points at a resource that is short: as the pod asks for it, as the hub sends it, as the nodes have it.
fn short_of<'g>(
    cx: &Cx<'g>,
    finding: Finding,
    unavailable: &UnavailableWorkload<'g>,
    resource: &str,
) -> Finding {
    let waiting = unavailable.pods.iter().filter(|pod| unscheduled(pod).is_some());
    let asked = waiting.flat_map(|pod| pod.containers()).find_map(|container| {
        let request = container.resources.as_ref()?.at(&["requests", resource])?;
        Some((container.name.as_deref()?, request))
    });
    let mut finding = finding;
    if let Some((container, request)) = asked {
        let path = ["resources", "requests", resource];
        finding = finding.also(request.span, "the pod asks for this").also_at(
            find_in_manifest(cx, &unavailable.key, container, &path),
            "the hub sends this request",
        );
    }
    let nodes = cx.nodes_of(&unavailable.key.cluster);
    let room = nodes.iter().find_map(|node| node.allocatable(resource));
    finding = finding.also_at(room, "a node has this much in all");
    if room.is_none() {
        finding = finding.step(
            look_at(&unavailable.key.cluster).words("describe nodes").build(),
            format!("shows how much {resource} each node has, and how much is requested"),
        );
    }
    finding
        .step(edit_on_hub(cx, &unavailable.key), format!("opens it to ask for less {resource}"))
        .hint(
            "Larger or further nodes on the member need no change on the hub: the pods start by \
             themselves.",
        )
}

/// Finds a label that the pod selects by and no node has, and who set it: the manifest or an override.
fn unmet_selector<'g>(
    cx: &Cx<'g>,
    finding: &Finding,
    unavailable: &UnavailableWorkload<'g>,
    nodes: &[ClusterNode<'g>],
) -> Option<(Finding, Repair)> {
    let pod = unavailable.pods.iter().find(|pod| unscheduled(pod).is_some())?;
    let wanted = pod.node_selector();
    let lacks = |pair: &&Pair| !nodes.iter().any(|node| node.has_label(&pair.key, &pair.value));
    let pair = wanted.iter().filter(|_| !nodes.is_empty()).find(lacks)?;
    let member = member_name(&unavailable.key.cluster);
    let label = format!("{}={}", pair.key, &*pair.value);
    let finding = finding
        .clone()
        .message(format!(
            "No node of {member} has label {label}, which the pods of {} select by.",
            unavailable.key
        ))
        .also(pair.value.span, format!("no node of {member} has {label}"));
    let Some((item, patch)) = find_selector_patch(cx, unavailable, pair) else {
        let sent = find_manifest(cx, &unavailable.key)
            .and_then(|manifest| Some(manifest.node_selector(&pair.key)?.span));
        let finding = finding.also_at(sent, "the hub sends this selector").step(
            edit_on_hub(cx, &unavailable.key),
            format!(
                "opens it to correct nodeSelector; a label on a node of {member} works as well"
            ),
        );
        return Some((finding, Repair::Resource));
    };
    let name = item.override_name();
    let finding = finding
        .also(patch, format!("set by override {name}"))
        .step(edit_command(&item.own_key()), format!("opens override {name} to correct it"));
    Some((finding, Repair::Override))
}

/// Finds the override whose patch sets a node selector to this value.
fn find_selector_patch<'g>(
    cx: &Cx<'g>,
    unavailable: &UnavailableWorkload<'_>,
    pair: &Pair,
) -> Option<(&'g Override, Span)> {
    let all = cx.overrides().iter().chain(cx.override_snapshots());
    let mut own = all.filter(|item| {
        item.selectors.iter().any(|one| {
            one.name.as_deref() == Some(&*unavailable.key.name)
                || one.kind.as_deref() == Some("Namespace")
        })
    });
    own.find_map(|item| {
        let mut patches = item.rules.iter().flat_map(|rule| &rule.patches);
        let patch = patches.find(|patch| {
            let on_selector =
                patch.path.as_deref().is_some_and(|path| path.contains("nodeSelector"));
            on_selector && patch.holds_text(&pair.value)
        })?;
        Some((item, patch.value.as_ref().map_or(patch.site.span, |value| value.span)))
    })
}

/// Returns the condition of a pod that waits for a node.
fn unscheduled(pod: &Pod) -> Option<&Condition> {
    pod.condition("PodScheduled").filter(|condition| condition.is_false())
}
