//! `check`: manifests in, report out.
//!
//! Owns the way from a [`Repository`] to a [`Report`]: which rules run, and in which order their
//! findings stand. Everything it needs is in memory; files are read by the command line.

mod fix;
mod suppress;

use crate::engine::{Coverage, Report, Subject, broken_rule, guarded, resolve};
use crate::finding::Finding;
use crate::manifest::{Manifest, Repository};
use crate::rule::{Judge, ManifestCx, Rule, Scope};
use crate::rules::{self, find_rule};
use crate::source::Sources;
pub use fix::{Mended, mend};
use suppress::{Outcome, suppress};

/// What the user wants of a check.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Rules to run, by code, code prefix or name; empty means all.
    pub select: Vec<String>,
    /// Rules whose findings are dropped and counted.
    pub ignore: Vec<String>,
}

/// Judges the manifests of a repository.
pub fn check(repository: &Repository, sources: &Sources, wishes: &Wishes) -> Report {
    let rules = rules::ALL.iter().filter(|rule| rule.scope == Scope::Manifest);
    // All rules run, whatever is chosen: only then is it known which suppressions are not needed.
    let all: Vec<&Rule> = rules.copied().collect();
    let able = all.iter().filter(|rule| has_subject(rule, repository));
    let found = able.flat_map(|rule| run_rule(rule, repository, sources)).collect();
    let Outcome { kept, mut suppressed } = suppress(found, repository, sources);
    let is = |finding: &Finding, names: &[String]| {
        find_rule(finding.code).is_some_and(|rule| rule.is_named(names))
    };
    let chosen = |finding: &Finding| wishes.select.is_empty() || is(finding, &wishes.select);
    let (ignored, findings): (Vec<_>, Vec<_>) = kept
        .into_iter()
        .filter(|finding| chosen(finding))
        .partition(|finding| is(finding, &wishes.ignore));
    suppressed += ignored.len();
    Report {
        subject: Subject::Manifests,
        coverage: coverage(repository, sources),
        findings: resolve(findings, repository, sources),
        suppressed,
        judged: all
            .iter()
            .filter(|rule| wishes.select.is_empty() || rule.is_named(&wishes.select))
            .count(),
        ..Report::default()
    }
}

/// Says whether there is anything for the rule to find: without it, not even its code is loaded.
fn has_subject(rule: &Rule, repository: &Repository) -> bool {
    let reads =
        |manifest: &Manifest| manifest.family().is_some_and(|family| rule.reads.contains(&family));
    rule.reads.is_empty() || repository.manifests.iter().any(reads)
}

fn run_rule(rule: &Rule, repository: &Repository, sources: &Sources) -> Vec<Finding> {
    let Judge::Manifest(judge) = rule.judge else { return Vec::new() };
    let judged = guarded(|| {
        let mut cx = ManifestCx::new(repository);
        judge(&mut cx);
        cx.finish()
    });
    judged.unwrap_or_else(|panic| broken_rule(rule, &panic, sources).into_iter().collect())
}

fn coverage(repository: &Repository, sources: &Sources) -> Coverage {
    let mut objects = std::collections::BTreeMap::new();
    for manifest in repository.judged() {
        *objects.entry(manifest.key.kind.to_string()).or_default() += 1;
    }
    Coverage {
        files: sources.iter().count(),
        objects: objects.into_iter().collect(),
        skipped_objects: repository.skipped,
        ..Coverage::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Encoding, Origin};

    #[test]
    fn a_rule_that_panics_is_reported() {
        let mut sources = Sources::default();
        sources.add("a.yaml", Origin::default(), Encoding::Utf8, "kind: Namespace\n");
        let rule = rules::ALL.iter().find(|rule| rule.scope == Scope::Manifest).expect("a rule");
        let broken = Rule { judge: Judge::Manifest(|_| panic!("on purpose")), ..**rule };
        let found = run_rule(&broken, &Repository::default(), &sources);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code, "FL0009");
        assert!(found[0].message.contains("on purpose"), "{}", found[0].message);
    }
}
