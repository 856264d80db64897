//! Placements whose selectors the controller refuses, and what it says about them.

use crate::finding::{Finding, Recoverability, Topic};
use crate::grammar::message::{MessageId, id};
use crate::model::condition::Condition;
use crate::model::placement::{Placement, ResourceSelector};
use crate::model::said::{Phrase, Said};
use crate::rule::{Cx, Rule};
use crate::source::Span;

/// The same resource is selected twice.
pub const DUPLICATE: &[MessageId] = &[id::ERR_SELECT_DUP];
/// The namespace is reserved.
pub const RESERVED: &[MessageId] = &[id::ERR_SELECT_NS_FORBIDDEN];
/// The hub does not serve the kind.
pub const UNKNOWN_KIND: &[MessageId] = &[id::ERR_SELECT_GVR];
/// The kind has the wrong scope for the placement.
pub const WRONG_SCOPE: &[MessageId] = &[id::ERR_SELECT_NS_IN_CRP, id::ERR_SELECT_CLUSTER_IN_RP];

/// A placement whose selection failed.
pub struct Rejection<'g> {
    /// The placement.
    pub placement: &'g Placement,
    /// The condition that says so.
    pub condition: &'g Condition,
    /// Its words.
    pub said: Said,
}

/// Returns the placements whose selectors are refused.
pub fn rejections<'g>(cx: &Cx<'g>) -> Vec<Rejection<'g>> {
    let living = cx.placements().iter().filter(|placement| placement.meta.deleting.is_none());
    living
        .filter_map(|placement| {
            let condition = placement.condition("Scheduled")?;
            let refused = condition.is_false() && condition.reason() == "InvalidResourceSelectors";
            let said = cx.said_by(condition, &placement.meta.key.kind).filter(|_| refused)?;
            Some(Rejection { placement, condition, said })
        })
        .collect()
}

impl<'g> Rejection<'g> {
    /// Starts the finding at the selector at fault, else at the words.
    pub fn tell(
        &self,
        cx: &Cx<'_>,
        rule: &Rule,
        phrase: &Phrase<'_>,
        selector: Option<(Span, &str)>,
    ) -> Finding {
        let words = cx.span_of(phrase);
        let finding = match selector {
            Some((span, label)) => rule.at(span, label).also(words, "what the controller says"),
            None => rule.at(words, "what the controller says"),
        };
        let left = self.placement.conditions.iter().rfind(|other| other.is_true());
        finding
            .also_at(
                left.map(|other| other.status.span),
                "left over from before: nothing is judged any more",
            )
            .recover(Recoverability::ResumesAfterRepair)
            .explains(Topic::Placement(self.placement.meta.key.clone()))
    }

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

/// Returns the place of what a selector selects by: its name, else its labels, else its kind.
pub fn place_of(selector: &ResourceSelector) -> Span {
    let name = selector.name.as_ref().map(|name| name.span);
    let labels = selector.labels.as_ref().and_then(|labels| labels.places().into_iter().next());
    let kind = selector.kind.as_ref().map(|kind| kind.span);
    name.or(labels).or(kind).unwrap_or(selector.span)
}

/// Returns a selector for a sentence: `Namespace web`, `Namespace with team=crm`.
pub fn show_selector(selector: &ResourceSelector) -> String {
    let kind = selector.kind.as_deref().unwrap_or("?");
    match (&selector.name, &selector.labels) {
        (Some(name), _) => format!("{kind} {}", &**name),
        (None, Some(labels)) => format!("{kind} with {}", labels.show().join(" and ")),
        (None, None) => format!("every {kind}"),
    }
}
