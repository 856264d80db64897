//! Events to trees: one [`ParsedText`] per YAML document.
//!
//! Owns the walk over the events and closing what a broken document left open. It leaves the type
//! of a scalar to [`super::scalar`], aliases to [`super::anchors`], open maps and lists to
//! [`super::open_node`] and the cutting into objects to [`crate::syntax::flatten_lists`].
//! Invariant: no more than one document is lost to a fault, and of it only what follows the fault.

use std::borrow::Cow;
use std::mem;
use std::ops::Range;

use super::anchors::Anchors;
use super::events::{Events, ScalarForm, TagHint, YamlError, YamlErrorKind, YamlEvent};
use super::lenient::{fold_quoted, with_forgiven};
use super::open_node::OpenNode;
use super::scalar::{Dialect, decode_binary, resolve, resolve_as_server, resolve_tagged};
use super::tabs::{stray_tab, with_readable_tabs};
use crate::source::{SourceFile, Span};
use crate::syntax::flatten_lists::ParsedText;
use crate::syntax::text_view::TextView;
use crate::syntax::tree::{Fidelity, Node, Value};
use crate::syntax::tree_builder::{MAX_DEPTH, problem, scalar};
use crate::syntax::truncation::mark_cut;
use crate::syntax::{Problem, ProblemKind};

/// Reads all documents in a range of the view; `comments` brings those that stood before it and
/// takes those that no document followed.
pub(super) fn compose(
    view: &TextView<'_>,
    range: Range<usize>,
    comments: &mut Vec<Span>,
) -> Vec<ParsedText> {
    compose_as(view, range, Dialect::Core, comments)
}

/// Does the same with the scalars of a dialect.
pub(super) fn compose_as(
    view: &TextView<'_>,
    range: Range<usize>,
    dialect: Dialect,
    comments: &mut Vec<Span>,
) -> Vec<ParsedText> {
    let written = view.text().get(range.clone()).unwrap_or_default();
    let mut composer = Composer::new(view, range, mem::take(comments));
    if dialect == Dialect::Core {
        return compose_text(composer, written, comments);
    }
    composer.dialect = dialect;
    let readable = with_readable_tabs(written);
    let tab = stray_tab(written, &readable);
    let tab = tab.map(|tab| composer.bounds.start + tab);
    let tab = tab.map(|tab| view.span(tab..tab + 1));
    let forgiven = with_forgiven(&readable);
    composer.forgiven = matches!(forgiven, Cow::Owned(_));
    let mut wholes = compose_text(composer, &forgiven, comments);
    refuse_as_server(&mut wholes, tab);
    wholes
}

/// Reads all documents of a text that has the length of what the composer is to see.
fn compose_text(
    mut composer: Composer<'_, '_>,
    text: &str,
    comments: &mut Vec<Span>,
) -> Vec<ParsedText> {
    let start = composer.bounds.start;
    let mut events = Events::new(text);
    let mut wholes = Vec::new();
    while let Some(next) = events.next() {
        let taken = match next {
            Ok((YamlEvent::DocumentEnd, _)) => {
                wholes.extend(composer.finish());
                continue;
            }
            Ok((event, at)) => composer.take(event, start + at.start..start + at.end),
            Err(failure) => Err(YamlError { at: start + failure.at, ..failure }),
        };
        let Err(failure) = taken else { continue };
        composer.fail(&failure);
        let more = events.skip_document();
        let broken = composer.finish();
        wholes.extend(broken.map(|whole| if more { whole } else { composer.stretch(whole) }));
        if !more {
            break;
        }
    }
    mark_cuts(composer.view, composer.bounds.clone(), &mut wholes);
    match wholes.last_mut() {
        Some(last) => last.comments.append(&mut composer.comments),
        None => *comments = composer.comments,
    }
    wholes
}

/// Notes what the server refuses in one piece of a stream though the parser crate does not.
fn refuse_as_server(wholes: &mut [ParsedText], tab: Option<Span>) {
    let second = wholes.get(1).map(|whole| whole.span.start());
    let Some(first) = wholes.first_mut() else { return };
    let mut refuse = |at: Option<Span>, message: &str| {
        let Some(at) = at else { return };
        first.problems.push(problem(ProblemKind::Malformed, at, message));
        first.span = first.span.to(at);
    };
    refuse(tab, "a tab may not stand in front of the first word of a line");
    refuse(second, "behind `...` only a line `---` may begin another document");
}

/// Marks the documents out of which lines were cut.
fn mark_cuts(view: &TextView<'_>, range: Range<usize>, wholes: &mut [ParsedText]) {
    for &cut in view.cuts().iter().filter(|&&cut| range.start <= cut && cut <= range.end) {
        let place = view.span(cut..cut).lo;
        let index = wholes.partition_point(|whole| whole.span.lo < place).saturating_sub(1);
        if let Some(whole) = wholes.get_mut(index) {
            whole.partial = true;
            whole.root.iter_mut().for_each(|root| mark_cut(root, place));
        }
    }
}

