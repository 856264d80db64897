//! Where reports go, in which format, how wide and in what colour.

use std::borrow::Cow;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::atomic_write::{keep_apart, write_file};
use super::outcome::OutcomeArgs;
use crate::engine::Report;
use crate::error::{Error, Fault};
use crate::report::Format;
use crate::report::human::{self, Asks, Color, Detail, Look, Shell};
use crate::source::Sources;

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

/// How text for people looks: arguments that every command takes.
#[derive(Debug, Args)]
pub(super) struct StyleArgs {
    /// When to colour the output.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    color: ColorChoice,
    /// Width in columns. Default: the width of the terminal, otherwise 100.
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,
    /// Draw with ASCII characters only.
    #[arg(long)]
    ascii: bool,
}

impl StyleArgs {
    /// Returns the look of a text that goes somewhere.
    pub(super) fn look(&self, output: Output) -> Look {
        let (width, color) = (columns(self.width), color(self.color, output));
        let links = color == Color::Ansi && understands_links(output);
        Look { color, links, ascii: self.ascii, ..Look::plain(width) }
    }

    /// Prints a text for people on standard output.
    pub(super) fn publish(&self, text: &str, sources: &Sources) -> Result<(), Error> {
        self.print(&finished(text, sources)?)
    }

    /// Prints a text of ours, which holds nothing of an input.
    pub(super) fn print(&self, text: &str) -> Result<(), Error> {
        print(&if self.ascii { human::to_ascii(text) } else { text.to_owned() })
    }
}

/// Arguments that every reporting command takes.
#[derive(Debug, Args)]
pub struct OutputArgs {
    #[arg(
        short = 'o',
        long,
        value_name = "FORMAT[=FILE]",
        default_value = "human",
        value_parser = parse_target,
        help = formats_help(),
    )]
    format: Vec<Target>,
    #[command(flatten)]
    style: StyleArgs,
    /// List what the bundle lacks, as a read-only script.
    #[arg(long)]
    asks: bool,
    /// Show everything: all causes, places and symptoms.
    #[arg(long)]
    all: bool,
    /// Show only this cause, by its number in the report.
    #[arg(long, value_name = "N", conflicts_with = "all")]
    cause: Option<usize>,
    /// The shell that commands are written for. Default: the one whose prompts the bundle shows, otherwise bash.
    #[arg(long, value_enum)]
    shell: Option<ShellChoice>,
    /// Also show how the bundle was read: clock, logs, encodings.
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
    #[command(flatten)]
    pub(super) outcome: OutcomeArgs,
}

/// A shell, as the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ShellChoice {
    /// bash, zsh and other POSIX shells.
    Bash,
    /// PowerShell.
    Powershell,
}

#[derive(Clone, Debug)]
struct Target {
    format: Format,
    file: Option<PathBuf>,
}

/// Lists the formats for the help of a command.
fn formats_help() -> String {
    let names: Vec<String> = format_names().collect();
    format!(
        "Format of the report: {}. FORMAT=FILE writes a file instead; may be given several times",
        names.join(", ")
    )
}

fn format_names() -> impl Iterator<Item = String> {
    let values = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    values.map(|value| value.get_name().to_owned())
}

fn parse_target(text: &str) -> Result<Target, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let format = Format::from_str(name, true).map_err(|_| {
        let names: Vec<String> = format_names().collect();
        format!("no such format; there are {}", names.join(", "))
    })?;
    Ok(Target { format, file })
}

impl OutputArgs {
    /// Refuses to write over what is read, before anything is read.
    pub(super) fn keep_apart(&self, inputs: &[String]) -> Result<(), Error> {
        let outputs: Vec<&Path> =
            self.format.iter().filter_map(|target| target.file.as_deref()).collect();
        keep_apart(&outputs, inputs)
    }

    /// Says whether lines of JSON on standard output are all that is wanted.
    pub(super) fn is_lines(&self) -> bool {
        let lines = |target: &Target| target.format == Format::Ndjson && target.file.is_none();
        self.format.iter().all(lines) && self.format.len() == 1
    }

    /// Prints a line of a report, unless nothing is to be printed.
    pub(super) fn emit(&self, line: &str, sources: &Sources) -> Result<(), Error> {
        if self.outcome.quiet { Ok(()) } else { publish(line, sources) }
    }

