//! What a scheduling policy demands of a cluster: affinity terms, tolerations, spread.
//!
//! Owns the reading of these parts of a policy and the comparison with a member cluster, as the
//! scheduler makes it (KubeFleet pkg/scheduler/framework/plugins). Terms are alternatives; within a term
//! everything has to hold.

use smol_str::SmolStr;

use super::cluster::MemberCluster;
use super::placement::PlacementPolicy;
use super::read::{
    List, Site, Text, read_int, read_list, read_site, read_sited, read_some, read_text, text_of,
};
use super::selector::LabelSelector;
use crate::behaviour::picking::{self, is_property_met};
use crate::kube;
use crate::source::{Span, Spanned};
use crate::syntax::tree::Node;

/// The terms that a cluster has to meet, one of them.
const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";

/// The terms that make a cluster better than others.
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

/// What an affinity term is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// It says which clusters are allowed.
    Required,
    /// It says which clusters are better.
    Preferred,
}

/// One alternative of the affinity.
#[derive(Clone, Debug)]
pub struct ClusterSelectorTerm {
    /// All of it.
    pub site: Site,
    /// `labelSelector`.
    pub labels: Option<LabelSelector>,
    /// Where `propertySelector` stands.
    pub property_selector: Option<Site>,
    /// `propertySelector.matchExpressions`.
    pub properties: Vec<PropertyDemand>,
    /// Where `propertySorter` stands.
    pub property_sorter: Option<Site>,
    /// `propertySorter.name`.
    pub sorted_by: Option<Text>,
}

/// A demand on a property of the cluster.
#[derive(Clone, Debug)]
pub struct PropertyDemand {
    /// All of it.
    pub site: Site,
    /// `name`.
    pub name: Option<Text>,
    /// `operator`.
    pub operator: Option<Text>,
    /// `values`, `None` for one that is not a text; the scheduler takes exactly one.
    pub values: List<Option<Text>>,
}

/// A demand that a member does not meet.
#[derive(Clone, Debug)]
pub struct UnmetTerm {
    /// Where the policy demands it.
    pub span: Span,
    /// The label or property.
    pub key: SmolStr,
    /// What the member has, and where.
    pub has: Option<(SmolStr, Span)>,
    /// Whether it is a label, which a person can set.
    pub is_label: bool,
}

/// A toleration.
#[derive(Clone, Debug)]
pub struct PlacementToleration {
    /// All of it.
    pub site: Site,
    /// `key`; absent means every key.
    pub key: Option<Text>,
    /// `value`.
    pub value: Option<Text>,
    /// `operator`; absent means `Equal`.
    pub operator: Option<Text>,
    /// `effect`; absent means every effect.
    pub effect: Option<Text>,
}

/// A topology spread constraint.
#[derive(Clone, Debug)]
pub struct Spread {
    /// All of it.
    pub span: Span,
    /// `topologyKey`.
    pub key: Text,
    /// `maxSkew`; absent means 1.
    pub max_skew: Option<Spanned<i64>>,
    /// `whenUnsatisfiable`.
    pub when: Option<Text>,
}

impl PlacementPolicy {
    fn cluster_affinity(&self) -> Option<&Node> {
        self.tree.as_ref().and_then(|tree| tree.at(&["affinity", "clusterAffinity"]))
    }

    /// Returns the required affinity terms.
    pub fn required_terms(&self) -> Vec<ClusterSelectorTerm> {
        let required = self.cluster_affinity().and_then(|affinity| affinity.get(REQUIRED));
        required
            .map(|node| read_list(node, "clusterSelectorTerms", ClusterSelectorTerm::read))
            .unwrap_or_default()
    }

    /// Returns the list of preferences, each with its term.
    pub fn preferences(&self) -> List<Option<ClusterSelectorTerm>> {
        let term = |node: &Node| node.get("preference").map(ClusterSelectorTerm::read);
        self.cluster_affinity().map(|node| read_sited(node, PREFERRED, term)).unwrap_or_default()
    }

    /// Returns all affinity terms with what they are for, required ones first.
    pub fn terms(&self) -> Vec<(ClusterSelectorTerm, Strength)> {
        let required = self.required_terms().into_iter().map(|term| (term, Strength::Required));
        let preferences = self.preferences();
        let preferred = preferences.iter().flatten().map(|it| (it.clone(), Strength::Preferred));
        required.chain(preferred).collect()
    }

    /// Says whether the policy may pick a cluster, by its labels and taints.
    pub fn fit(&self, cluster: picking::Candidate<'_>) -> picking::Fit {
        if self.kind() == "PickFixed" {
            let names = self.clusters.iter().map(|name| &**name).collect();
            return picking::PickPolicy::Named(names).fit(cluster);
        }
        let (terms, tolerations) = (self.required_terms(), self.tolerations());
        let policy = picking::PickPolicy::Scheduled {
            terms: terms.iter().map(ClusterSelectorTerm::plain).collect(),
            tolerations: tolerations.iter().map(PlacementToleration::plain).collect(),
        };
        policy.fit(cluster)
    }

    /// Returns the names of all properties that the policy selects or sorts by.
    pub fn property_names(&self) -> Vec<Text> {
        self.terms().iter().flat_map(|(term, _)| term.property_names()).cloned().collect()
    }

    /// Returns the tolerations.
    pub fn tolerations(&self) -> List<PlacementToleration> {
        let read = |node: &Node| PlacementToleration {
            site: Site::of(node),
            key: read_text(node, "key"),
            value: read_text(node, "value"),
            operator: read_text(node, "operator"),
            effect: read_text(node, "effect"),
        };
        self.tree.as_ref().map(|tree| read_sited(tree, "tolerations", read)).unwrap_or_default()
    }

