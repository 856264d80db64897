//! FL0306 doubled-binding.

use crate::declare_rule;
use crate::finding::{Command, Finding, Recoverability, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::model::read::SpanOr;
use crate::rule::Cx;
use crate::rules::commands::works_command;

declare_rule! {
    /// Two bindings of one placement for the same cluster.
    ///
    /// ## Why it matters
    /// The cluster was unselected and selected again before the old binding was gone. A run uses one of them; the other
    /// goes away by itself.
    ///
    /// ## What to do
    /// Wait until the old binding is deleted before you start a run. Two that both live stop the rollout permanently:
    /// delete the newer one.
    pub static DOUBLED_BINDING = Rule {
        code: "FL0306",
        name: "doubled-binding",
        severity: Severity::Note,
        reads: &[Kind::Binding],
        check: doubled_binding,
    }
}

/// Says whether a binding comes after another, so that each pair is met once.
fn is_behind(binding: &Binding, other: &Binding) -> bool {
    (&binding.meta.key, binding.meta.span) < (&other.meta.key, other.meta.span)
}

fn doubled_binding(cx: &mut Cx<'_>) {
    for binding in cx.bindings() {
        let (Some(cluster), Some(placement)) = (&binding.cluster, binding.placement()) else {
            continue;
        };
        let mut twins = cx.bindings_on(binding.meta.namespace(), placement, cluster);
        if let Some(twin) = twins.find(|other| is_behind(binding, other)) {
            cx.report(describe(binding, twin, placement));
        }
    }
}

fn goes(binding: &Binding) -> bool {
    binding.meta.deleting.is_some() || binding.state.as_deref() == Some("Unscheduled")
}

fn describe(binding: &Binding, twin: &Binding, placement: &str) -> Finding {
    let cluster = binding.cluster();
    let place = |it: &Binding| it.cluster.span_or(it.meta.name_span);
    let names = (binding.meta.name(), twin.meta.name());
    let finding = DOUBLED_BINDING
        .at(place(binding), format!("{} binds {cluster}", names.0))
        .also(place(twin), format!("{} binds it too", names.1))
        .message(format!(
            "{cluster} has two bindings of {placement}, {} and {}.",
            names.0, names.1
        ));
    if goes(binding) || goes(twin) {
        return finding
            .why("The cluster was unselected and selected again.")
            .then("The older binding goes away by itself. Start a run after that.")
            .recover(Recoverability::ResumesByItself);
    }
    let age = |it: &Binding| it.meta.created.map(|created| created.value);
    let newer = if age(binding) > age(twin) { binding } else { twin };
    let command = Command::kubectl(Risk::Destructive, RunsOn::Hub).words("delete");
    let effect = format!("removes the newer binding, {}", newer.meta.name());
    finding
        .severity(Severity::Error)
        .why("A rollout stops at two living bindings for one cluster.")
        .then(format!("{placement} continues by itself once one of the two is deleted."))
        .recover(Recoverability::WaitsForPerson)
        .command(works_command(cluster))
        .command(command.object(&newer.meta.key).effect(effect).build())
}
