//! Namespace, Node, Service, PersistentVolumeClaim, ResourceQuota and PodDisruptionBudget.
//!
//! Owns the lines of their describers that a diagnosis reads.

use std::ops::Range;

use smol_str::SmolStr;

use crate::source::Span;
use crate::syntax::describe::grid::{Grid, is_rule};
use crate::syntax::describe::header::string;
use crate::syntax::describe::line::DescribeLine;
use crate::syntax::describe::split::is_quota_head;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entry, Node, Value};

use super::section::{DescribeSection, ValueType, node, sections};
use super::tree::{DescribeTree, list, map};
use super::{Rule, apply, conditions, map_below, pairs};

/// Lines of a namespace.
const NAMESPACE: &[Rule] = &[("Status", &["status", "phase"], ValueType::Word)];

/// Lines of a node.
const NODE: &[Rule] = &[
    ("Unschedulable", &["spec", "unschedulable"], ValueType::Bool),
    ("PodCIDR", &["spec", "podCIDR"], ValueType::Text),
    ("ProviderID", &["spec", "providerID"], ValueType::Text),
];

/// Lines below `System Info:` of a node.
const SYSTEM_INFO: &[Rule] = &[
    ("Kubelet Version", &["status", "nodeInfo", "kubeletVersion"], ValueType::Text),
    ("OS Image", &["status", "nodeInfo", "osImage"], ValueType::Text),
    ("Kernel Version", &["status", "nodeInfo", "kernelVersion"], ValueType::Text),
    (
        "Container Runtime Version",
        &["status", "nodeInfo", "containerRuntimeVersion"],
        ValueType::Text,
    ),
    ("Architecture", &["status", "nodeInfo", "architecture"], ValueType::Text),
];

/// Lines of a service.
const SERVICE: &[Rule] = &[
    ("Type", &["spec", "type"], ValueType::Text),
    ("IP Family Policy", &["spec", "ipFamilyPolicy"], ValueType::Text),
    ("IP", &["spec", "clusterIP"], ValueType::Text),
    ("External Name", &["spec", "externalName"], ValueType::Text),
    ("Session Affinity", &["spec", "sessionAffinity"], ValueType::Text),
    ("External Traffic Policy", &["spec", "externalTrafficPolicy"], ValueType::Text),
    ("Internal Traffic Policy", &["spec", "internalTrafficPolicy"], ValueType::Text),
];

/// Lines of a claim.
const CLAIM: &[Rule] = &[
    ("StorageClass", &["spec", "storageClassName"], ValueType::Text),
    ("Status", &["status", "phase"], ValueType::Word),
    ("Volume", &["spec", "volumeName"], ValueType::Text),
    ("Capacity", &["status", "capacity", "storage"], ValueType::Text),
    ("VolumeMode", &["spec", "volumeMode"], ValueType::Text),
];

/// Lines of a budget of disruptions.
const BUDGET: &[Rule] = &[
    ("Min available", &["spec", "minAvailable"], ValueType::Text),
    ("Max unavailable", &["spec", "maxUnavailable"], ValueType::Text),
];

/// Lines below `Status:` of a budget of disruptions.
const BUDGET_STATUS: &[Rule] = &[
    ("Allowed disruptions", &["status", "disruptionsAllowed"], ValueType::Int),
    ("Current", &["status", "currentHealthy"], ValueType::Int),
    ("Desired", &["status", "desiredHealthy"], ValueType::Int),
    ("Total", &["status", "expectedPods"], ValueType::Int),
];

/// Reads the sections of a namespace into its tree.
pub(super) fn read_namespace(
    view: &TextView<'_>,
    parts: &[DescribeSection<'_, '_>],
    tree: &mut DescribeTree,
) {
    apply(view, parts, NAMESPACE, tree);
    put_conditions(view, parts, tree);
}

/// Reads the sections of a node into its tree.
pub(super) fn read_node(
    view: &TextView<'_>,
    parts: &[DescribeSection<'_, '_>],
    tree: &mut DescribeTree,
) {
    apply(view, parts, NODE, tree);
    put_conditions(view, parts, tree);
    for part in parts {
        let key = view.span(part.head.label_range());
        match part.label() {
            "Capacity" => tree.put(&["status", "capacity"], key, map_below(view, part)),
            "Allocatable" => tree.put(&["status", "allocatable"], key, map_below(view, part)),
            "System Info" => apply(view, &sections(part.below), SYSTEM_INFO, tree),
            "Addresses" => {
                let items =
                    sections(part.below).into_iter().filter_map(|item| address(view, &item));
                tree.put(&["status", "addresses"], key, list(items.collect()));
            }
            "Taints" => tree.put(&["spec", "taints"], key, taints(view, part)),
            _ => {}
        }
    }
}

