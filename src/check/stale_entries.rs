//! What is wrong with the entries of a configuration that ignore findings.
//!
//! Owns the judgement whether an entry is still needed. A check often sees only the files that were
//! changed, so an entry is called unused only where all objects that it may speak of were judged.

use super::suppress::unknown_rule;
use crate::config::{Ignore, Policy};
use crate::finding::Finding;
use crate::manifest::{FileRole, Repository};
use crate::model::key::ObjectKey;
use crate::rule::RuleScope;
use crate::rules::manifest_file::{
    expired_suppression::EXPIRED_SUPPRESSION, unused_suppression::UNUSED_SUPPRESSION,
};

/// How much of what there is was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CheckExtent {
    /// Only some files of the repository.
    #[default]
    Part,
    /// Everything that the configuration speaks of.
    Whole,
}

/// Says whether all objects that `covers` names were judged, so that what was not found is not there.
pub(super) fn is_judged(
    repository: &Repository,
    extent: CheckExtent,
    covers: impl Fn(&ObjectKey) -> bool,
) -> bool {
    let mut judged = false;
    for manifest in repository.present().filter(|manifest| covers(&manifest.key)) {
        if manifest.role != FileRole::Judged {
            return false;
        }
        judged = true;
    }
    judged || extent == CheckExtent::Whole
}

/// Finds what is wrong with entries; `used` tells which of them took something out.
pub(super) fn entry_troubles(
    policy: &Policy,
    used: &[bool],
    repository: &Repository,
    extent: CheckExtent,
) -> Vec<Finding> {
    let entries = policy.ignores.iter().zip(used);
    entries
        .filter_map(|(ignore, used)| trouble(ignore, *used, policy, repository, extent))
        .collect()
}

fn trouble(
    ignore: &Ignore,
    used: bool,
    policy: &Policy,
    repository: &Repository,
    extent: CheckExtent,
) -> Option<Finding> {
    let Some(rule) = ignore.find_rule() else {
        return Some(unknown_rule(&ignore.rule, ignore.span));
    };
    if let Some((last, span)) = ignore.expires.filter(|_| policy.is_expired(ignore)) {
        let message = format!("the entry that ignores {} held until {last}", rule.code);
        return Some(
            EXPIRED_SUPPRESSION
                .at(span, "this day is over")
                .message(message)
                .why("an entry that has expired does nothing: repair the cause, or decide anew"),
        );
    }
    // Rules about captures are judged by another command.
    if used || rule.scope() != RuleScope::Manifest {
        return None;
    }
    is_judged(repository, extent, |key| ignore.covers(key)).then(|| {
        let message = format!("{} is ignored here, and does not occur", rule.code);
        UNUSED_SUPPRESSION.at(ignore.span, "not needed").message(message)
    })
}
