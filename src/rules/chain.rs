//! What the rules between binding and pod share: names, commands for members, and whom a cause explains.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Command, Finding, Topic};
use crate::graph::{Refusal, Refused};
use crate::model::key::ObjectKey;
use crate::model::said::Phrase;
use crate::rule::{Cx, Rule};
use crate::rules::wording::{namespace_flag, plural};

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

/// Returns the name of a member for a sentence.
pub fn member_name(cluster: &str) -> &str {
    if cluster.is_empty() { "the member" } else { cluster }
}

/// Returns the command that shows an object on its member.
pub fn show_on_member(key: &ObjectKey) -> Command {
    Command::look(format!("{} describe {}", kubectl_on(&key.cluster), named(key)))
}

/// Returns `kubectl` aimed at a member.
pub fn kubectl_on(cluster: &str) -> String {
    match cluster {
        "" => "kubectl".to_owned(),
        _ => format!("kubectl --context {cluster}"),
    }
}

/// Returns `resource name -n namespace`.
pub fn named(key: &ObjectKey) -> String {
    format!("{} {}{}", plural(&key.kind), key.name, namespace_flag(key))
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

/// Refusals with one cause, and the phrase that names it.
pub type Cause<'g> = Vec<(&'g Refusal, Phrase<'g>)>;

/// Groups refusals that contain a phrase by what `key` makes of it.
pub fn causes<'g, K: Ord>(
    cx: &Cx<'g>,
    ids: &[&str],
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
    for (refusal, _) in cause {
        finding = explain(finding, &refusal.object, refusal.placement.as_ref());
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
