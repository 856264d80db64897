//! [`KeyMoments`]: the few events of a timeline that explain the verdict, each in the lane of the hub or of a cluster.
//!
//! A bundle holds hundreds of moments. What tells the story are the steps of the runs and placements that the verdict
//! is about, the moment at which the cause shows, and what the clusters in question answered.

mod causes_by_moment;
mod moment_words;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use foldhash::fast::FixedState;

use super::Report;
use super::verdict::Cause;
use crate::grammar::kind::{Kind, find_kind};
use crate::graph::Graph;
use crate::model::key::{HUB, ObjectKey};
use crate::model::work::MEMBER_NAMESPACE;
use crate::views::timeline::{Moment, MomentSource, Timeline};
use causes_by_moment::CausesByMoment;

/// More moments are left to the whole table.
const MOST: usize = 25;

/// A moment of the story.
#[derive(Clone, Debug)]
pub struct KeyMoment<'t> {
    /// The moment.
    pub moment: &'t Moment,
    /// Where it happened: `hub`, or the name of a cluster.
    pub lane: String,
    /// What happened, in a few words; text of the bundle, not cleaned.
    pub words: String,
    /// The number of the cause that shows here, from 1, and its code.
    pub cause: Option<(usize, &'static str)>,
}

/// The moments that carry the verdict.
#[derive(Clone, Debug, Default)]
pub struct KeyMoments<'t> {
    /// The moments in the order of time.
    pub scenes: Vec<KeyMoment<'t>>,
    /// The lanes, the hub first.
    pub lanes: Vec<String>,
}

/// Picks the moments that carry the verdict of a report.
pub fn key_moments<'t>(timeline: &'t Timeline, graph: &Graph, report: &Report) -> KeyMoments<'t> {
    let cast = cast(graph, report);
    let shown = CausesByMoment::of(report);
    let mut weighed: Vec<(u8, usize, KeyMoment<'t>)> = Vec::new();
    let mut said: BTreeSet<(String, String)> = BTreeSet::new();
    for (index, moment) in timeline.moments.iter().enumerate() {
        let cause = shown.at(moment, graph);
        let about = moment.object.as_ref().is_some_and(|key| cast.contains(key));
        if !about && cause.is_none() {
            continue;
        }
        let lane = lane_of(moment, graph);
        let told = moment_words::of(moment, &lane);
        let weight = match (&told, cause) {
            (_, Some(_)) => 9,
            (Some((weight, _)), None) => *weight,
            (None, None) => continue,
        };
        let words = told.map(|(_, words)| words).unwrap_or_else(|| first_words(moment));
        // A second sighting, or a second stamp of the same step, tells nothing new.
        let fresh = said.insert((lane.clone(), words.clone()));
        if fresh || cause.is_some() {
            weighed.push((weight, index, KeyMoment { moment, lane, words, cause }));
        }
    }
    one_mark_each(&mut weighed, report);
    // What only carried a mark that stands elsewhere says nothing.
    weighed.retain(|(weight, ..)| *weight > 0);
    weighed.sort_by_key(|(weight, index, _)| (std::cmp::Reverse(*weight), *index));
    weighed.truncate(MOST);
    weighed.sort_by_key(|(_, index, _)| *index);
    let scenes: Vec<KeyMoment<'t>> = weighed.into_iter().map(|(.., scene)| scene).collect();
    let mut lanes: Vec<String> = vec![HUB.to_owned()];
    let others: BTreeSet<&String> = scenes.iter().map(|scene| &scene.lane).collect();
    lanes.extend(others.into_iter().filter(|lane| *lane != HUB).cloned());
    KeyMoments { scenes, lanes }
}

