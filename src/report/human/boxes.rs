//! The places of a finding, drawn by miette: one box per file, the primary place first.
//!
//! miette draws the lines of a box as if they were neighbours; their true numbers, the gaps between them and the
//! colours are put in afterwards, and a label that would run over the edge is moved to the left of its mark.

use std::fmt::{self, Write as _};
use std::ops::RangeInclusive;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use super::colors::{Tone, paint};
use super::source_code::Excerpt;
use super::{Look, Page};
use crate::engine::{Place, ResolvedFinding, Subject};
use crate::report::prose::{columns, padded, wrap};
use crate::report::snippet;
use crate::source::{SourceFile, SourceId};

/// More files are left to `--all`.
const MAX_BOXES: usize = 4;
/// More places in one file are left to `--all`.
const MAX_PLACES: usize = 5;

/// Draws the places of a finding; returns how many are left out.
pub(super) fn render(out: &mut String, page: &Page<'_>, resolved: &ResolvedFinding) -> usize {
    let mut files: Vec<(SourceId, Vec<&Place>)> = Vec::new();
    let places = std::iter::once(&resolved.primary).chain(&resolved.related);
    let mut hidden = 0;
    for place in places {
        // What only repeats the words of another place is for those who want everything.
        if !page.is_all() && !std::ptr::eq(place, &resolved.primary) && is_echo(&place.label) {
            hidden += 1;
            continue;
        }
        match files.iter_mut().find(|(id, _)| *id == place.span.source) {
            Some((_, here)) => here.push(place),
            None => files.push((place.span.source, vec![place])),
        }
    }
    let (boxes, each) =
        if page.is_all() { (usize::MAX, usize::MAX) } else { (MAX_BOXES, MAX_PLACES) };
    for (index, (id, here)) in files.iter().enumerate() {
        if index >= boxes {
            hidden += here.len();
            continue;
        }
        hidden += here.len().saturating_sub(each);
        let shown: Vec<&Place> = here.iter().copied().take(each).collect();
        let source = page.sources.get(*id);
        let path = page.paths.fit(source.path(), page.look.width.saturating_sub(20));
        let tone = Tone::from(resolved.finding.severity);
        let start = shown.first().map(|place| place.start);
        let column = match (page.report.subject, start) {
            // An editor opens a manifest at the column.
            (Subject::Manifests, Some(start)) => format!(":{}", start.column),
            _ => String::new(),
        };
        let head = format!("{path}:{}{column}", start.map_or(1, |start| start.line));
        draw(out, source, &head, &shown, (index == 0).then_some(tone), page.look);
    }
    hidden
}

/// Says whether a label adds nothing to the place.
fn is_echo(label: &str) -> bool {
    let beginnings = ["and again, ", "also for ", "also on "];
    label == "repeated here"
        || label.ends_with(" says so")
        || beginnings.iter().any(|beginning| label.starts_with(beginning))
}

/// Draws places of one file under a head line, the first of which has the tone of the finding if this is the primary file.
pub(super) fn draw(
    out: &mut String,
    source: &SourceFile,
    head: &str,
    here: &[&Place],
    tone: Option<Tone>,
    look: Look,
) {
    let digits = here.iter().map(|place| place.end.line.to_string().len()).max().unwrap_or(1);
    let gutter = digits + 6;
    let (excerpt, marks) = Excerpt::new(source, here, look.width.saturating_sub(gutter).max(24));
    let labels = marks.iter().map(|mark| {
        let text = mark.label.map(snippet::clean).filter(|text| !text.is_empty());
        LabeledSpan::new_with_span(text, mark.span)
    });
    let labels = labels.collect();
    let first = here.first().map_or(1..=1, |place| {
        place.start.line as usize..=place.end.line.max(place.start.line) as usize
    });
    let numbers = excerpt.numbers();
    let drawing = Drawing { excerpt, labels };
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
        .with_width(usize::from(u16::MAX))
        .with_context_lines(0);
    let mut text = String::new();
    if handler.render_report(&mut text, &drawing).is_err() {
        return;
    }
    let frame = Frame { look, digits, numbers, first, tone };
    frame.write(out, &text, head);
}

