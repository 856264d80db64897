//! Messages that stand alone: the words of a run, a placement or an eviction, copied without it.
//!
//! A ticket often holds nothing but the message, in prose, in a mail's quote, in the cell of a table. It
//! becomes a fragment of an object that carries these words, without a name. What the words
//! themselves tell of the object (its placement, its namespace) is filled in, nothing else.
//! Invariant: words that a document or a log holds are left to it.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::grammar::kind::Scope;
use crate::grammar::message::{
    HoleRole, MessageRef, Sentence, Speaker, find_scope, find_sentences,
};
use crate::source::Span;
use crate::syntax::flatten_lists::document;
use crate::syntax::text_view::TextView;
use crate::syntax::transcript::PasteLine;
use crate::syntax::tree::{Entry, Fidelity, Node, Style, Value};
use crate::syntax::{Document, DocumentHead, Parsed, Syntax};

/// More such sentences than any ticket holds.
const MOST: usize = 64;

/// Adds a fragment for each message that no document holds.
pub(super) fn add_spoken(base: &TextView<'_>, lines: &[PasteLine], parsed: &mut Parsed) {
    let mut found = Vec::new();
    for paragraph in paragraphs(base, lines, parsed) {
        for sentence in find_sentences(paragraph.text()) {
            if found.len() < MOST {
                found.push(fragment(&paragraph, &sentence));
            }
        }
    }
    if !found.is_empty() {
        parsed.documents.append(&mut found);
        parsed.documents.sort_by_key(|document| document.span);
    }
}

/// Returns the texts between which no sentence reaches over: paragraphs, and cells of tables.
fn paragraphs<'s>(base: &TextView<'s>, lines: &[PasteLine], parsed: &Parsed) -> Vec<TextView<'s>> {
    let clean = base.text();
    let mut paragraphs = Vec::new();
    let mut open: Option<(usize, TextView<'s>)> = None;
    for line in lines {
        let text = line.text(clean);
        let goes_on = open.as_ref().is_some_and(|(block, _)| *block == line.block);
        let cells = text.trim_start().starts_with('|');
        let held = text.trim().is_empty() || is_held(base.span(line.start..line.end), parsed);
        if held || cells || !goes_on {
            paragraphs.extend(open.take().map(|(_, view)| view));
        }
        if held {
            continue;
        }
        if cells {
            let mut at = line.start;
            for cell in text.split('|') {
                paragraphs.push(base.slice(at..at + cell.len()));
                at += cell.len() + 1;
            }
            continue;
        }
        let (_, view) = open.get_or_insert_with(|| (line.block, TextView::empty(base.source())));
        view.append(base, line.start..line.next);
    }
    paragraphs.extend(open.map(|(_, view)| view));
    paragraphs
}

fn is_held(span: Span, parsed: &Parsed) -> bool {
    let inside = |whole: Span| whole.lo <= span.lo && span.lo < whole.hi;
    parsed.documents.iter().any(|document| inside(document.span))
        || parsed.logs.iter().any(|log| inside(log.span))
}