struct Composer<'v, 's> {
    view: &'v TextView<'s>,
    /// The bytes of the view that this run of the parser sees.
    bounds: Range<usize>,
    dialect: Dialect,
    /// Whether the parser saw another text than what is written.
    forgiven: bool,
    open: Vec<OpenNode>,
    root: Option<Node>,
    anchors: Anchors,
    comments: Vec<Span>,
    problems: Vec<Problem>,
    partial: bool,
}

impl<'v, 's> Composer<'v, 's> {
    fn new(view: &'v TextView<'s>, bounds: Range<usize>, comments: Vec<Span>) -> Self {
        let (open, root, problems, partial) = (Vec::new(), None, Vec::new(), false);
        let (dialect, anchors) = (Dialect::Core, Anchors::default());
        let forgiven = false;
        Self { view, bounds, dialect, forgiven, open, root, anchors, comments, problems, partial }
    }

    fn take(&mut self, event: YamlEvent<'_>, range: Range<usize>) -> Result<(), YamlError> {
        match event {
            YamlEvent::DocumentStart | YamlEvent::DocumentEnd => {}
            YamlEvent::Comment => self.comments.push(self.view.span(range)),
            YamlEvent::Scalar { text, form, hint, anchor } => {
                let text = if form == ScalarForm::Quoted && self.forgiven {
                    fold_quoted(self.view.text().get(range.clone()).unwrap_or_default(), text)
                } else {
                    text
                };
                let (range, inner) = place(self.view.text(), range, form, &text);
                let key = self.open.last_mut().filter(|frame| frame.at_key());
                if let Some(frame) = key
                    && form == ScalarForm::Plain
                    && text == "<<"
                {
                    frame.put_merge_key(range.clone(), self.view.span(range));
                    return Ok(());
                }
                let untagged = matches!(hint, TagHint::None | TagHint::Binary | TagHint::Foreign);
                let typed =
                    matches!(hint, TagHint::Typed(_)) || form == ScalarForm::Plain && untagged;
                let at_key = self.open.last().is_some_and(OpenNode::at_key);
                let value = match self.dialect {
                    Dialect::Core if typed && !at_key => resolve(&text),
                    Dialect::Server if hint == TagHint::Binary => {
                        let decoded = decode_binary(&text);
                        let fault = || "`!!binary` takes base64, and this is none".to_owned();
                        self.or_refuse(decoded.ok_or_else(fault), &range)
                    }
                    Dialect::Server if matches!(hint, TagHint::Typed(_)) => {
                        self.or_refuse(resolve_tagged(&text, hint), &range)
                    }
                    Dialect::Server if hint == TagHint::Foreign => Value::String(text.into()),
                    // Between brackets the server takes a colon without a blank for a part of the key.
                    Dialect::Server
                        if at_key && form == ScalarForm::Plain && self.is_glued(&range) =>
                    {
                        Value::String(format!("{text}:").into())
                    }
                    // The server types keys too, and prints them back: `yes` is the key `true`.
                    Dialect::Server if typed => resolve_as_server(&text),
                    _ => Value::String(text.into()),
                };
                self.put(scalar(self.view, inner, value), range, anchor);
            }
            YamlEvent::MapStart { anchor, flow } => {
                self.open(OpenNode::map(anchor, flow.then(|| range.clone()), self.dialect), range)?;
            }
            YamlEvent::ListStart { anchor, flow } => {
                self.open(OpenNode::list(anchor, flow.then(|| range.clone())), range)?;
            }
            YamlEvent::MapEnd | YamlEvent::ListEnd => self.close(range, Fidelity::Read),
            YamlEvent::Alias(anchor) => {
                let span = self.view.span(range.clone());
                let copy = self.anchors.copy(anchor, span, self.open.len());
                let node = copy.unwrap_or_else(|problem| self.refuse(problem));
                self.put(node, range, 0);
            }
            YamlEvent::UnknownAlias(name) => {
                let span = self.view.span(range.clone());
                let message = format!("no anchor `&{name}` stands before this alias");
                let node = self.refuse(problem(ProblemKind::Malformed, span, message));
                self.put(node, range, 0);
            }
        }
        Ok(())
    }

    /// Returns a value that the server can decode, or notes why it cannot.
    fn or_refuse(&mut self, value: Result<Value, String>, range: &Range<usize>) -> Value {
        value.unwrap_or_else(|message| {
            let span = self.view.span(range.clone());
            self.refuse(problem(ProblemKind::Malformed, span, message)).value
        })
    }

    /// Says whether the colon behind a plain key touches a bracket or comma.
    fn is_glued(&self, key: &Range<usize>) -> bool {
        let behind = self.view.text().as_bytes().get(key.end..).unwrap_or_default();
        matches!(behind, [b':', b',' | b'}' | b']', ..])
    }

    /// Notes a problem with one value and returns what stands in for it.
    fn refuse(&mut self, problem: Problem) -> Node {
        let node = Node::new(problem.span, Value::Null).with_fidelity(Fidelity::Cut);
        self.problems.push(problem);
        self.partial = true;
        node
    }

