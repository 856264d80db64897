//! Which stage takes which cluster, in what order, and how many at once
//! (KubeFleet pkg/controllers/updaterun).
//!
//! The controller goes through the stages in order and stops at the first fault; [`arrange`] goes on, so
//! that one look shows all of them.

use std::collections::BTreeMap;

use crate::kube::selector::{Labels, Selector};

/// A stage, as far as it decides about clusters.
#[derive(Clone, Debug)]
pub struct StageSelection<'a> {
    /// What it takes; without a selector nothing.
    pub selector: Option<Selector<'a>>,
    /// The label by which its clusters are sorted.
    pub sorting_key: Option<&'a str>,
}

impl StageSelection<'_> {
    /// Says whether it takes a cluster; an absent selector takes none, an empty one all.
    pub fn takes(&self, labels: &Labels<'_>) -> bool {
        self.selector.as_ref().is_some_and(|selector| selector.matches(labels))
    }
}

/// Returns the indexes of the stages that take a cluster.
pub fn stages_taking(stages: &[StageSelection<'_>], labels: &Labels<'_>) -> Vec<usize> {
    let taking = stages.iter().enumerate().filter(|(_, stage)| stage.takes(labels));
    taking.map(|(index, _)| index).collect()
}

/// Why a cluster has no place in the order of its stage, which ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsortable<'a> {
    /// It does not have the label.
    Absent,
    /// Its label is not an integer.
    NoInteger(&'a str),
}

/// Returns the number by which a cluster is sorted.
pub fn sorting_number<'a>(labels: &Labels<'a>, key: &str) -> Result<i64, Unsortable<'a>> {
    let value = labels.get(key).copied().ok_or(Unsortable::Absent)?;
    value.parse().map_err(|_| Unsortable::NoInteger(value))
}

/// How many clusters may be in flight at once, out of `clusters`; `None` for what is not a number.
///
/// A percentage is rounded down, and at least one cluster is always allowed.
pub fn concurrency(written: &str, clusters: usize) -> Option<usize> {
    match written.trim().strip_suffix('%') {
        Some(percent) => {
            let percent: usize = percent.parse().ok()?;
            Some((percent.saturating_mul(clusters) / 100).max(1))
        }
        None => written.trim().parse().ok(),
    }
}

/// A stage with the clusters that it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filled<'a> {
    /// Its clusters, in order: by number, then by name; one that cannot be sorted stands last.
    pub clusters: Vec<Ranked<'a>>,
    /// Clusters that a stage before it takes already, by name, with the index of the first such stage.
    pub overlaps: Vec<(&'a str, usize)>,
}

/// A cluster in the order of its stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked<'a> {
    /// Its name.
    pub name: &'a str,
    /// The number by which it is sorted; `None` if the stage sorts by names only.
    pub number: Option<Result<i64, Unsortable<'a>>>,
}

/// Puts clusters into stages.
pub fn arrange<'a>(
    stages: &[StageSelection<'_>],
    clusters: &BTreeMap<&'a str, &Labels<'a>>,
) -> Vec<Filled<'a>> {
    let mut homes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut filled = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        let mut here = Filled::default();
        let key = stage.sorting_key.filter(|key| !key.is_empty());
        for (name, labels) in clusters.iter().filter(|(_, labels)| stage.takes(labels)) {
            let first = *homes.entry(name).or_insert(index);
            if first != index {
                here.overlaps.push((name, first));
            }
            let number = key.map(|key| sorting_number(labels, key));
            here.clusters.push(Ranked { name, number });
        }
        let place = |one: &Ranked<'a>| {
            let number = one.number.and_then(Result::ok);
            (number.is_none(), number, one.name)
        };
        here.clusters.sort_by_key(place);
        filled.push(here);
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kube::selector::{Operator, Requirement};

    fn stage<'a>(key: &'a str, value: &'a str, sorting_key: Option<&'a str>) -> StageSelection<'a> {
        let requirement = Requirement { key, operator: Operator::In, values: vec![value] };
        let selector = Selector { requirements: vec![requirement], recased: false };
        StageSelection { selector: Some(selector), sorting_key }
    }

    #[test]
    fn clusters_are_sorted_by_number_then_name() {
        let labels = [
            ("d", Labels::from([("env", "prod"), ("order", "10")])),
            ("c", Labels::from([("env", "prod"), ("order", "9")])),
            ("b", Labels::from([("env", "prod"), ("order", "9")])),
            ("e", Labels::from([("env", "prod")])),
            ("a", Labels::from([("env", "prod"), ("order", "x")])),
            ("z", Labels::from([("env", "dev"), ("order", "1")])),
        ];
        let clusters = labels.iter().map(|(name, labels)| (*name, labels)).collect();
        let filled = arrange(&[stage("env", "prod", Some("order"))], &clusters);
        let order: Vec<_> = filled[0].clusters.iter().map(|one| one.name).collect();
        assert_eq!(order, ["b", "c", "d", "a", "e"]);
        assert_eq!(filled[0].clusters[3].number, Some(Err(Unsortable::NoInteger("x"))));
        assert_eq!(filled[0].clusters[4].number, Some(Err(Unsortable::Absent)));
        let filled = arrange(&[stage("env", "prod", Some(""))], &clusters);
        let order: Vec<_> = filled[0].clusters.iter().map(|one| one.name).collect();
        assert_eq!(order, ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn a_later_stage_tells_which_one_took_the_cluster_first() {
        let labels = Labels::from([("env", "prod"), ("tier", "web")]);
        let clusters = BTreeMap::from([("a", &labels)]);
        let nothing = StageSelection { selector: None, sorting_key: None };
        let everything = StageSelection { selector: Some(Selector::default()), sorting_key: None };
        let stages = [nothing, stage("env", "prod", None), stage("tier", "api", None), everything];
        let filled = arrange(&stages, &clusters);
        assert_eq!(filled[0], Filled::default());
        assert_eq!(filled[1].overlaps, []);
        assert_eq!(filled[3].overlaps, [("a", 1)]);
        assert_eq!(stages_taking(&stages, &labels), [1, 3]);
    }

    #[test]
    fn a_percentage_is_rounded_down_but_not_to_none() {
        for (written, clusters, allowed) in [
            ("25%", 7, Some(1)),
            ("50%", 7, Some(3)),
            ("1%", 7, Some(1)),
            ("3", 7, Some(3)),
            ("many", 7, None),
        ] {
            assert_eq!(concurrency(written, clusters), allowed, "{written} of {clusters}");
        }
    }
}
