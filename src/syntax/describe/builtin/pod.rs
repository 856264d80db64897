//! Pods and pod templates: containers, their states, their images.
//!
//! Owns the describer of Pod and the `Pod Template:` part of the workloads' describers. Containers
//! stand in one block, in YAML their wishes are in `spec` and their states in `status`.

use crate::source::Span;
use crate::syntax::describe::header::{parse_header_field, string};
use crate::syntax::text_view::TextView;
use crate::syntax::tree::Node;

use super::section::{DescribeSection, ValueType, node, sections};
use super::tree::{DescribeTree, list};
use super::{Rule, apply, conditions, map_below, owner};

/// Where the plain lines of a pod belong.
const POD: &[Rule] = &[
    ("Priority Class Name", &["spec", "priorityClassName"], ValueType::Text),
    ("Service Account", &["spec", "serviceAccountName"], ValueType::Text),
    ("Start Time", &["status", "startTime"], ValueType::Time),
    ("Status", &["status", "phase"], ValueType::Word),
    ("Reason", &["status", "reason"], ValueType::Text),
    ("Message", &["status", "message"], ValueType::Text),
    ("IP", &["status", "podIP"], ValueType::Text),
    ("QoS Class", &["status", "qosClass"], ValueType::Text),
    ("NominatedNodeName", &["status", "nominatedNodeName"], ValueType::Text),
];

/// Where the plain lines of a container belong, below its item in `spec`.
const CONTAINER: &[Rule] = &[("Image", &["image"], ValueType::Text)];

/// Where the plain lines of a container belong, below its item in `status`.
const CONTAINER_STATUS: &[Rule] = &[
    ("Container ID", &["containerID"], ValueType::Text),
    ("Image", &["image"], ValueType::Text),
    ("Image ID", &["imageID"], ValueType::Text),
    ("Ready", &["ready"], ValueType::Bool),
    ("Restart Count", &["restartCount"], ValueType::Int),
];

/// Where the details of a state belong, below the name of the state.
const STATE: &[Rule] = &[
    ("Reason", &["reason"], ValueType::Text),
    ("Message", &["message"], ValueType::Text),
    ("Exit Code", &["exitCode"], ValueType::Int),
    ("Signal", &["signal"], ValueType::Int),
    ("Started", &["startedAt"], ValueType::Time),
    ("Finished", &["finishedAt"], ValueType::Time),
];

/// Reads the sections of a pod into its tree.
pub(super) fn read_pod(
    view: &TextView<'_>,
    parts: &[DescribeSection<'_, '_>],
    tree: &mut DescribeTree,
) {
    apply(view, parts, POD, tree);
    for part in parts {
        let key = view.span(part.head.label_range());
        match part.label() {
            "Node" => {
                // The node's address follows its name.
                let range = part.head.value_range();
                let name = part.head.value().split('/').next().unwrap_or_default();
                let shown = part.value(view, ValueType::Text).is_some();
                let name = shown.then(|| string(view, range.start..range.start + name.len()));
                tree.put(&["spec", "nodeName"], key, name);
            }
            "Controlled By" => tree.put(&["metadata", "ownerReferences"], key, owner(view, part)),
            "Containers" => {
                tree.put(&["spec", "containers"], key, containers(view, part, container));
                let statuses = containers(view, part, container_status);
                tree.put(&["status", "containerStatuses"], key, statuses);
            }
            "Init Containers" => {
                tree.put(&["spec", "initContainers"], key, containers(view, part, container));
                let statuses = containers(view, part, container_status);
                tree.put(&["status", "initContainerStatuses"], key, statuses);
            }
            "Conditions" => tree.put(&["status", "conditions"], key, conditions(view, part)),
            _ => {}
        }
    }
}

