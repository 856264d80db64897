//! Overrides and their snapshots.

use std::sync::Arc;

use super::key::ObjectKey;
use super::meta::Meta;
use super::placement::ResourceId;
use super::read::{Text, read_list, read_text};
use super::selector::LabelSelector;
use crate::source::Span;
use crate::syntax::tree::Node;

/// A (Cluster)ResourceOverride, or a snapshot of one.
#[derive(Clone, Debug)]
pub struct Override {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// The placement it is bound to: `placement.name`.
    pub placement: Option<Text>,
    /// `placement.scope`.
    pub placement_scope: Option<Text>,
    /// `resourceSelectors` or `clusterResourceSelectors`.
    pub selectors: Vec<ResourceId>,
    /// `policy.overrideRules`.
    pub rules: Vec<OverrideRule>,
}

/// Which clusters are overridden, and how.
#[derive(Clone, Debug)]
pub struct OverrideRule {
    /// All of it.
    pub span: Span,
    /// `clusterSelector.clusterSelectorTerms[].labelSelector`; `None` when there is no cluster selector.
    pub terms: Option<Vec<LabelSelector>>,
    /// `overrideType`.
    pub kind: Option<Text>,
    /// `jsonPatchOverrides`.
    pub patches: Vec<Patch>,
}

/// One JSON patch operation.
#[derive(Clone, Debug)]
pub struct Patch {
    /// All of it.
    pub span: Span,
    /// `op`.
    pub op: Option<Text>,
    /// `path`.
    pub path: Option<Text>,
    /// `value` as a tree.
    pub value: Option<Node>,
}

impl Override {
    /// Reads an override, or the `overrideSpec` of a snapshot.
    pub fn read(meta: Arc<Meta>) -> Self {
        let spec = meta.root.get("spec");
        let spec = spec.and_then(|spec| spec.get("overrideSpec")).or(spec);
        let placement = spec.and_then(|spec| spec.get("placement"));
        let selectors = |spec: &Node| {
            let keys = ["resourceSelectors", "clusterResourceSelectors"];
            keys.iter().flat_map(|key| read_list(spec, key, ResourceId::read)).collect()
        };
        let policy = spec.and_then(|spec| spec.get("policy"));
        Self {
            placement: placement.and_then(|placement| read_text(placement, "name")),
            placement_scope: placement.and_then(|placement| read_text(placement, "scope")),
            selectors: spec.map(selectors).unwrap_or_default(),
            rules: policy
                .map(|p| read_list(p, "overrideRules", OverrideRule::read))
                .unwrap_or_default(),
            meta,
        }
    }

    /// Returns the key of the override itself: of a snapshot, that of the override it was taken from.
    pub fn own_key(&self) -> ObjectKey {
        let key = &self.meta.key;
        let kind = key.kind.strip_suffix("Snapshot").unwrap_or(&key.kind);
        ObjectKey { kind: kind.into(), name: self.override_name().into(), ..key.clone() }
    }

    /// Returns the override's own name: of a snapshot, that of the override it was taken from.
    pub fn override_name(&self) -> &str {
        let label = self.meta.label("kubernetes-fleet.io/parent-resource-override");
        label.map_or(self.meta.name(), |text| &text.value)
    }
}

impl OverrideRule {
    fn read(node: &Node) -> Self {
        let selector = node.get("clusterSelector");
        let term = |term: &Node| term.get("labelSelector").map(LabelSelector::read);
        let terms =
            |selector: &Node| super::read::read_some(selector, "clusterSelectorTerms", term);
        Self {
            span: node.span,
            terms: selector.map(terms),
            kind: read_text(node, "overrideType"),
            patches: read_list(node, "jsonPatchOverrides", |patch| Patch {
                span: patch.span,
                op: read_text(patch, "op"),
                path: read_text(patch, "path"),
                value: patch.get("value").cloned(),
            }),
        }
    }
}
