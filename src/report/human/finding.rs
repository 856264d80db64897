//! One finding: its head line, the snippets, why, what then, what to do, and what it explains.

use std::fmt::{self, Write as _};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use super::source_code::Excerpt;
use super::{Color, Look, paint, shown_path};
use crate::engine::{Place, Report, Resolved};
use crate::finding::{Layer, Risk, Severity};
use crate::report::prose::{columns, wrap};
use crate::report::snippet;
use crate::source::{SourceFile, Sources};

/// Draws a leading finding and, under it, the findings it explains.
pub(super) fn render(
    out: &mut String,
    resolved: &Resolved,
    report: &Report,
    sources: &Sources,
    look: Look,
) {
    let finding = &resolved.finding;
    let basis = finding.layer.map_or(finding.certainty.word(), Layer::phrase);
    let head = format!("{} {} ({}, {basis})", finding.code, finding.name, finding.severity.word());
    let color = match finding.severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Note => "1;36",
    };
    let _ = writeln!(out, "\n{}\n", paint(look, color, &head));
    let mark = match finding.severity {
        Severity::Error => "×",
        Severity::Warning => "⚠",
        Severity::Note => "☞",
    };
    wrap(out, &format!("  {mark} "), "    ", &snippet::masked(&finding.message), look.width);
    snippets(out, resolved, report, sources, look);
    if !finding.why.is_empty() {
        wrap(out, "  why   ", "        ", &snippet::clean(&finding.why), look.width);
    }
    if let Some(recoverability) = finding.recoverability {
        wrap(out, "  then  ", "        ", recoverability.sentence(), look.width);
    }
    for command in finding.commands() {
        let risk = match command.risk() {
            Risk::ReadOnly => "looks only",
            Risk::Reversible => "changes something",
            Risk::Destructive => "cannot be undone",
        };
        // A command is never wrapped: it has to survive copy and paste.
        let _ = writeln!(out, "  do    {}   ({risk})", snippet::clean(&command.posix()));
    }
    if let Some(remedy) = &resolved.remedy {
        let _ = writeln!(out, "  fix   {} does it", remedy.safety.option());
    }
    explained(out, resolved, report, 1, look, &mut Vec::new());
}

/// Lists what the finding explains, level by level.
fn explained(
    out: &mut String,
    cause: &Resolved,
    report: &Report,
    level: usize,
    look: Look,
    shown: &mut Vec<String>,
) {
    for symptom in report.findings.iter().filter(|other| other.explained_by.contains(&cause.id)) {
        if shown.contains(&symptom.id) {
            continue;
        }
        shown.push(symptom.id.clone());
        let place = &symptom.primary;
        let lead = format!("{}└─ so  ", "   ".repeat(level));
        let text = format!(
            "{} {}: {} ({}:{})",
            symptom.finding.code,
            symptom.finding.name,
            snippet::masked(&symptom.finding.message),
            shown_path(report, &place.path),
            place.start.line
        );
        let indent = " ".repeat(columns(&lead));
        wrap(out, &lead, &indent, &text, look.width);
        if level < 8 {
            explained(out, symptom, report, level + 1, look, shown);
        }
    }
}

fn snippets(out: &mut String, resolved: &Resolved, report: &Report, sources: &Sources, look: Look) {
    let mut places: Vec<&Place> = vec![&resolved.primary];
    places.extend(&resolved.related);
    let mut files: Vec<_> = Vec::new();
    for place in &places {
        if !files.contains(&place.span.source) {
            files.push(place.span.source);
        }
    }
    for id in files {
        let here: Vec<&Place> =
            places.iter().copied().filter(|place| place.span.source == id).collect();
        draw(out, sources.get(id), shown_path(report, sources.get(id).path()), &here, look);
    }
}

/// Draws places of one file.
pub(super) fn draw(
    out: &mut String,
    source: &SourceFile,
    path: String,
    here: &[&Place],
    look: Look,
) {
    let (excerpt, spans) = Excerpt::new(source, path, here, look.width.saturating_sub(12).max(24));
    let labels = here.iter().zip(spans).map(|(place, span)| {
        let text = Some(snippet::clean(&place.label)).filter(|text| !text.is_empty());
        LabeledSpan::new_with_span(text, span)
    });
    let drawing = Drawing { excerpt, labels: labels.collect() };
    let theme = match look.color {
        Color::Ansi => GraphicalTheme::unicode(),
        Color::None => GraphicalTheme::unicode_nocolor(),
    };
    let handler =
        GraphicalReportHandler::new_themed(theme).with_width(look.width).with_context_lines(0);
    let mut text = String::new();
    if handler.render_report(&mut text, &drawing).is_ok() {
        // The first line is the drawing's own (empty) message; it was said above.
        text.lines().skip_while(|line| !line.contains('╭')).for_each(|line| {
            let _ = writeln!(out, "{}", line.trim_end());
        });
    }
}

#[derive(Debug)]
struct Drawing {
    excerpt: Excerpt,
    labels: Vec<LabeledSpan>,
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Excerpt")
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