    fn open(&mut self, frame: OpenNode, range: Range<usize>) -> Result<(), YamlError> {
        self.open.push(frame);
        if self.open.len() > MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            return Err(YamlError { at: range.start, cause: YamlErrorKind::Limit, message });
        }
        Ok(())
    }

    /// Puts a finished node into what is open around it.
    fn put(&mut self, node: Node, range: Range<usize>, anchor: usize) {
        if anchor != 0 {
            self.anchors.keep(anchor, &node);
        }
        match self.open.last_mut() {
            Some(frame) => frame.put(node, range, &mut self.problems),
            None => self.root = Some(node),
        }
    }

    /// Closes the innermost map or list.
    fn close(&mut self, end: Range<usize>, fidelity: Fidelity) {
        let Some(frame) = self.open.pop() else { return };
        let anchor = frame.anchor;
        let (value, range) = frame.close(end, &mut self.problems);
        let node = Node::new(self.view.span(range.clone()), value).with_fidelity(fidelity);
        self.put(node, range, anchor);
    }

    /// Ends the document where it cannot be read any further.
    fn fail(&mut self, failure: &YamlError) {
        let text = self.view.text();
        let rest = text.get(failure.at..self.bounds.end).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default().trim_end();
        let at_end = self.bounds.end == text.len();
        // A text that stops within a line was cut there.
        let stops = rest.len() == line.len() && !text.ends_with('\n');
        let kind = match failure.cause {
            YamlErrorKind::Limit => ProblemKind::TooLarge,
            YamlErrorKind::Open if at_end => ProblemKind::Truncated,
            YamlErrorKind::Syntax if at_end && stops => ProblemKind::Truncated,
            YamlErrorKind::Open
            | YamlErrorKind::Syntax
            | YamlErrorKind::Glued
            | YamlErrorKind::Margin => ProblemKind::Malformed,
        };
        let span = self.view.span(failure.at..failure.at + line.len());
        self.problems.push(problem(kind, span, failure.message.clone()));
        self.partial = true;
        while !self.open.is_empty() {
            self.close(failure.at..failure.at, Fidelity::Cut);
        }
    }

    /// Hands the document out, if there was any, and gets ready for the next.
    fn finish(&mut self) -> Option<ParsedText> {
        let root = self.root.take().filter(|root| root.value != Value::Null);
        let mut problems = mem::take(&mut self.problems);
        let partial = mem::take(&mut self.partial);
        self.anchors = Anchors::default();
        if root.is_none() && problems.is_empty() {
            return None;
        }
        problems.sort_by_key(|problem| problem.span);
        problems.iter_mut().for_each(|problem| blame_template(self.view.source(), problem));
        let comments = mem::take(&mut self.comments);
        let places = root.iter().map(|root| root.span).chain(comments.iter().copied());
        let span = places.chain(problems.iter().map(|problem| problem.span)).reduce(Span::to)?;
        Some(ParsedText { span, root, comments, problems, partial, list: None })
    }

    /// Stretches a broken document over all text that belongs to it.
    fn stretch(&self, mut whole: ParsedText) -> ParsedText {
        let text = self.view.text().get(self.bounds.clone()).unwrap_or_default();
        let end = self.bounds.start + text.trim_ascii_end().len();
        whole.span = whole.span.to(self.view.span(end..end));
        whole
    }
}

/// Returns the range of a scalar with its quotes, and that of the text that spells its value.
pub(super) fn place(
    text: &str,
    range: Range<usize>,
    form: ScalarForm,
    value: &str,
) -> (Range<usize>, Range<usize>) {
    let outer = match form {
        ScalarForm::Quoted => {
            let inner = range.start + 1..range.end.saturating_sub(1).max(range.start + 1);
            let spelt = text.get(inner.clone()) == Some(value);
            return (range.clone(), if spelt { inner } else { range });
        }
        ScalarForm::Block => {
            // The line breaks behind a block are its own only by the rules of chomping. A block of
            // nothing else stands behind its header.
            let end = text.get(..range.end).unwrap_or_default().trim_ascii_end().len();
            if value.trim_ascii().is_empty() { end..end } else { range.start.min(end)..end }
        }
        // An absent value stands behind the colon, not before it.
        ScalarForm::Plain
            if range.is_empty() && text.as_bytes().get(range.start) == Some(&b':') =>
        {
            range.start + 1..range.start + 1
        }
        ScalarForm::Plain => range,
    };
    (outer.clone(), outer)
}

/// Says so if the trouble stands on a line of a template.
pub(super) fn blame_template(source: &SourceFile, problem: &mut Problem) {
    let line = source.line_span(source.line_index(problem.span.lo));
    if problem.kind == ProblemKind::Malformed && source.slice(line).contains("{{") {
        problem.kind = ProblemKind::Template;
        problem.message = "this is a template, to be filled in before it is a manifest".to_owned();
    }
}
