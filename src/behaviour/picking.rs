//! Does this policy pick this member: required terms, properties, taints
//! (KubeFleet pkg/scheduler/framework/plugins).

use crate::kube::quantity::read_quantity;
use crate::kube::selector::{Labels, Selector};
use crate::kube::taint::{Taint, Toleration};

/// A member cluster, as far as a policy looks at it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its labels, the hub's own included.
    pub labels: &'a Labels<'a>,
    /// Its taints.
    pub taints: &'a [Taint<'a>],
}

/// A placement policy, as far as it decides about one cluster.
#[derive(Clone, Debug)]
pub enum PickPolicy<'a> {
    /// PickFixed: the clusters of these names, whatever their labels and taints.
    Named(Vec<&'a str>),
    /// PickAll and PickN.
    Scheduled {
        /// The required terms: alternatives. Without any, every cluster fits.
        terms: Vec<PickTerm<'a>>,
        /// What it tolerates.
        tolerations: Vec<Toleration<'a>>,
    },
}

/// One alternative of the required affinity.
#[derive(Clone, Debug)]
pub struct PickTerm<'a> {
    /// `labelSelector`; without it every cluster fits.
    pub selector: Option<Selector<'a>>,
    /// Whether it asks for what labels do not answer: properties, or a selector that cannot be read.
    pub is_open: bool,
}

/// Whether a policy may pick a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It does not.
    No,
    /// Labels and taints allow it; what else is asked for is not known.
    Maybe,
    /// It fits; a PickN policy may still take others.
    Yes,
}

impl PickPolicy<'_> {
    /// Says whether the policy may pick a cluster.
    ///
    /// Properties are not judged: they change, and manifests do not have them.
    pub fn fit(&self, cluster: Candidate<'_>) -> Fit {
        match self {
            Self::Named(names) if names.contains(&cluster.name) => Fit::Yes,
            Self::Named(_) => Fit::No,
            Self::Scheduled { tolerations, .. } if !tolerates(tolerations, cluster.taints) => {
                Fit::No
            }
            Self::Scheduled { terms, .. } if terms.is_empty() => Fit::Yes,
            Self::Scheduled { terms, .. } => {
                terms.iter().map(|term| term.fit(cluster.labels)).max().unwrap_or(Fit::No)
            }
        }
    }
}

impl PickTerm<'_> {
    fn fit(&self, labels: &Labels<'_>) -> Fit {
        match &self.selector {
            Some(selector) if !selector.matches(labels) => Fit::No,
            _ if self.is_open => Fit::Maybe,
            _ => Fit::Yes,
        }
    }
}

fn tolerates(tolerations: &[Toleration<'_>], taints: &[Taint<'_>]) -> bool {
    taints.iter().all(|taint| tolerations.iter().any(|one| one.tolerates(*taint)))
}

/// Says whether a property meets a requirement; what cannot be read as quantities meets none.
pub fn is_property_met(operator: &str, has: Option<&str>, wanted: Option<&str>) -> bool {
    let Some((has, wanted)) = has.and_then(read_quantity).zip(wanted.and_then(read_quantity))
    else {
        return false;
    };
    match operator {
        "Gt" => has > wanted,
        "Ge" => has >= wanted,
        "Eq" => has == wanted,
        "Ne" => has != wanted,
        "Lt" => has < wanted,
        "Le" => has <= wanted,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kube::selector::{Operator, Requirement};

    fn term<'a>(key: &'a str, value: &'a str, is_open: bool) -> PickTerm<'a> {
        let requirement = Requirement { key, operator: Operator::In, values: vec![value] };
        let selector = Selector { requirements: vec![requirement], recased: false };
        PickTerm { selector: Some(selector), is_open }
    }

    fn fit(policy: &PickPolicy<'_>, taints: &[Taint<'_>]) -> Fit {
        let labels = Labels::from([("env", "prod")]);
        policy.fit(Candidate { name: "a", labels: &labels, taints })
    }

    #[test]
    fn the_best_term_decides() {
        let policy = |terms| PickPolicy::Scheduled { terms, tolerations: Vec::new() };
        assert_eq!(fit(&policy(Vec::new()), &[]), Fit::Yes);
        assert_eq!(fit(&policy(vec![term("env", "dev", false)]), &[]), Fit::No);
        assert_eq!(fit(&policy(vec![term("env", "dev", true)]), &[]), Fit::No);
        assert_eq!(fit(&policy(vec![term("env", "prod", true)]), &[]), Fit::Maybe);
        let either = policy(vec![term("env", "prod", true), term("env", "prod", false)]);
        assert_eq!(fit(&either, &[]), Fit::Yes);
        let all =
            policy(vec![PickTerm { selector: None, is_open: false }, term("env", "dev", false)]);
        assert_eq!(fit(&all, &[]), Fit::Yes);
    }

    #[test]
    fn every_taint_has_to_be_tolerated_unless_the_cluster_is_named() {
        let taints = [Taint { key: "a", value: "1" }, Taint { key: "b", value: "1" }];
        let toleration = |key| Toleration { key, operator: "Equal", value: "1" };
        let policy = |tolerations| PickPolicy::Scheduled { terms: Vec::new(), tolerations };
        assert_eq!(fit(&policy(vec![toleration("a"), toleration("b")]), &taints), Fit::Yes);
        assert_eq!(fit(&policy(vec![toleration("a")]), &taints), Fit::No);
        assert_eq!(fit(&PickPolicy::Named(vec!["a"]), &taints), Fit::Yes);
        assert_eq!(fit(&PickPolicy::Named(vec!["b"]), &[]), Fit::No);
    }

    #[test]
    fn properties_are_compared_as_quantities() {
        for (operator, has, met) in [
            ("Gt", "3000m", true),
            ("Gt", "2", false),
            ("Ge", "2", true),
            ("Eq", "2000m", true),
            ("Ne", "2000m", false),
            ("Lt", "1", true),
            ("Le", "3", false),
            ("Eq", "two", false),
            ("Ne", "two", false),
            ("Is", "2", false),
        ] {
            assert_eq!(is_property_met(operator, Some(has), Some("2")), met, "{operator} {has}");
        }
        assert!(!is_property_met("Ne", None, Some("2")));
    }
}