/// Reads the sections of a service into its tree.
pub(super) fn read_service(
    view: &TextView<'_>,
    parts: &[DescribeSection<'_, '_>],
    tree: &mut DescribeTree,
) {
    apply(view, parts, SERVICE, tree);
    for part in parts {
        let key = view.span(part.head.label_range());
        match part.label() {
            "Selector" => tree.put(&["spec", "selector"], key, pairs(view, part)),
            "LoadBalancer Ingress" => {
                let path = ["status", "loadBalancer", "ingress"];
                tree.put(&path, key, ingress(view, part));
            }
            _ => {}
        }
    }
    let ports: Vec<Node> = ports(view, parts);
    let key = parts.iter().find(|part| part.label() == "Port");
    if let Some(key) = key {
        tree.put(&["spec", "ports"], view.span(key.head.label_range()), list(ports));
    }
}

/// Reads the sections of a claim into its tree.
pub(super) fn read_claim(
    view: &TextView<'_>,
    parts: &[DescribeSection<'_, '_>],
    tree: &mut DescribeTree,
) {
    apply(view, parts, CLAIM, tree);
    put_conditions(view, parts, tree);
}

/// Reads the sections of a budget of disruptions into its tree.
pub(super) fn read_budget(
    view: &TextView<'_>,
    parts: &[DescribeSection<'_, '_>],
    tree: &mut DescribeTree,
) {
    apply(view, parts, BUDGET, tree);
    for part in parts {
        let key = view.span(part.head.label_range());
        match part.label() {
            "Selector" => tree.put(&["spec", "selector", "matchLabels"], key, pairs(view, part)),
            "Status" => apply(view, &sections(part.below), BUDGET_STATUS, tree),
            _ => {}
        }
    }
}

