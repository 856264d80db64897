//! [`ParsedMessage`]: a message of an object, taken apart by the message catalogue.
//!
//! Rules ask for a phrase by the name of its template and get what the phrase names, and where. They
//! never look into the text themselves.

use std::ops::Range;
use std::sync::Arc;

use super::read::Text;
use crate::grammar::message::{MessageId, MessagePart, Recognised};

/// A message and what it is made of.
#[derive(Clone, Debug)]
pub struct ParsedMessage {
    /// The message.
    pub text: Text,
    /// The templates of the catalogue that it consists of.
    pub parts: Arc<Recognised>,
}

/// A stretch of a message with one known wording.
#[derive(Clone, Copy, Debug)]
pub struct Phrase<'s> {
    /// The message that it stands in.
    pub text: &'s Text,
    part: &'s MessagePart,
}

impl ParsedMessage {
    /// Finds the first phrase that has one of these templates.
    pub fn find(&self, ids: &[MessageId]) -> Option<Phrase<'_>> {
        let wanted = |part: &&MessagePart| part.template.is_some_and(|t| ids.contains(&t.id));
        let part = self.parts.parts.iter().find(wanted)?;
        Some(Phrase { text: &self.text, part })
    }

    /// Returns the innermost phrase, known or not: what the message says in the end.
    ///
    /// Where it ends in several causes, the phrase that holds them all.
    pub fn core(&self) -> Option<Phrase<'_>> {
        let mut causes = self.parts.causes();
        let first = causes.next()?;
        let holder = first.parent.and_then(|parent| self.parts.parts.get(parent));
        let part = if causes.next().is_some() { holder.unwrap_or(first) } else { first };
        Some(Phrase { text: &self.text, part })
    }
}

impl<'s> Phrase<'s> {
    /// Says whether it has one of these templates.
    pub fn is(&self, ids: &[MessageId]) -> bool {
        self.part.template.is_some_and(|template| ids.contains(&template.id))
    }

    /// Returns where it stands in the message.
    pub fn range(&self) -> Range<usize> {
        self.part.range.clone()
    }

    /// Returns its words.
    pub fn words(&self) -> &'s str {
        let text: &'s str = self.text;
        text.get(self.range()).unwrap_or_default().trim()
    }

    /// Returns what it names, by the name of the hole.
    pub fn get(&self, name: &str) -> Option<&'s str> {
        let text: &'s str = self.text;
        text.get(self.range_of(name)?).map(str::trim)
    }

    /// Returns where something that it names stands in the message.
    pub fn range_of(&self, name: &str) -> Option<Range<usize>> {
        let found = self.part.refs.iter().find(|found| found.name == name)?;
        Some(found.range.clone())
    }
}
