//! Events to trees: one [`Whole`] per YAML document.
//!
//! Owns the open maps and lists, merge keys, and closing what a broken document left open. It
//! leaves the type of a scalar to [`super::scalar`], aliases to [`super::anchors`] and the cutting into objects to [`crate::syntax::unpack`].
//! Invariant: children lie inside their parents, also after a merge.

use std::collections::HashSet;
use std::mem;
use std::ops::Range;

use super::Dialect;
use super::anchors::Anchors;
use super::events::{Cause, Event, Events, Failure, Form, Hint};
use super::scalar::{decode_binary, resolve, resolve_as_server};
use crate::source::Span;
use crate::syntax::build::{MAX_DEPTH, between_quotes, problem, scalar, settle_duplicates};
use crate::syntax::cuts::mark_cut;
use crate::syntax::tree::{Entry, Fidelity, Node, Value};
use crate::syntax::unpack::Whole;
use crate::syntax::view::View;
use crate::syntax::{Problem, ProblemKind};

/// Reads all documents in a range of the view; `comments` brings those that stood before it and
/// takes those that no document followed.
pub(super) fn compose(
    view: &View<'_>,
    range: Range<usize>,
    dialect: Dialect,
    comments: &mut Vec<Span>,
) -> Vec<Whole> {
    let text = view.text().get(range.clone()).unwrap_or_default();
    let mut events = Events::new(text);
    let mut wholes = Vec::new();
    let mut composer = Composer::new(view, range.clone(), dialect, mem::take(comments));
    while let Some(next) = events.next() {
        let taken = match next {
            Ok((Event::DocumentEnd, _)) => {
                wholes.extend(composer.finish());
                continue;
            }
            Ok((event, at)) => composer.take(event, range.start + at.start..range.start + at.end),
            Err(failure) => Err(Failure { at: range.start + failure.at, ..failure }),
        };
        if let Err(failure) = taken {
            composer.fail(&failure);
            let more = events.skip_document();
            wholes.extend(
                composer.finish().map(|whole| if more { whole } else { composer.extend(whole) }),
            );
            if !more {
                break;
            }
        }
    }
    match wholes.last_mut() {
        Some(last) => last.comments.append(&mut composer.comments),
        None => *comments = composer.comments,
    }
    mark_cuts(view, range, &mut wholes);
    wholes
}

/// Marks the documents out of which lines were cut.
fn mark_cuts(view: &View<'_>, range: Range<usize>, wholes: &mut [Whole]) {
    for &cut in view.cuts().iter().filter(|&&cut| range.start <= cut && cut <= range.end) {
        let place = view.span(cut..cut).lo;
        let index = wholes.partition_point(|whole| whole.span.lo < place).saturating_sub(1);
        if let Some(whole) = wholes.get_mut(index) {
            whole.partial = true;
            whole.root.iter_mut().for_each(|root| mark_cut(root, place));
        }
    }
}

/// What the next node of a map is.
enum Slot {
    Key,
    Value {
        key: Box<str>,
        span: Span,
    },
    Merge {
        span: Span,
    },
    /// The value of a key that cannot be kept.
    Dropped,
}

enum Parts {
    Map { entries: Vec<Entry>, merged: Vec<Entry>, slot: Slot },
    List(Vec<Node>),
}

/// A map or list that is still open.
struct Frame {
    parts: Parts,
    /// The bytes so far; for a block map or list from its first to its last child.
    range: Option<Range<usize>>,
    anchor: usize,
}

struct Composer<'v, 's> {
    view: &'v View<'s>,
    /// The bytes of the view that this run of the parser sees.
    bounds: Range<usize>,
    dialect: Dialect,
    open: Vec<Frame>,
    root: Option<Node>,
    anchors: Anchors,
    comments: Vec<Span>,
    problems: Vec<Problem>,
    partial: bool,
}

