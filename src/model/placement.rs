//! Placements: what is selected, which clusters are wanted, what the status says per cluster.

mod rollout;

use std::sync::Arc;

use super::apply::ApplyStrategy;
use super::condition::{Condition, read_conditions};
use super::meta::Meta;
use super::name_index::NameIndex;
use super::read::{
    List, Site, Text, is_cut, read_int, read_list, read_scalar, read_site, read_sited,
    read_sited_texts, read_some, read_text,
};
use super::selector::LabelSelector;
use super::snapshot::PolicySnapshot;
use crate::behaviour::rollout::max_unavailable;
use crate::grammar::kind::{KindSpec, all_kinds};
use crate::secret::{HIDDEN, is_variable};
use crate::source::{Span, Spanned};
use crate::syntax::node_path::FieldPlace;
use crate::syntax::tree::Node;

/// A ClusterResourcePlacement or ResourcePlacement.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.resourceSelectors`.
    pub selectors: List<ResourceSelector>,
    /// `spec.statusReportingScope`.
    pub status_scope: Option<Text>,
    /// `spec.policy`.
    pub policy: PlacementPolicy,
    /// `spec.strategy.type`; absent means `RollingUpdate`.
    pub strategy: Option<Text>,
    /// Where `spec.strategy.rollingUpdate` stands.
    pub rolling_update: Option<Site>,
    /// `spec.strategy.rollingUpdate.maxUnavailable`.
    pub max_unavailable: Option<Text>,
    /// `spec.strategy.rollingUpdate.maxSurge`.
    pub max_surge: Option<Text>,
    /// `spec.strategy.rollingUpdate.unavailablePeriodSeconds`.
    pub unavailable_period: Option<Spanned<i64>>,
    /// `spec.strategy.applyStrategy`.
    pub apply: Option<ApplyStrategy>,
    /// `spec.strategy.deleteStrategy`.
    pub delete_strategy: Option<InertStrategy>,
    /// `spec.strategy.reportBackStrategy`.
    pub report_back: Option<InertStrategy>,
    /// `spec.revisionHistoryLimit`.
    pub history_limit: Option<Spanned<i64>>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// Whether the text breaks off among these, so that more may have followed.
    pub is_cut: bool,
    /// Where its clusters stand.
    pub by_cluster: NameIndex,
    /// `status.placementStatuses` (`status.perClusterPlacementStatuses` in later APIs).
    pub clusters: Vec<PerCluster>,
    /// `status.selectedResources`.
    pub selected: Vec<ResourceId>,
}

/// A part of a strategy that the API server stores and that no controller of any release reads.
#[derive(Clone, Debug)]
pub struct InertStrategy {
    /// All of it.
    pub site: Site,
    /// What it asks for: `propagationPolicy` of a deleteStrategy, `type` of a reportBackStrategy.
    pub mode: Option<Text>,
}

impl InertStrategy {
    fn read(strategy: &Node, key: &str, mode: &str) -> Option<Self> {
        let node = strategy.get(key)?;
        Some(Self { site: Site::of(node), mode: read_text(node, mode) })
    }
}

/// One of `spec.resourceSelectors`: which objects are placed.
#[derive(Clone, Debug)]
pub struct ResourceSelector {
    /// All of it.
    pub site: Site,
    /// `group`.
    pub group: Option<Text>,
    /// `version`.
    pub version: Option<Text>,
    /// `kind`.
    pub kind: Option<Text>,
    /// `name`.
    pub name: Option<Text>,
    /// `labelSelector`.
    pub labels: Option<LabelSelector>,
    /// `selectionScope`.
    pub scope: Option<Text>,
    /// Whether some part of it has a wrong type, so that it says less than was meant.
    pub malformed: bool,
}

/// `spec.policy`: which clusters are picked.
#[derive(Clone, Debug, Default)]
pub struct PlacementPolicy {
    /// All of it; `None` when there is no policy, which means `PickAll`.
    pub span: Option<Span>,
    /// Where it stands.
    pub site: Option<Site>,
    /// `placementType`.
    pub kind: Option<Text>,
    /// `numberOfClusters`.
    pub count: Option<Spanned<i64>>,
    /// Where `numberOfClusters` stands, be it no number.
    pub count_site: Option<Site>,
    /// `clusterNames`.
    pub clusters: List<Text>,
    /// Where `affinity` stands.
    pub affinity: Option<Site>,
    /// The whole policy as a tree, for affinity, spread and tolerations.
    pub tree: Option<Node>,
}

