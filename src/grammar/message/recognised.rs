//! What is asked about a message and what the answer is made of: [`MessageContext`], [`Recognised`], [`MessagePart`].
//!
//! Owns the plain data and the questions that rules put to it. Every range is in bytes of the text
//! that was asked about, on borders of its characters.

use std::ops::Range;

use super::catalogue::{PrefixLayer, Template};
use super::hole_role::{HoleClass, HoleRole};
use super::names::MessageId;
use super::pattern::Hole;
use super::reason::Reason;
use super::version::Versions;

/// What is known of the place that a message stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MessageContext<'a> {
    /// The type of the condition.
    pub condition_type: Option<&'a str>,
    /// The reason of the condition or event.
    pub reason: Option<&'a str>,
    /// The kind of the object.
    pub kind: Option<&'a str>,
}

/// Something that a message names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageRef {
    /// What it refers to.
    pub role: HoleRole,
    /// Which of several it is (`want`, `got`); the role's own name if there is one only.
    pub name: &'static str,
    /// Where it stands in the text.
    pub range: Range<usize>,
}

/// A stretch of a message with one template.
#[derive(Clone, Debug)]
pub struct MessagePart {
    /// The template; absent if the wording is unknown.
    pub template: Option<&'static Template>,
    /// Where it stands in the text.
    pub range: Range<usize>,
    /// What it names, nested errors left out: those are parts of their own.
    pub refs: Vec<MessageRef>,
    /// The part that this one stands in.
    pub parent: Option<usize>,
}

/// What a message is made of.
#[derive(Clone, Debug, Default)]
pub struct Recognised {
    /// The causes in the order of the text, each after the part that it stands in.
    pub parts: Vec<MessagePart>,
    /// The prefixes that were taken off.
    pub prefixes: Vec<(&'static Template, Range<usize>)>,
    /// The template of a condition whose message is wholly another text.
    pub carrier: Option<&'static Template>,
    /// What the reason of the hint means.
    pub reason: Option<&'static Reason>,
    /// The releases that print these wordings.
    pub versions: Versions,
    /// The text ends in dots in the middle of a template.
    pub cut: bool,
}

impl Recognised {
    /// Tells whether some part has an unknown wording.
    pub fn is_unknown(&self) -> bool {
        self.parts.iter().any(|part| part.template.is_none())
    }

    /// Returns the templates of all parts.
    pub fn templates(&self) -> impl Iterator<Item = &'static Template> {
        self.parts.iter().filter_map(|part| part.template)
    }

    /// Finds the first part with the template.
    pub fn find_part(&self, id: MessageId) -> Option<&MessagePart> {
        self.parts.iter().find(|part| part.template.is_some_and(|template| template.id == id))
    }

    /// Tells whether the text has a prefix of the layer.
    pub fn has_prefix(&self, slot: PrefixLayer) -> bool {
        self.prefixes.iter().any(|(template, _)| template.slot == Some(slot))
    }

    /// Returns what the message names in a role, in the order of the text.
    pub fn refs(&self, role: HoleRole) -> impl Iterator<Item = &MessageRef> {
        self.parts.iter().flat_map(|part| &part.refs).filter(move |found| found.role == role)
    }

    /// Returns the innermost parts: the causes themselves.
    pub fn causes(&self) -> impl Iterator<Item = &MessagePart> {
        self.parts.iter().enumerate().filter_map(|(index, part)| {
            let inner = self.parts.iter().any(|other| other.parent == Some(index));
            (!inner).then_some(part)
        })
    }
}

/// Returns what the text in a hole refers to: one thing, several, or nothing if it is empty.
pub(super) fn hole_refs(hole: &'static Hole, text: &str, range: Range<usize>) -> Vec<MessageRef> {
    let one = |range| MessageRef { role: hole.role, name: hole.name, range };
    let inside = text.get(range.clone()).unwrap_or_default();
    if hole.class == HoleClass::List {
        let separators = [',', '[', ']', '…'];
        return inside
            .split(|char: char| char.is_whitespace() || separators.contains(&char))
            .filter_map(|name| {
                let name = name.strip_suffix("...").unwrap_or(name);
                let start = range.start + offset_of(name, inside);
                (!name.is_empty()).then(|| one(start..start + name.len()))
            })
            .collect();
    }
    let bare = match hole.class {
        // A name without a namespace is printed with the slash all the same.
        HoleClass::Word => inside.strip_prefix('/').unwrap_or(inside),
        HoleClass::Path => inside.trim_matches(['"', '\'']),
        _ => inside,
    };
    let start = range.start + offset_of(bare, inside);
    let range = start..start + bare.len();
    if range.is_empty() { Vec::new() } else { vec![one(range)] }
}

/// Returns where a slice of a text begins in it.
fn offset_of(slice: &str, text: &str) -> usize {
    slice.as_ptr() as usize - text.as_ptr() as usize
}
