//! FL0306 doubled-binding.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::binding::Binding;
use crate::rule::Cx;

declare_rule! {
    /// Two bindings of one placement for the same cluster.
    ///
    /// ## Why it matters
    /// The cluster was unselected and selected again before the old binding was gone. A run uses one of them; the other
    /// goes away by itself.
    ///
    /// ## What to do
    /// Wait until the old binding is deleted before you start a run. Two that both live stop the rollout for good:
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
        let Some(twin) = twins.find(|other| is_behind(binding, other)) else { continue };
        let goes =
            |it: &Binding| it.meta.deleting.is_some() || it.state.as_deref() == Some("Unscheduled");
        let rivals = !goes(binding) && !goes(twin);
        let (severity, help, then) = if rivals {
            (
                Severity::Error,
                "neither goes away by itself, and the rollout stops at two living bindings for one cluster; delete the newer one",
                Recoverability::WaitsForPerson,
            )
        } else {
            (
                Severity::Note,
                "it was unselected and selected again; the older binding goes away by itself",
                Recoverability::ResumesByItself,
            )
        };
        cx.report(
            DOUBLED_BINDING
                .at(cluster.span, "one binding for this cluster")
                .also_at(twin.cluster.as_ref().map(|cluster| cluster.span), "and another")
                .message(format!(
                    "cluster {} has two bindings of {}: {} and {}",
                    &**cluster,
                    binding.placement().unwrap_or_default(),
                    binding.meta.name(),
                    twin.meta.name(),
                ))
                .why(help)
                .severity(severity)
                .recover(then),
        );
    }
}
