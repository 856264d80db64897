//! Placements whose selectors the controller refuses, and what it says about them.

use super::messages::Messages;
use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::model::condition::Condition;
use crate::model::parsed_message::ParsedMessage;
use crate::model::placement::{Placement, ResourceSelector};

/// The placement says it itself.
pub const READS: &[Kind] = &[Kind::Placement];

/// A placement whose selection failed.
#[derive(Debug)]
pub struct RefusedSelection<'g> {
    /// The placement.
    pub placement: &'g Placement,
    /// The condition that says so.
    pub condition: &'g Condition,
    /// The condition's message.
    pub said: ParsedMessage,
}

/// Returns the placements whose selectors are refused.
pub(super) fn find_refused_selections<'g>(
    graph: &'g Graph,
    messages: &Messages<'g>,
) -> Vec<RefusedSelection<'g>> {
    let living = graph.placements.iter().filter(|placement| placement.meta.deleting.is_none());
    living
        .filter_map(|placement| {
            let condition = placement.condition("Scheduled")?;
            let refused = condition.is_false() && condition.reason() == "InvalidResourceSelectors";
            let said = messages.of_condition(condition, &placement.meta.key.kind);
            Some(RefusedSelection { placement, condition, said: said.filter(|_| refused)? })
        })
        .collect()
}

impl<'g> RefusedSelection<'g> {
    /// Finds the selector of a kind and, if it names one, a name.
    pub fn find_selector(&self, kind: &str, name: Option<&str>) -> Option<&'g ResourceSelector> {
        let of_kind = |selector: &&ResourceSelector| {
            selector.kind.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(kind))
        };
        let named =
            |selector: &&ResourceSelector| name.is_none() || selector.name.as_deref() == name;
        self.placement.selectors.iter().filter(of_kind).find(named)
    }
}
