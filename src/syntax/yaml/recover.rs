//! What can still be read behind a fault.
//!
//! Owns the second attempt at a broken document: by indentation it is taken apart into the entries
//! of its maps and the items of its lists, each is parsed alone, and only the innermost part that
//! holds the fault is lost. A mail program that broke one long annotation thus does not cost the
//! status behind it.
//! Invariant: only called for text that the full parser refused; every part keeps its own place.

use std::ops::Range;

use super::document_head::is_plain_key;
use super::from_events::{blame_template, compose};
use super::lines::{Lines, YamlLine};
use crate::source::Span;
use crate::syntax::flatten_lists::ParsedText;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Entry, Fidelity, Node, Value};
use crate::syntax::tree_builder::{problem, settle_duplicates};
use crate::syntax::{Problem, ProblemKind};

/// How deep a document is taken apart; each level parses the broken part once more.
const LEVELS: usize = 12;

/// Reads a document that broke off at a fault part by part, if that brings more to light.
pub(super) fn recover(view: &TextView<'_>, range: Range<usize>, broken: ParsedText) -> ParsedText {
    let fault =
        |problem: &Problem| matches!(problem.kind, ProblemKind::Malformed | ProblemKind::Template);
    let open = broken.root.as_ref().is_none_or(|root| root.fidelity == Fidelity::Cut);
    if !open || !broken.problems.iter().any(fault) {
        return broken;
    }
    let mut mender = Mender { view, comments: Vec::new(), problems: Vec::new() };
    let mut lines = Lines::new(view.text(), range.clone());
    let first = lines.find(|line| !line.is_marker() && !line.text.starts_with('#'));
    let Some(root) = first.and_then(|first| mender.block(first, range.end, LEVELS)) else {
        return broken;
    };
    if size(Some(&root)) <= size(broken.root.as_ref()) {
        return broken;
    }
    let Mender { mut comments, mut problems, .. } = mender;
    if !problems.iter().any(is_fault) {
        problems = broken.problems;
    }
    problems.sort_by_key(|problem| problem.span);
    comments.extend(broken.comments);
    comments.sort();
    comments.dedup();
    let span = comments.iter().copied().fold(broken.span.to(root.span), Span::to);
    ParsedText { span, root: Some(root), comments, problems, ..broken }
}

/// Says whether a problem made the parser stop.
fn is_fault(problem: &Problem) -> bool {
    matches!(problem.kind, ProblemKind::Malformed | ProblemKind::Template)
}

fn size(root: Option<&Node>) -> usize {
    let mut size = 0;
    root.into_iter().for_each(|root| root.walk(&mut |_| size += 1));
    size
}

struct Mender<'v, 's> {
    view: &'v TextView<'s>,
    comments: Vec<Span>,
    problems: Vec<Problem>,
}

impl<'v> Mender<'v, '_> {
    /// Takes the map or list apart that begins with the line `first` and ends at `end`.
    fn block(&mut self, first: YamlLine<'v>, end: usize, levels: usize) -> Option<Node> {
        let list = first.is_item();
        let opens = |line: &YamlLine<'_>| {
            line.indent == first.indent && line.is_item() == list && (list || has_plain_key(line))
        };
        if levels == 0 || !opens(&first) {
            return None;
        }
        let rest = Lines::new(self.view.text(), first.content()..end).skip(1).filter(opens);
        let heads: Vec<_> = std::iter::once(first).chain(rest).collect();
        let ends = heads.iter().skip(1).map(|head| head.start).chain([end]);
        let (mut entries, mut items) = (Vec::new(), Vec::new());
        let mut sound = true;
        for (head, end) in heads.iter().zip(ends) {
            let (root, whole) = self.part(*head, end, levels);
            sound &= whole;
            match root.map(|root| root.value) {
                Some(Value::Map(more)) => entries.extend(more),
                Some(Value::List(more)) => items.extend(more),
                _ => sound = false,
            }
        }
        settle_duplicates(&mut entries, &mut self.problems);
        let spans = entries.iter().map(Entry::span).chain(items.iter().map(|item| item.span));
        let span = spans.reduce(Span::to)?;
        let value = if list { Value::List(items) } else { Value::Map(entries.into()) };
        let fidelity = if sound { Fidelity::Read } else { Fidelity::Cut };
        Some(Node::new(span, value).with_fidelity(fidelity))
    }

    /// Reads one entry or item, as a map or list of its own; also says whether it is whole.
    fn part(&mut self, head: YamlLine<'v>, end: usize, levels: usize) -> (Option<Node>, bool) {
        let mut lines = Lines::new(self.view.text(), head.content()..end).skip(1);
        let stray = lines.find(|line| !head.holds(line));
        if stray.is_some()
            && let Some(inner) = self.inside(head, end, levels)
        {
            return (Some(inner), false);
        }
        if let Some(stray) = stray {
            let span = self.view.span(stray.content()..stray.content() + stray.text.len());
            let message = "this line does not belong to anything by its indentation";
            let mut fault = problem(ProblemKind::Malformed, span, message);
            blame_template(self.view.source(), &mut fault);
            self.problems.push(fault);
        }
        let end = stray.map_or(end, |stray| stray.start);
        // Without its margin an entry still parses alike, since what stands below it is deeper. An
        // item of several lines does not, and is taken apart.
        let mut wholes = compose(self.view, head.content()..end, &mut self.comments);
        let Some(mut whole) = wholes.pop() else { return (None, false) };
        let broken = !wholes.is_empty() || whole.problems.iter().any(is_fault);
        if broken && let Some(inner) = self.inside(head, end, levels) {
            return (Some(inner), false);
        }
        self.comments.append(&mut whole.comments);
        self.problems.append(&mut whole.problems);
        (whole.root, !broken && stray.is_none())
    }

    /// Takes apart what stands below a key or behind a dash.
    fn inside(&mut self, head: YamlLine<'v>, end: usize, levels: usize) -> Option<Node> {
        if head.is_item() {
            let item = self.block(head.behind_dash(), end, levels - 1)?;
            return Some(Node::new(item.span, Value::List(vec![item])));
        }
        let (key, value) = head.key_value()?;
        let below = Lines::new(self.view.text(), head.content()..end).nth(1)?;
        if !value.is_empty() || !head.holds(&below) {
            return None;
        }
        let node = self.block(below, end, levels - 1)?;
        let key_span = self.view.span(head.content()..head.content() + key.len());
        let span = key_span.to(node.span);
        Some(Node::new(span, Value::Map(vec![Entry { key: key.into(), key_span, node }].into())))
    }
}

fn has_plain_key(line: &YamlLine<'_>) -> bool {
    line.key_value().is_some_and(|(key, _)| is_plain_key(key))
}

#[cfg(test)]
mod tests;
