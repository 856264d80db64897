//! Merges causes that are the same for many clusters or objects into one, with the list of those.
//!
//! Alike are causes of one rule, of the same weight, whose sentences differ in one name alone: that of a cluster, or of
//! the object that is pointed at. Why, what happens then and the hint have to be the same, too, so that what is said of the
//! first is true of all.

use std::collections::{BTreeMap, BTreeSet};

use super::Cause;
use crate::engine::ResolvedFinding;
use crate::finding::{Certainty, Severity};
use crate::graph::Graph;

/// Fewer are told one by one.
const MANY: usize = 4;

/// What alike causes share: rule, weight, and the words around the name.
type Pattern = (&'static str, Severity, Certainty, String, String);

/// Folds alike causes under the first of them.
pub(super) fn fold(causes: Vec<Cause>, findings: &[ResolvedFinding], graph: &Graph) -> Vec<Cause> {
    if causes.len() < MANY {
        return causes;
    }
    let clusters = clusters(graph);
    let causes = fold_by(causes, findings, |_, word| clusters.contains(word));
    fold_by(causes, findings, |resolved, word| {
        resolved.primary.object.as_ref().is_some_and(|object| &*object.name == word)
    })
}

fn fold_by(
    causes: Vec<Cause>,
    findings: &[ResolvedFinding],
    is_name: impl Fn(&ResolvedFinding, &str) -> bool,
) -> Vec<Cause> {
    let mut groups: BTreeMap<Pattern, Vec<(usize, String)>> = BTreeMap::new();
    for (at, cause) in causes.iter().enumerate().filter(|(_, cause)| cause.alike.is_empty()) {
        let Some(resolved) = findings.get(cause.finding) else { continue };
        let finding = &resolved.finding;
        let Some((message, name)) = pattern(&finding.message, |word| is_name(resolved, word))
        else {
            continue;
        };
        let told = format!("{}\n{}\n{}", finding.why, finding.what_then(), finding.hint);
        let told = replaced(&told, |word| word == name).0;
        let key = (finding.code, finding.severity, finding.certainty, message, told);
        groups.entry(key).or_default().push((at, name));
    }
    // The leader of each that is folded, and the name that it speaks of; a leader leads itself.
    let mut folded: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for group in groups.into_values().filter(|group| group.len() >= MANY) {
        let Some(leader) = group.first().map(|(at, _)| *at) else { continue };
        folded.extend(group.into_iter().map(|(at, name)| (at, (leader, name))));
    }
    let mut kept: BTreeMap<usize, Cause> = BTreeMap::new();
    for (at, cause) in causes.into_iter().enumerate() {
        let (leader, name) = folded.remove(&at).unwrap_or((at, String::new()));
        let cause = Cause { name, ..cause };
        match kept.get_mut(&leader) {
            Some(leader) => leader.alike.push(cause),
            None => drop(kept.insert(at, cause)),
        }
    }
    kept.into_values().collect()
}

/// Returns a text with a sign in place of a name, and the name, if it holds exactly one.
fn pattern(text: &str, is_name: impl Fn(&str) -> bool) -> Option<(String, String)> {
    let (pattern, names) = replaced(text, is_name);
    let mut names = names.into_iter();
    let name = names.next()?.to_owned();
    names.next().is_none().then_some((pattern, name))
}

/// Returns a text with a sign in place of each name, and the names.
fn replaced(text: &str, is_name: impl Fn(&str) -> bool) -> (String, BTreeSet<&str>) {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_');
    let (mut out, mut names) = (String::with_capacity(text.len()), BTreeSet::new());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let name = word.trim_end_matches('.');
        if !name.is_empty() && is_name(name) {
            names.insert(name);
            out.push('\u{1}');
            out.push_str(word.get(name.len()..).unwrap_or_default());
        } else {
            out.push_str(word);
        }
        let next = after.find(is_of_word).unwrap_or(after.len());
        let (between, after) = after.split_at(next);
        out.push_str(between);
        rest = after;
    }
    (out, names)
}

/// Returns the names of the clusters that the bundle shows.
fn clusters(graph: &Graph) -> BTreeSet<&str> {
    let members = graph.members.iter().map(|member| member.meta.name());
    let bound = graph.bindings.iter().map(|binding| binding.cluster());
    let placed = graph.placements.iter().flat_map(|placement| &placement.clusters);
    let placed = placed.filter_map(|cluster| cluster.name.as_deref());
    let runs = graph.runs.iter().flat_map(|run| &run.stages);
    let updated = runs.flat_map(|stage| &stage.clusters).map(|cluster| &*cluster.name);
    let worked = graph.works.iter().map(|work| work.cluster());
    let all = members.chain(bound).chain(placed).chain(updated).chain(worked);
    all.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn a_sentence_about_one_cluster_has_a_pattern() {
        let is_name = |word: &str| ["member1", "member2", "prod"].contains(&word);
        let of = |text: &str| pattern(text, is_name);
        let first =
            of("Quota web/team on member1 is full. The agent of member1 waits for member1.");
        let second =
            of("Quota web/team on member2 is full. The agent of member2 waits for member2.");
        assert_eq!(first.as_ref().map(|it| &*it.1), Some("member1"));
        assert_eq!(first.map(|it| it.0), second.map(|it| it.0));
        assert_eq!(of("member1 in stage prod"), None);
        assert_eq!(of("member10 is full"), None);
        assert_eq!(of(""), None);
    }
}
