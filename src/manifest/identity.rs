//! Whose manifest it is: KubeFleet's, with which shape, or somebody else's.
//!
//! Owns the reading of `apiVersion` and `kind` and what is wrong with them. A document that is not
//! KubeFleet's gives `None` and costs nothing further; one that was meant to be is judged even if its
//! group or kind is misspelt.

use super::cursor::Cursor;
use super::fault::{FaultKind, ManifestFault};
use super::schema_check::type_word;
use crate::grammar::kind::{
    self, CLUSTER_GROUP, FORMER_GROUPS, KindSpec, PLACEMENT_GROUP, all_kinds, find_kind,
    find_kind_in, nearest_kind,
};
use crate::grammar::schema::Schema;
use crate::kube::spelling::nearest_word;
use crate::syntax::tree::{Node, Value};

/// The group that no hub serves yet.
pub const PREVIEW_GROUP: &str = "placement.kubefleet.dev";

/// What a document turned out to be.
#[derive(Debug)]
pub(super) struct ManifestIdentity {
    pub(super) spec: Option<&'static KindSpec>,
    pub(super) schema: Option<&'static Schema>,
    pub(super) faults: Vec<ManifestFault>,
}

/// Tells what a document is; `None` if it is not KubeFleet's.
pub(super) fn identify(root: &Node) -> Option<ManifestIdentity> {
    let at = Cursor::root(root);
    let version = root.get("apiVersion").and_then(Node::as_str).unwrap_or_default();
    let name = root.get("kind").and_then(Node::as_str).unwrap_or_default();
    let fleet_group = is_fleet_group(version);
    let known = find_kind(name.trim()).filter(|spec| is_ours(spec));
    if !fleet_group && known.is_none() {
        return None;
    }
    let mut faults = Vec::new();
    for (key, text) in [("apiVersion", version), ("kind", name)] {
        match root.get(key) {
            None => faults.push(fault(FaultKind::NoIdentity(key), at.missing(key))),
            Some(node) if text.is_empty() => {
                let place = at.get(key).map_or(at.missing(key), |at| at.place());
                let kind = match node.value {
                    Value::Null | Value::String(_) => FaultKind::NoIdentity(key),
                    _ => {
                        let found = type_word(&node.value);
                        FaultKind::WrongType { wanted: "text", found, fits: false }
                    }
                };
                faults.push(fault(kind, place));
            }
            Some(_) => {}
        }
    }
    if !faults.is_empty() {
        return Some(ManifestIdentity { spec: None, schema: None, faults });
    }
    let (group, number) = version.split_once('/').unwrap_or(("", version));
    let place = |key: &str| at.get(key).map_or(at.missing(key), |at| at.place());
    if let Some(spec) = find_kind_in(version, name).filter(|spec| is_ours(spec)) {
        let schema = spec.schema_in(number);
        if schema.is_none() {
            let kind = FaultKind::VersionNotServed(number.to_owned(), spec);
            faults.push(fault(kind, place("apiVersion")));
        }
        return Some(ManifestIdentity { spec: Some(spec), schema, faults });
    }
    if FORMER_GROUPS.contains(&group) {
        let kind = FaultKind::RemovedGroup(group.to_owned());
        faults.push(fault(kind, place("apiVersion")));
    } else if let Some(spec) = known.filter(|spec| spec.name == name) {
        if !fleet_group && !is_near_group(group) {
            return None;
        }
        let kind = FaultKind::WrongGroup(version.to_owned(), spec);
        faults.push(fault(kind, place("apiVersion")));
    } else {
        let near = nearest_kind(name).filter(|spec| is_ours(spec));
        let near = near.or_else(|| near_name(name)).or_else(|| by_resource(name));
        faults.push(fault(FaultKind::UnknownKind(name.to_owned(), near), place("kind")));
    }
    Some(ManifestIdentity { spec: None, schema: None, faults })
}

fn fault(kind: FaultKind, place: super::FieldPlace) -> ManifestFault {
    ManifestFault { kind, place }
}

fn is_ours(spec: &KindSpec) -> bool {
    spec.is_fleet() || spec.group == PREVIEW_GROUP
}

fn is_fleet_group(version: &str) -> bool {
    let group = version.split_once('/').map_or(version, |(group, _)| group);
    [PLACEMENT_GROUP, CLUSTER_GROUP, PREVIEW_GROUP].contains(&group.to_ascii_lowercase().as_str())
        || FORMER_GROUPS.first() == Some(&group)
}

/// Says whether a group may be a slip of one of ours: near to it, or one of Kubernetes' own.
fn is_near_group(group: &str) -> bool {
    let built_in = |spec: &KindSpec| !is_ours(spec) && spec.group == group;
    all_kinds().iter().any(built_in)
        || nearest_word(group, [PLACEMENT_GROUP, CLUSTER_GROUP]).is_some()
        || group.contains("kubernetes-fleet")
        || group.contains("kubefleet")
}

fn near_name(name: &str) -> Option<&'static KindSpec> {
    let ours = || all_kinds().iter().filter(|spec| is_ours(spec));
    let near = nearest_word(name, ours().map(|spec| spec.name))?;
    ours().find(|spec| spec.name == near)
}

fn by_resource(name: &str) -> Option<&'static KindSpec> {
    kind::find_resource(name).filter(|spec| is_ours(spec))
}
