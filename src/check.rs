//! `check`: manifests in, report out.
//!
//! Owns the way from a [`Repository`] to a [`Report`]: which rules run, and in which order their
//! findings stand. Everything it needs is in memory; files are read by the command line.

mod baseline;
mod entries;
mod fix;
mod suppress;

use std::collections::BTreeMap;

pub use baseline::Baseline;
pub use entries::Extent;

use crate::config::Policy;
use crate::engine::Verdict;
use crate::engine::{
    By, Coverage, Hidden, Report, Subject, Tailored, resolve, run_rules, sealed, sort_findings,
    suppressed, tailor,
};
use crate::finding::Finding;
use crate::manifest::{Manifest, Repository};
use crate::rule::{Rule, Scope, World};
use crate::rules::{self, find_rule};
use crate::source::{Sources, Span};
use entries::entry_troubles;
pub use fix::{Mended, mend};
use suppress::suppress;

/// What the user wants of a check.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Rules to run, by code, code prefix or name; empty means all.
    pub select: Vec<String>,
    /// Rules whose findings are dropped and counted.
    pub ignore: Vec<String>,
    /// Levels of rules and what is ignored.
    pub policy: Policy,
    /// Findings that are known.
    pub baseline: Option<Baseline>,
    /// How much of what there is was judged.
    pub extent: Extent,
}

/// Judges the manifests of a repository.
pub fn check(repository: &Repository, sources: &Sources, wishes: &Wishes) -> Report {
    let rules = rules::ALL.iter().filter(|rule| rule.scope() == Scope::Manifest);
    // All rules run, whatever is chosen: only then is it known which suppressions are not needed.
    let all: Vec<&'static Rule> = rules.copied().collect();
    let able: Vec<_> = all.iter().copied().filter(|rule| has_subject(rule, repository)).collect();
    let world = World::of_manifests(repository);
    let outcomes = run_rules(&able, &world).into_iter();
    let mut found: Vec<Finding> =
        outcomes.flat_map(|outcome| outcome.into_findings(sources)).collect();
    count_untold(&mut found, repository);
    let (kept, mut hidden) = suppress(found, repository, sources);
    let Tailored { mut kept, hidden: tailored, used } = tailor(kept, &wishes.policy, repository);
    hidden.extend(tailored);
    let troubles = entry_troubles(&wishes.policy, &used, repository, wishes.extent);
    kept.extend(tailor(troubles, &wishes.policy, repository).kept);
    if let Some(baseline) = &wishes.baseline {
        sort_findings(&mut kept);
        let known;
        (kept, known) = baseline.apply(kept, repository, sources, wishes.extent);
        hidden.extend(known);
    }
    let is = |finding: &Finding, names: &[String]| {
        find_rule(finding.code).is_some_and(|rule| rule.is_named(names))
    };
    kept.retain(|finding| wishes.select.is_empty() || is(finding, &wishes.select));
    let (ignored, findings): (Vec<_>, Vec<_>) =
        kept.into_iter().partition(|finding| is(finding, &wishes.ignore));
    let by_argument = |finding| Hidden { finding, by: By::Argument, reason: String::new() };
    hidden.extend(ignored.into_iter().map(by_argument));
    let mut findings = resolve(findings, repository, sources);
    // Who mends files goes through them one by one.
    findings.sort_by_key(|one| (one.primary.span, one.finding.code));
    let report = Report {
        subject: Subject::Manifests,
        coverage: coverage(repository),
        verdict: Verdict::of_manifests(&findings),
        findings,
        suppressed: suppressed(hidden, repository, sources),
        judged: all
            .iter()
            .filter(|rule| wishes.select.is_empty() || rule.is_named(&wishes.select))
            .count(),
        ..Report::default()
    };
    sealed(report, sources)
}

/// Says behind the last listed fault of a kind how many more there are.
fn count_untold(findings: &mut [Finding], repository: &Repository) {
    let untold: BTreeMap<Span, usize> = repository
        .judged()
        .flat_map(|manifest| &manifest.untold)
        .map(|(at, n)| (*at, *n))
        .collect();
    for finding in findings.iter_mut().filter(|_| !untold.is_empty()) {
        if let Some(more) = untold.get(&finding.primary.span) {
            finding.message +=
                &format!("; {more} more faults of this kind in the object are not listed");
        }
    }
}

/// Says whether there is anything for the rule to find: without it, not even its code is loaded.
fn has_subject(rule: &Rule, repository: &Repository) -> bool {
    let reads =
        |manifest: &Manifest| manifest.family().is_some_and(|family| rule.reads.contains(&family));
    rule.reads.is_empty() || repository.manifests.iter().any(reads)
}

fn coverage(repository: &Repository) -> Coverage {
    let mut objects = BTreeMap::new();
    for manifest in repository.judged() {
        *objects.entry(manifest.key.kind.to_string()).or_default() += 1;
    }
    Coverage {
        files: repository.files,
        objects: objects.into_iter().collect(),
        skipped_objects: repository.skipped,
        ..Coverage::default()
    }
}
