//! FL0301 preempted-run.

use crate::declare_rule;
use crate::facts::new_run::NewRunVersion;
use crate::facts::remedy::Repair;
use crate::finding::{Certainty, Finding, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::rule::Cx;
use crate::rules::commands::binding_command;
use crate::rules::failure::settle;
use crate::rules::logs::lookup::{LoggedTakeover, losses};
use crate::rules::preempt::lost_cluster::{Victim, victims};

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
    let victims = victims(cx);
    let losses = if victims.is_empty() { Vec::new() } else { losses(cx) };
    for victim in victims {
        if victim.taker.is_none() && victim.binding.is_some() {
            continue;
        }
        let (run, cluster) = (victim.run, &victim.cluster);
        let loss = losses.iter().find(|loss| is_of(loss, &victim));
        let finding = show_lines(&victim, loss, describe(cx, &victim, loss));
        if victim.taker.is_none() && loss.is_none_or(|loss| loss.taken.is_none()) {
            let decides = format!("which run took cluster {cluster} from {}", run.meta.name());
            cx.ask(binding_command(&run.meta.key, run.placement.as_deref()), decides);
        }
        // Only the old index rolls out the old version again.
        let version = run.wanted_index().map_or(NewRunVersion::AsBefore, NewRunVersion::Pinned);
        let outlook = cx.outlook_at(run, Repair::Preempted, version);
        let finding = settle(cx, run, finding, outlook);
        cx.report(finding);
    }
}

/// Says whether a line of the hub agent is about this cluster of the run.
fn is_of(loss: &LoggedTakeover<'_>, victim: &Victim<'_>) -> bool {
    let meta = &victim.run.meta;
    let by_cluster = loss.cluster.as_deref() == Some(&*victim.cluster);
    let by_binding = victim.binding.is_some_and(|b| b.meta.key.name == loss.binding.name);
    *loss.run.name == *meta.name()
        && *loss.run.namespace == *meta.namespace()
        && (by_cluster || by_binding)
}

/// Adds the two lines of the hub agent that matter: who bound the binding, and where the loss was noticed.
fn show_lines(
    victim: &Victim<'_>,
    loss: Option<&LoggedTakeover<'_>>,
    mut finding: Finding,
) -> Finding {
    let Some(loss) = loss else { return finding };
    if let Some(taking) = &loss.taken {
        let binding = victim.binding.map(|binding| binding.meta.key.clone());
        finding =
            finding.also_log(taking.span, format!("{} takes the binding", taking.run), binding);
    }
    let run = victim.run;
    let label = format!("{} notices the loss", run.meta.name());
    finding.also_log(loss.run.span, label, Some(run.meta.key.clone()))
}

fn describe(cx: &Cx<'_>, victim: &Victim<'_>, loss: Option<&LoggedTakeover<'_>>) -> Finding {
    let (run, name, cluster) = (victim.run, victim.run.meta.name(), &*victim.cluster);
    let logged = loss.and_then(|loss| loss.taken.as_ref());
    let at = victim.write.as_ref().map(|write| cx.clock().show_moment(write.at));
    let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
    let (message, certainty) = match (&victim.taker, logged) {
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
        .at(victim.span, format!("how {name} reports the loss"))
        .message(message)
        .why(
            "Two runs of one placement write the same bindings. The later run wins and pre-empts \
             the earlier one, which fails permanently at its next check.",
        )
        .certainty(certainty)
        .hint("A placement carries one active run at a time.")
        .explains(Topic::RunCluster(run.meta.key.clone(), victim.cluster.clone()))
        .explains(Topic::takeover_of(run));
    for (span, label) in victim.differences() {
        finding = finding.also(span, label);
    }
    if let Some(write) = &victim.write {
        let what = write.snapshot.map(|index| format!(" with snapshot {index}"));
        let label = format!("{} started {cluster}{}", write.run, what.unwrap_or_default());
        finding = finding.also(write.span, label);
    }
    finding
}
