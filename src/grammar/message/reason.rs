//! [`Reason`]: what the reasons of conditions mean.
//!
//! Owns `grammar/messages/reasons.yaml`. Reasons outlive wordings: an unknown text under a known
//! reason still tells what happened. Types are compared without the prefix of placement kinds.

use std::sync::OnceLock;

use serde::Deserialize;

use super::Hint;
use super::catalogue::{Condition, Outcome, parse_condition, plain_type};
use super::version::{Version, Versions};

/// A reason that some controller gives for a condition.
#[derive(Debug)]
pub struct Reason {
    /// The condition with its status and reason.
    pub condition: Condition,
    /// What has conditions of this kind: `run`, `stage`, `binding`, ….
    pub of: String,
    /// What it means.
    pub means: String,
    /// What becomes of it by itself.
    pub outcome: Option<Outcome>,
    /// The releases that give it.
    pub versions: Versions,
}

/// Finds what the reason of a hint means.
pub fn find_reason(hint: &Hint<'_>) -> Option<&'static Reason> {
    let reason = hint.reason?;
    let wanted = hint.condition_type.map(|name| (plain_type(name), plain_type(name) != name));
    let fitting = || {
        reasons().iter().filter(move |known| {
            known.condition.reason == reason
                && wanted.is_none_or(|(name, _)| name == known.condition.r#type)
        })
    };
    let same = wanted
        .and_then(|(_, placement)| fitting().find(|known| known.condition.placement == placement));
    same.or_else(|| fitting().next())
}

/// Returns all known reasons.
pub fn reasons() -> &'static [Reason] {
    static REASONS: OnceLock<Vec<Reason>> = OnceLock::new();
    REASONS.get_or_init(|| {
        read_reasons(include_str!("../../../grammar/messages/reasons.yaml"))
            .expect("the embedded table of reasons is read by a test")
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    of: String,
    reasons: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    on: String,
    means: String,
    end: Option<Outcome>,
    since: Option<Version>,
    until: Option<Version>,
}

fn read_reasons(yaml: &str) -> Result<Vec<Reason>, String> {
    let groups: Vec<Group> = serde_yaml::from_str(yaml).map_err(|fault| fault.to_string())?;
    let mut reasons = Vec::new();
    for group in groups {
        for row in group.reasons {
            reasons.push(Reason {
                condition: parse_condition(&row.on)?,
                of: group.of.clone(),
                means: row.means,
                outcome: row.end,
                versions: Versions { since: row.since, until: row.until },
            });
        }
    }
    Ok(reasons)
}