fn fragment(paragraph: &TextView<'_>, sentence: &Sentence) -> Document {
    let span = paragraph.span(sentence.range.clone());
    let words = paragraph.text().get(sentence.range.clone()).unwrap_or_default();
    let teller = Teller { paragraph, sentence, words, span };
    let namespaced = find_scope(words) == Some(Scope::Namespaced);
    let prefix = match sentence.speaker {
        Speaker::Placement if namespaced => "ResourcePlacement",
        Speaker::Placement => "ClusterResourcePlacement",
        Speaker::Run | Speaker::Eviction => "",
    };
    let told = &sentence.condition;
    let message: String = unwrapped(words);
    let style = if message == words { Style::Plain } else { Style::Encoded };
    let message = Node { style, ..Node::new(span, Value::String(message.into())) };
    let mut condition = vec![
        teller.entry("type", teller.inferred(&format!("{prefix}{}", told.r#type))),
        teller.entry("status", teller.inferred(told.status)),
        teller.entry("message", message),
    ];
    if sentence.is_sure {
        condition.push(teller.entry("reason", teller.inferred(told.reason)));
    }
    let conditions = teller.node(Value::List(vec![teller.map(condition)]));
    let status = teller.map(vec![teller.entry("conditions", conditions)]);
    let mut root = vec![teller.entry("status", status)];
    let spec = teller.spec();
    if !spec.is_empty() {
        root.insert(0, teller.entry("spec", teller.map(spec)));
    }
    let kind = match (sentence.speaker, namespaced) {
        (Speaker::Run, false) => "ClusterStagedUpdateRun",
        (Speaker::Run, true) => "StagedUpdateRun",
        (Speaker::Placement, _) => prefix,
        (Speaker::Eviction, _) => "ClusterResourcePlacementEviction",
    };
    let name = teller.name().map(SmolStr::from);
    let head = DocumentHead {
        kind: Some(kind.into()),
        namespace: teller.namespace(),
        name,
        api_version: None,
    };
    let root = Some(Arc::new(teller.map(root)));
    Document { head, root, partial: true, ..document(span, Syntax::Describe) }
}

/// Puts a text that was wrapped on one line.
fn unwrapped(words: &str) -> String {
    let lines: Vec<&str> = words.lines().map(str::trim).collect();
    lines.join(" ")
}

/// Turns a sentence into nodes of a tree.
struct Teller<'t> {
    paragraph: &'t TextView<'t>,
    sentence: &'t Sentence,
    words: &'t str,
    span: Span,
}

impl<'t> Teller<'t> {
    fn node(&self, value: Value) -> Node {
        Node { fidelity: Fidelity::Inferred, ..Node::new(self.span, value) }
    }

    fn inferred(&self, text: &str) -> Node {
        self.node(Value::String(text.into()))
    }

    fn map(&self, entries: Vec<Entry>) -> Node {
        self.node(Value::Map(entries.into()))
    }

    fn entry(&self, key: &str, node: Node) -> Entry {
        Entry { key: key.into(), key_span: node.span.start(), node }
    }

    fn refs(&self) -> impl Iterator<Item = &'t MessageRef> {
        self.sentence.recognised.parts.iter().flat_map(|part| &part.refs)
    }

    fn text(&self, found: &MessageRef) -> &'t str {
        self.words.get(found.range.clone()).unwrap_or_default()
    }

    /// Tells the namespace of the object, by that of what the words name.
    fn namespace(&self) -> Option<SmolStr> {
        let own =
            [HoleRole::Placement, HoleRole::PolicySnapshot, HoleRole::Strategy, HoleRole::Run];
        let mut named = self.refs().filter(|found| own.contains(&found.role));
        named
            .find_map(|found| self.text(found).split_once('/'))
            .map(|(namespace, _)| namespace.into())
    }

    /// Tells the name of the run itself: the hole for it has no name of its own.
    fn name(&self) -> Option<&'t str> {
        let mut own =
            self.refs().filter(|found| found.role == HoleRole::Run && found.name == "run");
        let name = self.text(own.next().filter(|_| self.sentence.speaker == Speaker::Run)?);
        name.rsplit('/').next()
    }

    /// Tells what a run asks for, where its words name it.
    fn spec(&self) -> Vec<Entry> {
        if self.sentence.speaker != Speaker::Run {
            return Vec::new();
        }
        let mut spec: Vec<Entry> = Vec::new();
        for found in self.refs() {
            let name = self.text(found).rsplit('/').next().unwrap_or_default();
            let (key, name) = match found.role {
                HoleRole::Placement => ("placementName", name),
                HoleRole::PolicySnapshot => (
                    "placementName",
                    name.rsplit_once('-').map_or(name, |(placement, _)| placement),
                ),
                HoleRole::Strategy => ("stagedRolloutStrategyName", name),
                HoleRole::SnapshotIndex => ("resourceSnapshotIndex", name),
                _ => continue,
            };
            if name.is_empty() || spec.iter().any(|entry| &*entry.key == key) {
                continue;
            }
            // The name is a slice of the words.
            let offset = name.as_ptr() as usize - self.words.as_ptr() as usize;
            let start = self.sentence.range.start + offset;
            let span = self.paragraph.span(start..start + name.len());
            let node = Node::new(span, Value::String(name.into()));
            spec.push(self.entry(key, node.with_fidelity(Fidelity::Inferred)));
        }
        spec
    }
}