/// The status of one cluster.
#[derive(Clone, Debug)]
pub struct PerCluster {
    /// All of it.
    pub span: Span,
    /// `clusterName`; absent for a cluster that could not be picked.
    pub name: Option<Text>,
    /// `observedResourceIndex`.
    pub index: Option<Text>,
    /// `conditions`.
    pub conditions: Vec<Condition>,
    /// `failedPlacements`.
    pub failed: Vec<FailedPlacement>,
    /// `driftedPlacements`.
    pub drifted: Vec<FailedPlacement>,
    /// `diffedPlacements`.
    pub diffed: Vec<FailedPlacement>,
}

/// Names a resource.
#[derive(Clone, Debug)]
pub struct ResourceId {
    /// All of it.
    pub span: Span,
    /// `group`.
    pub group: Option<Text>,
    /// `kind`.
    pub kind: Option<Text>,
    /// `namespace`.
    pub namespace: Option<Text>,
    /// `name`.
    pub name: Option<Text>,
    /// `envelope.name`, for a resource that came in an envelope.
    pub envelope: Option<Text>,
}

/// A resource that failed, drifted or differs on a member.
///
/// Its condition carries the generation of the object on the member: never compare it with the hub's.
#[derive(Clone, Debug)]
pub struct FailedPlacement {
    /// All of it.
    pub span: Span,
    /// The resource that differs.
    pub resource: ResourceId,
    /// `condition`, for a failed one.
    pub condition: Option<Condition>,
    /// `observedDrifts` or `observedDiffs`.
    pub details: Vec<FieldDifference>,
}

/// A field that differs between hub and member.
#[derive(Clone, Debug)]
pub struct FieldDifference {
    /// `path`.
    pub path: Text,
    /// `valueInHub`.
    pub hub: Option<Text>,
    /// `valueInMember`.
    pub member: Option<Text>,
}

impl Placement {
    /// Says whether its status lists a resource that was not done on some cluster.
    pub fn lists_failures(&self) -> bool {
        self.clusters.iter().any(|cluster| !cluster.failed.is_empty())
    }

    /// Reads a placement.
    pub fn read(meta: Arc<Meta>) -> Self {
        let (spec, status) = (meta.root.get("spec"), meta.root.get("status"));
        Self::of_parts(Arc::clone(&meta), spec, status)
    }

    /// Reads the copy of a placement's status, which has no spec.
    pub fn read_copy(meta: Arc<Meta>) -> Self {
        let status = meta.root.get("sourceStatus");
        Self::of_parts(Arc::clone(&meta), None, status)
    }

    /// Returns what a policy snapshot tells of its placement.
    pub fn of_policy(meta: Arc<Meta>, snapshot: &PolicySnapshot) -> Self {
        let scheduled = |condition: &Condition| {
            let kind = format!("{}Scheduled", meta.key.kind).into();
            Condition { kind: Text { value: kind, ..condition.kind.clone() }, ..condition.clone() }
        };
        Self {
            conditions: snapshot.scheduled().map(scheduled).into_iter().collect(),
            policy: snapshot.policy.clone(),
            ..Self::of_parts(Arc::clone(&meta), None, None)
        }
    }

    fn of_parts(meta: Arc<Meta>, spec: Option<&Node>, status: Option<&Node>) -> Self {
        let strategy = spec.and_then(|spec| spec.get("strategy"));
        let rolling = strategy.and_then(|strategy| strategy.get("rollingUpdate"));
        let policy = spec.and_then(|spec| spec.get("policy"));
        let clusters = |status: &Node| {
            let keys = ["placementStatuses", "perClusterPlacementStatuses"];
            keys.iter().flat_map(|key| read_list(status, key, PerCluster::read)).collect()
        };
        Self {
            selectors: spec
                .map(|s| read_sited(s, "resourceSelectors", ResourceSelector::read))
                .unwrap_or_default(),
            status_scope: spec.and_then(|spec| read_text(spec, "statusReportingScope")),
            policy: policy.map(PlacementPolicy::read).unwrap_or_default(),
            strategy: strategy.and_then(|strategy| read_text(strategy, "type")),
            rolling_update: strategy.and_then(|strategy| read_site(strategy, "rollingUpdate")),
            max_unavailable: rolling.and_then(|rolling| read_scalar(rolling, "maxUnavailable")),
            max_surge: rolling.and_then(|rolling| read_scalar(rolling, "maxSurge")),
            unavailable_period: rolling
                .and_then(|rolling| read_int(rolling, "unavailablePeriodSeconds")),
            apply: strategy
                .and_then(|strategy| strategy.get("applyStrategy"))
                .map(ApplyStrategy::read),
            delete_strategy: strategy
                .and_then(|it| InertStrategy::read(it, "deleteStrategy", "propagationPolicy")),
            report_back: strategy
                .and_then(|it| InertStrategy::read(it, "reportBackStrategy", "type")),
            history_limit: spec.and_then(|spec| read_int(spec, "revisionHistoryLimit")),
            conditions: status
                .map(|status| read_conditions(status, "conditions"))
                .unwrap_or_default(),
            is_cut: is_cut(status, "conditions"),
            by_cluster: NameIndex::default(),
            clusters: status.map(clusters).unwrap_or_default(),
            selected: status
                .map(|s| read_list(s, "selectedResources", ResourceId::read))
                .unwrap_or_default(),
            meta,
        }
    }

