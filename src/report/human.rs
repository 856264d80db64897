//! The report for people: the one place that names miette.
//!
//! The first screen is the answer: who is not well and why. Then the causes, one by one, with the places that show
//! them and what to do; then what is missing. Width, colour and how much is told are decided by the caller.

mod ascii;
mod asks;
mod boxes;
mod bundle;
mod colors;
mod diagram;
mod fault;
mod finding;
mod first_screen;
mod fix_diff;
mod manifests;
mod nothing_wrong;
mod reasons;
mod source_code;
mod steps;

pub use ascii::to_ascii;
pub use fault::render_fault;

use super::paths::Paths;
use super::prose::wrap;
use crate::engine::{Report, Subject};
use crate::source::Sources;

/// Width, colours and extent of a report for people.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Columns.
    pub width: usize,
    /// Whether to colour.
    pub color: Color,
    /// Whether what is missing is listed in full.
    pub asks: Asks,
    /// How much is told.
    pub detail: Detail,
    /// Whether how the bundle was read is told, too.
    pub verbose: bool,
    /// Whether only ASCII characters are drawn.
    pub ascii: bool,
    /// Whether codes are linked to their pages; only for a terminal that understands that.
    pub links: bool,
    /// For which shell commands are written; `None` for the one that the bundle shows, else a POSIX shell.
    pub shell: Option<Shell>,
}

impl Look {
    /// Returns the look of plain text of some width, at the length that people want.
    pub const fn plain(width: usize) -> Self {
        let (color, asks, detail) = (Color::None, Asks::Counted, Detail::Brief);
        let (verbose, ascii, links) = (false, false, false);
        Self { width, color, asks, detail, verbose, ascii, links, shell: None }
    }
}

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Escape sequences for a terminal.
    Ansi,
    /// Plain text.
    None,
}

/// How the things that a bundle lacks are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Counted in the last line.
    Counted,
    /// Listed as a script.
    Listed,
}

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What fits on a screen or two.
    Brief,
    /// One cause, by its number from 1.
    Cause(usize),
    /// Every finding in full.
    All,
}

/// A shell that commands are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// bash, zsh and the like.
    Posix,
    /// PowerShell.
    PowerShell,
}

/// Makes a text stand out.
pub(crate) fn bold(look: Look, text: &str) -> String {
    colors::paint(look, colors::Tone::Bold, text)
}

/// Writes a paragraph, wrapped at the width of the look.
pub(crate) fn paragraph(out: &mut String, lead: &str, text: &str, look: Look) {
    wrap(out, lead, &" ".repeat(lead.len()), text, look.width);
}

/// Colours what stands between backticks; without colours the backticks stay.
pub(crate) fn code_spans(text: &str, look: Look) -> String {
    if look.color == Color::None {
        return text.to_owned();
    }
    let mut inside = false;
    let pieces = text.split('`').map(|piece| {
        let shown =
            if inside { colors::paint(look, colors::Tone::Note, piece) } else { piece.to_owned() };
        inside = !inside;
        shown
    });
    pieces.collect()
}

/// Colours the mark of a cause.
pub(super) fn paint_cause(look: Look, text: &str) -> String {
    colors::paint(look, colors::Tone::Error, text)
}

/// Colours what ended well.
pub(super) fn paint_good(look: Look, text: &str) -> String {
    colors::paint(look, colors::Tone::Good, text)
}

/// Colours what stands back.
pub(super) fn paint_dim(look: Look, text: &str) -> String {
    colors::paint(look, colors::Tone::Dim, text)
}

/// Renders a report for people.
pub fn render(report: &Report, sources: &Sources, look: Look) -> String {
    let paths = match report.subject {
        Subject::Bundle => Paths::of(report, sources),
        Subject::Manifests => Paths::as_given(),
    };
    let page = Page { report, sources, look, paths };
    let text = match report.subject {
        Subject::Bundle => bundle::render(&page),
        Subject::Manifests => manifests::render(&page),
    };
    if look.ascii { to_ascii(&text) } else { text }
}

/// Up to so many causes are told at once; of more only the first.
const TOLD_AT_ONCE: usize = 3;

/// What all parts of a report are drawn from.
struct Page<'r> {
    report: &'r Report,
    sources: &'r Sources,
    look: Look,
    paths: Paths,
}

impl Page<'_> {
    /// Returns the numbers of the causes that are drawn in full.
    fn drawn(&self) -> Vec<usize> {
        let all = self.report.verdict.causes.len();
        match self.look.detail {
            Detail::All => (1..=all).collect(),
            Detail::Cause(number) => (1..=all).filter(|at| *at == number).collect(),
            Detail::Brief if all <= TOLD_AT_ONCE => (1..=all).collect(),
            Detail::Brief => vec![1],
        }
    }

    fn is_all(&self) -> bool {
        self.look.detail == Detail::All
    }
}
