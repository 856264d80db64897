//! [`Chains`]: from a finding to its causes and its symptoms, by their places in the report.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;

use crate::engine::ResolvedFinding;
use crate::engine::finding_places::FindingPlaces;
use crate::finding::Topic;
use crate::model::key::ObjectKey;

/// The findings of each object by their places, in order.
pub(in crate::engine) type ByObject<'f> = HashMap<&'f ObjectKey, Vec<usize>, FixedState>;

/// Which findings explain which, both ways.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Chains {
    causes: Vec<Vec<usize>>,
    symptoms: Vec<Vec<usize>>,
}

impl Chains {
    /// Reads the links of resolved findings.
    pub(in crate::engine) fn of(findings: &[ResolvedFinding]) -> Self {
        let places = FindingPlaces::of(findings);
        let mut chains = Self {
            causes: vec![Vec::new(); findings.len()],
            symptoms: vec![Vec::new(); findings.len()],
        };
        for (index, resolved) in findings.iter().enumerate() {
            for cause in resolved.explained_by.iter().filter_map(|id| places.get(id)) {
                if let Some(causes) = chains.causes.get_mut(index) {
                    causes.push(cause);
                }
                if let Some(symptoms) = chains.symptoms.get_mut(cause) {
                    symptoms.push(index);
                }
            }
        }
        chains
    }

    /// Says whether nothing explains a finding.
    pub(in crate::engine) fn leads(&self, index: usize) -> bool {
        self.causes.get(index).is_none_or(Vec::is_empty)
    }

    /// Returns some findings with all that explains them.
    pub(in crate::engine) fn with_causes(
        &self,
        from: impl IntoIterator<Item = usize>,
    ) -> BTreeSet<usize> {
        reach(&self.causes, from)
    }

    /// Returns what a finding explains, however far, without itself.
    pub(super) fn symptoms_of(&self, index: usize) -> Vec<usize> {
        let mut all = reach(&self.symptoms, [index]);
        all.remove(&index);
        all.into_iter().collect()
    }

    /// Returns, for each object, the findings that are about it, explain something of it or point at it.
    pub(in crate::engine) fn by_object<'f>(&self, findings: &'f [ResolvedFinding]) -> ByObject<'f> {
        let mut by_object = ByObject::default();
        for (index, resolved) in findings.iter().enumerate() {
            let topics = resolved.finding.about.iter().chain(&resolved.finding.explains);
            let objects = topics.filter_map(object_of).chain(&resolved.primary.object);
            for object in objects {
                let own = by_object.entry(object).or_default();
                if own.last() != Some(&index) {
                    own.push(index);
                }
            }
        }
        by_object
    }
}

/// Returns the run or placement that a topic belongs to; what was lost to another run belongs to the runs.
fn object_of(topic: &Topic) -> Option<&ObjectKey> {
    let is_of_rollout = !matches!(topic, Topic::Takeover(_) | Topic::Work(_) | Topic::Object(_));
    topic.object().filter(|_| is_of_rollout)
}

fn reach(links: &[Vec<usize>], from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
    let mut open: Vec<usize> = from.into_iter().collect();
    let mut known: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(index) = open.pop() {
        let next = links.get(index).into_iter().flatten();
        open.extend(next.filter(|next| known.insert(**next)));
    }
    known
}
