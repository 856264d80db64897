//! Clusters that were taken from a run, and by whom.

use jiff::Timestamp;

use crate::grammar::message::{Hint, Role, id};
use crate::model::apply::ApplyStrategy;
use crate::model::binding::Binding;
use crate::model::run::{ClusterStatus, Run};
use crate::rule::Cx;
use crate::rules::failure::{Claim, causes};
use crate::source::{Span, Spanned};

/// A cluster that a run lost.
pub struct Victim<'g> {
    /// The run that lost it.
    pub run: &'g Run,
    /// The cluster.
    pub cluster: Box<str>,
    /// Where the run says so.
    pub span: Span,
    /// Its binding, if the bundle holds it.
    pub binding: Option<&'g Binding>,
    /// The run that wrote the binding last, by the binding's own words.
    pub writer: Option<Box<str>>,
    /// The run that took it, by the times or by the binding's own words.
    pub taker: Option<Box<str>>,
    /// When the other run started the cluster.
    pub taken_at: Option<Spanned<Timestamp>>,
}

/// A binding was changed under the run.
const PREEMPTED: Claim = &[
    id::EXEC_PREEMPTED,
    id::EXEC_PREEMPTED_V01,
    id::EXEC_PREEMPTED_CRB,
    id::EXEC_PREEMPTED_V001,
    id::EXEC_PREEMPTED_PRE,
    id::EXEC_PREEMPTED_DOC,
];

/// Returns the clusters that failed runs lost.
pub fn victims<'g>(cx: &Cx<'g>) -> Vec<Victim<'g>> {
    let mut victims: Vec<Victim<'g>> = Vec::new();
    for cause in causes(cx, PREEMPTED) {
        let name = cause.named(Role::Cluster).unwrap_or_default();
        let marked = cause.run.find_cluster(name).and_then(|(_, cluster)| cluster.failed());
        let span =
            marked.map_or_else(|| cause.place(cx, Role::Cluster), |failed| failed.best_span());
        victims.push(victim(cx, cause.run, (name, cause.named(Role::Binding)), span));
    }
    victims
}

fn victim<'g>(
    cx: &Cx<'g>,
    run: &'g Run,
    (cluster, binding): (&str, Option<&str>),
    span: Span,
) -> Victim<'g> {
    // A piece of a binding may show neither its placement nor its cluster: the run names it.
    let named = || cx.find_binding_named(binding?);
    let binding = cx.find_binding(run, cluster).or_else(named);
    let by_time = taker_by_time(cx, run, cluster);
    let writer = binding.and_then(|binding| find_writer(cx, binding));
    let by_word = || writer.clone().filter(|name| **name != *run.meta.name());
    let taker = by_time.as_ref().map(|(name, _)| name.clone()).or_else(by_word);
    Victim {
        run,
        cluster: cluster.into(),
        span,
        binding,
        writer,
        taker,
        taken_at: by_time.map(|(_, at)| at),
    }
}

/// Finds the run that started the cluster last before this run failed.
///
/// The binding names only its last writer; in a chain of runs that is not the one that took it.
fn taker_by_time(cx: &Cx<'_>, run: &Run, cluster: &str) -> Option<(Box<str>, Spanned<Timestamp>)> {
    let (_, own) = run.find_cluster(cluster)?;
    let mine = own.started()?.since?.value;
    let lost = own.failed().or(run.failure())?.since?.value;
    let others = cx.runs_of(run.meta.namespace(), run.placement.as_deref()?);
    let started =
        others.into_iter().filter(|other| other.meta.key != run.meta.key).filter_map(|other| {
            let at = other.find_cluster(cluster).and_then(|(_, status)| status.started())?.since?;
            (mine <= at.value && at.value <= lost).then(|| (other.meta.key.name.clone(), at))
        });
    started.max_by_key(|(name, at)| (at.value, name.clone()))
}

/// Returns the run that wrote the binding last, by the words of its RolloutStarted condition.
fn find_writer<'g>(cx: &Cx<'g>, binding: &'g Binding) -> Option<Box<str>> {
    let started = binding.condition("RolloutStarted")?;
    let hint = Hint { kind: None, ..started.hint("") };
    let message = started.message();
    let recognised = cx.recognise(message, hint);
    let name =
        recognised.refs(Role::Run).next().and_then(|found| message.get(found.range.clone()))?;
    Some(name.into())
}

impl Victim<'_> {
    /// Returns the snapshot that the run rolls out; a piece of a run is helped by its binding.
    pub fn wanted(&self) -> Option<String> {
        let by_binding = || {
            let index = self.run.index_used.as_deref().filter(|index| !index.is_empty())?;
            Some(format!("{}-{index}-snapshot", self.binding?.placement()?))
        };
        self.run.snapshot_name().or_else(by_binding)
    }

    /// Returns the fields in which the binding differs from what the run wants, each with a label.
    pub fn differences(&self) -> Vec<(Span, String)> {
        let Some(binding) = self.binding else { return Vec::new() };
        let mut found = Vec::new();
        let wanted = self.wanted();
        if let (Some(got), None) = (&binding.snapshot, &wanted) {
            found.push((got.span, "the version that it is on now".to_owned()));
        }
        if let (Some(got), Some(wanted)) = (&binding.snapshot, &wanted)
            && **got != **wanted
        {
            found.push((got.span, format!("{} wants {wanted}", self.run.meta.name())));
            let index = self.run.index_used.as_ref().or(self.run.index.as_ref());
            found.extend(
                index.map(|index| (index.span, "the version the run rolls out".to_owned())),
            );
        }
        if let Some(state) = binding.state.as_ref().filter(|state| &***state != "Bound") {
            found.push((state.span, "not Bound".to_owned()));
        }
        let status = self.run.find_cluster(&self.cluster).map(|(_, cluster)| cluster);
        found.extend(status.and_then(|status| override_difference(binding, status)));
        if let (Some(apply), Some(frozen)) = (&binding.apply, &self.run.applied_strategy) {
            let differing = ApplyStrategy::differences(Some(apply), Some(frozen));
            let first = differing
                .first()
                .map(|(field, ..)| (apply.field_span(field), format!("another {field}")));
            found.extend(first);
        }
        if let Some(started) = binding.condition("RolloutStarted")
            && self.writer.as_ref().is_some_and(|name| **name != *self.run.meta.name())
        {
            found.push((started.best_span(), "names the run that wrote it last".to_owned()));
        }
        found
    }
}

fn override_difference(binding: &Binding, status: &ClusterStatus) -> Option<(Span, String)> {
    let plain = |names: &[(crate::model::read::Text, crate::model::read::Text)]| -> Vec<(Box<str>, Box<str>)> {
        names.iter().map(|(namespace, name)| (namespace.value.clone(), name.value.clone())).collect()
    };
    if plain(&binding.overrides) != plain(&status.overrides) {
        let place = binding.overrides.first().map(|(_, name)| name.span);
        return place.map(|span| (span, "other override snapshots than the run noted".to_owned()));
    }
    let names = |texts: &[crate::model::read::Text]| -> Vec<Box<str>> {
        texts.iter().map(|text| text.value.clone()).collect()
    };
    if names(&binding.cluster_overrides) != names(&status.cluster_overrides) {
        let place = binding.cluster_overrides.first().map(|name| name.span);
        return place.map(|span| (span, "other override snapshots than the run noted".to_owned()));
    }
    None
}
