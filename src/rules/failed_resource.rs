//! Resources that failed on several members for one reason, told as one finding.

use std::collections::BTreeMap;

use crate::facts::failure::Failure;
use crate::finding::{Finding, Topic};
use crate::grammar::message::MessageId;
use crate::model::key::ObjectKey;
use crate::model::parsed_message::Phrase;
use crate::rule::{Cx, Rule};
use crate::rules::consequence::{HeldUp, explain};
use crate::rules::sentence::{join_names, member_name};
use crate::source::Span;

/// How many further objects of one cause are pointed at; the message counts the rest.
const SHOWN: usize = 3;

/// Failures of one object of one placement on several members, with the phrase that tells why.
pub type FailureGroup<'g> = Vec<(&'g Failure, Phrase<'g>)>;

/// Groups failures that contain a phrase by placement and object, over all members.
pub fn group_failures<'g>(cx: &Cx<'g>, ids: &[MessageId]) -> Vec<FailureGroup<'g>> {
    let mut groups: BTreeMap<_, FailureGroup<'g>> = BTreeMap::new();
    for failure in cx.failures() {
        if let Some(phrase) = failure.find(ids) {
            let object = (&failure.object.kind, failure.object.path());
            groups.entry((&failure.placement, object)).or_default().push((failure, phrase));
        }
    }
    groups.into_values().collect()
}

/// Starts the finding of failures that are alike, at `span`, and explains what they cause.
pub fn finding_for_group(
    rule: &Rule,
    cx: &Cx<'_>,
    group: &FailureGroup<'_>,
    at: (Span, &str),
) -> Option<Finding> {
    let (first, phrase) = group.first()?;
    let (span, label) = at;
    let mut finding = rule.at(span, label);
    if !span.contains(cx.span_of(phrase)) {
        finding = finding.also(cx.span_of(phrase), "so the member agent does not apply it");
    }
    for (failure, phrase) in group.iter().skip(1).take(SHOWN) {
        let label = if failure.object.path() == first.object.path() {
            format!("also on {}", failure.cluster())
        } else {
            format!("also {} on {}", failure.object, member_name(failure.cluster()))
        };
        finding = finding.also(cx.span_of(phrase), label);
    }
    for (failure, phrase) in group {
        finding = explain(finding, &failure.object, failure.placement.as_ref())
            .explains(Topic::Message(phrase.text.span));
    }
    Some(finding)
}

/// Returns the members of failures for a sentence.
pub fn clusters_of(group: &FailureGroup<'_>) -> String {
    join_names(group.iter().map(|(failure, _)| member_name(failure.cluster())))
}

impl HeldUp for FailureGroup<'_> {
    fn placement(&self) -> Option<&ObjectKey> {
        self.first().and_then(|(failure, _)| failure.placement.as_ref())
    }

    fn clusters(&self) -> Vec<&str> {
        self.iter().map(|(failure, _)| failure.cluster()).collect()
    }
}
