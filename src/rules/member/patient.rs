//! What the rules about pods share: telling one cause of all pods of a workload that suffer it.

use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Certainty, Finding, Topic};
use crate::grammar::message::{Hint, id};
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::model::pod::{ContainerStatus, Pod};
use crate::model::read::Text;
use crate::model::said::Said;
use crate::model::work::Manifest;
use crate::rule::Cx;
use crate::rules::chain::explain;
use crate::source::Span;
use crate::syntax::tree::Node;

/// Returns the containers of a workload's pods that wait for one of these reasons.
pub fn waiting<'g>(
    unavailable: &UnavailableWorkload<'g>,
    reasons: &[&str],
) -> Vec<(&'g Pod, &'g ContainerStatus)> {
    let all = unavailable
        .pods
        .iter()
        .flat_map(|pod| pod.statuses.iter().map(move |status| (*pod, status)));
    all.filter(|(_, status)| reasons.contains(&status.waits_for())).collect()
}

/// Returns the events about a workload's pods that have one of these reasons, the newest last.
///
/// Events outlive what they tell of: where the pods themselves are in the bundle, only the events of
/// pods that are not ready count.
pub fn pod_events<'g>(unavailable: &UnavailableWorkload<'g>, reasons: &[&str]) -> Vec<&'g Event> {
    let healthy = |event: &Event| {
        let known = unavailable.pods.iter().find(|pod| *pod.meta.name() == *event.about.name);
        known.map_or(!unavailable.pods.is_empty(), |pod| pod.is_ready())
    };
    let events = unavailable.events.iter().copied();
    let mut found: Vec<&Event> = events
        .filter(|event| &*event.about.kind == "Pod" && reasons.contains(&event.reason()))
        .filter(|event| !healthy(event) && !is_overcome(unavailable, event))
        .collect();
    found.sort_by_key(|event| event.last.map(|last| last.value));
    found
}

/// Says whether a later event shows that the pod has left this behind: an event outlives what it tells of.
fn is_overcome(unavailable: &UnavailableWorkload<'_>, event: &Event) -> bool {
    let step = match event.reason() {
        "FailedScheduling" => "Scheduled",
        "Unhealthy" => return false,
        _ => "Started",
    };
    let mut others = unavailable.events.iter();
    others
        .any(|other| other.about == event.about && other.reason() == step && event.is_before(other))
}

/// Takes the message of an event or a container apart.
pub fn take_apart<'g>(cx: &Cx<'g>, message: &'g Text, reason: Option<&'g Text>) -> Said {
    cx.said(message, Hint { reason: reason.map(|text| &**text), ..Hint::default() })
}

/// Returns how many pods suffer, for a sentence: `1 of 3 pods`; nothing where only events tell of it.
pub fn share(unavailable: &UnavailableWorkload<'_>, suffering: usize) -> String {
    match (suffering, unavailable.pods.len()) {
        (0, _) | (_, 0) => String::new(),
        (1, 1) => " (its only pod)".to_owned(),
        (2, 2) => " (both pods)".to_owned(),
        (some, all) if some >= all => format!(" (all {all} pods)"),
        (some, all) => format!(" ({some} of {all} pods)"),
    }
}

/// Says that a cause below a workload explains what the workload and its placement suffer.
pub fn explain_unavailable(finding: Finding, unavailable: &UnavailableWorkload<'_>) -> Finding {
    let placement = unavailable.failure.and_then(|failure| failure.placement.as_ref());
    let mut finding = explain(finding, &unavailable.key, placement);
    for (run, cluster) in &unavailable.awaited_by {
        finding = finding.explains(Topic::RunCluster(run.clone(), cluster.clone()));
    }
    if !unavailable.is_placed {
        finding = finding.certainty(Certainty::Likely);
    }
    let report = unavailable.failure.and_then(|failure| failure.witnesses.first());
    if let Some(report) = report {
        finding =
            finding.also(report.span, format!("so {} is not available", unavailable.key.kind));
    }
    finding
}

/// Finds an object as the hub sends it to its member.
pub fn find_manifest<'g>(cx: &Cx<'g>, object: &ObjectKey) -> Option<&'g Manifest> {
    let same = |name: &Option<Text>, wanted: &str| name.as_deref().unwrap_or_default() == wanted;
    let works = cx.works_of(&object.cluster);
    works.flat_map(|work| &work.manifests).find(|manifest| {
        same(&manifest.kind, &object.kind)
            && same(&manifest.namespace, &object.namespace)
            && same(&manifest.name, &object.name)
    })
}

/// Finds a field of a container in a workload's pod template as the hub sends it.
pub fn find_in_manifest(
    cx: &Cx<'_>,
    object: &ObjectKey,
    container: &str,
    path: &[&str],
) -> Option<Span> {
    let manifest = find_manifest(cx, object)?;
    let containers = manifest.root.at(&["spec", "template", "spec", "containers"])?;
    let named = |node: &&Node| node.get("name").and_then(Node::as_str) == Some(container);
    containers.items().iter().find(named)?.at(path).map(|node| node.span)
}

/// Returns kind and name of the object that a message misses.
pub fn missing_object(said: &Said) -> Option<(&'static str, &str)> {
    let kind_of = |resource: &str| match resource {
        "secret" | "secrets" => Some("Secret"),
        "configmap" | "configmaps" => Some("ConfigMap"),
        _ => None,
    };
    if let Some(phrase) = said.find(&[id::K8S_NOTFOUND]) {
        return Some((kind_of(phrase.get("resource")?)?, phrase.get("name")?));
    }
    let phrase = said.find(&[id::POD_MISSING_KEY])?;
    let kind = if phrase.words().contains(" in Secret ") { "Secret" } else { "ConfigMap" };
    let object = phrase.get("object")?;
    Some((kind, object.rsplit('/').next().unwrap_or(object)))
}
