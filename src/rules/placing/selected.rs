//! What a placement's selectors found, by its status.
//!
//! With strategy External the list of selected resources is blank between runs, and a status of an older
//! generation speaks of other selectors: such a list proves nothing.

use crate::model::condition::Status;
use crate::model::placement::{Placement, ResourceSelector};
use crate::rule::Cx;

/// Returns the placements whose list of selected resources can be trusted.
pub fn judged_placements<'g>(cx: &Cx<'g>) -> Vec<&'g Placement> {
    let trusted = |placement: &&Placement| {
        let Some(scheduled) = placement.condition("Scheduled") else { return false };
        let fresh = placement.meta.generation() == Some(scheduled.generation());
        let refused = scheduled.reason() == "InvalidResourceSelectors";
        let blank = placement.is_external() && placement.selected.is_empty();
        let whole = !placement.meta.partial && placement.meta.deleting.is_none();
        whole && fresh && !refused && !blank && scheduled.status.value != Status::Unknown
    };
    cx.placements().iter().filter(trusted).collect()
}

/// Says whether nothing in the status can come from a selector.
pub fn selects_nothing(placement: &Placement, selector: &ResourceSelector) -> bool {
    !placement.selected.iter().any(|found| {
        let same = |left: &Option<crate::model::read::Text>,
                    right: &Option<crate::model::read::Text>| {
            left.as_deref().unwrap_or_default() == right.as_deref().unwrap_or_default()
        };
        same(&found.kind, &selector.kind)
            && same(&found.group, &selector.group)
            && (selector.name.is_none() || same(&found.name, &selector.name))
            // What lies in a namespace was selected with it.
            || selector.kind.as_deref() == Some("Namespace")
                && selector.name.is_some()
                && same(&found.namespace, &selector.name)
    })
}

/// Says whether every condition is True.
pub fn all_green(placement: &Placement) -> bool {
    placement.conditions.iter().all(|condition| condition.is_true())
}
