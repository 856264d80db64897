//! The report of `check`, as linters write it: findings by file and line, each with its repair, and one line at the end.

use std::collections::BTreeSet;

use super::colors::{link, paint};
use super::finding::keyed;
use super::{Page, boxes, fix_diff, steps};
use crate::engine::ResolvedFinding;
use crate::finding::{Finding, Layer, Safety, Severity};
use crate::report::prose::{opened, wrap};
use crate::report::ticket::sentence;
use crate::report::{pages, snippet, tally};

pub(super) fn render(page: &Page<'_>) -> String {
    let mut out = String::new();
    let mut linked = BTreeSet::new();
    for resolved in &page.report.findings {
        finding(&mut out, page, resolved, &mut linked);
        out.push('\n');
    }
    for fixed in &page.report.fixed {
        let head = format!("fixed[{}] {}:{}", fixed.code, page.paths.show(&fixed.path), fixed.line);
        let message = as_sentence(&snippet::masked(&fixed.message));
        wrap(&mut out, &format!("{head} "), "  ", &message, page.look.width);
    }
    if !page.report.fixed.is_empty() {
        out.push('\n');
    }
    wrap(&mut out, "", "", &tally::tail(page.report), page.look.width);
    out
}

/// Draws a finding; a page of the documentation is named by the first one that it belongs to.
fn finding(
    out: &mut String,
    page: &Page<'_>,
    resolved: &ResolvedFinding,
    linked: &mut BTreeSet<&'static str>,
) {
    let finding = &resolved.finding;
    let safety = resolved.remedy.as_ref().map(|remedy| remedy.safety);
    let star = if safety == Some(Safety::Safe) { " [*]" } else { "" };
    let head = format!("{}[{}]{star} ", finding.severity.word(), finding.code);
    let mut lines = String::new();
    let message = as_sentence(&snippet::masked(&finding.message));
    wrap(&mut lines, &head, "  ", &message, page.look.width);
    let painted = paint(page.look, finding.severity.into(), head.trim_end());
    let painted = painted.replacen(finding.code, &link(page, finding.code, finding.code), 1);
    out.push_str(&lines.replacen(head.trim_end(), &painted, 1));
    boxes::render(out, page, resolved);
    fix_diff::render(out, page, resolved);
    let why = why(finding);
    if !why.is_empty() {
        keyed(out, page, "why", &why);
    }
    if !finding.then.is_empty() {
        keyed(out, page, "then", &snippet::masked(&finding.then));
    }
    steps::render(out, page, finding);
    let mut help = Vec::new();
    // What the label asks already is not asked again.
    if !finding.hint.is_empty() && finding.hint != resolved.primary.label {
        help.push(as_sentence(&snippet::masked(&finding.hint)));
    }
    if safety == Some(Safety::Consent) {
        help.push("The fix decides something for you: --fix=all makes it.".to_owned());
    }
    // What is copied as a whole is not wrapped.
    help.push(format!("fleetlens explain {}", finding.code).replace(' ', "\u{1}"));
    help.extend(page.report.pages.of_rule(finding.code));
    let kind = resolved.primary.object.as_ref().map(|object| &*object.kind);
    help.extend(kind.and_then(pages::of_kind).filter(|url| linked.insert(url)).map(str::to_owned));
    for (index, text) in help.iter().enumerate() {
        keyed(out, page, if index == 0 { "help" } else { "" }, text);
    }
}

/// Makes a sentence of some words.
fn as_sentence(words: &str) -> String {
    sentence(&opened(words))
}

/// Says who refuses it, unless the rule does, and why.
fn why(finding: &Finding) -> String {
    let who = match finding.layer {
        _ if finding.severity < Severity::Error => "",
        Some(Layer::ApiServer) => "The API server refuses this.",
        Some(Layer::Webhook) => "The webhook of the hub refuses this.",
        Some(Layer::Controller) => "The hub accepts this.",
        Some(Layer::Advice) | None => "",
    };
    let said = ["refuse", "API server", "webhook", "accept"];
    let who = if said.iter().any(|word| finding.why.contains(word)) { "" } else { who };
    let why = as_sentence(&snippet::clean(&finding.why));
    format!("{who} {why}").trim().to_owned()
}