    /// Writes a report in every format that was asked for.
    pub(super) fn write(&self, report: &Report, sources: &Sources) -> Result<(), Error> {
        let on_screen = self.format.iter().filter(|target| target.file.is_none()).count();
        if on_screen > 1 {
            return Err(Error::Usage(
                "two formats go to standard output; give one of them a file: --format json=report.json"
                    .to_owned(),
            ));
        }
        let causes = report.verdict.causes.len();
        if let Some(number) = self.cause.filter(|number| *number == 0 || *number > causes) {
            let there = match causes {
                0 => "this report has no cause".to_owned(),
                1 => "there is only cause 1".to_owned(),
                some => format!("there are causes 1 to {some}"),
            };
            return Err(Error::Usage(format!("there is no cause {number}; {there}")));
        }
        for target in &self.format {
            if target.file.is_none() && self.outcome.quiet {
                continue;
            }
            let text = target.format.render(report, sources, self.look(target));
            match &target.file {
                Some(path) => write_file(path, finished(&text, sources)?.as_bytes())?,
                None => publish(&text, sources)?,
            }
        }
        Ok(())
    }

    /// Says whether some format is read by a program, which expects a report in any case.
    pub(super) fn is_for_programs(&self) -> bool {
        self.format.iter().any(|target| target.format != Format::Human)
    }

    /// Says whether some format tells what led to the verdict.
    pub(super) fn shows_history(&self) -> bool {
        let tells = [Format::Markdown, Format::Html];
        self.format.iter().any(|target| tells.contains(&target.format))
    }

    /// Says whether some format tells of which input the report was made.
    pub(super) fn names_inputs(&self) -> bool {
        let tells = [
            Format::Json,
            Format::Ndjson,
            Format::Reply,
            Format::Markdown,
            Format::Html,
            Format::Sarif,
            Format::Junit,
        ];
        self.format.iter().any(|target| tells.contains(&target.format))
    }

    fn look(&self, target: &Target) -> Look {
        let output = if target.file.is_none() { Output::Standard } else { Output::File };
        let detail = match self.cause {
            Some(number) => Detail::Cause(number),
            None if self.all => Detail::All,
            None => Detail::Brief,
        };
        let shell = self.shell.map(|shell| match shell {
            ShellChoice::Bash => Shell::Posix,
            ShellChoice::Powershell => Shell::PowerShell,
        });
        let asks = if self.asks { Asks::Listed } else { Asks::Counted };
        Look { asks, detail, shell, verbose: self.verbose, ..self.style.look(output) }
    }
}

/// The stream that a text is written to.
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
        ColorChoice::Auto if terminal && !is_set("NO_COLOR") && !is_dumb() => Color::Ansi,
        ColorChoice::Auto => Color::None,
    }
}

/// Says whether a text goes to a terminal that understands links.
fn understands_links(output: Output) -> bool {
    let terminal = output == Output::Standard && std::io::stdout().is_terminal();
    terminal && !is_dumb() && supports_hyperlinks::supports_hyperlinks()
}

/// Returns how many columns to fill: as asked, else those of the terminal, else 100.
pub(super) fn columns(asked: Option<usize>) -> usize {
    let told = || variable("COLUMNS").and_then(|text| text.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    asked.or_else(told).or_else(terminal).unwrap_or(100).max(40)
}

/// Draws what is wrong with a file that steers the tool, for standard error.
pub(super) fn faults(path: &Path, faults: &[Fault], sources: &Sources) -> String {
    let ansi = std::io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb();
    let color = if ansi { Color::Ansi } else { Color::None };
    let look = Look { color, ..Look::plain(columns(None)) };
    let head = format!("fleetlens: {} cannot be used\n", path.display());
    faults.iter().fold(head, |text, fault| text + &human::render_fault(fault, sources, look))
}

/// Prints a finished report on standard output; whatever else made it, no value of a Secret leaves.
pub(super) fn publish(text: &str, sources: &Sources) -> Result<(), Error> {
    print(&finished(text, sources)?)
}

/// Makes the last change to a report; one in which a name is left that was to be replaced does not leave.
fn finished<'t>(text: &'t str, sources: &Sources) -> Result<Cow<'t, str>, Error> {
    let leak = |line| {
        Error::Usage(format!("a name is still in line {line} of the report: nothing was written"))
    };
    sources.finish(text).map_err(leak)
}

/// Prints text on standard output.
pub(super) fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| Error::Write { path: "standard output".into(), source })
}

#[expect(clippy::disallowed_methods, reason = "the command line is where the environment is read")]
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Says whether the terminal understands no escape sequences.
pub(super) fn is_dumb() -> bool {
    variable("TERM").is_some_and(|term| term == "dumb")
}

fn is_set(name: &str) -> bool {
    variable(name).is_some()
}
