//! Which kind of object a pasted fragment belongs to, by the conditions in it.
//!
//! Each condition stands only on some families, and its message may name the scope. All of them speak of
//! one object, so what they agree on holds.

use crate::grammar::kind::{Kind, Scope};
use crate::grammar::message::{ConditionHome, find_homes, find_scope};

/// How many conditions are asked; a status of a hundred clusters says the same a hundred times.
const ASKED: usize = 64;

/// What the conditions of a piece agree on.
#[derive(Clone, Debug, Default)]
pub(super) struct ConditionHints {
    /// The families that they can stand on, the likeliest first; empty if nothing is known.
    pub(super) families: Vec<Kind>,
    /// The scope of the object.
    pub(super) scope: Option<Scope>,
    asked: usize,
}

impl ConditionHints {
    /// Takes in one condition; what is not known of it is empty.
    pub(super) fn add(&mut self, r#type: &str, reason: &str, message: &str) {
        if self.asked >= ASKED {
            return;
        }
        self.asked += 1;
        self.scope = self.scope.or_else(|| scope_of_type(r#type)).or_else(|| find_scope(message));
        let homes = find_homes(r#type, reason);
        if !homes.sure {
            return;
        }
        let known = |family: &Kind| homes.places.iter().any(|home| home.family == *family);
        if self.families.is_empty() {
            for home in &homes.places {
                if !self.families.contains(&home.family) {
                    self.families.push(home.family);
                }
            }
        } else if self.families.iter().any(known) {
            self.families.retain(known);
        }
    }

    /// Says whether a family comes into question.
    pub(super) fn allows(&self, family: Kind) -> bool {
        self.families.is_empty() || self.families.contains(&family)
    }
}

/// Returns the last keys on the way to where a condition of this type and reason can stand.
pub(super) fn owners(r#type: &str, reason: &str) -> Vec<&'static str> {
    let homes = find_homes(r#type, reason);
    let last = |home: &'static ConditionHome| home.path.last().copied();
    homes.places.into_iter().filter_map(last).collect()
}

/// Returns the scope of the placement on which alone a condition of this type stands.
fn scope_of_type(r#type: &str) -> Option<Scope> {
    let longer = |prefix: &str| r#type.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty());
    if longer("ClusterResourcePlacement") {
        Some(Scope::Cluster)
    } else {
        longer("ResourcePlacement").then_some(Scope::Namespaced)
    }
}
