//! [`Reason`]: what the reasons of conditions mean.
//!
//! The table is made of `grammar/messages/reasons.yaml`. Reasons outlive wordings: an unknown text under a known
//! reason still tells what happened. Types are compared without the prefix of placement kinds.

use super::MessageContext;
use super::catalogue::{ConditionSpec, SelfRecovery, plain_type};
use super::tables::{BY_REASON, REASONS};
use super::version::Versions;

/// A reason that some controller gives for a condition.
#[derive(Debug)]
pub struct Reason {
    /// The condition with its status and reason.
    pub condition: ConditionSpec,
    /// What has conditions of this kind: `run`, `stage`, `binding`, ….
    pub of: &'static str,
    /// Who writes it: `hub agent`, `member agent`, `approver`.
    pub by: &'static str,
    /// What it means.
    pub means: &'static str,
    /// What becomes of it by itself.
    pub outcome: Option<SelfRecovery>,
    /// The releases that give it.
    pub versions: Versions,
}

/// Finds what the reason of a hint means.
pub fn find_reason(hint: &MessageContext<'_>) -> Option<&'static Reason> {
    let reason = hint.reason?;
    let wanted = hint.condition_type.map(|name| (plain_type(name), plain_type(name) != name));
    let known = BY_REASON.get(reason)?.iter().filter_map(|row| REASONS.get(usize::from(*row)));
    let fitting = || {
        let known = known.clone();
        known.filter(move |known| wanted.is_none_or(|(name, _)| name == known.condition.r#type))
    };
    let same = wanted
        .and_then(|(_, placement)| fitting().find(|known| known.condition.placement == placement));
    same.or_else(|| fitting().next())
}

/// Returns all known reasons.
pub fn reasons() -> &'static [Reason] {
    &REASONS
}
