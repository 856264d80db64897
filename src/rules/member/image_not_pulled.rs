//! FL0760 image-not-pulled.

use crate::declare_rule;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Finding, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::event::Event;
use crate::model::parsed_message::ParsedMessage;
use crate::model::pod::{ContainerStatus, Pod};
use crate::rule::Cx;
use crate::rules::commands::describe_on_member;
use crate::rules::consequence::{Repair, after_repair_of, edit_on_hub};
use crate::rules::member::pod_finding::{explain_unavailable, parse_message, pods_of_workload};
use crate::rules::member::sent_manifest::find_in_manifest;
use crate::rules::sentence::{clip, full_stop, member_name};

declare_rule! {
    /// An image that the member cannot pull.
    ///
    /// ## Why it matters
    /// The workload was applied, but its pods never start: the name or tag does not exist, the registry refuses
    /// the credentials, or it cannot be reached. The run waits, and the image stays wrong in the snapshot.
    ///
    /// ## What to do
    /// Publish the image, or give the member access to the registry; the pods then start by themselves. If the
    /// name is wrong, correct it on the hub: that is a new snapshot, and a staged update needs a new run.
    pub static IMAGE_NOT_PULLED = Rule {
        code: "FL0760",
        name: "image-not-pulled",
        severity: Severity::Error,
        reads: &[Kind::Pod, Kind::Work],
        check: image_not_pulled,
    }
}

const REASONS: [&str; 6] = [
    "ImagePullBackOff",
    "ErrImagePull",
    "InvalidImageName",
    "ErrImageNeverPull",
    "ImageInspectError",
    "RegistryUnavailable",
];

fn image_not_pulled(cx: &mut Cx<'_>) {
    for unavailable in cx.unavailable_workloads() {
        let waiting = unavailable.waiting(&REASONS);
        let finding = match waiting.first() {
            Some((pod, status)) => by_status(cx, unavailable, pod, status, waiting.len()),
            None => by_event(cx, unavailable),
        };
        if let Some(finding) = finding {
            cx.report(explain_unavailable(finding, unavailable));
        }
    }
}

fn by_status<'g>(
    cx: &Cx<'g>,
    unavailable: &UnavailableWorkload<'g>,
    pod: &Pod,
    status: &'g ContainerStatus,
    count: usize,
) -> Option<Finding> {
    let waiting = status.waiting.as_ref()?;
    let wanted = pod.find_container(status.name()).and_then(|container| container.image.as_ref());
    let own = waiting.message.as_ref().map(|text| parse_message(cx, text, waiting.reason.as_ref()));
    // A describe text shows the reason alone; its events say more.
    let event = if own.is_none() { deepest_event(cx, unavailable) } else { None };
    let span = event.as_ref().map(|(event, ..)| event.best_span());
    let said = own.or_else(|| event.map(|(_, said, _)| said));
    let image = wanted.map(|image| image.value.to_string());
    let image = image.or_else(|| image_in(said.as_ref()?)).unwrap_or_default();
    let sent = find_in_manifest(cx, &unavailable.key, status.name(), &["image"]);
    let finding = IMAGE_NOT_PULLED
        .at(status.waiting_span(), status.waits_for())
        .also_at(wanted.map(|image| image.span), "this image")
        .also_at(span, "reported by the kubelet")
        .also_at(sent, "the hub sends this image");
    Some(describe(
        cx,
        finding,
        unavailable,
        (&image, said.as_ref(), &pods_of_workload(unavailable, count)),
    ))
}

fn by_event<'g>(cx: &Cx<'g>, unavailable: &UnavailableWorkload<'g>) -> Option<Finding> {
    let (event, said, image) = deepest_event(cx, unavailable)?;
    let finding = IMAGE_NOT_PULLED.at(event.best_span(), "reported by the kubelet");
    Some(describe(cx, finding, unavailable, (&image, Some(&said), "")))
}

/// Finds the event about an image that goes deepest into the cause; of equals, the newest.
fn deepest_event<'g>(
    cx: &Cx<'g>,
    unavailable: &UnavailableWorkload<'g>,
) -> Option<(&'g Event, ParsedMessage, String)> {
    let events = unavailable.pod_events(&["Failed", "BackOff", "InspectFailed"]).into_iter();
    let told = events.filter_map(|event| {
        let said = parse_message(cx, event.message.as_ref()?, event.reason.as_ref());
        let image = image_in(&said)?;
        Some((event, said, image))
    });
    told.max_by_key(|(_, said, _)| said.parts.parts.len())
}

fn describe(
    cx: &Cx<'_>,
    finding: Finding,
    unavailable: &UnavailableWorkload<'_>,
    (image, said, share): (&str, Option<&ParsedMessage>, &str),
) -> Finding {
    let core = said.and_then(ParsedMessage::core).map(|core| core.words());
    let told = core.filter(|words| !words.is_empty());
    // The kubelet names the image again before it says what is wrong.
    let short = |words: &str| {
        let again = words.strip_prefix(image).and_then(|rest| rest.strip_prefix(": "));
        clip(again.filter(|_| !image.is_empty()).unwrap_or(words))
    };
    let why = told.map(|words| format!(": {}", short(words))).unwrap_or_default();
    let image = if image.is_empty() { "an image".to_owned() } else { format!("image {image}") };
    let member = member_name(&unavailable.key.cluster);
    let finding = finding
        .message(full_stop(&format!(
            "{member} cannot pull {image} of {}{share}{why}",
            unavailable.key
        )))
        .why("The member agent applied the workload. Its pods wait for the image.")
        .hint(
            "Access to the registry, or a pushed tag, needs no change on the hub: the kubelet \
             pulls again within 5m.",
        );
    let finding = match told {
        Some(_) => finding,
        None => finding.step(
            describe_on_member(&unavailable.key),
            "shows in its events why the image cannot be pulled",
        ),
    };
    let finding = finding.step(edit_on_hub(cx, &unavailable.key), "opens it to correct the image");
    after_repair_of(finding, cx, unavailable, Repair::Resource)
}

/// Returns the image that a message names.
fn image_in(said: &ParsedMessage) -> Option<String> {
    let ids = [
        id::POD_IMAGE_BACKOFF,
        id::POD_IMAGE_BACKOFF_CAUSE,
        id::POD_IMAGE_PULL,
        id::POD_IMAGE_NAME,
        id::POD_IMAGE_PARSE,
    ];
    said.find(&ids).and_then(|phrase| phrase.get("image")).map(str::to_owned)
}
