//! What becomes of a rollout once its cause is repaired: one table, for rules about objects and about logs.
//!
//! Three things decide: where the repair is made, who rolls out (runs or the placement itself), and what state the
//! run is in. A repair on a member lets a run continue; a repair on the hub needs a new run, because a run keeps the
//! snapshots that it began with; a failed run cannot be resumed at all.

use super::Facts;
use super::binding_history::{History, Takeover};
use super::new_run::{self, NewRunVersion, Order};
use crate::finding::{Outlook, Recoverability};
use crate::grammar::kind::Kind;
use crate::graph::Graph;
use crate::model::key::ObjectKey;
use crate::model::run::{Phase, Run};

/// What the table looks at.
pub const READS: &[Kind] = &[Kind::Run, Kind::Binding, Kind::Placement, Kind::Strategy];

/// How soon a repair on a member is noticed, and then by the run.
const TIMES: &str = "The member agent checks within 15m, the run within a further 16m 40s.";

/// Where the repair is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// On the member cluster: a quota, a node, the member agent, an object in the way.
    Member,
    /// In a resource on the hub that is placed: an image, a manifest, an envelope. It makes a new snapshot.
    Resource,
    /// In an override on the hub.
    Override,
    /// In what decides which clusters are picked: the policy, labels, taints.
    Policy,
    /// In the strategy, or in anything else that a run reads once, at its start.
    Strategy,
    /// Nowhere: all that is needed is another run.
    Run,
    /// Nowhere: another run has taken the clusters over.
    Preempted,
}

/// The state of a run, as far as a repair is concerned.
enum Fate<'f, 'g> {
    /// It can still continue.
    Alive,
    /// Another run took a cluster that it is updating: it fails at its next check.
    Superseded(&'f Takeover<'g>),
    /// It has failed.
    Failed,
    /// It has failed, and this run has done its work since.
    MadeGood(&'g Run),
    /// It has ended well.
    Succeeded,
}

/// Says what becomes of a run once its cause is repaired.
pub(super) fn of_run(facts: &Facts<'_>, run: &Run, repair: Repair) -> Outlook {
    at_version(facts, run, repair, version_after(repair))
}

/// Says what becomes of a run once its cause is repaired, where the new run is to roll out a version of its own.
pub(super) fn at_version(
    facts: &Facts<'_>,
    run: &Run,
    repair: Repair,
    version: NewRunVersion<'_>,
) -> Outlook {
    let name = run.meta.title();
    match fate(facts.history(), run) {
        Fate::Alive => alive(facts.graph(), run, repair),
        Fate::Superseded(lost) => {
            let (taker, cluster) = (&lost.taker, &lost.cluster);
            let then = format!(
                "{name} fails at its next check, within 16m 40s: {taker} has taken \
                     cluster {cluster}."
            );
            Outlook::new(Recoverability::RunIsDead, then)
        }
        Fate::Failed => {
            let create = match repair {
                Repair::Run => "Create a new run.".to_owned(),
                Repair::Preempted => after_takeover(facts.graph(), run),
                _ => format!("After {}, create a new run.", before(repair)),
            };
            let then = format!("{name} cannot be resumed.{} {create}", spread(facts.graph(), run));
            let steps = new_run::steps(facts.graph(), run, &order(repair, version));
            Outlook { steps, ..Outlook::new(Recoverability::RunIsDead, then) }
        }
        Fate::MadeGood(later) => {
            let what = match later.wanted_index() {
                Some(index) => format!("has rolled out snapshot {index} since"),
                None => "has succeeded since".to_owned(),
            };
            let then = format!("No action needed: {} {what}.", later.meta.name());
            Outlook::new(Recoverability::NothingToDo, then)
        }
        Fate::Succeeded => ended(facts.graph(), run, repair),
    }
}

fn fate<'f, 'g>(history: &'f History<'g>, run: &Run) -> Fate<'f, 'g> {
    if run.has_succeeded() {
        return Fate::Succeeded;
    }
    if run.failure().is_some() {
        return history.find_successor(run).map_or(Fate::Failed, Fate::MadeGood);
    }
    history.find_takeover(run).map_or(Fate::Alive, Fate::Superseded)
}

/// Names what comes before a new run.
fn before(repair: Repair) -> &'static str {
    if repair == Repair::Member { "the repair" } else { "the fix" }
}

/// Says when a new run is to be created: one that comes before the repair would fail as the old one did.
fn order(repair: Repair, version: NewRunVersion<'_>) -> Order<'_> {
    match repair {
        Repair::Run => Order::now(version),
        Repair::Preempted => Order::if_wanted(version),
        _ => Order::after(version, before(repair)),
    }
}

/// A fixed resource makes a new snapshot: the old index would roll out the fault again.
fn version_after(repair: Repair) -> NewRunVersion<'static> {
    if repair == Repair::Resource { NewRunVersion::Fresh } else { NewRunVersion::AsBefore }
}

