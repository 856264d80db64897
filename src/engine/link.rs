//! Linking: which finding explains which.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::finding::{Finding, Topic};

/// Returns, for each finding, the indexes of the findings that explain it.
///
/// A finding is explained by those that explain one of its topics. Links that would close a circle are
/// left out, in the order of the findings, so that every chain ends at a leading finding.
pub fn link(findings: &[Finding]) -> Vec<Vec<usize>> {
    let mut explainers: HashMap<&Topic, Vec<usize>, FixedState> = HashMap::default();
    for (index, finding) in findings.iter().enumerate() {
        for topic in &finding.explains {
            explainers.entry(topic).or_default().push(index);
        }
    }
    let mut links: Vec<Vec<usize>> = vec![Vec::new(); findings.len()];
    let mut explained: Vec<Vec<usize>> = vec![Vec::new(); findings.len()];
    let mut follows = Follows::new(findings.len());
    for (index, finding) in findings.iter().enumerate() {
        let mut causes: Vec<usize> = finding
            .about
            .iter()
            .filter_map(|topic| explainers.get(topic))
            .flatten()
            .copied()
            .collect();
        causes.sort_unstable();
        causes.dedup();
        if causes.is_empty() {
            continue;
        }
        follows.mark(&explained, index);
        causes.retain(|&cause| !follows.has(cause));
        for &cause in &causes {
            explained.get_mut(cause).into_iter().for_each(|effects| effects.push(index));
        }
        if let Some(slot) = links.get_mut(index) {
            *slot = causes;
        }
    }
    links
}

/// The findings that a finding explains, itself among them, step by step.
///
/// Marked once per finding and not once per pair: a run that is stuck has as many causes as clusters.
struct Follows {
    /// The finding for which each one was marked last, plus one.
    marked: Vec<usize>,
    round: usize,
    open: Vec<usize>,
}

impl Follows {
    fn new(findings: usize) -> Self {
        Self { marked: vec![0; findings], round: 0, open: Vec::new() }
    }

    fn mark(&mut self, explained: &[Vec<usize>], from: usize) {
        self.round = from + 1;
        self.open.push(from);
        while let Some(index) = self.open.pop() {
            match self.marked.get_mut(index) {
                Some(round) if *round != self.round => *round = self.round,
                _ => continue,
            }
            self.open.extend(explained.get(index).into_iter().flatten());
        }
    }

    fn has(&self, index: usize) -> bool {
        self.marked.get(index) == Some(&self.round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Certainty, Label, Severity};
    use crate::source::{SourceId, Span};

    fn finding(about: &[&str], explains: &[&str]) -> Finding {
        let topics =
            |names: &[&str]| names.iter().map(|name| Topic::Member((*name).into())).collect();
        Finding {
            code: "FL0000",
            name: "test",
            matter: crate::finding::Matter::Fleet,
            severity: Severity::Error,
            certainty: Certainty::Shown,
            message: String::new(),
            why: String::new(),
            then: String::new(),
            hint: String::new(),
            primary: Label {
                span: Span::new(SourceId(0), 0, 0),
                text: String::new(),
                subject: None,
                field: None,
            },
            related: Vec::new(),
            recoverability: None,
            steps: Vec::new(),
            about: topics(about),
            explains: topics(explains),
            incident: None,
            layer: None,
            path: None,
            fix: None,
        }
    }

    #[test]
    fn a_chain_is_linked_and_a_circle_is_cut() {
        let chain = [finding(&["run"], &[]), finding(&["work"], &["run"]), finding(&[], &["work"])];
        assert_eq!(link(&chain), [vec![1], vec![2], vec![]]);
        let circle = [finding(&["a"], &["b"]), finding(&["b"], &["a"])];
        assert_eq!(link(&circle), [vec![1], vec![]]);
    }
}