/// Reads a pod template into `spec.template` of a workload.
pub(super) fn read_template(
    view: &TextView<'_>,
    part: &DescribeSection<'_, '_>,
    tree: &mut DescribeTree,
) {
    for inner in sections(part.below) {
        let key = view.span(inner.head.label_range());
        match inner.label() {
            label @ ("Labels" | "Annotations") => {
                let lines: Vec<_> =
                    [*inner.head].into_iter().chain(inner.below.iter().copied()).collect();
                if let Some(entry) = parse_header_field(view, label, &lines) {
                    let path = ["spec", "template", "metadata", &*entry.key];
                    tree.put(&path, key, Some(entry.node));
                }
            }
            "Service Account" => {
                let path = ["spec", "template", "spec", "serviceAccountName"];
                tree.put(&path, key, inner.value(view, ValueType::Text));
            }
            "Containers" => {
                let path = ["spec", "template", "spec", "containers"];
                tree.put(&path, key, containers(view, &inner, container));
            }
            "Init Containers" => {
                let path = ["spec", "template", "spec", "initContainers"];
                tree.put(&path, key, containers(view, &inner, container));
            }
            _ => {}
        }
    }
}

type ReadContainer =
    fn(&TextView<'_>, &DescribeSection<'_, '_>, &[DescribeSection<'_, '_>]) -> Option<Node>;

fn containers(
    view: &TextView<'_>,
    part: &DescribeSection<'_, '_>,
    read: ReadContainer,
) -> Option<Node> {
    let items = sections(part.below);
    list(items.iter().filter_map(|item| read(view, item, &sections(item.below))).collect())
}

/// Reads what a container should be.
fn container(
    view: &TextView<'_>,
    item: &DescribeSection<'_, '_>,
    parts: &[DescribeSection<'_, '_>],
) -> Option<Node> {
    let mut tree = named(view, item);
    apply(view, parts, CONTAINER, &mut tree);
    for part in parts {
        let key = view.span(part.head.label_range());
        match part.label() {
            "Limits" => tree.put(&["resources", "limits"], key, map_below(view, part)),
            "Requests" => tree.put(&["resources", "requests"], key, map_below(view, part)),
            "Args" => tree.put(&["args"], key, words(view, part)),
            "Command" => tree.put(&["command"], key, words(view, part)),
            _ => {}
        }
    }
    tree.finish(name_span(view, item))
}

/// Reads what a container is; one that the kubelet has not reported has no state.
fn container_status(
    view: &TextView<'_>,
    item: &DescribeSection<'_, '_>,
    parts: &[DescribeSection<'_, '_>],
) -> Option<Node> {
    parts.iter().find(|part| part.label() == "State")?;
    let mut tree = named(view, item);
    apply(view, parts, CONTAINER_STATUS, &mut tree);
    for part in parts {
        let key = view.span(part.head.label_range());
        match part.label() {
            "State" => tree.put(&["state"], key, state(view, part)),
            "Last State" => tree.put(&["lastState"], key, state(view, part)),
            _ => {}
        }
    }
    tree.finish(name_span(view, item))
}

fn state(view: &TextView<'_>, part: &DescribeSection<'_, '_>) -> Option<Node> {
    let key_span = view.span(part.head.value_range());
    let mut details = DescribeTree::default();
    apply(view, &sections(part.below), STATE, &mut details);
    let details = details.finish(key_span);
    let name = part.head.value().to_ascii_lowercase();
    let mut state = DescribeTree::default();
    state.put(&[&name], key_span, details);
    state.finish(key_span)
}

fn named(view: &TextView<'_>, item: &DescribeSection<'_, '_>) -> DescribeTree {
    let mut tree = DescribeTree::default();
    let name = node(view, item.head.label_range(), ValueType::Text);
    tree.put(&["name"], name_span(view, item), name);
    tree
}

fn name_span(view: &TextView<'_>, item: &DescribeSection<'_, '_>) -> Span {
    view.span(item.head.label_range())
}

/// Reads a list of which each line is an item.
fn words(view: &TextView<'_>, part: &DescribeSection<'_, '_>) -> Option<Node> {
    let lines = part.below.iter().filter(|line| !line.is_blank());
    list(lines.map(|line| string(view, line.content_range())).collect())
}