fn alive(graph: &Graph, run: &Run, repair: Repair) -> Outlook {
    let name = run.meta.title();
    let inner = run.meta.name();
    let keeps = match repair {
        Repair::Member if run.state() == "Stop" => {
            let then = format!("{name} finishes its stop by itself after the repair. {TIMES}");
            return Outlook::new(Recoverability::ResumesAfterRepair, then);
        }
        Repair::Member | Repair::Run | Repair::Preempted => {
            let then = format!("{name} continues by itself after the repair. {TIMES}");
            return Outlook::new(Recoverability::ResumesAfterRepair, then);
        }
        Repair::Strategy => format!("{name} keeps its copy of the strategy."),
        Repair::Policy => {
            format!("{name} fails at its next check once other clusters are picked.")
        }
        Repair::Override => format!("{name} keeps the override snapshots that it began with."),
        Repair::Resource => match run.wanted_index() {
            Some(index) => format!("{name} keeps snapshot {index}."),
            None => format!("{name} keeps the snapshot that it began with."),
        },
    };
    let then = match repair {
        Repair::Policy => format!("{keeps} After the fix, create a new run."),
        _ => format!("{keeps} After the fix, create a new run; it replaces {inner}."),
    };
    let steps = new_run::steps(graph, run, &order(repair, version_after(repair)));
    Outlook { steps, ..Outlook::new(Recoverability::NeedsPatch, then) }
}

fn ended(graph: &Graph, run: &Run, repair: Repair) -> Outlook {
    let name = run.meta.title();
    match repair {
        Repair::Member => {
            let then = format!(
                "The member agent checks again within 15m of the repair. {name} has \
                     ended; no new run is needed."
            );
            Outlook::new(Recoverability::ResumesAfterRepair, then)
        }
        Repair::Policy | Repair::Strategy | Repair::Run | Repair::Preempted => {
            let then = format!("{name} has ended. The fix counts for the next run.");
            Outlook::new(Recoverability::NeedsPatch, then)
        }
        Repair::Resource | Repair::Override => {
            let then = format!("{name} has ended. After the fix, create a new run.");
            let steps = new_run::steps(graph, run, &order(repair, version_after(repair)));
            Outlook { steps, ..Outlook::new(Recoverability::NeedsPatch, then) }
        }
    }
}

/// Says what a pre-empted run's owner can do: mostly nothing, while the other run is at work.
fn after_takeover(graph: &Graph, run: &Run) -> String {
    let again = match run.wanted_index() {
        Some(index) => format!("Create a new run only to roll out snapshot {index} again."),
        None => "Create a new run only to roll out its version again.".to_owned(),
    };
    let others = new_run::rivals(graph, run);
    match others.as_slice() {
        [] => again,
        [one] => format!("Let {} finish. {again}", one.meta.name()),
        _ => format!("Let one of the active runs finish. {again}"),
    }
}

/// Says on how many clusters the version of a run is, where the bundle shows all its bindings.
fn spread(graph: &Graph, run: &Run) -> String {
    // A run that failed before it had a snapshot has none to be found.
    let (Some(snapshot), Some(index)) = (run.snapshot_name(), run.index_used.as_deref()) else {
        return String::new();
    };
    let clusters = run.stages.iter().flat_map(|stage| &stage.clusters);
    let bindings: Option<Vec<_>> =
        clusters.map(|cluster| graph.find_binding(run, &cluster.name)).collect();
    let Some(bindings) = bindings.filter(|bindings| !bindings.is_empty()) else {
        return String::new();
    };
    let have = |got: &&&crate::model::binding::Binding| {
        got.snapshot.as_deref() == Some(&snapshot) && got.state.as_deref() == Some("Bound")
    };
    match bindings.iter().filter(have).count() {
        0 => format!(" Snapshot {index} is on no cluster."),
        count if count == bindings.len() => {
            format!(" Snapshot {index} is assigned to all of its clusters.")
        }
        count => {
            format!(" Snapshot {index} is assigned to {count} of {} clusters.", bindings.len())
        }
    }
}

/// Says what becomes of a placement on some clusters once its cause is repaired.
pub(super) fn of_placement(
    facts: &Facts<'_>,
    placement: &ObjectKey,
    clusters: &[&str],
    repair: Repair,
) -> Outlook {
    let graph = facts.graph();
    if let Some(run) = concerned(graph, placement, clusters) {
        return of_run(facts, run, repair);
    }
    if let Some(run) = in_vain(facts, placement).filter(|_| repair == Repair::Policy) {
        return of_run(facts, run, repair);
    }
    let shown = graph.placements.find_named(&placement.namespace, &placement.name);
    let is_external = shown.and_then(|shown| shown.known_external());
    let runs = graph.runs_of(&placement.namespace, &placement.name);
    let external = is_external.or((!runs.is_empty()).then_some(true));
    without_run(&placement.name, external, repair)
}

