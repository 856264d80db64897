//! FL0302 disturbed-binding.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::finding::{Finding, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::rule::Cx;
use crate::rules::preempt::lost_cluster::{LostCluster, lost_clusters};
use crate::rules::run_failure::finish_failed_run;

declare_rule! {
    /// A run that failed because a binding changed, although no other run took it.
    ///
    /// ## Why it matters
    /// The controller mistakes any change of a binding that it is updating for a second run. An edit by hand, or a member
    /// cluster that left and joined again, raises the binding's generation; `RolloutStarted` stays at the old one, and the
    /// run fails permanently with words about a concurrent run that does not exist.
    ///
    /// ## What to do
    /// Create a new run. Do not edit bindings; find out who did, or why the cluster left and joined again.
    pub static DISTURBED_BINDING = Rule {
        code: "FL0302",
        name: "disturbed-binding",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding, Kind::MemberCluster],
        check: disturbed_binding,
    }
}

fn disturbed_binding(cx: &mut Cx<'_>) {
    for lost in lost_clusters(cx) {
        let Some(binding) = lost.binding.filter(|_| lost.taker.is_none()) else { continue };
        let finding = describe(cx, &lost, binding);
        let outlook = cx.outlook_of_run(lost.run, Repair::Run);
        let finding = finish_failed_run(cx, lost.run, finding, outlook);
        cx.report(finding);
    }
}

fn describe(cx: &Cx<'_>, lost: &LostCluster<'_>, binding: &Binding) -> Finding {
    let (run, name, cluster) = (lost.run, lost.run.meta.name(), &*lost.cluster);
    let started = binding.condition("RolloutStarted");
    let generation = binding.meta.generation;
    let place = started.map_or(lost.span, |started| started.generation_span());
    let numbers = match generation.zip(started) {
        Some((generation, started)) if generation.value != started.generation() => format!(
            " It is at generation {}, and RolloutStarted is for generation {}.",
            generation.value,
            started.generation()
        ),
        _ => String::new(),
    };
    let member = cx.find_member(cluster);
    let rejoined = member
        .and_then(|member| member.meta.created)
        .filter(|born| binding.meta.created.is_some_and(|made| born.value > made.value));
    let who = match rejoined {
        Some(_) => format!("No other run is involved. {cluster} left the fleet and joined again."),
        None => {
            "No other run is involved. Someone edited the binding, or the scheduler changed it."
                .to_owned()
        }
    };
    let mut finding = DISTURBED_BINDING
        .at(place, format!("what {name} last wrote"))
        .also_at(generation.map(|generation| generation.span), "changed since")
        .also(lost.span, format!("{name} mistakes this for a second run"))
        .message(format!(
            "Binding {} changed while {name} was updating {cluster}.{numbers}",
            binding.meta.name(),
        ))
        .why(format!("{who} A run mistakes any change of a started binding for a second run."))
        .explains(Topic::RunCluster(run.meta.key.clone(), lost.cluster.clone()))
        .explains(Topic::takeover_of(run));
    if let Some(born) = rejoined {
        finding = finding.also(born.span, "the member cluster is younger than its binding");
    }
    for (span, label) in lost.differences() {
        finding = finding.also(span, label);
    }
    finding
}
