//! Resources that members refused for one cause, told as one finding.

use std::collections::BTreeMap;

use crate::facts::refusal::{Refusal, RefusalTarget};
use crate::finding::{Finding, Topic};
use crate::grammar::message::MessageId;
use crate::model::key::ObjectKey;
use crate::model::parsed_message::Phrase;
use crate::rule::{Cx, Rule};
use crate::rules::consequence::{HeldUp, explain};
use crate::rules::sentence::{join_names, member_name};

/// How many further objects of one cause are pointed at; the message counts the rest.
const SHOWN: usize = 3;

/// Refusals with one cause, and the phrase that names it.
pub type RefusalGroup<'g> = Vec<(&'g Refusal, Phrase<'g>)>;

/// Groups refusals that contain a phrase by what `key` makes of it.
pub fn causes<'g, K: Ord>(
    cx: &Cx<'g>,
    ids: &[MessageId],
    key: impl Fn(&Refusal, &Phrase<'g>) -> K,
) -> BTreeMap<K, RefusalGroup<'g>> {
    let mut causes: BTreeMap<K, RefusalGroup<'g>> = BTreeMap::new();
    for refusal in cx.refusals() {
        if let Some(phrase) = refusal.said.find(ids) {
            causes.entry(key(refusal, &phrase)).or_default().push((refusal, phrase));
        }
    }
    causes
}

/// Starts the finding of a cause: points at the word `name` of each phrase and explains all that was refused.
pub fn finding_for_refusals(
    rule: &Rule,
    cx: &Cx<'_>,
    cause: &RefusalGroup<'_>,
    name: &str,
    label: &str,
) -> Option<Finding> {
    let (_, phrase) = cause.first()?;
    let mut finding = rule.at(cx.span_of_part(phrase, name), label);
    for (refusal, phrase) in cause.iter().skip(1).take(SHOWN) {
        let label = format!("also {} on {}", refusal.object, member_name(refusal.cluster()));
        finding = finding.also(cx.span_of_part(phrase, name), label);
    }
    for (refusal, phrase) in cause {
        finding = explain(finding, &refusal.object, refusal.placement.as_ref())
            .explains(Topic::Message(phrase.text.span));
    }
    Some(finding)
}

/// Returns the refused objects for a sentence: `ConfigMap a/b and the pods of Deployment a/c`.
pub fn refused(cause: &RefusalGroup<'_>) -> String {
    join_names(cause.iter().map(|(refusal, _)| match refusal.refused {
        RefusalTarget::Object => refusal.object.to_string(),
        RefusalTarget::Pods => format!("the pods of {}", refusal.object),
    }))
}

/// Returns the members for a sentence.
pub fn members(cause: &RefusalGroup<'_>) -> String {
    join_names(cause.iter().map(|(refusal, _)| member_name(refusal.cluster())))
}

impl HeldUp for RefusalGroup<'_> {
    fn placement(&self) -> Option<&ObjectKey> {
        self.first().and_then(|(refusal, _)| refusal.placement.as_ref())
    }

    fn clusters(&self) -> Vec<&str> {
        self.iter().map(|(refusal, _)| refusal.cluster()).collect()
    }
}
