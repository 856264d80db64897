//! [`Template`]: the messages of `grammar/messages`, by family.
//!
//! The tables are made by the build. A family is one file. Every text stands once in the catalogue: a template
//! names all conditions that it is written to.

use super::MessageContext;
use super::names::MessageId;
use super::pattern::MessagePattern;
use super::tables::{FAMILIES, TEMPLATES};
use super::version::Versions;

/// What a text is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Words in front of a cause.
    Prefix,
    /// The message of a condition.
    Condition,
    /// A cause, alone or inside another text.
    Error,
    /// The message of an event.
    Event,
    /// What the hub answers when it refuses an object.
    Admission,
    /// A spelling that documents print and no release ever did.
    DocOnly,
}

/// The layer that a prefix belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefixLayer {
    /// The run is given up.
    Abort,
    /// The phase that failed.
    Validate,
    /// Who has to act.
    Class,
    /// The scheduler turned a cluster away.
    Filter,
    /// An event that stands for many.
    Event,
    /// Several errors in brackets.
    Aggregate,
}

/// What becomes of it by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelfRecovery {
    /// It stays so.
    Terminal,
    /// The controller tries again.
    Retried,
}

/// Stands for whatever reason somebody writes.
const ANY_REASON: &str = "*";

/// A condition that carries a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionSpec {
    /// The type, without the prefix of placement kinds.
    pub r#type: &'static str,
    /// `True`, `False` or `Unknown`.
    pub status: &'static str,
    /// The reason.
    pub reason: &'static str,
    /// The type has the prefix of the placement kinds.
    pub placement: bool,
}

/// One message that the controllers print.
#[derive(Debug)]
pub struct Template {
    /// The name that rules use.
    pub id: MessageId,
    /// The same as `grammar/messages` has it.
    pub name: &'static str,
    /// Further names of the same text.
    pub aka: &'static [&'static str],
    /// The text with its holes.
    pub text: &'static str,
    /// What the text is part of.
    pub kind: MessageKind,
    /// The layer of a prefix.
    pub slot: Option<PrefixLayer>,
    /// The conditions that it is written to.
    pub conditions: &'static [ConditionSpec],
    /// What becomes of it by itself.
    pub outcome: Option<SelfRecovery>,
    /// The releases that print it.
    pub versions: Versions,
    /// The wording that took its place.
    pub successor: Option<MessageId>,
    /// Templates that fit the same texts and give way to this one.
    pub overlaps: &'static [MessageId],
    /// The whole text is another one, or anybody's; only the reason tells.
    pub carrier: bool,
    pub(super) means: Option<&'static str>,
    pub(super) remedy: Option<&'static str>,
    /// Which family it belongs to.
    pub(super) family: usize,
    pub(super) patterns: &'static [MessagePattern],
}

impl Template {
    /// Returns what the message means, taken from the present wording if this is an old one.
    pub fn means(&self) -> Option<&'static str> {
        self.means.or_else(|| self.present()?.means)
    }

    /// Returns what to do about it, taken from the present wording if this is an old one.
    pub fn remedy(&self) -> Option<&'static str> {
        self.remedy.or_else(|| self.present()?.remedy)
    }

    fn present(&self) -> Option<&'static Self> {
        self.successor?.template()
    }

    /// Tells whether the template is one hole that anybody fills as he likes.
    pub(super) fn is_free_text(&self) -> bool {
        self.text == "{text}"
    }

    /// Tells whether conditions of the kind mostly speak as this template does.
    pub(super) fn speaks_of(&self, kind: &str) -> bool {
        FAMILIES.get(self.family).is_some_and(|family| family.speaks_of(kind))
    }

    /// Tells whether the template is written to the condition of the hint.
    pub(super) fn fits(&self, hint: &MessageContext<'_>) -> bool {
        let Some(reason) = hint.reason else { return false };
        let kind = hint.condition_type.map(plain_type);
        self.conditions.iter().any(|condition| match condition.reason {
            ANY_REASON => kind == Some(condition.r#type),
            own => own == reason && kind.is_none_or(|kind| kind == condition.r#type),
        })
    }
}

/// Drops the prefix of the placement kinds from a condition type.
pub fn plain_type(name: &str) -> &str {
    ["ClusterResourcePlacement", "ResourcePlacement"]
        .into_iter()
        .find_map(|prefix| name.strip_prefix(prefix).filter(|rest| !rest.is_empty()))
        .unwrap_or(name)
}

/// A file of templates.
#[derive(Debug)]
pub(super) struct TemplateFile {
    /// Kinds whose conditions mostly speak in this family.
    pub(super) kinds: &'static [&'static str],
}

impl TemplateFile {
    /// Tells whether conditions of the kind mostly speak in this family.
    pub(super) fn speaks_of(&self, kind: &str) -> bool {
        self.kinds.contains(&kind.strip_prefix("Cluster").unwrap_or(kind))
    }
}

/// Returns the prefixes.
pub(super) fn prefixes() -> &'static [Template] {
    let end = TEMPLATES.partition_point(|template| template.kind == MessageKind::Prefix);
    TEMPLATES.get(..end).unwrap_or_default()
}

/// Returns every template of the catalogue.
pub fn templates() -> &'static [Template] {
    &TEMPLATES
}

/// Returns the templates of a list of rows.
pub(super) fn rows(rows: &'static [u16]) -> impl Iterator<Item = &'static Template> {
    rows.iter().filter_map(|row| TEMPLATES.get(usize::from(*row)))
}
