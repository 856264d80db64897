//! Whose condition it is, told by its reason or type.
//!
//! Where indentation is lost, a `Conditions:` label fits a cluster, its stage and the run alike. The
//! controllers give each level its own reasons, and placements their own types, so those decide.

use super::line::DescribeLine;
use crate::syntax::condition_hints::{ConditionHints, owners};

/// A condition is at most this many lines long, short of wrapped text.
const LOOK_AHEAD: usize = 16;

/// Returns the keys of the frames to which the condition in these lines can belong.
pub(super) fn owner_of_conditions(lines: &[DescribeLine<'_>]) -> Vec<&'static str> {
    let mut reason = None;
    for line in lines.iter().filter(|line| !line.is_blank()).take(LOOK_AHEAD) {
        if line.is_label("Reason") && reason.is_none() {
            reason = Some(line.value());
        } else if line.is_label("Type") {
            return owners(line.value(), reason.unwrap_or_default());
        }
    }
    owners("", reason.unwrap_or_default())
}

/// Reads from all conditions what kind of object they stand on.
pub(super) fn signs_of_conditions(lines: &[DescribeLine<'_>]) -> ConditionHints {
    let mut signs = ConditionHints::default();
    let (mut reason, mut message) = ("", "");
    for line in lines {
        if line.is_label("Message") {
            message = line.value();
        } else if line.is_label("Reason") {
            reason = line.value();
        } else if line.is_label("Type") {
            // kubectl prints the fields by name, so the type comes last.
            signs.add(line.value(), std::mem::take(&mut reason), std::mem::take(&mut message));
        }
    }
    if !reason.is_empty() || !message.is_empty() {
        signs.add("", reason, message);
    }
    signs
}