/// Finds the newest run of a placement, if it has failed at its start and nothing was done for it since.
fn in_vain<'g>(facts: &Facts<'g>, placement: &ObjectKey) -> Option<&'g Run> {
    let runs = facts.graph().runs_of(&placement.namespace, &placement.name);
    let created = |run: &&Run| run.meta.created.map(|created| created.value);
    let newest = runs.into_iter().max_by_key(created)?;
    let failed = newest.failed_in() == Some(Phase::Initialization)
        && matches!(fate(facts.history(), newest), Fate::Failed);
    failed.then_some(newest)
}

/// Finds the run on which a repair on these clusters depends.
///
/// A living run that is at work there, or has it ahead in the stage at work; else the last one that was there.
fn concerned<'g>(graph: &'g Graph, placement: &ObjectKey, clusters: &[&str]) -> Option<&'g Run> {
    let runs = graph.runs_of(&placement.namespace, &placement.name);
    let started = |run: &Run| {
        let statuses = clusters.iter().filter_map(|name| run.find_cluster(name));
        statuses.filter_map(|(_, status)| status.started()?.since).map(|at| at.value).max()
    };
    let waits = |run: &&&'g Run| {
        !run.is_terminal()
            && clusters.iter().any(|name| {
                run.find_cluster(name).is_some_and(|(stage, status)| {
                    let current = run.stages.iter().find(|stage| !stage.has_succeeded());
                    let at_work = current.is_some_and(|current| current.name() == stage.name());
                    status.is_in_flight() || at_work && !status.has_succeeded()
                })
            })
    };
    let order = |run: &&&'g Run| (started(run), run.meta.created.map(|created| created.value));
    let waiting = runs.iter().filter(waits).max_by_key(order);
    let last = || runs.iter().filter(|run| started(run).is_some()).max_by_key(order);
    waiting.or_else(last).copied()
}

/// Says what becomes of a placement that no run is at work on.
fn without_run(name: &str, external: Option<bool>, repair: Repair) -> Outlook {
    let name = if name.is_empty() { "The placement" } else { name };
    let member = || format!("{name} continues by itself after the repair.");
    let (recoverability, then) = match (repair, external) {
        (Repair::Member, _) => {
            let then = format!("{} The member agent checks again within 15m.", member());
            (Recoverability::ResumesAfterRepair, then)
        }
        (Repair::Policy, Some(true)) => {
            let then = "The scheduler picks again by itself. The clusters get the resources with \
                 the next run.";
            (Recoverability::NeedsPatch, then.to_owned())
        }
        (Repair::Policy, _) => {
            let then = "The scheduler picks again by itself once this is changed.";
            (Recoverability::ResumesAfterRepair, then.to_owned())
        }
        (_, Some(true)) => {
            let then = format!("{name} is rolled out by runs. The fix needs a new run.");
            (Recoverability::NeedsPatch, then)
        }
        (_, Some(false)) => {
            let then = format!("{name} rolls the fix out by itself, cluster by cluster.");
            (Recoverability::ResumesAfterRepair, then)
        }
        (_, None) => {
            let then = format!(
                "{name} rolls the fix out by itself, unless its strategy is External. \
                     Then it needs a new run."
            );
            (Recoverability::NeedsPatch, then)
        }
    };
    Outlook::new(recoverability, then)
}

/// Says what becomes of something on a member of which nothing tells who rolls it out.
pub fn on_member(name: &str, cluster: &str) -> String {
    let place = if cluster.is_empty() { "the member" } else { cluster };
    format!(
        "{name} continues by itself within 15m of a repair on {place}. A fix on the hub needs a \
         new run if runs roll it out."
    )
}

/// What a log shows of a run of which nothing else was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoggedRun<'l> {
    /// It failed.
    Failed,
    /// It lost clusters to this run, if the log tells.
    Preempted(Option<&'l str>),
    /// It waits for this cluster.
    Stuck(&'l str),
}

/// Says what becomes of a run that only a log shows.
pub fn of_logged(name: &str, logged: LoggedRun<'_>) -> Outlook {
    let dead = |rest: String| {
        Outlook::new(Recoverability::RunIsDead, format!("{name} cannot be resumed. {rest}"))
    };
    match logged {
        LoggedRun::Failed => dead("After the fix, create a new run.".to_owned()),
        LoggedRun::Preempted(Some(taker)) => {
            dead(format!("Create a new run only after {taker} has ended."))
        }
        LoggedRun::Preempted(None) => {
            dead("Create a new run once no other run is active.".to_owned())
        }
        LoggedRun::Stuck(cluster) => waiting(name, "continues", cluster),
    }
}

/// Says what becomes of a run that waits for a cluster, where it is not known on which side the cause lies.
pub fn waiting(title: &str, verb: &str, cluster: &str) -> Outlook {
    let then = format!(
        "{title} {verb} by itself within 16m 40s after {cluster} is ready. A fix \
             on the hub needs a new run."
    );
    Outlook::new(Recoverability::ResumesAfterRepair, then)
}
