//! [`ConditionHome`]: on what conditions of a reason stand.
//!
//! The table is made of `grammar/messages/reasons.yaml`. By its conditions a piece of an object tells what it was cut
//! out of. Types are compared without the prefix of placement kinds.

use super::catalogue::{ConditionSpec, plain_type};
use super::tables::{BY_REASON, OWNERS, REASONS};
use crate::grammar::kind::Kind;

/// A place where conditions of some reason stand.
#[derive(Debug, PartialEq, Eq)]
pub struct ConditionHome {
    /// The family of the object.
    pub family: Kind,
    /// The keys from its root down to the map that holds the conditions.
    pub path: &'static [&'static str],
}

/// Where a condition can stand.
#[derive(Clone, Debug, Default)]
pub struct ConditionHomes {
    /// The places, the likeliest first.
    pub places: Vec<&'static ConditionHome>,
    /// Whether the condition can stand nowhere else; a type alone is used by others, too.
    pub sure: bool,
}

/// What shares a set of reasons: a run, a stage, a binding, ….
#[derive(Debug)]
pub(super) struct ReasonOwner {
    pub(super) of: &'static str,
    pub(super) homes: &'static [ConditionHome],
    /// How all its reasons begin, those of tomorrow included.
    pub(super) begins: Option<&'static str>,
}

/// Finds where a condition of this type and reason can stand; either may be empty.
pub fn find_homes(r#type: &str, reason: &str) -> ConditionHomes {
    let plain = plain_type(r#type);
    // Only placements put their kind in front of a type.
    let mut owners =
        if plain != r#type { vec!["placement"] } else { owners_by_reason(plain, reason) };
    if owners.is_empty() && !reason.is_empty() {
        let begins =
            |owner: &&ReasonOwner| owner.begins.is_some_and(|begins| reason.starts_with(begins));
        owners = OWNERS.iter().filter(begins).map(|owner| owner.of).collect();
    }
    let sure = !owners.is_empty();
    if !sure {
        owners = owner_by_type(plain).into_iter().collect();
    }
    let known = OWNERS.iter().filter(|owner| owners.contains(&owner.of));
    ConditionHomes { places: known.flat_map(|owner| owner.homes).collect(), sure }
}

fn owners_by_reason(r#type: &str, reason: &str) -> Vec<&'static str> {
    let exact = BY_REASON.get(reason).copied();
    // No reason has a digit: a screenshot that was turned into text may.
    let misread = || {
        let digits = reason.contains(|at: char| at.is_ascii_digit());
        let mut all = BY_REASON.entries().filter(|_| digits);
        all.find(|(known, _)| looks(known) == looks(reason)).map(|(_, rows)| *rows)
    };
    let rows = exact.or_else(misread).into_iter().flatten();
    let known = rows.filter_map(|row| REASONS.get(usize::from(*row)));
    let fits = |condition: &ConditionSpec| {
        !condition.placement && (r#type.is_empty() || condition.r#type == r#type)
    };
    known.filter(|known| fits(&known.condition)).map(|known| known.of).collect()
}

/// Folds the characters that a reader of screenshots takes for each other.
fn looks(word: &str) -> String {
    let fold = |at: char| match at.to_ascii_lowercase() {
        '0' => 'o',
        '1' | 'i' | '|' => 'l',
        '5' => 's',
        '8' => 'b',
        other => other,
    };
    word.chars().map(fold).collect()
}

/// Returns what alone has conditions of a type.
fn owner_by_type(r#type: &str) -> Option<&'static str> {
    let of_type = |condition: &ConditionSpec| condition.r#type == r#type && !condition.placement;
    let mut owners = REASONS.iter().filter(|known| of_type(&known.condition)).map(|known| known.of);
    let first = owners.next()?;
    owners.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::kind::all_kinds;

    #[test]
    fn every_home_has_room_for_conditions() {
        for home in OWNERS.iter().flat_map(|owner| owner.homes) {
            let spec = all_kinds().iter().find(|spec| spec.family == home.family);
            let start = spec.map(|spec| spec.schema());
            let end = home.path.iter().fold(start, |at, key| {
                let inner = &at?.field(key)?.schema;
                Some(inner.item().unwrap_or(inner))
            });
            let holds = |key: &str| end.is_some_and(|end| end.field(key).is_some());
            assert!(holds("conditions") || holds("condition"), "{home:?}");
        }
    }

    #[test]
    fn reasons_tell_homes_and_types_alone_only_hint() {
        let families = |ty: &str, reason: &str| {
            let homes = find_homes(ty, reason);
            (homes.places.iter().map(|home| home.family).collect::<Vec<_>>(), homes.sure)
        };
        assert_eq!(
            families("WorkSynchronized", "SyncWorkFailed"),
            (vec![Kind::Binding, Kind::Placement], true)
        );
        let scheduled = ("Scheduled", "SchedulingPolicyFulfilled");
        assert_eq!(families(scheduled.0, scheduled.1), (vec![Kind::PolicySnapshot], true));
        let placement = "ResourcePlacementScheduled";
        assert_eq!(families(placement, scheduled.1), (vec![Kind::Placement], true));
        assert_eq!(families("Progressing", "UpdateRunOfTomorrow"), (vec![Kind::Run], true));
        assert_eq!(families("Approved", "lgtm"), (vec![Kind::ApprovalRequest], false));
        assert_eq!(families("Available", "MinimumReplicasAvailable"), (vec![], false));
        assert_eq!(families("Ready", "KubeletReady"), (vec![], false));
    }
}
