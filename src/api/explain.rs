//! `explain`: what the catalogue and the rules know.

use crate::finding::Severity;
use crate::report::explain::page;
use crate::report::human::Look;
use crate::rule::Rule;
use crate::rules::ALL;

/// Explains a rule by its code or name, a reason, a condition type, a field, or a message of a controller.
///
/// ```
/// use fleetlens::{Look, explain};
///
/// let page = explain("UpdateRunStuck", Look::plain(80)).expect("a reason of update runs");
/// assert!(page.starts_with("UpdateRunStuck (reason of a condition)"));
/// assert_eq!(explain("no such thing", Look::plain(80)), None);
/// ```
pub fn explain(about: &str, look: Look) -> Option<String> {
    page(about, look)
}

/// A rule, as its page begins.
#[derive(Clone, Copy, Debug)]
pub struct RuleSummary {
    /// Its number, which never changes its meaning.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How bad what it finds is, as a rule.
    pub severity: Severity,
    /// What it finds, in a line.
    pub summary: &'static str,
}

/// Returns all rules, in the order of their codes; [`explain`] has the page of each.
///
/// ```
/// let about_gates = fleetlens::rules().into_iter().filter(|rule| rule.code.starts_with("FL05"));
/// assert!(about_gates.count() > 1);
/// ```
pub fn rules() -> Vec<RuleSummary> {
    let summary = |rule: &&'static Rule| RuleSummary {
        code: rule.code,
        name: rule.name,
        severity: rule.severity,
        summary: rule.summary(),
    };
    let mut all: Vec<RuleSummary> = ALL.iter().map(summary).collect();
    all.sort_by_key(|rule| rule.code);
    all
}
