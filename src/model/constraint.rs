//! What a scheduling policy demands of a cluster: affinity terms, tolerations, spread.
//!
//! Owns the reading of these parts of a policy and the comparison with a member cluster, as the
//! scheduler makes it (KubeFleet pkg/scheduler/framework/plugins). Terms are alternatives; within a term
//! everything has to hold.

use super::cluster::MemberCluster;
use super::placement::Policy;
use super::read::{Text, read_int, read_some, read_text, read_texts};
use super::selector::LabelSelector;
use crate::behaviour::picking::{self, is_property_met};
use crate::kube;
use crate::source::{Span, Spanned};
use crate::syntax::tree::Node;

/// One alternative of the required affinity.
#[derive(Clone, Debug)]
pub struct Term {
    /// `labelSelector`.
    pub labels: Option<LabelSelector>,
    /// `propertySelector.matchExpressions`.
    pub properties: Vec<PropertyDemand>,
}

/// A demand on a property of the cluster.
#[derive(Clone, Debug)]
pub struct PropertyDemand {
    /// `name`.
    pub name: Text,
    /// `operator`.
    pub operator: Text,
    /// `values`; the scheduler takes exactly one.
    pub values: Vec<Text>,
}

/// A demand that a member does not meet.
#[derive(Clone, Debug)]
pub struct Unmet {
    /// Where the policy demands it.
    pub span: Span,
    /// The label or property.
    pub key: Box<str>,
    /// What the member has, and where.
    pub has: Option<(Box<str>, Span)>,
}

/// A toleration.
#[derive(Clone, Debug)]
pub struct Toleration {
    /// All of it.
    pub span: Span,
    /// `key`; absent means every key.
    pub key: Option<Text>,
    /// `value`.
    pub value: Option<Text>,
    /// `operator`; absent means `Equal`.
    pub operator: Option<Text>,
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

impl Policy {
    /// Returns the required affinity terms.
    pub fn required_terms(&self) -> Vec<Term> {
        let path =
            ["affinity", "clusterAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];
        let required = self.tree.as_ref().and_then(|tree| tree.at(&path));
        let term = |node: &Node| {
            let properties = node.get("propertySelector").map(read_demands);
            Some(Term {
                labels: node.get("labelSelector").map(LabelSelector::read),
                properties: properties.unwrap_or_default(),
            })
        };
        required.map(|node| read_some(node, "clusterSelectorTerms", term)).unwrap_or_default()
    }

    /// Says whether the policy may pick a cluster, by its labels and taints.
    pub fn fit(&self, cluster: picking::Candidate<'_>) -> picking::Fit {
        if self.kind() == "PickFixed" {
            let names = self.clusters.iter().map(|name| &**name).collect();
            return picking::Policy::Named(names).fit(cluster);
        }
        let (terms, tolerations) = (self.required_terms(), self.tolerations());
        let policy = picking::Policy::Scheduled {
            terms: terms.iter().map(Term::plain).collect(),
            tolerations: tolerations.iter().map(Toleration::plain).collect(),
        };
        policy.fit(cluster)
    }

    /// Returns the names of all properties that the policy selects or sorts by.
    pub fn property_names(&self) -> Vec<Text> {
        let required = self.required_terms().into_iter().flat_map(|term| term.properties);
        let mut names: Vec<Text> = required.map(|demand| demand.name).collect();
        let affinity =
            self.tree.as_ref().and_then(|tree| tree.at(&["affinity", "clusterAffinity"]));
        let preferred = |node: &Node| {
            let preference = node.get("preference")?;
            let demands = preference.get("propertySelector").map(read_demands).unwrap_or_default();
            let sorter =
                preference.get("propertySorter").and_then(|sorter| read_text(sorter, "name"));
            Some(demands.into_iter().map(|demand| demand.name).chain(sorter).collect::<Vec<_>>())
        };
        let key = "preferredDuringSchedulingIgnoredDuringExecution";
        names.extend(
            affinity.map(|node| read_some(node, key, preferred)).into_iter().flatten().flatten(),
        );
        names
    }

    /// Returns the tolerations.
    pub fn tolerations(&self) -> Vec<Toleration> {
        let read = |node: &Node| {
            Some(Toleration {
                span: node.span,
                key: read_text(node, "key"),
                value: read_text(node, "value"),
                operator: read_text(node, "operator"),
            })
        };
        self.tree.as_ref().map(|tree| read_some(tree, "tolerations", read)).unwrap_or_default()
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

fn read_demands(node: &Node) -> Vec<PropertyDemand> {
    read_some(node, "matchExpressions", |item| {
        Some(PropertyDemand {
            name: read_text(item, "name")?,
            operator: read_text(item, "operator")?,
            values: read_texts(item, "values"),
        })
    })
}

impl Term {
    /// Returns it without its places.
    pub fn plain(&self) -> picking::Term<'_> {
        let selector = self.labels.as_ref().map(LabelSelector::plain);
        let is_unread = matches!(selector, Some(None));
        let is_open = is_unread || !self.properties.is_empty();
        picking::Term { selector: selector.flatten(), is_open }
    }

    /// Returns the demands that a member does not meet; none means that it matches.
    pub fn unmet(&self, member: &MemberCluster) -> Vec<Unmet> {
        let labels = self.labels.iter().flat_map(|selector| selector.unmet(&member.meta.labels));
        let labels = labels.map(|(key, span, has)| Unmet {
            span,
            key: key.into(),
            has: has.map(|text| (text.value.clone(), text.span)),
        });
        let properties = self.properties.iter().filter_map(|demand| demand.unmet(member));
        labels.chain(properties).collect()
    }

    /// Returns the term as text: `environment=prod and kubernetes-fleet.io/node-count at least 5`.
    pub fn show(&self) -> String {
        let labels = self.labels.iter().flat_map(LabelSelector::show);
        labels
            .chain(self.properties.iter().map(PropertyDemand::show))
            .collect::<Vec<_>>()
            .join(" and ")
    }

    /// Returns where the first demand stands.
    pub fn place(&self) -> Option<Span> {
        let labels = self.labels.iter().flat_map(LabelSelector::places).next();
        labels.or_else(|| self.properties.first().map(PropertyDemand::place))
    }
}

impl PropertyDemand {
    fn unmet(&self, member: &MemberCluster) -> Option<Unmet> {
        let has = member.property(&self.name);
        let wanted = self.values.first().map(|value| &**value);
        let holds = is_property_met(&self.operator, has.as_deref(), wanted);
        let has = has.map(|text| (text.value.clone(), text.span));
        (!holds).then(|| Unmet { span: self.place(), key: self.name.value.clone(), has })
    }

    fn show(&self) -> String {
        let value = self.values.first().map_or("?", |value| value);
        let word = match &*self.operator {
            "Gt" => "more than",
            "Ge" => "at least",
            "Eq" => "equal to",
            "Ne" => "other than",
            "Lt" => "less than",
            "Le" => "at most",
            other => other,
        };
        format!("{} {word} {value}", &*self.name)
    }

    fn place(&self) -> Span {
        self.values.first().map_or(self.name.span, |value| value.span)
    }
}

impl Toleration {
    /// Returns it without its places.
    pub fn plain(&self) -> kube::taint::Toleration<'_> {
        kube::taint::Toleration {
            key: self.key.as_deref().unwrap_or_default(),
            operator: self.operator.as_deref().unwrap_or_default(),
            value: self.value.as_deref().unwrap_or_default(),
        }
    }
}
