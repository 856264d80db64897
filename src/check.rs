//! `check`: manifests in, report out.
//!
//! Owns what manifests add to the one pipeline of judging: suppressions in files, entries of a configuration, the
//! baseline, and fixes. Everything it needs is in memory; files are read by the command line.

mod baseline;
mod fix;
mod list_first;
mod stale_entries;
mod suppress;

use std::collections::BTreeMap;

pub use baseline::Baseline;
pub use stale_entries::CheckExtent;

use crate::config::Policy;
use crate::engine::Verdict;
use crate::engine::{
    Coverage, Judged, PipelineSteps, Report, Request, Subject, SuppressedFinding, apply_policy,
    judge_world, sanitized, sort_findings,
};
use crate::finding::Finding;
use crate::manifest::Repository;
use crate::rule::World;
use crate::source::{Sources, Span};
pub use fix::{FixOutcome, apply_fixes};
use list_first::list_first;
use stale_entries::entry_troubles;
use suppress::suppress;

/// What the user wants of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckSettings {
    /// Rules to run, by code, code prefix or name; empty means all.
    pub select: Vec<String>,
    /// Rules whose findings are dropped and counted.
    pub ignore: Vec<String>,
    /// Levels of rules and what is ignored.
    pub policy: Policy,
    /// Findings that are known.
    pub baseline: Option<Baseline>,
    /// How much of what there is was judged.
    pub extent: CheckExtent,
}

/// Judges the manifests of a repository.
pub fn check(repository: &Repository, sources: &Sources, settings: &CheckSettings) -> Report {
    let world = World::of_manifests(repository);
    let CheckSettings { select, ignore, policy, .. } = settings;
    let request = Request { select, ignore, policy, runs_all: true };
    let steps = ManifestSteps { repository, sources, settings };
    let Judged { mut findings, suppressed, judged, unable, .. } =
        judge_world(&world, repository, sources, &request, &steps);
    // Who mends files goes through them one by one.
    findings.sort_by_key(|one| (one.primary.span, one.finding.code));
    let report = Report {
        subject: Subject::Manifests,
        coverage: coverage(repository),
        verdict: Verdict::of_manifests(&findings),
        findings,
        suppressed,
        judged: judged + unable.len(),
        ..Report::default()
    };
    sanitized(report, sources)
}

/// What manifests add to the steps of a judgement: suppressions beside what they suppress, and a baseline.
struct ManifestSteps<'r> {
    repository: &'r Repository,
    sources: &'r Sources,
    settings: &'r CheckSettings,
}

impl PipelineSteps for ManifestSteps<'_> {
    fn suppress(&self, mut found: Vec<Finding>) -> (Vec<Finding>, Vec<SuppressedFinding>) {
        count_untold(&mut found, self.repository);
        let (mut kept, hidden) = suppress(found, self.repository, self.sources);
        list_first(&mut kept, self.repository);
        (kept, hidden)
    }

    fn take_known(
        &self,
        mut kept: Vec<Finding>,
        used: &[bool],
    ) -> (Vec<Finding>, Vec<SuppressedFinding>) {
        let CheckSettings { policy, baseline, extent, .. } = self.settings;
        let troubles = entry_troubles(policy, used, self.repository, *extent);
        kept.extend(apply_policy(troubles, policy, self.repository).kept);
        let Some(baseline) = baseline else { return (kept, Vec::new()) };
        sort_findings(&mut kept);
        baseline.apply(kept, self.repository, self.sources, *extent)
    }
}

/// Says behind the last listed fault of a kind how many more there are.
fn count_untold(findings: &mut [Finding], repository: &Repository) {
    let unlisted: BTreeMap<Span, usize> = repository
        .judged()
        .flat_map(|manifest| &manifest.unlisted)
        .map(|(at, n)| (*at, *n))
        .collect();
    for finding in findings.iter_mut().filter(|_| !unlisted.is_empty()) {
        if let Some(more) = unlisted.get(&finding.primary.span) {
            finding.message +=
                &format!("; {more} more faults of this kind in the object are not listed");
        }
    }
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
