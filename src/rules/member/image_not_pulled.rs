//! FL0760 image-not-pulled.

use crate::declare_rule;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Finding, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::event::Event;
use crate::model::pod::{ContainerStatus, Pod};
use crate::model::said::Said;
use crate::rule::Cx;
use crate::rules::chain::{clip, member_name};
use crate::rules::commands::describe_on_member;
use crate::rules::member::patient::{
    explain_unavailable, find_in_manifest, pod_events, share, take_apart, waiting,
};

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
        let waiting = waiting(unavailable, &REASONS);
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
    let own = waiting.message.as_ref().map(|text| take_apart(cx, text, waiting.reason.as_ref()));
    // A describe text shows the reason alone; its events say more.
    let event = if own.is_none() { told_by_event(cx, unavailable) } else { None };
    let span = event.as_ref().map(|(event, ..)| event.best_span());
    let said = own.or_else(|| event.map(|(_, said, _)| said));
    let image = wanted.map(|image| image.value.to_string());
    let image = image.or_else(|| image_in(said.as_ref()?)).unwrap_or_default();
    let sent = find_in_manifest(cx, &unavailable.key, status.name(), &["image"]);
    let finding = IMAGE_NOT_PULLED
        .at(status.waiting_span(), status.waits_for())
        .also_at(wanted.map(|image| image.span), "this image")
        .also_at(span, "the kubelet says")
        .also_at(sent, "the hub sends it so");
    Some(describe(finding, unavailable, &image, said.as_ref(), &share(unavailable, count)))
}

fn by_event<'g>(cx: &Cx<'g>, unavailable: &UnavailableWorkload<'g>) -> Option<Finding> {
    let (event, said, image) = told_by_event(cx, unavailable)?;
    let finding = IMAGE_NOT_PULLED.at(event.best_span(), "the kubelet says");
    Some(describe(finding, unavailable, &image, Some(&said), ""))
}

/// Finds the event about an image that goes deepest into the cause; of equals, the newest.
fn told_by_event<'g>(
    cx: &Cx<'g>,
    unavailable: &UnavailableWorkload<'g>,
) -> Option<(&'g Event, Said, String)> {
    let events = pod_events(unavailable, &["Failed", "BackOff", "InspectFailed"]).into_iter();
    let told = events.filter_map(|event| {
        let said = take_apart(cx, event.message.as_ref()?, event.reason.as_ref());
        let image = image_in(&said)?;
        Some((event, said, image))
    });
    told.max_by_key(|(_, said, _)| said.parts.parts.len())
}

fn describe(
    finding: Finding,
    unavailable: &UnavailableWorkload<'_>,
    image: &str,
    said: Option<&Said>,
    share: &str,
) -> Finding {
    let core = said.and_then(Said::core).map(|core| core.words());
    let why = core.filter(|words| !words.is_empty()).map(|words| format!(": {}", clip(words)));
    let image = if image.is_empty() { "an image".to_owned() } else { format!("image {image}") };
    finding
        .message(format!(
            "{image} of {} cannot be pulled on {}{share}{}",
            unavailable.key,
            member_name(&unavailable.key.cluster),
            why.unwrap_or_default()
        ))
        .why("the object was applied; its pods wait for the image and start by themselves once it can be pulled")
        .recover(Recoverability::ResumesAfterRepair)
        .command(describe_on_member(&unavailable.key))
}

/// Returns the image that a message names.
fn image_in(said: &Said) -> Option<String> {
    let ids = [
        id::POD_IMAGE_BACKOFF,
        id::POD_IMAGE_BACKOFF_CAUSE,
        id::POD_IMAGE_PULL,
        id::POD_IMAGE_NAME,
        id::POD_IMAGE_PARSE,
    ];
    said.find(&ids).and_then(|phrase| phrase.get("image")).map(str::to_owned)
}
