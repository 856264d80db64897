//! Linking: which finding explains which.

use std::collections::BTreeMap;

use crate::finding::{Finding, Topic};

/// Returns, for each finding, the indexes of the findings that explain it.
///
/// A finding is explained by those that explain one of its topics. Links that would close a circle are
/// left out, in the order of the findings, so that every chain ends at a leading finding.
pub fn link(findings: &[Finding]) -> Vec<Vec<usize>> {
    let mut explainers: BTreeMap<&Topic, Vec<usize>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        for topic in &finding.explains {
            explainers.entry(topic).or_default().push(index);
        }
    }
    let mut links: Vec<Vec<usize>> = vec![Vec::new(); findings.len()];
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
        causes.retain(|&cause| cause != index && !leads_to(&links, cause, index));
        if let Some(slot) = links.get_mut(index) {
            *slot = causes;
        }
    }
    links
}

/// Says whether following the explanations of `from` arrives at `to`.
fn leads_to(links: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut open = vec![from];
    let mut seen = vec![false; links.len()];
    while let Some(index) = open.pop() {
        if index == to {
            return true;
        }
        match seen.get_mut(index) {
            Some(visited) if !*visited => *visited = true,
            _ => continue,
        }
        open.extend(links.get(index).into_iter().flatten());
    }
    false
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