    /// Returns where the topology spread constraints stand.
    pub fn spread_site(&self) -> Option<Site> {
        self.tree.as_ref().and_then(|tree| read_site(tree, "topologySpreadConstraints"))
    }

    /// Returns the topology spread constraints.
    pub fn spreads(&self) -> Vec<Spread> {
        let read = |node: &Node| {
            Some(Spread {
                span: node.span,
                key: read_text(node, "topologyKey")?,
                max_skew: read_int(node, "maxSkew"),
                when: read_text(node, "whenUnsatisfiable"),
            })
        };
        let tree = self.tree.as_ref();
        tree.map(|tree| read_some(tree, "topologySpreadConstraints", read)).unwrap_or_default()
    }
}

impl ClusterSelectorTerm {
    /// Reads a term.
    pub fn read(node: &Node) -> Self {
        let selector = node.get("propertySelector");
        let read = |node| read_list(node, "matchExpressions", PropertyDemand::read);
        Self {
            site: Site::of(node),
            labels: node.get("labelSelector").map(LabelSelector::read),
            property_selector: read_site(node, "propertySelector"),
            properties: selector.map(read).unwrap_or_default(),
            property_sorter: read_site(node, "propertySorter"),
            sorted_by: node.get("propertySorter").and_then(|sorter| read_text(sorter, "name")),
        }
    }

    /// Returns the names of the properties that it selects or sorts by.
    pub fn property_names(&self) -> impl Iterator<Item = &Text> {
        self.properties.iter().filter_map(|demand| demand.name.as_ref()).chain(&self.sorted_by)
    }

    /// Returns it without its places.
    pub fn plain(&self) -> picking::PickTerm<'_> {
        let selector = self.labels.as_ref().map(LabelSelector::plain);
        let is_unread = matches!(selector, Some(None));
        let is_open = is_unread || self.properties.iter().any(|demand| demand.words().is_some());
        picking::PickTerm { selector: selector.flatten(), is_open }
    }

    /// Returns the demands that a member does not meet; none means that it matches.
    pub fn unmet(&self, member: &MemberCluster) -> Vec<UnmetTerm> {
        let labels = self.labels.iter().flat_map(|selector| selector.unmet(&member.meta.labels));
        let labels = labels.map(|(key, span, has)| UnmetTerm {
            span,
            key: key.into(),
            has: has.map(|text| (text.value.clone(), text.span)),
            is_label: true,
        });
        let properties = self.properties.iter().filter_map(|demand| demand.unmet(member));
        labels.chain(properties).collect()
    }

    /// Returns the term as text: `environment=prod and kubernetes-fleet.io/node-count at least 5`.
    pub fn show(&self) -> String {
        let labels = self.labels.iter().flat_map(LabelSelector::show);
        labels
            .chain(self.properties.iter().filter_map(PropertyDemand::show))
            .collect::<Vec<_>>()
            .join(" and ")
    }

    /// Returns where the first demand stands.
    pub fn place(&self) -> Option<Span> {
        let labels = self.labels.iter().flat_map(LabelSelector::places).next();
        labels.or_else(|| self.properties.iter().find_map(PropertyDemand::place))
    }
}

impl PropertyDemand {
    fn read(node: &Node) -> Self {
        Self {
            site: Site::of(node),
            name: read_text(node, "name"),
            operator: read_text(node, "operator"),
            values: read_sited(node, "values", text_of),
        }
    }

    /// Returns its name and operator; one that lacks either demands nothing.
    fn words(&self) -> Option<(&Text, &Text)> {
        self.name.as_ref().zip(self.operator.as_ref())
    }

    /// Returns its first value that is a text.
    pub fn first_value(&self) -> Option<&Text> {
        self.values.iter().flatten().next()
    }

    fn unmet(&self, member: &MemberCluster) -> Option<UnmetTerm> {
        let (name, operator) = self.words()?;
        let has = member.property(name);
        let wanted = self.first_value().map(|value| &**value);
        let holds = is_property_met(operator, has.as_deref(), wanted);
        let has = has.map(|text| (text.value.clone(), text.span));
        let span = self.place().filter(|_| !holds)?;
        Some(UnmetTerm { span, key: name.value.clone(), has, is_label: false })
    }

    fn show(&self) -> Option<String> {
        let (name, operator) = self.words()?;
        let value = self.first_value().map_or("?", |value| value);
        let word = match &**operator {
            "Gt" => "more than",
            "Ge" => "at least",
            "Eq" => "equal to",
            "Ne" => "other than",
            "Lt" => "less than",
            "Le" => "at most",
            other => other,
        };
        Some(format!("{} {word} {value}", &**name))
    }

    fn place(&self) -> Option<Span> {
        let (name, _) = self.words()?;
        Some(self.first_value().map_or(name.span, |value| value.span))
    }
}

impl PlacementToleration {
    /// Returns its words; an absent one is empty.
    pub fn words(&self) -> [&str; 4] {
        [&self.key, &self.operator, &self.value, &self.effect]
            .map(|text| text.as_deref().unwrap_or_default())
    }

    /// Returns it without its places.
    pub fn plain(&self) -> kube::taint::Toleration<'_> {
        kube::taint::Toleration {
            key: self.key.as_deref().unwrap_or_default(),
            operator: self.operator.as_deref().unwrap_or_default(),
            value: self.value.as_deref().unwrap_or_default(),
        }
    }
}
