//! [`Template`]: the messages of `grammar/messages`, by family.
//!
//! Owns the form of the data files and their reading. A family is one file, parsed when the first
//! message asks for it. Every text stands once in the catalogue: a template names all conditions
//! that it is written to.

use std::sync::OnceLock;

use serde::Deserialize;

use super::Hint;
use super::pattern::Pattern;
use super::version::{Version, Versions};

/// What a text is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Slot {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It stays so.
    Terminal,
    /// The controller tries again.
    Retried,
}

/// Stands for whatever reason somebody writes.
const ANY_REASON: &str = "*";

/// A condition that carries a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The type, without the prefix of placement kinds.
    pub r#type: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// The reason.
    pub reason: String,
    /// The type has the prefix of the placement kinds.
    pub placement: bool,
}

/// One message that the controllers print.
#[derive(Debug)]
pub struct Template {
    /// The name that rules use.
    pub id: String,
    /// Further names of the same text.
    pub aka: Vec<String>,
    /// The text with its holes.
    pub text: String,
    /// What the text is part of.
    pub kind: MessageKind,
    /// The layer of a prefix.
    pub slot: Option<Slot>,
    /// The conditions that it is written to.
    pub conditions: Vec<Condition>,
    /// What becomes of it by itself.
    pub outcome: Option<Outcome>,
    /// The releases that print it.
    pub versions: Versions,
    /// The wording that took its place.
    pub successor: Option<String>,
    /// Templates that fit the same texts and give way to this one.
    pub overlaps: Vec<String>,
    /// The whole text is another one, or anybody's; only the reason tells.
    pub carrier: bool,
    means: Option<String>,
    remedy: Option<String>,
    pub(super) patterns: Vec<Pattern>,
}

impl Template {
    /// Returns what the message means, taken from the present wording if this is an old one.
    pub fn means(&self) -> Option<&str> {
        self.means.as_deref().or_else(|| self.present()?.means.as_deref())
    }

    /// Returns what to do about it, taken from the present wording if this is an old one.
    pub fn remedy(&self) -> Option<&str> {
        self.remedy.as_deref().or_else(|| self.present()?.remedy.as_deref())
    }

    fn present(&self) -> Option<&'static Self> {
        find_template(self.successor.as_deref()?)
    }

    /// Tells whether the template is one hole that anybody fills as he likes.
    pub(super) fn is_free_text(&self) -> bool {
        self.text == "{text}"
    }

    /// Tells whether the template is written to the condition of the hint.
    pub(super) fn fits(&self, hint: &Hint<'_>) -> bool {
        let Some(reason) = hint.reason else { return false };
        let kind = hint.condition_type.map(plain_type);
        self.conditions.iter().any(|condition| match condition.reason.as_str() {
            ANY_REASON => kind == Some(&condition.r#type),
            own => own == reason && kind.is_none_or(|kind| kind == condition.r#type),
        })
    }
}

/// Drops the prefix of the placement kinds from a condition type.
pub(super) fn plain_type(name: &str) -> &str {
    ["ClusterResourcePlacement", "ResourcePlacement"]
        .into_iter()
        .find_map(|prefix| name.strip_prefix(prefix).filter(|rest| !rest.is_empty()))
        .unwrap_or(name)
}

/// A file of templates.
pub(super) struct Family {
    name: &'static str,
    yaml: &'static str,
    /// Kinds whose conditions mostly speak in this family.
    kinds: &'static [&'static str],
    templates: OnceLock<Vec<Template>>,
}

macro_rules! families {
    ($($name:literal: $kinds:expr;)*) => {
        [$(Family {
            name: $name,
            yaml: include_str!(concat!("../../../grammar/messages/", $name, ".yaml")),
            kinds: &$kinds,
            templates: OnceLock::new(),
        }),*]
    };
}