impl<'v, 's> Composer<'v, 's> {
    fn new(
        view: &'v View<'s>,
        bounds: Range<usize>,
        dialect: Dialect,
        comments: Vec<Span>,
    ) -> Self {
        Self {
            view,
            bounds,
            dialect,
            open: Vec::new(),
            root: None,
            anchors: Anchors::default(),
            comments,
            problems: Vec::new(),
            partial: false,
        }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) -> Result<(), Failure> {
        match event {
            Event::DocumentStart | Event::DocumentEnd => {}
            Event::Comment => self.comments.push(self.view.span(range)),
            Event::Scalar { text, form, hint, anchor } => {
                let range = self.trim(range, form, &text);
                let untagged = matches!(hint, Hint::None | Hint::Binary);
                let typed = form == Form::Plain && untagged || hint == Hint::Typed;
                let merge = self.at_key() && form == Form::Plain && text == "<<";
                let value = match (typed, self.dialect) {
                    (true, Dialect::Core) if !self.at_key() => resolve(&text),
                    (_, Dialect::Server) if hint == Hint::Binary => {
                        Value::String(decode_binary(&text).into())
                    }
                    // The server types keys too, and prints them back: `yes` is the key `true`.
                    (true, Dialect::Server) if !merge => resolve_as_server(&text),
                    _ => Value::String(text.into()),
                };
                let node = scalar(self.view, range.clone(), value);
                self.put(node, range, anchor);
                if merge {
                    self.expect_merge();
                }
            }
            Event::MapStart { anchor, flow } => {
                let parts = Parts::Map { entries: vec![], merged: vec![], slot: Slot::Key };
                self.push(Frame { parts, range: flow.then_some(range.clone()), anchor }, range)?;
            }
            Event::ListStart { anchor, flow } => {
                let parts = Parts::List(Vec::new());
                self.push(Frame { parts, range: flow.then_some(range.clone()), anchor }, range)?;
            }
            Event::MapEnd | Event::ListEnd => self.close(range, Fidelity::Read),
            Event::Alias(anchor) => {
                let span = self.view.span(range.clone());
                let node = match self.anchors.copy(anchor, span, self.open.len()) {
                    Ok(node) => node,
                    Err(problem) => self.refuse(problem),
                };
                self.put(node, range, 0);
            }
            Event::UnknownAlias(name) => {
                let span = self.view.span(range.clone());
                let message = format!("no anchor `&{name}` stands before this alias");
                let node = self.refuse(problem(ProblemKind::Malformed, span, message));
                self.put(node, range, 0);
            }
        }
        Ok(())
    }

    /// Notes a problem with one value and returns what stands in for it.
    fn refuse(&mut self, problem: Problem) -> Node {
        let node = Node::new(problem.span, Value::Null).with_fidelity(Fidelity::Cut);
        self.problems.push(problem);
        self.partial = true;
        node
    }

