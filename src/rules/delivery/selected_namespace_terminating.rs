//! FL0739 selected-namespace-terminating.

use crate::declare_rule;
use crate::finding::{Command, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::condition::{Condition, find_condition, read_conditions};
use crate::model::key::HUB;
use crate::model::meta::Meta;
use crate::model::placement::Placement;
use crate::rule::{Cx, Scope};
use crate::rules::chain::join_names;
use crate::source::Span;

declare_rule! {
    /// A namespace that is going away on the hub while a placement selects it.
    ///
    /// ## Why it matters
    /// A terminating namespace is silently deselected, with everything in it. The placement then has nothing to
    /// place: its Works are emptied, the members are told to delete what they have, and every condition stays
    /// True. A finalizer in the namespace keeps it in this state for ever; finalizers are copied to the members
    /// and hang there too.
    ///
    /// ## What to do
    /// Decide. If the application should go, let the deletion finish: take care of the finalizers that the
    /// namespace's conditions name. If it should stay, finish the deletion and create the namespace again.
    pub static SELECTED_NAMESPACE_TERMINATING = Rule {
        code: "FL0739",
        name: "selected-namespace-terminating",
        severity: Severity::Warning,
        scope: Scope::Bundle,
        reads: &[Kind::Namespace, Kind::Placement],
        check: selected_namespace_terminating,
    }
}

fn selected_namespace_terminating(cx: &mut Cx<'_>) {
    let namespaces = cx.objects(Kind::Namespace, "Namespace");
    for meta in namespaces.into_iter().filter(|meta| is_on_hub(meta)) {
        let Some(deleting) = meta.deleting else { continue };
        let name = meta.name();
        let selects = |placement: &&Placement| {
            let selected = placement.selected.iter().any(|resource| {
                resource.kind.as_deref() == Some("Namespace")
                    && resource.name.as_deref() == Some(name)
            });
            !selected && selector_of(placement, name).is_some()
        };
        let placements: Vec<&Placement> = cx.placements().iter().filter(selects).collect();
        let Some(first) = placements.first() else { continue };
        let conditions =
            meta.root.get("status").map(|status| read_conditions(status, "conditions"));
        let conditions = conditions.unwrap_or_default();
        let held =
            find_condition(&conditions, "NamespaceFinalizersRemaining").filter(|c| c.is_true());
        let held_by = held.map(|held| format!(" ({})", held.message())).unwrap_or_default();
        let names = join_names(placements.iter().map(|placement| placement.meta.key.to_string()));
        let mut finding = SELECTED_NAMESPACE_TERMINATING
            .at(deleting.span, "deleted here")
            .also_at(held.map(Condition::best_span), "what holds it")
            .also_at(selector_of(first, name), "selected here")
            .message(format!(
                "Namespace {name} is going away on the hub{held_by}, so {names} no longer places it: the members are told to delete everything in it"
            ))
            .help("a terminating namespace is deselected without a word; the placement's conditions stay True because there is nothing left to do")
            .recover(Recoverability::WaitsForPerson)
            .command(Command::look(format!("kubectl get namespaces {name} -o yaml")));
        for placement in &placements {
            finding = finding.explains(Topic::Placement(placement.meta.key.clone()));
        }
        cx.report(finding);
    }
}

/// Says whether an object is the hub's: by its place, or because no Work brought it.
fn is_on_hub(meta: &Meta) -> bool {
    let delivered = meta.owners.iter().any(|owner| &*owner.kind == "AppliedWork");
    &*meta.key.cluster == HUB || (meta.key.cluster.is_empty() && !delivered)
}

/// Finds where a placement selects a namespace by its name.
fn selector_of(placement: &Placement, namespace: &str) -> Option<Span> {
    let selectors = placement.selectors.iter();
    let names = selectors
        .filter(|selector| selector.kind.as_deref() == Some("Namespace"))
        .filter_map(|s| s.name.as_ref());
    names.filter(|name| &***name == namespace).map(|name| name.span).next()
}
