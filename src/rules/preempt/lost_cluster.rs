//! Clusters that were taken from a run, and by whom.

use smol_str::SmolStr;

use crate::facts::binding_history::BindingWrite;
use crate::grammar::message::{HoleRole, id};
use crate::model::apply::ApplyStrategy;
use crate::model::binding::Binding;
use crate::model::read::Text;
use crate::model::run::{ClusterStatus, Run};
use crate::rule::Cx;
use crate::rules::run_failure::{ClaimedMessages, causes};
use crate::source::Span;
use crate::syntax::Syntax;

/// A cluster that a run lost.
pub struct LostCluster<'g> {
    /// The run that lost it.
    pub run: &'g Run,
    /// The cluster.
    pub cluster: SmolStr,
    /// Where the run says so.
    pub span: Span,
    /// Its binding, if the bundle holds it.
    pub binding: Option<&'g Binding>,
    /// The run that wrote the binding last, by the binding's own words.
    pub writer: Option<SmolStr>,
    /// The run that took it, by the history or by the binding's own words.
    pub taker: Option<SmolStr>,
    /// The write by which it was taken, where the history shows it.
    pub write: Option<BindingWrite<'g>>,
}

/// A binding was changed under the run.
const PREEMPTED: ClaimedMessages = &[
    id::EXEC_PREEMPTED,
    id::EXEC_PREEMPTED_V01,
    id::EXEC_PREEMPTED_CRB,
    id::EXEC_PREEMPTED_V001,
    id::EXEC_PREEMPTED_PRE,
    id::EXEC_PREEMPTED_DOC,
];

/// Returns the clusters that failed runs lost.
pub fn lost_clusters<'g>(cx: &Cx<'g>) -> Vec<LostCluster<'g>> {
    let mut lost: Vec<LostCluster<'g>> = Vec::new();
    for cause in causes(cx, PREEMPTED) {
        let name = cause.named(HoleRole::Cluster).unwrap_or_default();
        let marked = cause.run.find_cluster(name).and_then(|(_, cluster)| cluster.failed());
        let span =
            marked.map_or_else(|| cause.place(cx, HoleRole::Cluster), |failed| failed.best_span());
        lost.push(lost_cluster(cx, cause.run, (name, cause.named(HoleRole::Binding)), span));
    }
    lost
}

fn lost_cluster<'g>(
    cx: &Cx<'g>,
    run: &'g Run,
    (cluster, binding): (&str, Option<&str>),
    span: Span,
) -> LostCluster<'g> {
    // A piece of a binding may show neither its placement nor its cluster: the run names it.
    let named = || cx.find_binding_named(binding?);
    let binding = cx.find_binding(run, cluster).or_else(named).or_else(|| alone(cx, run, cluster));
    // A row tells nothing of who wrote the binding, or what.
    let binding = binding.filter(|binding| binding.meta.syntax != Syntax::Table);
    let lost = run.find_cluster(cluster).and_then(|(_, status)| status.failed());
    let noticed = lost.or(run.failure()).and_then(|failed| failed.since).map(|since| since.value);
    let write = cx.history().find_taker(run, cluster, noticed).cloned();
    let writer = binding.and_then(|binding| cx.find_writer(binding));
    let by_word = || writer.clone().filter(|name| **name != *run.meta.name());
    let taker = write.as_ref().map(|write| write.run.into()).or_else(by_word);
    LostCluster { run, cluster: cluster.into(), span, binding, writer, taker, write }
}

/// Finds the one binding of a cluster, for a piece of a run that does not show its placement.
fn alone<'g>(cx: &Cx<'g>, run: &Run, cluster: &str) -> Option<&'g Binding> {
    let shown =
        |binding: &&Binding| binding.cluster() == cluster && binding.meta.syntax != Syntax::Table;
    let mut bindings = cx.bindings().iter().filter(shown);
    let (first, other) = (bindings.next(), bindings.next());
    first.filter(|_| other.is_none() && run.placement.is_none())
}

impl LostCluster<'_> {
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
            found.push((got.span, "the snapshot at capture".to_owned()));
        }
        if let (Some(got), Some(wanted)) = (&binding.snapshot, &wanted)
            && **got != **wanted
        {
            let name = self.run.meta.name();
            found.push((got.span, format!("{name} needs {wanted}")));
            let index = self.run.index_used.as_ref().or(self.run.index.as_ref());
            found.extend(
                index.map(|index| (index.span, format!("{name} rolls out snapshot {}", &**index))),
            );
        }
        if let Some(state) = binding.state.as_ref().filter(|state| **state != "Bound") {
            found.push((state.span, "not Bound".to_owned()));
        }
        let status = self.run.find_cluster(&self.cluster).map(|(_, cluster)| cluster);
        found.extend(status.and_then(|status| override_difference(binding, status)));
        if let (Some(apply), Some(frozen)) = (&binding.apply, &self.run.applied_strategy) {
            let differing = ApplyStrategy::differences(Some(apply), Some(frozen));
            let first = differing.first().map(|(field, ..)| {
                (apply.field_span(field), format!("{field} differs from the run's"))
            });
            found.extend(first);
        }
        let foreign = self.writer.as_ref().filter(|name| ***name != *self.run.meta.name());
        if let Some((started, writer)) = binding.condition("RolloutStarted").zip(foreign) {
            found.push((started.best_span(), format!("last written by {writer}")));
        }
        found
    }
}

fn override_difference(binding: &Binding, status: &ClusterStatus) -> Option<(Span, String)> {
    let plain = |(namespace, name): &(Text, Text)| (namespace.value.clone(), name.value.clone());
    if !binding.overrides.iter().map(plain).eq(status.overrides.iter().map(plain)) {
        let place = binding.overrides.first().map(|(_, name)| name.span);
        return place
            .map(|span| (span, "not the override snapshots that the run noted".to_owned()));
    }
    let name = |text: &Text| text.value.clone();
    if !binding.cluster_overrides.iter().map(name).eq(status.cluster_overrides.iter().map(name)) {
        let place = binding.cluster_overrides.first().map(|name| name.span);
        return place
            .map(|span| (span, "not the override snapshots that the run noted".to_owned()));
    }
    None
}
