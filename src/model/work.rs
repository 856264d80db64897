//! Works: what a member agent was told to apply, and what it reported back.
//!
//! Conditions of a Work carry the Work's generation; conditions of its manifests carry the generation
//! of the object on the member, so the two are never compared.

use std::ops::Deref;
use std::sync::Arc;

use super::apply::ApplyStrategy;
use super::binding::PARENT_PLACEMENT;
use super::condition::{Condition, find_condition, read_conditions};
use super::key::ObjectKey;
use super::meta::Meta;
use super::placement::{FieldDifference, ResourceId, read_details};
use super::read::{Text, list_items, read_list, read_scalar, read_text};
use super::workload::UpdateStrategy;
use crate::grammar::kind::Kind;
use crate::source::Span;
use crate::syntax::tree::Node;

/// Namespaces on the hub that hold the Works of one member are called this and the member's name.
pub const MEMBER_NAMESPACE: &str = "fleet-member-";

const PARENT_BINDING: &str = "kubernetes-fleet.io/parent-resource-binding";
const PARENT_NAMESPACE: &str = "kubernetes-fleet.io/parent-placement-namespace";

/// A Work.
#[derive(Clone, Debug)]
pub struct Work {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.applyStrategy`.
    pub apply: Option<ApplyStrategy>,
    /// `spec.workload.manifests`.
    pub manifests: Vec<WorkManifest>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// `status.manifestConditions`.
    pub reports: Vec<ManifestReport>,
}

/// An object in a Work.
#[derive(Clone, Debug)]
pub struct WorkManifest {
    /// `kind`.
    pub kind: Option<Text>,
    /// `metadata.namespace`.
    pub namespace: Option<Text>,
    /// `metadata.name`.
    pub name: Option<Text>,
    pub(super) root: ManifestRoot,
}

/// The tree of an object in a Work: a part of the tree of the Work, which it shares.
#[derive(Clone, Debug)]
pub(super) struct ManifestRoot {
    work: Arc<Node>,
    at: usize,
}

impl Deref for ManifestRoot {
    type Target = Node;

    fn deref(&self) -> &Node {
        manifest_nodes(&self.work).get(self.at).unwrap_or(&self.work)
    }
}

/// Returns the trees of the objects in a Work.
fn manifest_nodes(work: &Node) -> &[Node] {
    work.at(&["spec", "workload"]).map(|it| list_items(it, "manifests")).unwrap_or_default()
}

/// What the agent reported about one manifest.
#[derive(Clone, Debug)]
pub struct ManifestReport {
    /// All of it.
    pub span: Span,
    /// `identifier`.
    pub resource: ResourceId,
    /// `conditions`.
    pub conditions: Vec<Condition>,
    /// `driftDetails.observedDrifts`.
    pub drifts: Vec<FieldDifference>,
    /// `diffDetails.observedDiffs`.
    pub diffs: Vec<FieldDifference>,
}

impl Work {
    /// Reads a Work.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        Self {
            apply: spec.and_then(|spec| spec.get("applyStrategy")).map(ApplyStrategy::read),
            manifests: WorkManifest::read_all(&meta.root),
            conditions: status
                .map(|status| read_conditions(status, "conditions"))
                .unwrap_or_default(),
            reports: status
                .map(|s| read_list(s, "manifestConditions", ManifestReport::read))
                .unwrap_or_default(),
            meta,
        }
    }

    /// Returns the member's name, `""` if the namespace is not a member's.
    pub fn cluster(&self) -> &str {
        self.meta.namespace().strip_prefix(MEMBER_NAMESPACE).unwrap_or_default()
    }

    /// Returns the placement it belongs to, by labels.
    pub fn placement(&self) -> Option<ObjectKey> {
        let name = self.meta.label(PARENT_PLACEMENT)?;
        let namespace = self.meta.label(PARENT_NAMESPACE).map_or("", |text| text);
        Some(ObjectKey::of(Kind::Placement, namespace, name))
    }

    /// Returns the binding it was made for, by label.
    pub fn binding(&self) -> Option<&str> {
        self.meta.label(PARENT_BINDING).map(|text| &*text.value)
    }

    /// Returns a condition of the Work.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }

    /// Returns a condition if it speaks of the Work's generation; without a known generation every one does.
    pub fn current(&self, kind: &str) -> Option<&Condition> {
        self.condition(kind).filter(|condition| {
            self.meta.generation().is_none_or(|generation| condition.generation() == generation)
        })
    }

    /// Returns the verdict that the agent gives first: `Applied`, or `DiffReported` where nothing is applied.
    pub fn verdict(&self) -> Option<&Condition> {
        self.condition("Applied").or_else(|| self.condition("DiffReported"))
    }

    /// Says whether the agent has reported on this generation of the Work.
    pub fn is_processed(&self) -> bool {
        self.current("Applied").or_else(|| self.current("DiffReported")).is_some()
    }

    /// Returns the envelope whose contents it carries, by label.
    pub fn envelope(&self) -> Option<&Text> {
        self.meta.label("kubernetes-fleet.io/envelope-name")
    }
}

impl WorkManifest {
    /// Returns a scalar by its JSON pointer.
    pub fn field_at(&self, pointer: &str) -> Option<Text> {
        self.root.find(pointer).and_then(Text::of)
    }

    /// Returns `spec.replicas`, of a workload.
    pub fn replicas(&self) -> Option<Text> {
        self.root.get("spec").and_then(|spec| read_scalar(spec, "replicas"))
    }

    /// Returns `spec.updateStrategy`, of a StatefulSet or DaemonSet.
    pub fn update_strategy(&self) -> UpdateStrategy {
        self.root.get("spec").map(UpdateStrategy::read).unwrap_or_default()
    }

    /// Returns a label of the node selector of its pod template.
    pub fn node_selector(&self, label: &str) -> Option<Text> {
        let pod = self.root.at(&["spec", "template", "spec"])?;
        read_scalar(pod.get("nodeSelector")?, label)
    }

    /// Returns `spec.type`, of a Service.
    pub fn service_type(&self) -> Option<Text> {
        self.root.get("spec").and_then(|spec| read_text(spec, "type"))
    }

    /// Returns `spec.names.kind`, of a CustomResourceDefinition.
    pub fn defined_kind(&self) -> Option<Text> {
        self.root.at(&["spec", "names"]).and_then(|names| read_text(names, "kind"))
    }

    /// Returns where its first finalizer stands.
    pub fn finalizer_span(&self) -> Option<Span> {
        let finalizers = self.root.at(&["metadata", "finalizers"])?;
        finalizers.items().first().map(|finalizer| finalizer.span)
    }

    /// Returns where a field of a container of its pod template stands.
    pub fn container_field_span(&self, container: &str, path: &[&str]) -> Option<Span> {
        let containers = self.root.at(&["spec", "template", "spec", "containers"])?;
        let named = |node: &&Node| node.get("name").and_then(Node::as_str) == Some(container);
        containers.items().iter().find(named)?.at(path).map(|node| node.span)
    }

    fn read_all(work: &Arc<Node>) -> Vec<Self> {
        let nodes = manifest_nodes(work).iter().enumerate();
        nodes.map(|(at, node)| Self::read(node, work, at)).collect()
    }

    fn read(node: &Node, work: &Arc<Node>, at: usize) -> Self {
        let metadata = node.get("metadata");
        Self {
            kind: read_text(node, "kind"),
            namespace: metadata.and_then(|metadata| read_text(metadata, "namespace")),
            name: metadata.and_then(|metadata| read_text(metadata, "name")),
            root: ManifestRoot { work: Arc::clone(work), at },
        }
    }
}

impl ManifestReport {
    fn read(node: &Node) -> Self {
        let identifier = node.get("identifier").unwrap_or(node);
        let resource = ResourceId::read(identifier);
        let details =
            |key, list| node.get(key).map(|d| read_details(d, list, &resource)).unwrap_or_default();
        Self {
            span: node.span,
            conditions: read_conditions(node, "conditions"),
            drifts: details("driftDetails", "observedDrifts"),
            diffs: details("diffDetails", "observedDiffs"),
            resource,
        }
    }

    /// Returns a condition of the manifest.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        find_condition(&self.conditions, kind)
    }
}
