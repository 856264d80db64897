//! [`Format`]: the ways in which a report is written.

use super::human::Look;
use super::{
    azure, concise, github, gitlab, html, human, json, junit, markdown, ndjson, reply, sarif,
};
use crate::engine::Report;
use crate::source::Sources;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// With snippets, for people.
    Human,
    /// One line per finding.
    Concise,
    /// The versioned JSON report.
    Json,
    /// The same on one line, with the name of the input: one line per bundle with `analyze --each`.
    Ndjson,
    /// Annotations for GitHub Actions.
    Github,
    /// Markdown for the engineer who has the ticket.
    Markdown,
    /// Markdown for the customer: what was found, what to do, what happens then.
    Reply,
    /// One HTML file that loads nothing.
    Html,
    /// SARIF 2.1.0, for code scanning services and editors.
    Sarif,
    /// JUnit XML, for test reports.
    Junit,
    /// Code quality of GitLab.
    Gitlab,
    /// Log commands of Azure Pipelines.
    Azure,
}

impl Format {
    /// Writes a report; the look matters only to text for people.
    pub fn render(self, report: &Report, sources: &Sources, look: Look) -> String {
        match self {
            Self::Human => human::render(report, sources, look),
            Self::Concise => concise::render(report),
            Self::Json => json::render(report, sources),
            Self::Ndjson => ndjson::render(report, sources),
            Self::Github => github::render(report),
            Self::Markdown => markdown::render(report, sources),
            Self::Reply => reply::render(report),
            Self::Html => html::render(report, sources),
            Self::Sarif => sarif::render(report, sources),
            Self::Junit => junit::render(report),
            Self::Gitlab => gitlab::render(report),
            Self::Azure => azure::render(report),
        }
    }
}