/// Reads the table of a quota, `Resource  Used  Hard`, into `status.used` and `status.hard`.
pub(super) fn read_quota(view: &TextView<'_>, lines: &[DescribeLine<'_>], tree: &mut DescribeTree) {
    let Some(at) = lines.iter().position(is_quota_head) else { return };
    let Some((head, rows)) = lines.get(at..).and_then(<[DescribeLine<'_>]>::split_first) else {
        return;
    };
    let grid = Grid::parse_columns(head);
    let (mut used, mut hard) = (Vec::new(), Vec::new());
    for row in rows.iter().filter(|row| !is_rule(row) && !row.is_blank()) {
        let Some(cells) = grid.parse_row(row) else { continue };
        let [name, in_use, limit] = cells.as_slice() else { continue };
        let key: SmolStr = view.text().get(name.clone()).unwrap_or_default().into();
        let entry = |cell: &Range<usize>| {
            let node = string(view, cell.clone());
            Entry { key: key.clone(), key_span: view.span(name.clone()), node }
        };
        used.push(entry(in_use));
        hard.push(entry(limit));
    }
    let key = view.span(head.content_range()).start();
    tree.put(&["status", "used"], key, map(used));
    tree.put(&["status", "hard"], key, map(hard));
}

fn put_conditions(view: &TextView<'_>, parts: &[DescribeSection<'_, '_>], tree: &mut DescribeTree) {
    if let Some(part) = parts.iter().find(|part| part.label() == "Conditions") {
        let key = view.span(part.head.label_range());
        tree.put(&["status", "conditions"], key, conditions(view, part));
    }
}

fn address(view: &TextView<'_>, item: &DescribeSection<'_, '_>) -> Option<Node> {
    let key = view.span(item.head.label_range());
    let mut tree = DescribeTree::default();
    tree.put(&["type"], key, node(view, item.head.label_range(), ValueType::Text));
    tree.put(&["address"], key, item.value(view, ValueType::Text));
    tree.finish(key)
}

/// Reads `key=value:Effect` lines, the first behind the label.
fn taints(view: &TextView<'_>, part: &DescribeSection<'_, '_>) -> Option<Node> {
    part.value(view, ValueType::Text)?;
    let below = part.below.iter().filter(|line| !line.is_blank()).map(DescribeLine::content_range);
    let ranges = [part.head.value_range()].into_iter().chain(below);
    let items = ranges.filter_map(|range| {
        let text = view.text().get(range.clone())?;
        let (front, effect) = text.rsplit_once(':')?;
        let (key, value) = front.split_once('=').map_or((front, None), |(k, v)| (k, Some(v)));
        let at = view.span(range.start..range.start);
        let mut tree = DescribeTree::default();
        tree.put(&["key"], at, Some(string(view, range.start..range.start + key.len())));
        let value_at = range.start + key.len() + 1;
        let value = value.map(|value| string(view, value_at..value_at + value.len()));
        tree.put(&["value"], at, value);
        tree.put(&["effect"], at, Some(string(view, range.end - effect.len()..range.end)));
        tree.finish(at)
    });
    list(items.collect())
}

/// Reads `10.0.0.1 (VIP), host.example`.
fn ingress(view: &TextView<'_>, part: &DescribeSection<'_, '_>) -> Option<Node> {
    let range = part.head.value_range();
    let mut start = range.start;
    let mut items = Vec::new();
    for piece in part.head.value().split_inclusive(", ") {
        let word = piece.trim_end_matches(", ").split(' ').next().unwrap_or_default();
        let at = start..start + word.len();
        start += piece.len();
        let is_ip = word.parse::<std::net::IpAddr>().is_ok();
        let mut tree = DescribeTree::default();
        let key = if is_ip { "ip" } else { "hostname" };
        tree.put(&[key], view.span(at.start..at.start), node(view, at.clone(), ValueType::Text));
        items.extend(tree.finish(view.span(at)).filter(|_| !word.is_empty()));
    }
    list(items)
}

/// Reads the ports: each `Port:` line with the `TargetPort:` and `NodePort:` lines after it.
fn ports(view: &TextView<'_>, parts: &[DescribeSection<'_, '_>]) -> Vec<Node> {
    let mut ports: Vec<Node> = Vec::new();
    let mut open: Option<(DescribeTree, Span)> = None;
    for part in parts {
        let key = view.span(part.head.label_range());
        match part.label() {
            "Port" => {
                ports.extend(open.take().and_then(|(tree, at)| tree.finish(at)));
                let mut tree = DescribeTree::default();
                put_port(view, part, &mut tree);
                open = Some((tree, key));
            }
            "TargetPort" => {
                let word = part.head.value().split('/').next().unwrap_or_default();
                let range = part.head.value_range();
                let range = range.start..range.start + word.len();
                let target = node(view, range.clone(), ValueType::Int)
                    .filter(|node| {
                        matches!(node.value, Value::Int(_)) && word.parse::<u16>().is_ok()
                    })
                    .or_else(|| node(view, range, ValueType::Text));
                if let Some((tree, _)) = &mut open {
                    tree.put(&["targetPort"], key, target);
                }
            }
            "NodePort" => {
                if let Some((tree, _)) = &mut open {
                    tree.put(&["nodePort"], key, number_of(view, part));
                }
            }
            _ => {}
        }
    }
    ports.extend(open.and_then(|(tree, at)| tree.finish(at)));
    ports
}

/// Reads `http  80/TCP` or `<unset>  80/TCP`.
fn put_port(view: &TextView<'_>, part: &DescribeSection<'_, '_>, tree: &mut DescribeTree) {
    let key = view.span(part.head.label_range());
    let range = part.head.value_range();
    let name = part.head.value().split("  ").next().unwrap_or_default();
    if name != "<unset>" && !name.contains('/') {
        tree.put(&["name"], key, Some(string(view, range.start..range.start + name.len())));
    }
    tree.put(&["port"], key, number_of(view, part));
    let protocol = part.head.value().rsplit('/').next().unwrap_or_default();
    tree.put(&["protocol"], key, Some(string(view, range.end - protocol.len()..range.end)));
}

/// Reads the number of `name  80/TCP`.
fn number_of(view: &TextView<'_>, part: &DescribeSection<'_, '_>) -> Option<Node> {
    let range = part.head.value_range();
    let last = part.head.value().rsplit(' ').next().unwrap_or_default();
    let start = range.end - last.len();
    let digits = last.split('/').next().unwrap_or_default();
    node(view, start..start + digits.len(), ValueType::Int)
}