/// What stands around the lines that miette drew.
struct Frame {
    look: Look,
    digits: usize,
    /// The true number of each line.
    numbers: Vec<usize>,
    /// The lines of the first place.
    first: RangeInclusive<usize>,
    tone: Option<Tone>,
}

impl Frame {
    fn write(&self, out: &mut String, text: &str, head: &str) {
        let blank = " ".repeat(self.digits);
        let dim = |text: &str| paint(self.look, Tone::Dim, text);
        let _ = writeln!(out, "{}", dim(&format!("   {blank} ╭─[{head}]")));
        let mut last: Option<usize> = None;
        let body = text.lines().skip_while(|line| !line.contains('╭')).skip(1);
        for line in body {
            let line = line.trim_end();
            let start = line.trim_start();
            if start.starts_with(|c: char| c.is_ascii_digit())
                && let Some((number, rest)) = start.split_once(" │")
            {
                let number = number.trim().parse::<usize>().ok();
                let number = number.and_then(|at| self.numbers.get(at.checked_sub(1)?).copied());
                let number = number.unwrap_or_default();
                if last.is_some_and(|last| number > last + 1) {
                    let _ = writeln!(out, "{}", dim(&format!("   {blank} ⋮")));
                }
                last = Some(number);
                let digits = self.digits;
                let _ = writeln!(out, "{}{rest}", dim(&format!("   {number:>digits$} │")));
            } else if let Some(rest) = start.strip_prefix('·') {
                let primary =
                    self.tone.filter(|_| last.is_some_and(|last| self.first.contains(&last)));
                let tone = primary.unwrap_or(Tone::Note);
                for rest in self.fitted(rest) {
                    let mark = dim(&format!("   {blank} ·"));
                    let _ = writeln!(out, "{mark}{}", paint(self.look, tone, &rest));
                }
            }
        }
        let _ = writeln!(out, "{}", dim(&format!("   {blank} ╰─")));
    }

    /// Moves a label that would run over the edge to the left of its mark, or wraps it.
    fn fitted(&self, rest: &str) -> Vec<String> {
        let Some((before, label)) = rest.split_once("╰── ") else {
            return vec![rest.to_owned()];
        };
        let room = self.look.width.saturating_sub(self.digits + 5);
        let (at, long) = (columns(before), columns(label));
        if at + 3 + long <= room {
            return vec![format!("{before}╰─ {label}")];
        }
        let free = before.len() - before.trim_end_matches(' ').len();
        if free >= long + 4 {
            let kept = before.get(..before.len() - long - 2).unwrap_or_default();
            return vec![format!("{kept}{label} ─╯")];
        }
        let mut lines = String::new();
        let widest = label.split(' ').map(columns).max().unwrap_or(0);
        if at + 3 + widest > room && free >= widest + 3 {
            let kept = before.get(..before.len() - free).unwrap_or_default();
            wrap(&mut lines, "", "", label, free - 2);
            let inner = lines.lines().map(columns).max().unwrap_or(0);
            let shift = " ".repeat(free.saturating_sub(inner + 2));
            let last = lines.lines().count().saturating_sub(1);
            let drawn = lines.lines().enumerate().map(|(index, line)| {
                let end = if index == last { " ─╯" } else { "  │" };
                format!("{kept}{shift}{}{end}", padded(line, inner))
            });
            return drawn.collect();
        }
        let (lead, indent) = (format!("{before}╰─ "), format!("{before}   "));
        let width = room.max(columns(&lead) + 24);
        wrap(&mut lines, &lead, &indent, label, width);
        lines.lines().map(str::to_owned).collect()
    }
}

struct Drawing {
    excerpt: Excerpt,
    labels: Vec<LabeledSpan>,
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Drawing")
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Drawing {}

impl Diagnostic for Drawing {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}
