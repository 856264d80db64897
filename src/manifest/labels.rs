//! Label selectors: what is wrong with them, what they match, whether two can match the same cluster.
//!
//! A selector becomes one [`Demand`] per key. Two selectors are disjoint exactly if some key's
//! demands cannot be met together, so [`Selector::witness`] can always show labels that meet both.

use std::collections::{BTreeMap, BTreeSet};

use super::{At, Place};
use crate::kube::names::{key_trouble, value_trouble};
use crate::model::selector::LabelSelector;

/// The operators of a label selector.
pub const OPERATORS: [&str; 4] = ["In", "NotIn", "Exists", "DoesNotExist"];

/// Labels of a cluster.
pub type Labels = BTreeMap<String, String>;

/// What a selector demands of one key.
#[derive(Clone, Debug, Default)]
struct Demand {
    /// The values that are left; `None` means any.
    among: Option<BTreeSet<String>>,
    without: BTreeSet<String>,
    present: bool,
    absent: bool,
}

impl Demand {
    /// Makes the demand of an operator, if there is such an operator.
    fn of(operator: &str, values: BTreeSet<String>) -> Option<Self> {
        Some(match operator {
            "In" => Self { among: Some(values), present: true, ..Self::default() },
            "NotIn" => Self { without: values, ..Self::default() },
            "Exists" => Self { present: true, ..Self::default() },
            "DoesNotExist" => Self { absent: true, ..Self::default() },
            _ => return None,
        })
    }

    fn add(&mut self, other: &Self) {
        self.among = match (self.among.take(), &other.among) {
            (Some(left), Some(right)) => Some(left.intersection(right).cloned().collect()),
            (left, right) => left.or_else(|| right.clone()),
        };
        self.without.extend(other.without.iter().cloned());
        self.present |= other.present;
        self.absent |= other.absent;
    }

    /// Returns a value that meets the demand (`None` for an absent key), or why there is none.
    fn meet(&self) -> Result<Option<String>, ()> {
        if self.absent {
            return if self.present { Err(()) } else { Ok(None) };
        }
        match &self.among {
            Some(values) => {
                let left = values.iter().find(|value| !self.without.contains(*value));
                left.map(|value| Some(value.clone())).ok_or(())
            }
            None if self.present => {
                let fresh = |n: &usize| !self.without.contains(&format!("v{n}"));
                Ok((0..=self.without.len()).find(fresh).map(|n| format!("v{n}")))
            }
            None => Ok(None),
        }
    }
}

/// A label selector that can be evaluated.
#[derive(Clone, Debug, Default)]
pub struct Selector {
    demands: BTreeMap<String, Demand>,
}

impl Selector {
    /// Reads a selector; `None` if an operator is unknown.
    pub fn read(at: &At<'_>) -> Option<Self> {
        let mut selector = Self::default();
        for (key, value) in at.get("matchLabels").map(|map| map.entries()).unwrap_or_default() {
            let among = Some(BTreeSet::from([value.str()?.to_owned()]));
            selector.demand(key, &Demand { among, present: true, ..Demand::default() });
        }
        for term in at.list("matchExpressions") {
            let values = term.list("values");
            let values = values.iter().filter_map(|value| value.str().map(str::to_owned)).collect();
            let demand = Demand::of(term.text("operator")?, values)?;
            selector.demand(term.text("key")?, &demand);
        }
        Some(selector)
    }

    /// Reads a selector; `None` if a part of it cannot be read or an operator is unknown.
    pub fn of(selector: &LabelSelector) -> Option<Self> {
        let mut read = Self::default();
        for pair in &selector.labels {
            let among = Some(BTreeSet::from([pair.value.to_string()]));
            read.demand(&pair.key, &Demand { among, present: true, ..Demand::default() });
        }
        for term in &selector.expressions {
            let values = term.values.iter().map(|value| value.to_string()).collect();
            read.demand(&term.key, &Demand::of(&term.operator, values)?);
        }
        Some(read).filter(|_| !selector.malformed)
    }

    fn demand(&mut self, key: &str, demand: &Demand) {
        self.demands.entry(key.to_owned()).or_default().add(demand);
    }

    /// Says whether labels meet the selector.
    pub fn matches(&self, labels: &Labels) -> bool {
        self.demands.iter().all(|(key, demand)| match labels.get(key) {
            Some(value) => {
                !demand.absent
                    && demand.among.as_ref().is_none_or(|among| among.contains(value))
                    && !demand.without.contains(value)
            }
            None => !demand.present,
        })
    }

    /// Says whether everything matches.
    pub fn is_everything(&self) -> bool {
        self.demands.is_empty()
    }

    /// Finds a key whose demands contradict each other.
    pub fn contradiction(&self) -> Option<&str> {
        self.demands.iter().find(|(_, demand)| demand.meet().is_err()).map(|(key, _)| key.as_str())
    }

    /// Returns labels that meet both selectors, or `None` if no labels can.
    pub fn witness(&self, other: &Self) -> Option<Labels> {
        let mut both = self.clone();
        other.demands.iter().for_each(|(key, demand)| both.demand(key, demand));
        let mut labels = Labels::new();
        for (key, demand) in &both.demands {
            if let Some(value) = demand.meet().ok()? {
                labels.insert(key.clone(), value);
            }
        }
        Some(labels)
    }

    /// Says whether the selectors name a common key.
    pub fn shares_key(&self, other: &Self) -> bool {
        self.demands.keys().any(|key| other.demands.contains_key(key))
    }
}

/// Returns all label selectors below a node.
pub fn selectors_in<'m>(at: &At<'m>) -> Vec<At<'m>> {
    let mut found = Vec::new();
    collect(at, &mut found);
    found
}

fn collect<'m>(at: &At<'m>, found: &mut Vec<At<'m>>) {
    for (key, value) in at.entries() {
        if key == "labelSelector" {
            found.push(value);
        } else {
            collect(&value, found);
        }
    }
    at.items().iter().for_each(|item| collect(item, found));
}

/// Returns the keys and values of a selector that cannot be label keys and values, and why.
pub fn syntax_troubles(selector: &At<'_>) -> Vec<(Place, String)> {
    let mut troubles = Vec::new();
    for (key, value) in selector.get("matchLabels").map(|map| map.entries()).unwrap_or_default() {
        if let Some(why) = key_trouble(key) {
            troubles.push((value.key_place(), format!("`{key}` is no label key: {why}")));
        }
        if let Some((text, why)) = value.str().and_then(|text| Some((text, value_trouble(text)?))) {
            troubles.push((value.place(), format!("`{text}` is no label value: {why}")));
        }
    }
    for term in selector.list("matchExpressions") {
        if let Some(key) = term.get("key")
            && let Some((text, why)) = key.str().and_then(|text| Some((text, key_trouble(text)?)))
        {
            troubles.push((key.place(), format!("`{text}` is no label key: {why}")));
        }
        for value in term.list("values") {
            if let Some((text, why)) =
                value.str().and_then(|text| Some((text, value_trouble(text)?)))
            {
                troubles.push((value.place(), format!("`{text}` is no label value: {why}")));
            }
        }
    }
    troubles
}