    /// Returns a condition by its bare type: `Scheduled` finds `ClusterResourcePlacementScheduled`.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| {
            let full = &*condition.kind;
            let bare = full.strip_prefix("Cluster").unwrap_or(full);
            // v1alpha1 has no prefix.
            bare.strip_prefix("ResourcePlacement").unwrap_or(bare) == kind
        })
    }

    /// Returns the parts of its strategy that have no effect, by name.
    pub fn inert_strategies(&self) -> impl Iterator<Item = (&'static str, &InertStrategy)> {
        let parts = [
            ("deleteStrategy", self.delete_strategy.as_ref()),
            ("reportBackStrategy", self.report_back.as_ref()),
        ];
        parts.into_iter().filter_map(|(name, part)| Some((name, part?)))
    }

    /// Says whether it lives in a namespace, even if a piece does not show which.
    pub fn is_namespaced(&self) -> bool {
        &*self.meta.key.kind == "ResourcePlacement"
    }

    /// Returns the maxUnavailable by which no cluster is ever updated: 0 or 0%, however many clusters there are.
    pub fn forbids_updates(&self) -> Option<&Text> {
        let is_number = |it: &&Text| it.is_whole_number() || it.ends_with('%');
        let setting = self.max_unavailable.as_ref().filter(is_number);
        setting.filter(|it| max_unavailable(Some(it), 100) == 0)
    }

    /// Says whether the scheduler cannot name its bindings: it makes DNS labels of the name, and they have no dots.
    pub fn has_dotted_name(&self) -> bool {
        self.meta.name().contains('.')
    }

    /// Returns the status of a cluster.
    pub fn find_cluster(&self, name: &str) -> Option<&PerCluster> {
        let names = self.clusters.iter().map(PerCluster::name);
        self.clusters.get(self.by_cluster.find(name, names)?)
    }
}

impl PlacementPolicy {
    /// Reads a policy.
    pub fn read(node: &Node) -> Self {
        Self {
            span: Some(node.span),
            site: Some(Site::of(node)),
            kind: read_text(node, "placementType"),
            count: read_int(node, "numberOfClusters"),
            count_site: read_site(node, "numberOfClusters"),
            clusters: read_sited_texts(node, "clusterNames"),
            affinity: read_site(node, "affinity"),
            tree: Some(node.clone()),
        }
    }

    /// Says whether another policy says something else, in whatever part.
    pub fn differs(&self, other: &Self) -> bool {
        match (&self.tree, &other.tree) {
            (Some(tree), Some(other)) => !tree.has_value_of(other),
            (tree, other) => tree.is_some() != other.is_some(),
        }
    }

    /// Says whether it is PickFixed and names no cluster, so that the scheduler skips it; names that cannot be read
    /// count as names.
    pub fn names_nobody(&self) -> bool {
        let unread = self.clusters.site.as_ref().is_some_and(Site::holds_something);
        self.kind() == "PickFixed" && self.span.is_some() && self.clusters.is_empty() && !unread
    }

    /// Returns the placement type, `PickAll` when none is given.
    pub fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or("PickAll")
    }
}

impl PerCluster {
    fn read(node: &Node) -> Self {
        Self {
            span: node.span,
            name: read_text(node, "clusterName"),
            index: read_text(node, "observedResourceIndex"),
            conditions: read_conditions(node, "conditions"),
            failed: read_list(node, "failedPlacements", FailedPlacement::read),
            drifted: read_list(node, "driftedPlacements", FailedPlacement::read),
            diffed: read_list(node, "diffedPlacements", FailedPlacement::read),
        }
    }

    /// Returns the cluster's name, `""` for a slot without a cluster.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// Returns a condition of the cluster; releases of 2023 called it `ResourceApplied`.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| {
            let full = &*condition.kind;
            full == kind || full.strip_prefix("Resource") == Some(kind)
        })
    }
}

impl ResourceSelector {
    /// Reads a selector of a placement or of an override.
    pub fn read(node: &Node) -> Self {
        let labels = node.get("labelSelector").map(LabelSelector::read);
        let texts = ["group", "version", "kind", "name", "selectionScope"];
        let [group, version, kind, name, scope] = texts.map(|key| read_text(node, key));
        let lost = |key| read_site(node, key).is_some() && read_text(node, key).is_none();
        let malformed =
            texts.into_iter().any(lost) || labels.as_ref().is_some_and(|it| it.malformed);
        Self { site: Site::of(node), group, version, kind, name, labels, scope, malformed }
    }

