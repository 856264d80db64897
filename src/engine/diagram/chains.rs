//! The way from a run to each cause that holds it up, object by object.

use std::collections::BTreeMap;

use crate::engine::{ResolvedFinding, Verdict};
use crate::model::run::Run;

/// How many ways are drawn, and how long one may be.
const MOST: usize = 6;

/// Returns the ways from a run to its causes; a way of one object says nothing and is left out.
pub(super) fn of_run(
    run: &Run,
    findings: &[ResolvedFinding],
    verdict: &Verdict,
) -> Vec<Vec<String>> {
    let by_id: BTreeMap<&str, &ResolvedFinding> = findings.iter().map(|it| (&*it.id, it)).collect();
    let mut ways = Vec::new();
    for cause in verdict.causes.iter().take(MOST) {
        let Some(root) = findings.get(cause.finding) else { continue };
        let symptoms = cause.symptoms.iter().filter_map(|index| findings.get(*index));
        let starts = symptoms.filter(|it| it.primary.object.as_ref() == Some(&run.meta.key));
        let way =
            starts.filter_map(|start| way(start, &root.id, &by_id, MOST)).max_by_key(Vec::len);
        let Some(way) = way else { continue };
        let mut names: Vec<String> = Vec::new();
        for step in way {
            let name = step.primary.object.as_ref().map(|key| match &*key.cluster {
                "hub" | "" => key.to_string(),
                cluster => format!("{key} on {cluster}"),
            });
            if let Some(name) = name.filter(|name| names.last() != Some(name)) {
                names.push(name);
            }
        }
        if names.len() > 1 {
            ways.push(names);
        }
    }
    ways
}

/// Returns the findings from a symptom down to a cause.
fn way<'f>(
    from: &'f ResolvedFinding,
    to: &str,
    by_id: &BTreeMap<&str, &'f ResolvedFinding>,
    room: usize,
) -> Option<Vec<&'f ResolvedFinding>> {
    if from.id == to {
        return Some(vec![from]);
    }
    let room = room.checked_sub(1)?;
    let causes = from.explained_by.iter().filter_map(|id| by_id.get(&**id));
    let ways = causes.filter_map(|cause| way(cause, to, by_id, room));
    ways.max_by_key(Vec::len).map(|mut rest| {
        rest.insert(0, from);
        rest
    })
}
