//! Labels and label selectors: what one matches, and whether two can match the same labels.
//!
//! A selector becomes one [`Demand`] per key. Two selectors are disjoint exactly if some key's
//! demands cannot be met together, so [`Selector::example_matching_both`] can always show labels that meet both.

use std::collections::{BTreeMap, BTreeSet};

/// The operators of a label selector.
pub const OPERATORS: [&str; 4] = ["In", "NotIn", "Exists", "DoesNotExist"];

/// Labels of an object.
pub type Labels<'a> = BTreeMap<&'a str, &'a str>;

/// How a requirement compares a label with its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The label has one of the values.
    In,
    /// The label has none of the values, or is absent.
    NotIn,
    /// The label is there.
    Exists,
    /// The label is absent.
    DoesNotExist,
    /// A word that is no operator: no controller can evaluate it, so nothing meets it.
    Unknown,
}

impl Operator {
    /// Reads an operator as written.
    pub fn read(word: &str) -> Self {
        match word {
            "In" => Self::In,
            "NotIn" => Self::NotIn,
            "Exists" => Self::Exists,
            "DoesNotExist" => Self::DoesNotExist,
            _ => Self::Unknown,
        }
    }
}

/// One requirement of a selector; an entry of `matchLabels` is `In` with one value.
#[derive(Clone, Debug)]
pub struct Requirement<'a> {
    /// The key of the label.
    pub key: &'a str,
    /// The operator.
    pub operator: Operator,
    /// The values.
    pub values: Vec<&'a str>,
}

impl Requirement<'_> {
    /// Says whether a label, or its absence, meets the requirement.
    pub fn is_met_by(&self, label: Option<&str>) -> bool {
        let listed = label.is_some_and(|label| self.values.contains(&label));
        match self.operator {
            Operator::In => listed,
            Operator::NotIn => !listed,
            Operator::Exists => label.is_some(),
            Operator::DoesNotExist => label.is_none(),
            Operator::Unknown => false,
        }
    }
}

/// A requirement that labels do not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmet<'l> {
    /// Which requirement of the selector.
    pub requirement: usize,
    /// The key of the label that is there, as the labels spell it.
    pub label: Option<&'l str>,
}

/// A label selector. Without requirements it selects everything; an absent one selects nothing (the caller knows).
#[derive(Clone, Debug, Default)]
pub struct Selector<'a> {
    /// All of them have to be met.
    pub requirements: Vec<Requirement<'a>>,
    /// Whether its keys were re-cased by a printer, so that they are compared without case.
    pub recased: bool,
}

impl<'a> Selector<'a> {
    /// Says whether labels meet the selector.
    pub fn matches(&self, labels: &Labels<'_>) -> bool {
        let met = |one: &Requirement<'_>| {
            one.is_met_by(self.find(labels, one.key).map(|(_, value)| value))
        };
        self.requirements.iter().all(met)
    }

    /// Returns the requirements that labels do not meet.
    pub fn unmet<'l>(&self, labels: &Labels<'l>) -> Vec<Unmet<'l>> {
        let unmet = self.requirements.iter().enumerate().filter_map(|(requirement, one)| {
            let found = self.find(labels, one.key);
            let met = one.is_met_by(found.map(|(_, value)| value));
            (!met).then_some(Unmet { requirement, label: found.map(|(key, _)| key) })
        });
        unmet.collect()
    }

    fn find<'l>(&self, labels: &Labels<'l>, key: &str) -> Option<(&'l str, &'l str)> {
        let pair = |(key, value): (&&'l str, &&'l str)| (*key, *value);
        let exact = labels.get_key_value(key).map(pair);
        let alike = || labels.iter().map(pair).find(|(name, _)| name.eq_ignore_ascii_case(key));
        exact.or_else(|| if self.recased { alike() } else { None })
    }

    /// Says whether all of its operators are known, so that the API server takes it.
    pub fn is_valid(&self) -> bool {
        self.requirements.iter().all(|one| one.operator != Operator::Unknown)
    }

    /// Says whether everything matches.
    pub fn is_everything(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Finds a key whose demands contradict each other.
    pub fn contradiction(&self) -> Option<&'a str> {
        let demands = demands(&self.requirements);
        demands.iter().find(|(_, demand)| demand.satisfy().is_err()).map(|(key, _)| *key)
    }

    /// Returns labels that meet both selectors, or `None` if no labels can.
    pub fn example_matching_both(&self, other: &Selector<'_>) -> Option<BTreeMap<String, String>> {
        let mut labels = BTreeMap::new();
        for (key, demand) in demands(self.requirements.iter().chain(&other.requirements)) {
            if let Some(value) = demand.satisfy().ok()? {
                labels.insert(key.to_owned(), value);
            }
        }
        Some(labels)
    }
}