    fn push(&mut self, frame: Frame, range: Range<usize>) -> Result<(), Failure> {
        self.open.push(frame);
        if self.open.len() > MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH} levels");
            return Err(Failure { at: range.start, cause: Cause::Limit, message });
        }
        Ok(())
    }

    /// Leaves quotes and the line breaks behind a block out of a scalar's range.
    fn trim(&self, range: Range<usize>, form: Form, value: &str) -> Range<usize> {
        let text = self.view.text();
        match form {
            Form::Plain => range,
            Form::Quoted => between_quotes(text, range, value),
            Form::Block => {
                let block = text.get(range.clone()).unwrap_or_default();
                range.start..range.start + block.trim_end_matches([' ', '\t', '\r', '\n']).len()
            }
        }
    }

    fn at_key(&self) -> bool {
        let top = self.open.last().map(|frame| &frame.parts);
        matches!(top, Some(Parts::Map { slot: Slot::Key, .. }))
    }

    /// Puts a finished node into what is open around it.
    fn put(&mut self, node: Node, range: Range<usize>, anchor: usize) {
        if anchor != 0 {
            self.anchors.keep(anchor, &node);
        }
        let Some(frame) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        frame.range = Some(match frame.range.take() {
            Some(so_far) => so_far.start.min(range.start)..so_far.end.max(range.end),
            None => range,
        });
        match &mut frame.parts {
            Parts::List(items) => items.push(node),
            Parts::Map { entries, merged, slot } => match mem::replace(slot, Slot::Key) {
                // The server has no text for a key beyond 63 bits.
                Slot::Key => {
                    match node.text().filter(|_| !matches!(node.value, Value::BigInt(_))) {
                        Some(key) => *slot = Slot::Value { key: key.value, span: key.span },
                        None => {
                            *slot = Slot::Dropped;
                            let message = "a key must be text; this one is left out with its value";
                            self.problems.push(problem(ProblemKind::Malformed, node.span, message));
                        }
                    }
                }
                Slot::Value { key, span } => entries.push(Entry { key, key_span: span, node }),
                Slot::Merge { span } => match merge_entries(node) {
                    Ok(more) => merged.extend(more),
                    Err(node) => {
                        let message = "only a map can be merged here";
                        self.problems.push(problem(ProblemKind::Malformed, node.span, message));
                        entries.push(Entry { key: "<<".into(), key_span: span, node });
                    }
                },
                Slot::Dropped => {}
            },
        }
    }

    /// Turns the key that was put last into a merge key.
    fn expect_merge(&mut self) {
        if let Some(Frame { parts: Parts::Map { slot, .. }, .. }) = self.open.last_mut()
            && let Slot::Value { span, .. } = *slot
        {
            *slot = Slot::Merge { span };
        }
    }

    /// Closes the innermost map or list, which ends in `end` if it has brackets.
    fn close(&mut self, end: Range<usize>, fidelity: Fidelity) {
        let Some(Frame { parts, range, anchor }) = self.open.pop() else { return };
        let range = match range {
            Some(range) if end.is_empty() => range,
            Some(range) => range.start..range.end.max(end.end),
            None => end.start..end.start,
        };
        let value = match parts {
            Parts::List(items) => Value::List(items),
            Parts::Map { mut entries, merged, slot } => {
                if let Slot::Value { key, span } = slot {
                    let node = Node::new(Span { lo: span.hi, ..span }, Value::Null);
                    let node = node.with_fidelity(Fidelity::Cut);
                    entries.push(Entry { key, key_span: span, node });
                }
                settle_duplicates(&mut entries, &mut self.problems);
                add_merged(&mut entries, merged);
                Value::Map(entries)
            }
        };
        let node = Node::new(self.view.span(range.clone()), value).with_fidelity(fidelity);
        self.put(node, range, anchor);
    }

    /// Ends the document where it cannot be read any further.
    fn fail(&mut self, failure: &Failure) {
        let text = self.view.text();
        let rest = text.get(failure.at..self.bounds.end).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default().trim_end();
        let at_end = self.bounds.end == text.len();
        // A text that stops within a line was cut there.
        let stops = rest.len() == line.len() && !text.ends_with('\n');
        let kind = match failure.cause {
            Cause::Limit => ProblemKind::TooLarge,
            Cause::Open if at_end => ProblemKind::Truncated,
            Cause::Syntax if at_end && stops => ProblemKind::Truncated,
            Cause::Open | Cause::Syntax => ProblemKind::Malformed,
        };
        let span = self.view.span(failure.at..failure.at + line.len());
        self.problems.push(problem(kind, span, failure.message.clone()));
        self.partial = true;
        while !self.open.is_empty() {
            self.close(failure.at..failure.at, Fidelity::Cut);
        }
    }

    /// Hands the document out, if there was any, and gets ready for the next.
    fn finish(&mut self) -> Option<Whole> {
        let root = self.root.take().filter(|root| root.value != Value::Null);
        let mut problems = mem::take(&mut self.problems);
        self.anchors = Anchors::default();
        let partial = mem::take(&mut self.partial);
        if root.is_none() && problems.is_empty() {
            return None;
        }
        problems.sort_by_key(|problem| problem.span);
        let comments = mem::take(&mut self.comments);
        let places = root.iter().map(|root| root.span).chain(comments.iter().copied());
        let span = places.chain(problems.iter().map(|problem| problem.span)).reduce(Span::to)?;
        Some(Whole { span, root, comments, problems, partial })
    }

    /// Stretches a broken document over all text that belongs to it.
    fn extend(&self, mut whole: Whole) -> Whole {
        let text = self.view.text().get(self.bounds.clone()).unwrap_or_default();
        let end = self.bounds.start + text.trim_end().len();
        whole.span = whole.span.to(self.view.span(end..end));
        whole
    }
}

/// Returns the entries that a merge value brings: those of a map or of a list of maps.
fn merge_entries(node: Node) -> Result<Vec<Entry>, Node> {
    match node.value {
        Value::Map(entries) => Ok(entries),
        Value::List(items) if items.iter().all(|item| matches!(item.value, Value::Map(_))) => {
            let maps = items.into_iter().map(|item| item.value);
            Ok(maps
                .flat_map(|map| if let Value::Map(entries) = map { entries } else { vec![] })
                .collect())
        }
        _ => Err(node),
    }
}

/// Adds merged entries behind the map's own, which win, as does what was merged first.
fn add_merged(entries: &mut Vec<Entry>, merged: Vec<Entry>) {
    if merged.is_empty() {
        return;
    }
    let mut seen: HashSet<Box<str>> = entries.iter().map(|entry| entry.key.clone()).collect();
    entries.extend(merged.into_iter().filter(|entry| seen.insert(entry.key.clone())));
}