static FAMILIES: [Family; 16] = families! {
    "prefix": [];
    "run-conditions": ["StagedUpdateRun", "ApprovalRequest"];
    "run-initialize": ["StagedUpdateRun"];
    "run-validate": ["StagedUpdateRun"];
    "run-execute": ["StagedUpdateRun"];
    "placement": ["ResourcePlacement", "ResourcePlacementStatus"];
    "scheduler": ["ResourcePlacement", "ResourcePlacementStatus", "SchedulingPolicySnapshot"];
    "binding": ["ResourceBinding", "ResourcePlacement", "ResourcePlacementStatus"];
    "override": [];
    "work": ["Work"];
    "member": ["MemberCluster", "InternalMemberCluster", "Profile"];
    "eviction": ["ResourcePlacementEviction"];
    "event": [];
    "admission": [];
    "apiserver": [];
    "workload": [];
};

impl Family {
    pub(super) fn templates(&'static self) -> &'static [Template] {
        self.templates.get_or_init(|| {
            read_templates(self.yaml)
                .map_err(|fault| format!("{}: {fault}", self.name))
                .expect("the embedded catalogue is read by a test")
        })
    }

    /// Tells whether conditions of the kind mostly speak in this family.
    pub(super) fn speaks_of(&self, kind: &str) -> bool {
        self.kinds.contains(&kind.strip_prefix("Cluster").unwrap_or(kind))
    }
}

/// Returns all families, in a fixed order.
pub(super) fn families() -> &'static [Family] {
    &FAMILIES
}

/// Returns the prefixes.
pub(super) fn prefixes() -> &'static [Template] {
    FAMILIES.first().map_or(&[], Family::templates)
}

/// Returns every template of the catalogue.
pub fn templates() -> impl Iterator<Item = &'static Template> {
    families().iter().flat_map(|family| family.templates())
}

/// Finds a template by its id.
pub fn find_template(id: &str) -> Option<&'static Template> {
    templates().find(|template| template.id == id)
}

/// Templates that share what is written here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    kind: MessageKind,
    slot: Option<Slot>,
    #[serde(default)]
    on: Vec<String>,
    end: Option<Outcome>,
    #[serde(default)]
    carrier: bool,
    templates: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(default)]
    aka: Vec<String>,
    text: String,
    on: Option<Vec<String>>,
    end: Option<Outcome>,
    since: Option<Version>,
    until: Option<Version>,
    successor: Option<String>,
    #[serde(default)]
    overlaps: Vec<String>,
    means: Option<String>,
    r#do: Option<String>,
}

fn read_templates(yaml: &str) -> Result<Vec<Template>, String> {
    let groups: Vec<Group> = serde_yaml::from_str(yaml).map_err(|fault| fault.to_string())?;
    let mut templates = Vec::new();
    for group in groups {
        for row in group.templates {
            let on = row.on.as_ref().unwrap_or(&group.on);
            let patterns = match group.slot {
                Some(Slot::Aggregate) => Vec::new(),
                _ => Pattern::parse(&row.text)?,
            };
            templates.push(Template {
                conditions: on.iter().map(|on| parse_condition(on)).collect::<Result<_, _>>()?,
                id: row.id,
                aka: row.aka,
                text: row.text,
                kind: group.kind,
                slot: group.slot,
                outcome: row.end.or(group.end),
                versions: Versions { since: row.since, until: row.until },
                successor: row.successor,
                overlaps: row.overlaps,
                carrier: group.carrier,
                means: row.means,
                remedy: row.r#do,
                patterns,
            });
        }
    }
    Ok(templates)
}

/// Reads `Type=Status/Reason`; `Placement.` before the type stands for both placement kinds.
pub(super) fn parse_condition(text: &str) -> Result<Condition, String> {
    let parse = || {
        let (name, rest) = text.split_once('=')?;
        let (status, reason) = rest.split_once('/')?;
        let plain = name.strip_prefix("Placement.").unwrap_or(name);
        Some(Condition {
            r#type: plain.to_owned(),
            status: status.to_owned(),
            reason: reason.to_owned(),
            placement: plain != name,
        })
    };
    parse().ok_or_else(|| format!("{text} is not Type=Status/Reason"))
}