/// What all requirements together demand of one key.
#[derive(Debug, Default)]
struct Demand<'a> {
    /// The values that are left; `None` means any.
    among: Option<BTreeSet<&'a str>>,
    without: BTreeSet<&'a str>,
    present: bool,
    absent: bool,
    impossible: bool,
}

fn demands<'r, 'a: 'r>(
    requirements: impl IntoIterator<Item = &'r Requirement<'a>>,
) -> BTreeMap<&'a str, Demand<'a>> {
    let mut demands: BTreeMap<&str, Demand<'_>> = BTreeMap::new();
    for one in requirements {
        demands.entry(one.key).or_default().add(one);
    }
    demands
}

impl<'a> Demand<'a> {
    fn add(&mut self, requirement: &Requirement<'a>) {
        let values = requirement.values.iter().copied();
        match requirement.operator {
            Operator::In => {
                self.present = true;
                let kept =
                    |value: &&str| self.among.as_ref().is_none_or(|left| left.contains(value));
                self.among = Some(values.filter(kept).collect());
            }
            Operator::NotIn => self.without.extend(values),
            Operator::Exists => self.present = true,
            Operator::DoesNotExist => self.absent = true,
            Operator::Unknown => self.impossible = true,
        }
    }

    /// Returns a value that meets the demand (`None` for an absent key), or that there is none.
    fn satisfy(&self) -> Result<Option<String>, ()> {
        if self.impossible || (self.absent && self.present) {
            return Err(());
        }
        match &self.among {
            Some(values) => {
                let left = values.iter().find(|value| !self.without.contains(*value));
                left.map(|value| Some((*value).to_owned())).ok_or(())
            }
            None if self.present => {
                let fresh = |n: &usize| !self.without.contains(&*format!("v{n}"));
                Ok((0..=self.without.len()).find(fresh).map(|n| format!("v{n}")))
            }
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selector<'a>(requirements: &[(&'a str, &str, &[&'a str])]) -> Selector<'a> {
        let read = |(key, operator, values): &(&'a str, &str, &[&'a str])| Requirement {
            key,
            operator: Operator::read(operator),
            values: values.to_vec(),
        };
        Selector { requirements: requirements.iter().map(read).collect(), recased: false }
    }

    #[test]
    fn an_operator_compares_whole_values() {
        for (operator, label, met) in [
            ("In", Some("prod"), true),
            ("In", Some("pro"), false),
            ("In", Some("production"), false),
            ("In", None, false),
            ("NotIn", Some("prod"), false),
            ("NotIn", Some("production"), true),
            ("NotIn", None, true),
            ("Exists", Some(""), true),
            ("Exists", None, false),
            ("DoesNotExist", Some(""), false),
            ("DoesNotExist", None, true),
            ("in", Some("prod"), false),
        ] {
            let labels: Labels<'_> = label.map(|value| ("env", value)).into_iter().collect();
            let selector = selector(&[("env", operator, &["prod", "canary"])]);
            assert_eq!(selector.matches(&labels), met, "{operator} {label:?}");
            assert_eq!(selector.unmet(&labels).is_empty(), met, "{operator} {label:?}");
        }
    }

    #[test]
    fn keys_are_compared_without_case_only_where_they_were_recased() {
        let labels = Labels::from([("kubernetes-fleet.io/Tier", "web")]);
        let mut selector = selector(&[("kubernetes-fleet.io/tier", "In", &["web"])]);
        assert_eq!(selector.unmet(&labels), [Unmet { requirement: 0, label: None }]);
        selector.recased = true;
        assert!(selector.matches(&labels));
    }

    #[test]
    fn a_witness_meets_both_selectors() {
        let web = selector(&[("tier", "In", &["web", "api"]), ("gpu", "Exists", &[])]);
        let other = selector(&[("tier", "NotIn", &["api"]), ("gpu", "NotIn", &["v0"])]);
        let labels = web.example_matching_both(&other).unwrap_or_default();
        let labels: Labels<'_> = labels.iter().map(|(key, value)| (&**key, &**value)).collect();
        assert!(web.matches(&labels) && other.matches(&labels), "{labels:?}");
        assert!(web.example_matching_both(&selector(&[("gpu", "DoesNotExist", &[])])).is_none());
        assert!(web.example_matching_both(&selector(&[("tier", "In", &["db"])])).is_none());
    }

    #[test]
    fn a_contradiction_names_its_key() {
        let none = selector(&[("a", "Exists", &[]), ("b", "In", &["1"]), ("b", "NotIn", &["1"])]);
        assert_eq!(none.contradiction(), Some("b"));
        assert_eq!(
            selector(&[("a", "In", &["1"]), ("a", "In", &["1", "2"])]).contradiction(),
            None
        );
        assert_eq!(
            selector(&[("a", "Exists", &[]), ("a", "DoesNotExist", &[])]).contradiction(),
            Some("a")
        );
    }
}
