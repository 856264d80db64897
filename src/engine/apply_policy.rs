//! Suppression by configuration and arguments: findings that the user does not want to see are counted, not lost.
//!
//! Owns applying a [`Policy`] to findings, and [`Suppressed`], what a report says of a finding that
//! was taken out, by whatever means. The wording of the finding is not kept: only which it was,
//! where, and why it is not shown.

use super::{Place, place_of};
use crate::config::{Level, Policy};
use crate::finding::Finding;
use crate::graph::Locate;
use crate::model::key::ObjectKey;
use crate::source::Sources;

/// By what means a finding is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressedBy {
    /// A comment beside the line.
    Comment,
    /// An annotation of the object.
    Annotation,
    /// The configuration.
    Config,
    /// An argument.
    Argument,
    /// The file of known findings.
    Baseline,
}

impl SuppressedBy {
    /// Returns the word used in machine-readable reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::Annotation => "annotation",
            Self::Config => "config",
            Self::Argument => "argument",
            Self::Baseline => "baseline",
        }
    }
}

/// A finding that is not shown.
#[derive(Clone, Debug)]
pub struct SuppressedFinding {
    /// The finding as the rule made it.
    pub finding: Finding,
    /// By what means.
    pub by: SuppressedBy,
    /// Why, in the user's words.
    pub reason: String,
}

/// What a report says of a finding that is not shown.
#[derive(Clone, Debug)]
pub struct Suppressed {
    /// The rule's number.
    pub code: &'static str,
    /// The rule's name.
    pub name: &'static str,
    /// The primary place of the suppressed finding.
    pub place: Place,
    /// By what means it is not shown.
    pub by: SuppressedBy,
    /// Why, in the user's words.
    pub reason: String,
}

/// What a policy makes of findings.
#[derive(Debug, Default)]
pub struct PolicyOutcome {
    /// What is shown, with the severity that the user gave.
    pub kept: Vec<Finding>,
    /// The findings that a suppression hides.
    pub hidden: Vec<SuppressedFinding>,
    /// Which entries took something out, in the order of the policy.
    pub used: Vec<bool>,
}

/// Gives findings the severity that the user wants, and takes out what is to be ignored.
pub fn apply_policy(findings: Vec<Finding>, policy: &Policy, locate: &dyn Locate) -> PolicyOutcome {
    if policy.ignores.is_empty() && policy.levels.is_empty() {
        return PolicyOutcome { kept: findings, ..PolicyOutcome::default() };
    }
    let mut outcome =
        PolicyOutcome { used: vec![false; policy.ignores.len()], ..PolicyOutcome::default() };
    for finding in findings {
        let by = Some(&finding).filter(|_| !policy.ignores.is_empty());
        let by = by.and_then(|finding| object_of(finding, locate));
        let by = by.and_then(|key| policy.find_ignore(finding.code, &key));
        if let Some((index, ignore)) = by.and_then(|at| Some((at, policy.ignores.get(at)?))) {
            if let Some(used) = outcome.used.get_mut(index) {
                *used = true;
            }
            let reason = ignore.reason.clone();
            outcome.hidden.push(SuppressedFinding { finding, by: SuppressedBy::Config, reason });
            continue;
        }
        match policy.level(finding.code) {
            Some(Level::Off) => {
                let reason = "the rule is off".to_owned();
                outcome.hidden.push(SuppressedFinding {
                    finding,
                    by: SuppressedBy::Config,
                    reason,
                });
            }
            Some(Level::At(severity)) => outcome.kept.push(finding.severity(severity)),
            None => outcome.kept.push(finding),
        }
    }
    outcome
}

/// Finds the object that a finding is about.
fn object_of(finding: &Finding, locate: &dyn Locate) -> Option<ObjectKey> {
    let label = &finding.primary;
    let told = label.subject.as_deref().cloned();
    told.or_else(|| locate.locate(label.span).map(|located| located.key))
}

/// Tells of findings that are not shown, in the order of the sources.
pub fn suppressed(
    hidden: Vec<SuppressedFinding>,
    locate: &dyn Locate,
    sources: &Sources,
) -> Vec<Suppressed> {
    let tell = |SuppressedFinding { finding, by, reason }: SuppressedFinding| {
        let place = place_of(&finding, locate, sources);
        Suppressed { code: finding.code, name: finding.name, place, by, reason }
    };
    let mut told: Vec<Suppressed> = hidden.into_iter().map(tell).collect();
    told.sort_by(|left, right| {
        let key = |told: &Suppressed| (told.place.span, told.code, told.by);
        key(left).cmp(&key(right))
    });
    told
}
