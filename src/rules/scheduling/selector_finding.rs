//! How a refused selection is told: the wordings of the controller, and where a finding starts.

use crate::facts::refused_selection::RefusedSelection;
use crate::finding::{Finding, Recoverability, Topic};
use crate::grammar::message::{MessageId, id};
use crate::model::parsed_message::Phrase;
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

/// Starts the finding at the selector at fault, else at the words.
pub fn finding_for_selector(
    refused: &RefusedSelection<'_>,
    cx: &Cx<'_>,
    rule: &Rule,
    phrase: &Phrase<'_>,
    selector: Option<(Span, &str)>,
) -> Finding {
    let words = cx.span_of(phrase);
    let finding = match selector {
        Some((span, label)) => rule.at(span, label).also(words, "refused by the controller"),
        None => rule.at(words, "refused by the controller"),
    };
    let left = refused.placement.conditions.iter().rfind(|other| other.is_true());
    finding
        .also_at(left.map(|other| other.status.span), "left over from before the refusal")
        .then(format!(
            "{} is scheduled within seconds of the fix. Without a change the controller checks \
             again within 30m.",
            refused.placement.meta.name()
        ))
        .recover(Recoverability::ResumesAfterRepair)
        .explains(Topic::Placement(refused.placement.meta.key.clone()))
}
