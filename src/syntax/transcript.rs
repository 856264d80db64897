//! Transcripts: terminal output, tickets, mails and Markdown, split into parts that parsers can read.
//!
//! Owns everything between a file that is not of one syntax and the sections in it: fences, quotes,
//! prompts and what their commands say, cuts, standard error. Reading a section is for the parsers.
//! Invariant: spans of a section lead back to the file as it was sent.

mod clean;
mod cluster;
mod command;
mod continues;
mod field_name;
mod gutter;
mod json_depth;
mod lines;
pub(crate) mod logline;
mod lost_colons;
mod prompt;
pub(super) mod rejection;
mod repair_log;
mod scan;
mod section;
pub(crate) mod shape;
mod starts;
mod stderr;

use super::{Absence, Context, Problem, Rejection};
use crate::syntax::text_view::TextView;

pub(crate) use clean::clean;
pub(crate) use command::{CommandLine, Filter};
pub(crate) use json_depth::begins_json;
pub(crate) use lines::PasteLine;
pub(crate) use lost_colons::restore_colons;
pub(crate) use repair_log::mend_log;
pub(crate) use section::{Section, SectionSyntax};
use stderr::is_stderr;

/// What a transcript holds.
#[derive(Debug, Default)]
pub(crate) struct Transcript<'s> {
    /// The parts that a parser can read, in file order.
    pub(crate) sections: Vec<Section<'s>>,
    /// What kubectl said is not there.
    pub(crate) absences: Vec<Absence>,
    /// What was asked for and not done.
    pub(crate) rejections: Vec<Rejection>,
    /// What could not be read at all.
    pub(crate) problems: Vec<Problem>,
    /// Every line outside of fences and quote marks, section or not.
    pub(crate) lines: Vec<PasteLine>,
}

/// Splits the clean text of a source into sections; `path` is what the name of the file says.
pub(crate) fn split<'s>(base: &TextView<'s>, path: &Context) -> Transcript<'s> {
    let lines = lines::split_lines(base.text());
    let mut transcript = scan::scan(base, &lines, path);
    transcript.lines = lines;
    transcript
}

/// Returns what the command of a line says, if the line is a prompt with one or a bare command.
pub(crate) fn command_of(line: &str) -> Option<CommandLine> {
    prompt::command(line).map(command::parse_command)
}

/// Says whether a line can only stand in a transcript: a fence, a prompt, a cut, standard error.
pub(crate) fn is_foreign(line: &str) -> bool {
    shape::fence(line).is_some()
        || prompt::command(line).is_some()
        || (line.starts_with("==") && shape::is_title(line))
        || is_stderr(line)
        || rejection::is_invalid(line)
        || logline::is_kubectl_noise(line)
}

#[cfg(test)]
mod tests;
