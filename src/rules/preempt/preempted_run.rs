//! FL0301 preempted-run.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::facts::new_run::NewRunVersion;
use crate::finding::{Certainty, Finding, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::binding_command;
use crate::rules::logs::binding_takeovers::{LoggedTakeover, logged_takeovers};
use crate::rules::preempt::lost_cluster::{LostCluster, lost_clusters};
use crate::rules::run_failure::finish_failed_run;

declare_rule! {
    /// A run that lost a cluster to another run.
    ///
    /// ## Why it matters
    /// Two runs of one placement write the same bindings. The later writer wins: at its next check the earlier run
    /// finds another snapshot, override or apply strategy in the binding of a cluster that it is updating, and fails
    /// permanently. It does not check the clusters again that it had finished.
    ///
    /// ## What to do
    /// Let the other run continue, or stop it. The run that lost cannot be resumed; for its version create a new run after
    /// the other has ended. Never start a second run before the first has ended.
    ///
    /// ## Also covered
    /// A binding that differs in its overrides, apply strategy or state; the related places show the differing field.
    /// Without the binding in the bundle the taker is found by the times at which other runs started the cluster.
    pub static PREEMPTED_RUN = Rule {
        code: "FL0301",
        name: "preempted-run",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding],
        check: preempted_run,
    }
}

fn preempted_run(cx: &mut Cx<'_>) {
    let clusters = lost_clusters(cx);
    let takeovers = if clusters.is_empty() { Vec::new() } else { logged_takeovers(cx) };
    for lost in clusters {
        if lost.taker.is_none() && lost.binding.is_some() {
            continue;
        }
        let (run, cluster) = (lost.run, &lost.cluster);
        let loss = takeovers.iter().find(|loss| is_of(loss, &lost));
        let finding = show_lines(&lost, loss, describe(cx, &lost, loss));
        if lost.taker.is_none() && loss.is_none_or(|loss| loss.taken.is_none()) {
            let decides = format!("which run took cluster {cluster} from {}", run.meta.name());
            cx.ask(binding_command(&run.meta.key, run.placement.as_deref()), decides);
        }
        // Only the old index rolls out the old version again.
        let version = run.wanted_index().map_or(NewRunVersion::AsBefore, NewRunVersion::Pinned);
        let outlook = cx.outlook_at(run, Repair::Preempted, version);
        let finding = finish_failed_run(cx, run, finding, outlook);
        cx.report(finding);
    }
}

/// Says whether a line of the hub agent is about this cluster of the run.
fn is_of(loss: &LoggedTakeover<'_>, lost: &LostCluster<'_>) -> bool {
    let meta = &lost.run.meta;
    let by_cluster = loss.cluster.as_deref() == Some(&*lost.cluster);
    let by_binding = lost.binding.is_some_and(|b| b.meta.key.name == loss.binding.name);
    *loss.run.name == *meta.name()
        && *loss.run.namespace == *meta.namespace()
        && (by_cluster || by_binding)
}

/// Adds the two lines of the hub agent that matter: who bound the binding, and where the loss was noticed.
fn show_lines(
    lost: &LostCluster<'_>,
    loss: Option<&LoggedTakeover<'_>>,
    mut finding: Finding,
) -> Finding {
    let Some(loss) = loss else { return finding };
    if let Some(taking) = &loss.taken {
        let binding = lost.binding.map(|binding| binding.meta.key.clone());
        finding =
            finding.also_log(taking.span, format!("{} takes the binding", taking.run), binding);
    }
    let run = lost.run;
    let label = format!("{} notices the loss", run.meta.name());
    finding.also_log(loss.run.span, label, Some(run.meta.key.clone()))
}

fn describe(cx: &Cx<'_>, lost: &LostCluster<'_>, loss: Option<&LoggedTakeover<'_>>) -> Finding {
    let (run, name, cluster) = (lost.run, lost.run.meta.name(), &*lost.cluster);
    let logged = loss.and_then(|loss| loss.taken.as_ref());
    let at = lost.write.as_ref().map(|write| cx.clock().show_moment(write.at));
    let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
    let (message, certainty) = match (&lost.taker, logged) {
        (Some(taker), _) => {
            (format!("{taker} took cluster {cluster} from {name}{at}."), Certainty::Shown)
        }
        (None, Some(taking)) => {
            let when = cx.at_time(taking.event);
            let message = format!("{} took cluster {cluster} from {name}{when}.", taking.run);
            (message, Certainty::Shown)
        }
        (None, None) => {
            let changed = "Its binding was changed, by another run or by hand.";
            let message = format!("{} lost cluster {cluster}. {changed}", run.meta.title());
            (message, Certainty::Likely)
        }
    };
    let mut finding = PREEMPTED_RUN
        .at(lost.span, format!("how {name} reports the loss"))
        .message(message)
        .why(
            "Two runs of one placement write the same bindings. The later run wins and pre-empts \
             the earlier one, which fails permanently at its next check.",
        )
        .certainty(certainty)
        .hint("A placement carries one active run at a time.")
        .explains(Topic::RunCluster(run.meta.key.clone(), lost.cluster.clone()))
        .explains(Topic::takeover_of(run));
    for (span, label) in lost.differences() {
        finding = finding.also(span, label);
    }
    if let Some(write) = &lost.write {
        let what = write.snapshot.map(|index| format!(" with snapshot {index}"));
        let label = format!("{} started {cluster}{}", write.run, what.unwrap_or_default());
        finding = finding.also(write.span, label);
    }
    finding
}
