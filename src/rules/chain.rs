//! What the rules between binding and pod share: names, and whom a cause explains.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::blocked_rollout::BlockedRollout;
use crate::facts::difference::{Difference, Sort};
use crate::facts::failure::Failure;
use crate::facts::refusal::{Refusal, Refused};
use crate::finding::{Finding, Topic};
use crate::grammar::message::MessageId;
use crate::model::key::ObjectKey;
use crate::model::placement::Detail;
use crate::model::read::Text;
use crate::model::said::Phrase;
use crate::rule::{Cx, Rule};
use crate::source::Span;

/// How many further objects of one cause are pointed at; the message counts the rest.
const SHOWN: usize = 3;
/// How many names are spelt out in a sentence.
const NAMED: usize = 4;

/// Joins names as in a sentence, each once, in order.
pub fn join_names<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let mut seen = BTreeSet::new();
    let mut unique: Vec<String> = Vec::new();
    for name in names {
        if seen.insert(name.as_ref().to_owned()) {
            unique.push(name.as_ref().to_owned());
        }
    }
    let rest = unique.len().saturating_sub(NAMED + 1);
    if rest > 0 {
        unique.truncate(NAMED);
        return format!("{} and {} more", unique.join(", "), rest + 1);
    }
    match unique.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Returns a name behind a blank, for a sentence; nothing where the name is not known.
pub fn behind(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" {name}") }
}

/// Returns the name of a member for a sentence.
pub fn member_name(cluster: &str) -> &str {
    if cluster.is_empty() { "the member" } else { cluster }
}

/// Says that a cause on a member explains what its object and its placement suffer there.
pub fn explain(finding: Finding, object: &ObjectKey, placement: Option<&ObjectKey>) -> Finding {
    let finding = finding.explains(Topic::Object(object.clone()));
    match placement {
        Some(placement) => finding
            .explains(Topic::PlacementCluster(placement.clone(), object.cluster.clone()))
            .explains(Topic::Rollout(placement.clone())),
        None => finding,
    }
}

/// Says that a cause explains why a placement does not get on with a cluster.
pub fn explain_stall(finding: Finding, stall: &BlockedRollout) -> Finding {
    finding
        .explains(Topic::PlacementCluster(stall.placement.clone(), stall.cluster.clone()))
        .explains(Topic::Rollout(stall.placement.clone()))
}

/// Returns the differences of a sort, grouped by placement.
pub fn by_placement<'g>(cx: &Cx<'g>, sort: Sort) -> Vec<Vec<&'g Difference>> {
    let mut groups: BTreeMap<&ObjectKey, Vec<&Difference>> = BTreeMap::new();
    for difference in cx.differences().iter().filter(|difference| difference.sort == sort) {
        groups.entry(&difference.placement).or_default().push(difference);
    }
    groups.into_values().collect()
}

/// Failures of one object of one placement on several members, with the phrase that tells why.
pub type Alike<'g> = Vec<(&'g Failure, Phrase<'g>)>;

/// Groups failures that contain a phrase by placement and object, over all members.
pub fn alike<'g>(cx: &Cx<'g>, ids: &[MessageId]) -> Vec<Alike<'g>> {
    let mut groups: BTreeMap<_, Alike<'g>> = BTreeMap::new();
    for failure in cx.failures() {
        if let Some(phrase) = failure.find(ids) {
            let object = (&failure.object.kind, failure.object.path());
            groups.entry((&failure.placement, object)).or_default().push((failure, phrase));
        }
    }
    groups.into_values().collect()
}