/// Keeps the mark of each cause at its best moment: a log line, else where the finding points, else the first.
fn one_mark_each(scenes: &mut [(u8, usize, KeyMoment<'_>)], report: &Report) {
    let is_primary = |scene: &KeyMoment<'_>, number: usize| {
        let cause = number.checked_sub(1).and_then(|at| report.verdict.causes.get(at));
        let resolved = cause.and_then(|cause| report.findings.get(cause.finding));
        resolved.is_some_and(|resolved| resolved.primary.span == scene.moment.span)
    };
    let mut marked: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, (.., scene)) in scenes.iter().enumerate() {
        if let Some((number, _)) = scene.cause {
            marked.entry(number).or_default().push(at);
        }
    }
    for (number, marked) in marked {
        let rank = |at: usize| {
            scenes.get(at).map(|(.., scene)| {
                (scene.moment.origin != MomentSource::Log, !is_primary(scene, number), at)
            })
        };
        let best = marked.iter().copied().min_by_key(|at| rank(*at));
        for at in marked.into_iter().filter(|at| Some(*at) != best) {
            let Some((weight, _, scene)) = scenes.get_mut(at) else { continue };
            scene.cause = None;
            *weight = moment_words::of(scene.moment, &scene.lane).map_or(0, |(weight, _)| weight);
        }
    }
}

/// Returns the objects that the story is about: who is not well, else everybody, with their placements and bindings.
fn cast(graph: &Graph, report: &Report) -> HashSet<ObjectKey, FixedState> {
    let verdict = &report.verdict;
    let everybody = || verdict.planned.iter().chain(&verdict.succeeded).chain(&verdict.available);
    let mut cast: HashSet<ObjectKey, FixedState> =
        verdict.unwell.iter().map(|standing| standing.object.clone()).collect();
    if cast.is_empty() {
        cast.extend(everybody().map(|standing| standing.object.clone()));
    }
    let placements: BTreeSet<(String, String)> = cast
        .iter()
        .filter_map(|key| match find_kind(&key.kind)?.family {
            Kind::Placement => Some((key.namespace.to_string(), key.name.to_string())),
            Kind::Run => {
                let run = graph.runs.find(key)?;
                Some((key.namespace.to_string(), run.placement.as_deref()?.to_owned()))
            }
            _ => None,
        })
        .collect();
    for (namespace, name) in &placements {
        cast.insert(ObjectKey::of(Kind::Placement, namespace, name));
        // A run that shares the placement may have taken a cluster.
        cast.extend(graph.runs_of(namespace, name).iter().map(|run| run.meta.key.clone()));
        let bindings = graph.bindings_of(namespace, name);
        cast.extend(bindings.iter().map(|binding| binding.meta.key.clone()));
        let snapshots = graph.snapshots_of(namespace, name);
        cast.extend(snapshots.iter().map(|snapshot| snapshot.meta.key.clone()));
    }
    for cause in verdict.causes.iter().flat_map(Cause::members) {
        let Some(resolved) = report.findings.get(cause.finding) else { continue };
        cast.extend(resolved.primary.object.clone());
    }
    cast
}

/// Returns where a moment happened: on a cluster that it speaks of, else on the hub.
fn lane_of(moment: &Moment, graph: &Graph) -> String {
    let Some(key) = &moment.object else { return HUB.to_owned() };
    let spoken_of = moment.cluster.as_deref().map(str::to_owned);
    let bound = || {
        let binding = graph.bindings.find(key)?;
        binding.cluster.as_deref().map(str::to_owned)
    };
    let written_for = || key.namespace.strip_prefix(MEMBER_NAMESPACE).map(str::to_owned);
    let own = || Some(key.cluster.to_string()).filter(|name| !name.is_empty() && name != HUB);
    let is_member = || key.kind.ends_with("MemberCluster").then(|| key.name.to_string());
    let lane = spoken_of.or_else(bound).or_else(written_for).or_else(own).or_else(is_member);
    lane.unwrap_or_else(|| HUB.to_owned())
}

fn first_words(moment: &Moment) -> String {
    let name = moment.object.as_ref().map(ObjectKey::path).unwrap_or_default();
    let gap = if name.is_empty() { "" } else { ": " };
    // The error of a log line is told by the finding.
    let what = match moment.origin {
        MomentSource::Log => moment.what.split(": ").next().unwrap_or_default(),
        _ => &moment.what,
    };
    format!("{name}{gap}{what}")
}
