//! FL0401 stuck-run.

use crate::declare_rule;
use crate::facts::after_repair::{self, Repair};
use crate::facts::waiting_cluster::WaitingCluster;
use crate::finding::{Certainty, Command, Finding, Outlook, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::graph::Listing;
use crate::model::binding::Binding;
use crate::rule::Cx;
use crate::rules::commands::{binding_command, look_at, member_command, works_command};
use crate::rules::logs::binding_takeovers::find_stuck_line;
use crate::rules::sentence::join_names;

declare_rule! {
    /// A run that waits for a cluster which does not finish.
    ///
    /// ## Why it matters
    /// The controller allows a started cluster five minutes. After that it says so, and keeps waiting: a stuck run is
    /// still alive and continues by itself once the cluster is ready. No further cluster is started meanwhile.
    ///
    /// ## What to do
    /// Repair what keeps the cluster from finishing: the binding's first False condition leads to it, then the
    /// failed placements, the Works, and the objects on the member. No new run is needed. While a cluster fails, the
    /// controller checks it ever more rarely, up to every 16 minutes 40 seconds; setting `spec.state` to `Stop`
    /// and back to `Run` makes it check at once.
    ///
    /// ## Also covered
    /// A stop that waits for a started cluster: the run stays in `Stopping` or `Stuck` until that cluster is done. And a run
    /// that still says stuck although another run has taken the cluster: it will not continue, it fails at its next check.
    pub static STUCK_RUN = Rule {
        code: "FL0401",
        name: "stuck-run",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding],
        check: stuck_run,
    }
}

fn stuck_run(cx: &mut Cx<'_>) {
    let waiting = cx.waiting_clusters().iter().filter(|it| it.is_reported_stuck());
    for waiting in waiting.filter(|waiting| waiting.done.is_none()) {
        let binding = cx.find_binding(waiting.run, &waiting.cluster);
        let mut finding = describe(cx, waiting, binding);
        if let Some(line) = find_stuck_line(cx, &waiting.run.meta, &waiting.cluster) {
            let key = waiting.run.meta.key.clone();
            finding = finding.also_log(line, "the hub agent marks it stuck", Some(key));
        }
        // What the run waited for may be done by now: the end of the binding's text is lost.
        if binding.is_some_and(|it| it.meta.partial && it.first_failing().is_none()) {
            finding = finding.severity(Severity::Warning).certainty(Certainty::Likely);
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
    let (run, cluster) = (waiting.run, &*waiting.cluster);
    let lost = cx.history().find_takeover(run).filter(|lost| *lost.cluster == *cluster);
    let why = match lost {
        Some(lost) => {
            format!("{} wrote the binding of {cluster} after {}.", lost.taker, run.meta.name())
        }
        None => format!(
            "A stuck run is still alive. It continues when {cluster} is ready and checks at most \
             every 16m 40s."
        ),
    };
    let age = waiting.since.and_then(|since| cx.clock().since(since.value));
    let age = age.map(|age| format!(" for {}", age.show())).unwrap_or_default();
    let failing = binding.and_then(Binding::first_failing);
    let mut finding = STUCK_RUN
        .at(waiting.span, format!("in flight{age}, the threshold is 5m"))
        .message(match lost {
            Some(lost) => format!(
                "{} still waits for {cluster}, which {} has taken.",
                run.meta.title(),
                lost.taker
            ),
            None => message(waiting, binding, &age),
        })
        .why(why)
        .about(Topic::RunCluster(run.meta.key.clone(), cluster.into()))
        .also_at(waiting.since.map(|since| since.span), format!("{cluster} was started here"));
    // What fails there now is the other run's version.
    if lost.is_some() {
        finding = finding.about(Topic::takeover_of(run));
    } else if let Some(placement) = &run.placement {
        finding = finding.about(Topic::placement_cluster(run, placement, cluster));
    }
    if let Some(failing) = failing {
        let label = format!("{} is False on {cluster}", &*failing.kind);
        finding = finding.also(failing.best_span(), label);
    } else if binding.is_none() {
        finding = finding.certainty(Certainty::Shown);
    }
    for failed in binding.into_iter().flat_map(|binding| &binding.failed).take(2) {
        let span = failed.condition.as_ref().map_or(failed.span, |condition| condition.best_span());
        finding = finding.also(span, failed.resource.show());
    }
    if lost.is_none() {
        finding = finding.command(look(cx, waiting, binding));
    }
    finding.outlook(outlook(cx, waiting))
}

/// Says what becomes of the run; the cause is not known here, so neither is where it is repaired.
fn outlook(cx: &Cx<'_>, waiting: &WaitingCluster<'_>) -> Outlook {
    let (run, cluster) = (waiting.run, &waiting.cluster);
    if cx.history().find_takeover(run).is_some() {
        return cx.outlook_of_run(run, Repair::Member);
    }
    let verb = if run.state() == "Stop" { "finishes its stop" } else { "continues" };
    after_repair::waiting(&run.meta.title(), verb, cluster)
}

fn message(waiting: &WaitingCluster<'_>, binding: Option<&Binding>, age: &str) -> String {
    let (run, cluster) = (waiting.run, &*waiting.cluster);
    let subject = run.meta.title();
    let stage = waiting.stage.map(|stage| format!(" in stage {stage}")).unwrap_or_default();
    let verb = match (run.state() == "Stop", age.is_empty()) {
        (true, true) => "cannot stop: it waits",
        (true, false) => "cannot stop: it has waited",
        (false, true) => "waits",
        (false, false) => "has waited",
    };
    let failed: Vec<String> = binding
        .into_iter()
        .flat_map(|binding| &binding.failed)
        .map(|failed| failed.resource.show())
        .collect();
    let failing = binding.and_then(Binding::first_failing).map(|failing| &*failing.kind);
    let rest = match (failed.as_slice(), failing) {
        ([], None) => String::new(),
        ([], Some(kind)) => format!(" Its binding says {kind} False."),
        (_, _) => format!(" Not ready there: {}.", join_names(failed)),
    };
    format!("{subject} {verb} for {cluster}{stage}{age}.{rest}")
}

/// Asks for the next link of the chain that the bundle does not hold.
fn look(cx: &Cx<'_>, waiting: &WaitingCluster<'_>, binding: Option<&Binding>) -> Option<Command> {
    let (run, cluster) = (waiting.run, &*waiting.cluster);
    let Some(binding) = binding else {
        return binding_command(&run.meta.key, run.placement.as_deref());
    };
    let failed = binding.failed.iter().find_map(|failed| failed.resource.namespace.as_deref());
    match failed.filter(|namespace| !namespace.is_empty()) {
        Some(namespace) => {
            let look = look_at(cluster).words("get pods,events").namespace(namespace);
            look.effect(format!("shows why the resources are not ready on {cluster}")).build()
        }
        None if cx.listing("Work", &format!("fleet-member-{cluster}")) == Listing::None => {
            works_command(cluster)
        }
        None => None,
    }
}
