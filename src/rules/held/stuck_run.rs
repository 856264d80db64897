//! FL0401 stuck-run.

use crate::declare_rule;
use crate::facts::waiting_cluster::WaitingCluster;
use crate::finding::{Certainty, Finding, Topic};
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::rule::Cx;
use crate::rules::commands::{binding_command, look_at, member_command, works_command};
use crate::rules::logs::lookup::find_stuck_line;

declare_rule! {
    /// A run that waits for a cluster which does not finish.
    ///
    /// ## Why it matters
    /// The controller allows a started cluster five minutes. After that it says so, and goes on waiting: stuck is
    /// not the end, the run goes on by itself once the cluster gets there. No further cluster is started meanwhile.
    ///
    /// ## What to do
    /// Repair what keeps the cluster from finishing: the binding's first False condition leads to it, then the
    /// failed placements, the Works, and the objects on the member. No new run is needed. While a cluster fails, the
    /// controller looks at it ever more rarely, up to every 16 minutes 40 seconds; setting `spec.state` to `Stop`
    /// and back to `Run` makes it look at once.
    ///
    /// ## Also covered
    /// A stop that waits for a started cluster: the run stays in `Stopping` or `Stuck` until that cluster is done.
    pub static STUCK_RUN = Rule {
        code: "FL0401",
        name: "stuck-run",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding],
        check: stuck_run,
    }
}

fn stuck_run(cx: &mut Cx<'_>) {
    for waiting in cx.waiting_clusters().iter().filter(|it| it.is_reported_stuck()) {
        let binding = cx.find_binding(waiting.run, &waiting.cluster);
        if waiting.done.is_some() {
            continue;
        }
        let mut finding = describe(cx, waiting, binding);
        if let Some(line) = find_stuck_line(cx, &waiting.run.meta, &waiting.cluster) {
            let key = waiting.run.meta.key.clone();
            finding = finding.also_log(line, "hub-agent marks it stuck here", Some(key));
        }
        if binding.is_none() {
            let key = &waiting.run.meta.key;
            let cluster = &*waiting.cluster;
            let decides = format!("what keeps {cluster} from finishing in {}", key.name);
            cx.ask(binding_command(key, waiting.run.placement.as_deref()), decides.clone());
            cx.ask(works_command(cluster), decides.clone());
            cx.ask(member_command(cluster), decides);
        }
        cx.report(finding);
    }
}

fn describe(cx: &Cx<'_>, waiting: &WaitingCluster<'_>, binding: Option<&Binding>) -> Finding {
    let run = waiting.run;
    let cluster = &*waiting.cluster;
    // A fragment without a name is "the run", of either kind.
    let subject = match &*run.meta.key.name {
        "" => run.meta.name().to_owned(),
        name => format!("{} {name}", run.meta.key.kind),
    };
    let age = waiting.since.and_then(|since| cx.clock().since(since.value));
    let age = age.map(|age| format!(" for {}", age.show())).unwrap_or_default();
    let stage = waiting.stage.map(|stage| format!(" in stage {stage}")).unwrap_or_default();
    let failing = binding.and_then(Binding::first_failing);
    let cause =
        failing.map(|failing| format!(": {} is False, {}", &*failing.kind, failing.message()));
    let verb = if run.state() == "Stop" { "cannot stop, it is stuck on" } else { "is stuck on" };
    let mut finding = STUCK_RUN
        .at(waiting.span, format!("in flight{age}, threshold 5m"))
        .message(format!("{subject} {verb} cluster {cluster}{stage}{age}{}", cause.unwrap_or_default()))
        .why(format!(
            "stuck is not the end: the run goes on by itself when {cluster} is done, but may look only every 16m 40s"
        ))
        .recover(Recoverability::ResumesAfterRepair)
        .about(Topic::RunCluster(run.meta.key.clone(), cluster.into()))
        .also_at(waiting.since.map(|since| since.span), "the cluster was started here");
    if let Some(placement) = &run.placement {
        finding = finding.about(Topic::placement_cluster(run, placement, cluster));
    }
    if let Some(failing) = failing {
        finding = finding.also(failing.best_span(), format!("{} is False here", &*failing.kind));
    } else if binding.is_none() {
        finding = finding
            .certainty(Certainty::Shown)
            .command(binding_command(&run.meta.key, run.placement.as_deref()));
    }
    for failed in binding.into_iter().flat_map(|binding| &binding.failed).take(2) {
        let span = failed.condition.as_ref().map_or(failed.span, |condition| condition.best_span());
        finding = finding.also(span, failed.resource.show());
    }
    finding.command(look_at(cluster).words("get pods,events -A").build())
}
