//! Overrides and their snapshots.

use std::sync::Arc;

use super::key::ObjectKey;
use super::meta::Meta;
use super::placement::ResourceSelector;
use super::read::{List, Site, Text, read_list, read_sited, read_text};
use super::scheduling::ClusterSelectorTerm;
use super::selector::LabelSelector;
use crate::grammar::kind::{Kind, Scope};
use crate::source::Span;
use crate::syntax::tree::Node;

/// A (Cluster)ResourceOverride, or a snapshot of one.
#[derive(Clone, Debug)]
pub struct Override {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// The placement it is bound to: `placement.name`.
    pub placement: Option<Text>,
    /// Where `placement` stands.
    pub placement_site: Option<Site>,
    /// `placement.scope`.
    pub placement_scope: Option<Text>,
    /// `resourceSelectors` or `clusterResourceSelectors`.
    pub selectors: List<ResourceSelector>,
    /// `policy.overrideRules`.
    pub rules: Vec<OverrideRule>,
}

/// Which clusters are overridden, and how.
#[derive(Clone, Debug)]
pub struct OverrideRule {
    /// All of it.
    pub site: Site,
    /// `clusterSelector.clusterSelectorTerms`; `None` when there is no cluster selector.
    pub terms: Option<Vec<ClusterSelectorTerm>>,
    /// `overrideType`.
    pub kind: Option<Text>,
    /// `jsonPatchOverrides`.
    pub patches: List<Patch>,
}

/// One JSON patch operation.
#[derive(Clone, Debug)]
pub struct Patch {
    /// All of it.
    pub site: Site,
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
            let wide = "clusterResourceSelectors";
            let key = if spec.get(wide).is_some() { wide } else { "resourceSelectors" };
            read_sited(spec, key, ResourceSelector::read)
        };
        let policy = spec.and_then(|spec| spec.get("policy"));
        Self {
            placement: placement.and_then(|placement| read_text(placement, "name")),
            placement_site: placement.map(Site::of),
            placement_scope: placement.and_then(|placement| read_text(placement, "scope")),
            selectors: spec.map(selectors).unwrap_or_default(),
            rules: policy
                .map(|p| read_list(p, "overrideRules", OverrideRule::read))
                .unwrap_or_default(),
            meta,
        }
    }

    /// Returns the kind and namespace of the placement that it names.
    pub fn target_scope(&self) -> (&'static str, &str) {
        match self.placement_scope.as_deref() {
            Some("Namespaced") => {
                (Kind::Placement.in_scope(Scope::Namespaced), self.meta.namespace())
            }
            _ => (Kind::Placement.in_scope(Scope::Cluster), ""),
        }
    }

    /// Returns the scope by which runs do not find it: they look overrides up by the bare name of the placement.
    pub fn scope_hidden_from_runs(&self) -> Option<&Text> {
        self.placement_scope.as_ref().filter(|scope| **scope == "Namespaced")
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

impl Patch {
    /// Says whether its value is this text, or holds it somewhere.
    pub fn holds_text(&self, text: &str) -> bool {
        let mut found = false;
        if let Some(value) = &self.value {
            value.walk(&mut |node| found |= node.as_str() == Some(text));
        }
        found
    }
}

impl OverrideRule {
    fn read(node: &Node) -> Self {
        let selector = node.get("clusterSelector");
        let terms = |selector: &Node| {
            read_list(selector, "clusterSelectorTerms", ClusterSelectorTerm::read)
        };
        Self {
            site: Site::of(node),
            terms: selector.map(terms),
            kind: read_text(node, "overrideType"),
            patches: read_sited(node, "jsonPatchOverrides", |patch| Patch {
                site: Site::of(patch),
                op: read_text(patch, "op"),
                path: read_text(patch, "path"),
                value: patch.get("value").cloned(),
            }),
        }
    }

    /// Returns the label selectors of its terms; `None` when there is no cluster selector.
    pub fn label_selectors(&self) -> Option<Vec<&LabelSelector>> {
        let terms = self.terms.as_ref()?;
        Some(terms.iter().filter_map(|term| term.labels.as_ref()).collect())
    }
}

impl Patch {
    /// Returns where its value stands.
    pub fn value_site(&self) -> Option<Site> {
        self.value.as_ref().map(Site::of)
    }

    /// Returns the labels of members that its value asks for as variables, with the text that does.
    pub fn label_variables(&self) -> Vec<(Span, &str)> {
        let mut found = Vec::new();
        for (span, text) in self.texts() {
            let parts = text.split("${MEMBER-CLUSTER-LABEL-KEY-").skip(1);
            found.extend(parts.filter_map(|rest| Some((span, rest.split_once('}')?.0))));
        }
        found
    }

    /// Returns the texts in its value, with their places.
    pub fn texts(&self) -> Vec<(Span, &str)> {
        let mut texts = Vec::new();
        if let Some(value) = &self.value {
            value.walk(&mut |node| texts.extend(node.as_str().map(|text| (node.span, text))));
        }
        texts
    }
}

impl Override {
    /// Returns the patches of all rules.
    pub fn patches(&self) -> impl Iterator<Item = &Patch> {
        self.rules.iter().flat_map(|rule| &rule.patches)
    }
}
