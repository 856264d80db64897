//! Selectors of placements that match no object, by the placement's own status.
//!
//! With strategy External the list of selected resources is blank between runs, and a status of an older
//! generation speaks of other selectors: such a list proves nothing.

use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::model::condition::Status;
use crate::model::placement::{Placement, ResourceSelector};
use crate::model::read::Text;

/// The placement's status lists what was selected.
pub const READS: &[Kind] = &[Kind::Placement];

/// A selector that matches nothing.
#[derive(Debug)]
pub struct EmptySelector<'g> {
    /// Its placement.
    pub placement: &'g Placement,
    /// The selector.
    pub selector: &'g ResourceSelector,
    /// Whether every condition of the placement is True all the same.
    pub is_green: bool,
}

/// Returns the selectors that match nothing.
pub(super) fn find_empty_selectors(graph: &Graph) -> Vec<EmptySelector<'_>> {
    let trusted = graph.placements.iter().filter(|placement| is_trusted(placement));
    let all = trusted.flat_map(|placement| {
        let is_green = placement.conditions.iter().all(|condition| condition.is_true());
        let selectors = placement.selectors.iter();
        let empty = selectors.filter(|selector| selects_nothing(placement, selector));
        empty.map(move |selector| EmptySelector { placement, selector, is_green })
    });
    all.collect()
}

/// Says whether the list of selected resources can be trusted.
fn is_trusted(placement: &Placement) -> bool {
    let Some(scheduled) = placement.condition("Scheduled") else { return false };
    let fresh = placement.meta.generation() == Some(scheduled.generation());
    let refused = scheduled.reason() == "InvalidResourceSelectors";
    let blank = placement.is_external() && placement.selected.is_empty();
    let whole = !placement.meta.partial && placement.meta.deleting.is_none();
    whole && fresh && !refused && !blank && scheduled.status.value != Status::Unknown
}

/// Says whether nothing in the status can come from a selector.
fn selects_nothing(placement: &Placement, selector: &ResourceSelector) -> bool {
    !placement.selected.iter().any(|found| {
        same(&found.kind, &selector.kind)
            && same(&found.group, &selector.group)
            && (selector.name.is_none() || same(&found.name, &selector.name))
            // What lies in a namespace was selected with it.
            || selector.kind.as_deref() == Some("Namespace")
                && selector.name.is_some()
                && same(&found.namespace, &selector.name)
    })
}

fn same(left: &Option<Text>, right: &Option<Text>) -> bool {
    left.as_deref().unwrap_or_default() == right.as_deref().unwrap_or_default()
}
