//! Conditions: the sentences in which Kubernetes controllers speak.

use jiff::Timestamp;

use super::read::{Text, read_int, read_some, read_text, read_time};
use crate::grammar::message::MessageContext;
use crate::source::{Span, Spanned};
use crate::syntax::tree::Node;

/// The status of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `True`.
    True,
    /// `False`.
    False,
    /// `Unknown`, or anything else.
    Unknown,
}

impl Status {
    /// Returns the word of an object.
    pub fn word(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

/// One condition with the places of its fields.
#[derive(Clone, Debug)]
pub struct Condition {
    /// All of it.
    pub span: Span,
    /// `type`.
    pub kind: Text,
    /// `status`.
    pub status: Spanned<Status>,
    /// `reason`.
    pub reason: Option<Text>,
    /// `message`.
    pub message: Option<Text>,
    /// `observedGeneration`; absent means 0 where a controller wrote it (Go omits zero).
    pub observed_generation: Option<Spanned<i64>>,
    /// `lastTransitionTime`.
    pub since: Option<Spanned<Timestamp>>,
}

impl Condition {
    /// Reads a condition; `type` and `status` are needed.
    pub fn read(node: &Node) -> Option<Self> {
        let status = read_text(node, "status")?;
        let value = match &*status.value.to_ascii_lowercase() {
            "true" => Status::True,
            "false" => Status::False,
            _ => Status::Unknown,
        };
        Some(Self {
            span: node.span,
            kind: read_text(node, "type")?,
            status: Spanned::new(value, status.span),
            reason: read_text(node, "reason"),
            message: read_text(node, "message"),
            observed_generation: read_int(node, "observedGeneration"),
            since: read_time(node, "lastTransitionTime"),
        })
    }

    /// Returns what helps to understand its message, in an object of a kind.
    pub fn hint<'c>(&'c self, kind: &'c str) -> MessageContext<'c> {
        MessageContext {
            condition_type: Some(&self.kind),
            reason: self.reason.as_deref(),
            kind: Some(kind),
        }
    }

    /// Says whether the status is `True`.
    pub fn is_true(&self) -> bool {
        self.status.value == Status::True
    }

    /// Says whether the status is `False`.
    pub fn is_false(&self) -> bool {
        self.status.value == Status::False
    }

    /// Returns the reason, `""` when there is none.
    pub fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or_default()
    }

    /// Returns the message, `""` when there is none.
    pub fn message(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    /// Returns the generation that the condition speaks of, 0 when it does not say.
    pub fn generation(&self) -> i64 {
        self.observed_generation.map_or(0, |generation| generation.value)
    }

    /// Returns where to point for the generation: the field, or the condition that lacks it.
    pub fn generation_span(&self) -> Span {
        self.observed_generation.map_or(self.kind.span, |generation| generation.span)
    }

    /// Returns the place that shows best why the condition is as it is: the message, else the reason, else the status.
    pub fn best_span(&self) -> Span {
        let message = self.message.as_ref().filter(|message| !message.is_empty());
        let text = message.or(self.reason.as_ref());
        text.map_or(self.status.span, |text| text.span)
    }
}

/// Reads a list of conditions.
pub fn read_conditions(node: &Node, key: &str) -> Vec<Condition> {
    read_some(node, key, Condition::read)
}

/// Finds a condition by its type.
pub fn find_condition<'c>(conditions: &'c [Condition], kind: &str) -> Option<&'c Condition> {
    conditions.iter().find(|condition| &*condition.kind == kind)
}
