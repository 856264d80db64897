//! FL0302 disturbed-binding.

use crate::declare_rule;
use crate::finding::Topic;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::rule::Cx;
use crate::rules::failure::settle;
use crate::rules::preempt::victim::{Victim, victims};

declare_rule! {
    /// A run that failed because a binding changed, although no other run took it.
    ///
    /// ## Why it matters
    /// The controller takes any change of a binding that it is updating for a second run. An edit by hand, or a member
    /// cluster that left and joined again, raises the binding's generation; `RolloutStarted` stays at the old one, and the
    /// run fails for good with words about a concurrent run that does not exist.
    ///
    /// ## What to do
    /// Make a new run. Do not edit bindings; find out who did, or why the cluster left and joined again.
    pub static DISTURBED_BINDING = Rule {
        code: "FL0302",
        name: "disturbed-binding",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Binding, Kind::MemberCluster],
        check: disturbed_binding,
    }
}

fn disturbed_binding(cx: &mut Cx<'_>) {
    for victim in victims(cx) {
        let Some(binding) = victim.binding.filter(|_| victim.taker.is_none()) else { continue };
        let finding = describe(cx, &victim, binding);
        let finding = settle(cx, victim.run, finding);
        cx.report(finding);
    }
}

fn describe(cx: &Cx<'_>, victim: &Victim<'_>, binding: &Binding) -> crate::finding::Finding {
    let run = victim.run;
    let started = binding.condition("RolloutStarted");
    let generation = binding.meta.generation;
    let place = started.map_or(victim.span, |started| started.generation_span());
    let numbers = match (generation, started) {
        (Some(generation), Some(started)) => {
            format!(
                " (generation {}, RolloutStarted is for generation {})",
                generation.value,
                started.generation()
            )
        }
        _ => String::new(),
    };
    let member = cx.find_member(&victim.cluster);
    let rejoined = member
        .and_then(|member| member.meta.created)
        .filter(|born| binding.meta.created.is_some_and(|made| born.value > made.value));
    let cause = if rejoined.is_some() {
        "the cluster left the fleet and joined again"
    } else {
        "somebody edited it, or the scheduler did"
    };
    let mut finding = DISTURBED_BINDING
        .at(place, "the run's last word on the binding")
        .also_at(generation.map(|generation| generation.span), "the binding has moved on")
        .also(victim.span, "the run takes that for another run")
        .message(format!(
            "{} failed on cluster {}: its binding {} was changed under it{numbers}; no other run did that: {cause}",
            run.meta.name(),
            victim.cluster,
            binding.meta.name(),
        ))
        .why("any change of the binding of a started cluster raises its generation, and the run takes that for a pre-emption")
        .recover(Recoverability::RunIsDead)
        .explains(Topic::RunCluster(run.meta.key.clone(), victim.cluster.clone()))
        .explains(Topic::takeover_of(run));
    if let Some(born) = rejoined {
        finding = finding.also(born.span, "the member cluster is younger than its binding");
    }
    for (span, label) in victim.differences() {
        finding = finding.also(span, label);
    }
    finding
}