    /// Returns what it asks for, spelled alike by all selectors that ask for the same; `None` where a part of it
    /// cannot be read.
    pub fn identity(&self) -> Option<String> {
        let texts = [&self.group, &self.version, &self.kind, &self.name, &self.scope];
        let texts = texts.map(Option::as_deref);
        let labels = self.labels.as_ref().map(LabelSelector::identity);
        (!self.malformed).then(|| format!("{texts:?} {labels:?}"))
    }

    /// Finds the kind that it names, if it is one of Kubernetes' or KubeFleet's own.
    pub fn find_kind(&self) -> Option<&'static KindSpec> {
        let (group, name) = (self.group.as_deref()?, self.kind.as_deref()?);
        all_kinds().iter().find(|spec| spec.name == name && spec.group == group)
    }

    /// Returns the place of its kind, else of all of it.
    pub fn kind_place(&self) -> FieldPlace {
        self.kind.as_ref().map_or_else(|| self.site.place(), Text::place)
    }

    /// Says whether it selects a Namespace.
    pub fn is_namespace(&self) -> bool {
        self.kind.as_deref() == Some("Namespace")
    }

    /// Says whether it takes objects of this name, by name or because it names none.
    pub fn takes_name(&self, name: &str) -> bool {
        self.name.as_deref().is_none_or(|own| own.is_empty() || own == name)
    }

    /// Says whether it opens a namespace for further selectors.
    pub fn is_piecewise(&self) -> bool {
        self.scope.as_deref() == Some("NamespaceWithResourceSelectors")
    }

    /// Returns the place of what it selects by: its name, else its labels, else its kind.
    pub fn place(&self) -> Span {
        let name = self.name.as_ref().map(|name| name.span);
        let labels = self.labels.as_ref().and_then(|labels| labels.places().into_iter().next());
        let kind = self.kind.as_ref().map(|kind| kind.span);
        name.or(labels).or(kind).unwrap_or(self.site.span)
    }

    /// Returns it for a sentence: `Namespace web`, `Namespace with team=crm`.
    pub fn show(&self) -> String {
        let kind = self.kind.as_deref().unwrap_or("?");
        match (&self.name, &self.labels) {
            (Some(name), _) => format!("{kind} {}", &**name),
            (None, Some(labels)) => format!("{kind} with {}", labels.show().join(" and ")),
            (None, None) => format!("every {kind}"),
        }
    }
}

impl ResourceId {
    /// Says whether the text tells nothing of the resource.
    pub fn is_unknown(&self) -> bool {
        self.kind.is_none() && self.name.is_none()
    }

    /// Reads the name of a resource.
    pub fn read(node: &Node) -> Self {
        Self {
            span: node.span,
            group: read_text(node, "group"),
            kind: read_text(node, "kind"),
            namespace: read_text(node, "namespace"),
            name: read_text(node, "name"),
            envelope: node.get("envelope").and_then(|envelope| read_text(envelope, "name")),
        }
    }

    /// Returns `Kind namespace/name`.
    pub fn show(&self) -> String {
        let part = |text: &Option<Text>| text.as_deref().unwrap_or("?").to_owned();
        match self.namespace.as_deref().filter(|namespace| !namespace.is_empty()) {
            Some(namespace) => format!("{} {namespace}/{}", part(&self.kind), part(&self.name)),
            None => format!("{} {}", part(&self.kind), part(&self.name)),
        }
    }
}

impl FailedPlacement {
    /// Reads an entry of `failedPlacements`, `driftedPlacements` or `diffedPlacements`.
    pub fn read(node: &Node) -> Self {
        let lists = ["observedDrifts", "observedDiffs"];
        let resource = ResourceId::read(node);
        let details = lists.iter().flat_map(|key| read_details(node, key, &resource)).collect();
        Self {
            span: node.span,
            resource,
            condition: node.get("condition").and_then(Condition::read),
            details,
        }
    }
}

/// Reads a list of differing fields of a resource; the values of a Secret are not taken in.
pub fn read_details(node: &Node, key: &str, resource: &ResourceId) -> Vec<FieldDifference> {
    let secret = resource.kind.as_deref() == Some("Secret");
    let value = |item: &Node, key: &str| {
        let text = read_text(item, key)?;
        let path = read_text(item, "path");
        let secret = secret || path.is_some_and(|path| is_variable(&path));
        Some(if secret { Text { value: HIDDEN.into(), ..text } } else { text })
    };
    read_some(node, key, |item| {
        Some(FieldDifference {
            path: read_text(item, "path")?,
            hub: value(item, "valueInHub"),
            member: value(item, "valueInMember"),
        })
    })
}
