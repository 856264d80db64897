//! [`Report`]: everything that is shown, complete and sorted before any renderer sees it.

use super::verdict::Health;
use super::{
    ClusterTakeover, Diagram, LogReading, Provenance, ReportHistory, ResolvedFinding, RestOfHub,
    RunLine, Suppressed, Verdict,
};
use crate::config::Pages;
use crate::finding::{Safety, Severity};
use crate::graph::Clock;
use crate::rule::Ask;

/// What was opened and how much of it was understood.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// What the user named.
    pub inputs: Vec<String>,
    /// Files read.
    pub files: usize,
    /// Files that were to be checked and could not be read.
    pub unread_files: usize,
    /// Files skipped because they are binary.
    pub binary: usize,
    /// Objects that were read in full, by kind.
    pub objects: Vec<(String, usize)>,
    /// Objects of kinds that no rule reads.
    pub skipped_objects: usize,
    /// Documents and rows whose kind nothing tells.
    pub unknown_documents: usize,
    /// Lines of texts that belong to nothing that was recognised.
    pub unread_lines: usize,
    /// Whether anything of KubeFleet was found.
    pub holds_kubefleet: bool,
    /// Logs read.
    pub logs: usize,
    /// Log lines read.
    pub log_lines: u64,
    /// Whether it shows a command that was typed into PowerShell.
    pub powershell: bool,
    /// Files whose offsets count in decoded text (UTF-16).
    pub decoded: Vec<String>,
    /// What the wording says about the controllers' version.
    pub version: Option<String>,
}

/// A rule that could not be judged.
#[derive(Clone, Debug)]
pub struct NotEvaluated {
    /// The rule's number.
    pub code: &'static str,
    /// The rule's name.
    pub name: &'static str,
    /// What the bundle lacks.
    pub lacks: String,
}

/// What a report is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// A captured fleet.
    #[default]
    Bundle,
    /// Manifests, which were captured at no time.
    Manifests,
}

/// Everything that a report shows.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Whether a bundle or manifests were judged.
    pub subject: Subject,
    /// Counts of what was opened, read and left out.
    pub coverage: Coverage,
    /// What was read of each log.
    pub logs: Vec<LogReading>,
    /// When the bundle was captured.
    pub clock: Clock,
    /// One line per run.
    pub runs: Vec<RunLine>,
    /// What it says first, by which its findings are grouped.
    pub verdict: Verdict,
    /// What to draw of its first cause.
    pub diagram: Option<Diagram>,
    /// What led to the verdict, where a format tells it.
    pub history: Option<ReportHistory>,
    /// Of what it was made; the command line knows.
    pub provenance: Option<Provenance>,
    /// The rest of the hub, where the bundle is about a part of it.
    pub rest_of_hub: RestOfHub,
    /// Who took which cluster from whom, where runs met.
    pub takeovers: Vec<ClusterTakeover>,
    /// What was found, causes first.
    pub findings: Vec<ResolvedFinding>,
    /// What was found and is not shown, because the user does not want to see it.
    pub suppressed: Vec<Suppressed>,
    /// How many rules were judged.
    pub judged: usize,
    /// What could not be judged.
    pub not_evaluated: Vec<NotEvaluated>,
    /// Read-only commands that would settle what is open.
    pub asks: Vec<Ask>,
    /// What was repaired (`check --fix`).
    pub fixed: Vec<FixedFinding>,
    /// Where the pages of rules stand; the command line knows.
    pub pages: Pages,
}

/// A finding that was repaired.
#[derive(Clone, Debug)]
pub struct FixedFinding {
    /// The rule's number.
    pub code: &'static str,
    /// The rule's name.
    pub name: &'static str,
    /// The file.
    pub path: String,
    /// The line in which it stood.
    pub line: u32,
    /// The message of the finding.
    pub message: String,
}

impl Report {
    /// Says how things are, as far as what was sent tells.
    pub fn health(&self) -> Health {
        let (verdict, basis) = (&self.verdict, &self.verdict.basis);
        let told = self.coverage.holds_kubefleet && basis.size() > 0;
        let judged = basis.runs + basis.placements + basis.members > 0
            || !(verdict.planned.is_empty() && verdict.succeeded.is_empty());
        match verdict.health() {
            health if self.subject == Subject::Manifests => health,
            Health::Well | Health::Rows | Health::Untold if !told => Health::Nothing,
            // A request or a binding alone does not tell how its run is.
            Health::Well if !judged => Health::Untold,
            health => health,
        }
    }

    /// Counts the findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|resolved| resolved.finding.severity == severity).count()
    }

    /// Counts the findings that could be repaired with a safety.
    pub fn fixable(&self, safety: Safety) -> usize {
        let offered =
            |one: &&ResolvedFinding| one.remedy.as_ref().is_some_and(|r| r.safety == safety);
        self.findings.iter().filter(offered).count()
    }

    /// Says whether some finding is at or above a severity.
    pub fn reaches(&self, severity: Severity) -> bool {
        self.findings.iter().any(|resolved| resolved.finding.severity >= severity)
    }
}
