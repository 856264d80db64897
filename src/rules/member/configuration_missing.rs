//! FL0762 configuration-missing.

use std::collections::BTreeSet;

use crate::declare_rule;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::event::Event;
use crate::model::key::ObjectKey;
use crate::model::parsed_message::ParsedMessage;
use crate::model::pod::{ContainerStatus, Pod};
use crate::model::work::WorkManifest;
use crate::rule::Cx;
use crate::rules::commands::{describe_on_member, look_at};
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::member::missing_object::missing_object;
use crate::rules::member::pod_finding::{explain_unavailable, parse_message, pods_of_workload};
use crate::rules::sentence::{clip, full_stop, member_name};

declare_rule! {
    /// A Secret, ConfigMap or key that a workload needs and the member does not have.
    ///
    /// ## Why it matters
    /// The workload was applied, but its containers cannot be made. Objects that a workload refers to are not
    /// placed with it: a placement brings what it selects, nothing else.
    ///
    /// ## What to do
    /// Bring the missing object to the member: select it in the placement or in another one. The pods start
    /// by themselves within minutes, and a stuck run then continues.
    pub static CONFIGURATION_MISSING = Rule {
        code: "FL0762",
        name: "configuration-missing",
        severity: Severity::Error,
        reads: &[Kind::Pod, Kind::Work],
        check: configuration_missing,
    }
}

fn configuration_missing(cx: &mut Cx<'_>) {
    for unavailable in cx.unavailable_workloads() {
        let waiting = unavailable.waiting(&["CreateContainerConfigError"]);
        let by_status = waiting.iter().find_map(|(_, status)| {
            let waiting = status.waiting.as_ref()?;
            waiting.message.as_ref().map(|text| (text, waiting.reason.as_ref()))
        });
        let by_event = || {
            let events = unavailable.pod_events(&["FailedMount", "Failed"]);
            events.into_iter().find_map(|event| {
                let message = event.message.as_ref()?;
                let said = parse_message(cx, message, event.reason.as_ref());
                missing_object(&said).is_some().then_some((message, event.reason.as_ref()))
            })
        };
        let Some((message, reason)) = by_status.or_else(by_event) else { continue };
        let said = parse_message(cx, message, reason);
        let finding = describe(cx, unavailable, &said, count_pods(cx, unavailable, &waiting));
        cx.report(explain_unavailable(finding, unavailable));
    }
}

fn describe(
    cx: &Cx<'_>,
    unavailable: &UnavailableWorkload<'_>,
    said: &ParsedMessage,
    count: usize,
) -> Finding {
    let member = member_name(&unavailable.key.cluster);
    let missing = missing_object(said);
    let core = said.core();
    let span = core.as_ref().map_or(said.text.span, |core| cx.span_of(core));
    let words = core.map(|core| core.words()).unwrap_or(&said.text);
    let finding = CONFIGURATION_MISSING.at(span, "reported by the kubelet");
    let pods = format!("the pods of {}{}", unavailable.key, pods_of_workload(unavailable, count));
    let Some((kind, name)) = missing else {
        let finding = finding
            .message(full_stop(&format!("On {member}, {pods} cannot start: {}", clip(words))))
            .why("A container refers to configuration that the member does not have.")
            .step(
                describe_on_member(&unavailable.key),
                "shows which configuration the containers refer to",
            );
        return after_repair_of(finding, cx, unavailable, Repair::Member);
    };
    let is_it = |manifest: &WorkManifest| {
        manifest.kind.as_deref() == Some(kind)
            && manifest.name.as_deref() == Some(name)
            && manifest.namespace.as_deref() == Some(&*unavailable.key.namespace)
    };
    let namespace = &unavailable.key.namespace;
    let mut here = cx.works_of(&unavailable.key.cluster);
    let bringer = here.find(|work| work.manifests.iter().any(is_it));
    let key = said.find(&[id::POD_MISSING_KEY]).and_then(|phrase| phrase.get("key"));
    let lacks = match key {
        Some(key) => format!("{kind} {namespace}/{name} on {member} has no key {key}"),
        None => format!("{kind} {namespace}/{name} does not exist on {member}"),
    };
    let wanted = ObjectKey { kind: kind.into(), name: name.into(), ..unavailable.key.clone() };
    let finding = finding.message(format!("{lacks}, so {pods} cannot start."));
    let (finding, repair) = match bringer {
        Some(work) => {
            let why = format!(
                "{} carries {kind} {name} for {member}. What it carries does not fit, or is not \
                 applied.",
                work.meta.key
            );
            (finding.why(why), Repair::Resource)
        }
        None => {
            let finding = finding
                .why(format!(
                    "No Work in this bundle brings {kind} {name} to {member}. A placement brings \
                     what it selects, nothing else."
                ))
                .hint(format!(
                    "Select {kind} {name} in a placement, or create it on {member} by hand."
                ));
            (finding, Repair::Member)
        }
    };
    let finding = finding.step(
        look_at(&wanted.cluster).words("get").object(&wanted).build(),
        format!("shows whether {member} has {kind} {name} by now"),
    );
    after_repair_of(finding, cx, unavailable, repair)
}

/// Counts the pods that cannot start: by their own status, else by the events about them.
fn count_pods<'g>(
    cx: &Cx<'g>,
    unavailable: &UnavailableWorkload<'g>,
    waiting: &[(&Pod, &ContainerStatus)],
) -> usize {
    if !waiting.is_empty() {
        return waiting.len();
    }
    let events = unavailable.pod_events(&["FailedMount", "Failed"]);
    let misses = |event: &&'g Event| {
        let said =
            event.message.as_ref().map(|text| parse_message(cx, text, event.reason.as_ref()));
        said.is_some_and(|said| missing_object(&said).is_some())
    };
    let names = events.into_iter().filter(misses).map(|event| &*event.about.name);
    names.collect::<BTreeSet<_>>().len()
}
