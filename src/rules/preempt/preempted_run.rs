//! FL0301 preempted-run.

use crate::declare_rule;
use crate::finding::{Certainty, Finding, Topic};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::kube::time::show_timestamp;
use crate::rule::Cx;
use crate::rules::commands::{binding_command, look_at_hub, show_command};
use crate::rules::failure::settle;
use crate::rules::logs::lookup::{Loss, losses};
use crate::rules::preempt::victim::{Victim, victims};

declare_rule! {
    /// A run that lost a cluster to another run.
    ///
    /// ## Why it matters
    /// Two runs of one placement write the same bindings. The later writer wins: when the earlier run looks again it
    /// finds another snapshot, override or apply strategy in the binding of a cluster that it is updating, and fails for
    /// good. Clusters that it had finished are not looked at again.
    ///
    /// ## What to do
    /// Let the other run go on, or stop it. Nothing revives the run that lost; for its version make a new run after the
    /// other has ended. Never start a second run before the first has ended.
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
    for victim in victims(cx) {
        if victim.taker.is_none() && victim.binding.is_some() {
            continue;
        }
        let loss = losses(cx).into_iter().find(|loss| is_of(loss, &victim));
        let finding = show_lines(&victim, loss.as_ref(), describe(&victim, loss.as_ref()));
        if victim.taker.is_none() && loss.is_none_or(|loss| loss.taken.is_none()) {
            let decides = format!(
                "which run took cluster {} from {}",
                victim.cluster,
                victim.run.meta.name()
            );
            cx.ask(binding_command(&victim.run.meta.key, victim.run.placement.as_deref()), decides);
        }
        let finding = settle(cx, victim.run, finding);
        cx.report(finding);
    }
}

/// Says whether a line of hub-agent's log is about this cluster of the run.
fn is_of(loss: &Loss<'_>, victim: &Victim<'_>) -> bool {
    let meta = &victim.run.meta;
    let by_cluster = loss.cluster.as_deref() == Some(&*victim.cluster);
    let by_binding = victim.binding.is_some_and(|b| b.meta.key.name == loss.binding.name);
    *loss.run.name == *meta.name()
        && *loss.run.namespace == *meta.namespace()
        && (by_cluster || by_binding)
}

/// Adds the two lines of hub-agent's log that matter: who bound the binding, and where the loss was noticed.
fn show_lines(victim: &Victim<'_>, loss: Option<&Loss<'_>>, mut finding: Finding) -> Finding {
    let Some(loss) = loss else { return finding };
    if let Some(taking) = &loss.taken {
        let binding = victim.binding.map(|binding| binding.meta.key.clone());
        finding = finding.also_log(taking.span, "the other run binds it", binding);
    }
    let run = Some(victim.run.meta.key.clone());
    finding.also_log(loss.run.span, "the loss is noticed here", run)
}

fn describe(victim: &Victim<'_>, loss: Option<&Loss<'_>>) -> Finding {
    let run = victim.run;
    let moment =
        victim.taken_at.map(|at| format!(" at {}", show_timestamp(at.value))).unwrap_or_default();
    let logged = loss.and_then(|loss| loss.taken.as_ref());
    let (who, certainty) = match (&victim.taker, logged) {
        (Some(taker), _) => (format!("run {taker} took its binding{moment}"), Certainty::Shown),
        (None, Some(taking)) => {
            let when = taking.event.at_time();
            (
                format!("run {} took its binding{when}, by the log of hub-agent", taking.run),
                Certainty::Shown,
            )
        }
        (None, None) => {
            ("its binding was changed, by another run or by hand".to_owned(), Certainty::Likely)
        }
    };
    let wanted = victim.wanted();
    let got = victim.binding.and_then(|binding| binding.snapshot.as_ref());
    let diff = match (&wanted, got) {
        (Some(wanted), Some(got)) if **got != **wanted => {
            format!(" (snapshot {} instead of {wanted})", &**got)
        }
        _ => String::new(),
    };
    let mut finding = PREEMPTED_RUN
        .at(victim.span, "taken from the run here")
        .message(format!("{} was pre-empted on cluster {}: {who}{diff}", run.meta.name(), victim.cluster))
        .why("two runs of one placement write the same bindings; the later one wins and the earlier one fails for good")
        .recover(Recoverability::RunIsDead)
        .certainty(certainty)
        .explains(Topic::RunCluster(run.meta.key.clone(), victim.cluster.clone()))
        .explains(Topic::takeover_of(run));
    for (span, label) in victim.differences() {
        finding = finding.also(span, label);
    }
    if let Some(at) = victim.taken_at {
        finding = finding.also(at.span, "the other run started the cluster here");
    }
    if let Some(binding) = victim.binding {
        finding = finding.command(show_command(&binding.meta.key));
    }
    let runs = look_at_hub().words("get").resource(&run.meta.key.kind);
    finding.command(runs.namespace(run.meta.namespace()).build())
}