/// Starts the finding of failures that are alike, at `span`, and explains what they cause.
pub fn tell_alike(
    rule: &Rule,
    cx: &Cx<'_>,
    group: &Alike<'_>,
    at: (Span, &str),
) -> Option<Finding> {
    let (first, phrase) = group.first()?;
    let (span, label) = at;
    let mut finding = rule.at(span, label);
    if !span.contains(cx.span_of(phrase)) {
        finding = finding.also(cx.span_of(phrase), "so it is refused");
    }
    for witness in first.witnesses.iter().skip(1).take(2) {
        finding = finding.also(witness.span, "repeated here");
    }
    for (failure, phrase) in group.iter().skip(1).take(SHOWN) {
        let label = if failure.object.path() == first.object.path() {
            format!("{} too", failure.cluster())
        } else {
            format!("{} on {} too", failure.object, member_name(failure.cluster()))
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
pub fn clusters_of(group: &Alike<'_>) -> String {
    join_names(group.iter().map(|(failure, _)| member_name(failure.cluster())))
}

/// Returns what differs, for a sentence: `/spec/replicas is 5 there and 2 on the hub`.
pub fn show_details(details: &[Detail]) -> String {
    let value = |text: &Option<Text>| text.as_deref().map_or_else(|| "absent".to_owned(), clip);
    let shown = details.iter().take(SHOWN).map(|detail| {
        // A report that was cut names the path alone.
        if detail.member.is_none() && detail.hub.is_none() {
            return format!("a difference at {}", &*detail.path);
        }
        let (member, hub) = (value(&detail.member), value(&detail.hub));
        format!("{} is {member} there and {hub} on the hub", &*detail.path)
    });
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if details.len() > SHOWN {
        text.push_str(&format!(" and {} more fields differ", details.len() - SHOWN));
    }
    text
}

/// Shortens a text for a sentence.
pub fn clip(text: &str) -> String {
    clip_to(text, 160)
}

/// Shortens a text to its first line and a number of characters.
pub fn clip_to(text: &str, longest: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.len() == text.len() && text.chars().count() <= longest {
        return text.to_owned();
    }
    let short: String = line.chars().take(longest).collect();
    format!("{short}…")
}

/// Refusals with one cause, and the phrase that names it.
pub type Cause<'g> = Vec<(&'g Refusal, Phrase<'g>)>;

/// Groups refusals that contain a phrase by what `key` makes of it.
pub fn causes<'g, K: Ord>(
    cx: &Cx<'g>,
    ids: &[MessageId],
    key: impl Fn(&Refusal, &Phrase<'g>) -> K,
) -> BTreeMap<K, Cause<'g>> {
    let mut causes: BTreeMap<K, Cause<'g>> = BTreeMap::new();
    for refusal in cx.refusals() {
        if let Some(phrase) = refusal.said.find(ids) {
            causes.entry(key(refusal, &phrase)).or_default().push((refusal, phrase));
        }
    }
    causes
}

/// Starts the finding of a cause: points at the word `name` of each phrase and explains all that was refused.
pub fn tell(
    rule: &Rule,
    cx: &Cx<'_>,
    cause: &Cause<'_>,
    name: &str,
    label: &str,
) -> Option<Finding> {
    let (first, phrase) = cause.first()?;
    let mut finding = rule.at(cx.span_of_part(phrase, name), label);
    for echo in first.echoes.iter().take(2) {
        finding = finding.also(*echo, "repeated here");
    }
    for (refusal, phrase) in cause.iter().skip(1).take(SHOWN) {
        let label = format!("{} on {} too", refusal.object, member_name(refusal.cluster()));
        finding = finding.also(cx.span_of_part(phrase, name), label);
    }
    for (refusal, phrase) in cause {
        finding = explain(finding, &refusal.object, refusal.placement.as_ref())
            .explains(Topic::Message(phrase.text.span));
    }
    Some(finding)
}

/// Returns the refused objects for a sentence: `ConfigMap a/b and the pods of Deployment a/c`.
pub fn refused(cause: &Cause<'_>) -> String {
    join_names(cause.iter().map(|(refusal, _)| match refusal.refused {
        Refused::Object => refusal.object.to_string(),
        Refused::Pods => format!("the pods of {}", refusal.object),
    }))
}

/// Returns the members for a sentence.
pub fn members(cause: &Cause<'_>) -> String {
    join_names(cause.iter().map(|(refusal, _)| member_name(refusal.cluster())))
}
