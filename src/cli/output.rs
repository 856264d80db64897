//! Where reports go, in which format, how wide and in what colour.

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::engine::Report;
use crate::error::{Error, Fault};
use crate::report::human::{Asks, Color, Look};
use crate::report::{
    azure, concise, github, gitlab, html, human, json, junit, markdown, reply, sarif,
};
use crate::source::Sources;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// With snippets, for people.
    Human,
    /// One line per finding.
    Concise,
    /// The versioned JSON report.
    Json,
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

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Arguments that every reporting command takes.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Format of the report, `FORMAT` or `FORMAT=FILE`; may be given several times.
    #[arg(long, value_name = "FORMAT[=FILE]", default_value = "human", value_parser = parse_target)]
    format: Vec<Target>,
    /// When to colour.
    #[arg(long, value_enum, default_value = "auto")]
    color: ColorChoice,
    /// Columns to fill; without it those of the terminal, else 100.
    #[arg(long)]
    width: Option<usize>,
    /// List what the bundle lacks, with the commands that would tell.
    #[arg(long)]
    asks: bool,
}

#[derive(Clone, Debug)]
struct Target {
    format: Format,
    file: Option<PathBuf>,
}

fn parse_target(text: &str) -> Result<Target, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let format = Format::from_str(name, true).map_err(|_| {
        let names = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<_> = names.map(|value| value.get_name().to_owned()).collect();
        format!("no such format; there are {}", names.join(", "))
    })?;
    Ok(Target { format, file })
}

impl OutputArgs {
    /// Writes a report in every format that was asked for.
    pub(super) fn write(&self, report: &Report, sources: &Sources) -> Result<(), Error> {
        for target in &self.format {
            let text = match target.format {
                Format::Human => human::render(report, sources, self.look(target)),
                Format::Concise => concise::render(report),
                Format::Json => json::render(report, sources),
                Format::Github => github::render(report),
                Format::Markdown => markdown::render(report, sources),
                Format::Reply => reply::render(report),
                Format::Html => html::render(report, sources),
                Format::Sarif => sarif::render(report, sources),
                Format::Junit => junit::render(report),
                Format::Gitlab => gitlab::render(report),
                Format::Azure => azure::render(report),
            };
            match &target.file {
                Some(path) => write_file(path, &text)?,
                None => print(&text)?,
            }
        }
        Ok(())
    }

    /// Says whether some format tells of which input the report was made.
    pub(super) fn names_inputs(&self) -> bool {
        let tells = [Format::Json, Format::Markdown, Format::Html];
        self.format.iter().any(|target| tells.contains(&target.format))
    }

    fn look(&self, target: &Target) -> Look {
        let output = if target.file.is_none() { Output::Standard } else { Output::File };
        let color = color(self.color, output);
        let width = columns(self.width);
        Look { width, color, asks: if self.asks { Asks::Listed } else { Asks::Counted } }
    }
}

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Standard output, which may be a terminal.
    Standard,
    /// A file.
    File,
}

/// Returns whether to colour: as asked, else on a terminal unless NO_COLOR is set.
pub(super) fn color(asked: ColorChoice, output: Output) -> Color {
    let terminal = output == Output::Standard && std::io::stdout().is_terminal();
    match asked {
        ColorChoice::Always => Color::Ansi,
        ColorChoice::Never => Color::None,
        ColorChoice::Auto if terminal && !is_set("NO_COLOR") => Color::Ansi,
        ColorChoice::Auto => Color::None,
    }
}

/// Returns how many columns to fill: as asked, else those of the terminal, else 100.
pub(super) fn columns(asked: Option<usize>) -> usize {
    let told = || variable("COLUMNS").and_then(|text| text.parse().ok());
    asked.or_else(told).unwrap_or(100).max(40)
}

/// Draws what is wrong with a file that steers the tool, for standard error.
pub(super) fn faults(path: &std::path::Path, faults: &[Fault], sources: &Sources) -> String {
    let ansi = std::io::stderr().is_terminal() && !is_set("NO_COLOR");
    let color = if ansi { Color::Ansi } else { Color::None };
    let look = Look { width: columns(None), color, asks: Asks::Counted };
    let head = format!("fleetlens: {} cannot be used\n", path.display());
    faults.iter().fold(head, |text, fault| text + &human::render_fault(fault, sources, look))
}

/// Prints text on standard output.
pub(super) fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| Error::Write { path: "standard output".into(), source })
}

/// Writes a file.
#[expect(clippy::disallowed_methods, reason = "the command line is where files are written")]
pub(super) fn write_file(path: &std::path::Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}

#[expect(clippy::disallowed_methods, reason = "the command line is where the environment is read")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn is_set(name: &str) -> bool {
    variable(name).is_some()
}
