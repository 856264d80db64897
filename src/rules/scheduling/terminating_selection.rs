//! FL0622 terminating-selection.

use crate::declare_rule;
use crate::finding::{Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::model::meta::Meta;
use crate::model::placement::{Placement, ResourceSelector};
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::sentence::{full_stop, join_names};

declare_rule! {
    /// A namespace that is being deleted on the hub while a placement selects it.
    ///
    /// ## Why it matters
    /// A terminating namespace is silently no longer selected. The members are told to delete everything in it, while
    /// every condition of the placement stays True. If a finalizer keeps the namespace on the hub, that can last.
    ///
    /// ## What to do
    /// A deletion cannot be taken back. To keep the workload, let it finish (see which finalizers remain), then create
    /// the namespace and its objects again.
    pub static TERMINATING_SELECTION = Rule {
        code: "FL0622",
        name: "terminating-selection",
        severity: Severity::Warning,
        reads: &[Kind::Namespace, Kind::Placement],
        check: terminating_selection,
    }
}

fn terminating_selection(cx: &mut Cx<'_>) {
    for namespace in cx.hub_namespaces() {
        if namespace.deleting.is_none() {
            continue;
        }
        let found: Vec<(&Placement, Option<&ResourceSelector>)> = cx
            .placements()
            .iter()
            .filter(|placement| placement.meta.deleting.is_none())
            .filter_map(|placement| {
                let selector =
                    placement.selectors.iter().find(|selector| selects(selector, namespace));
                let inside = placement.meta.namespace() == namespace.name();
                (selector.is_some() || inside).then_some((placement, selector))
            })
            .collect();
        if let Some(finding) = describe(cx, namespace, &found) {
            cx.report(finding);
        }
    }
}

fn selects(selector: &ResourceSelector, namespace: &Meta) -> bool {
    if selector.kind.as_deref() != Some("Namespace") {
        return false;
    }
    match (&selector.name, &selector.labels) {
        (Some(name), _) => *name == namespace.name(),
        (None, Some(labels)) => labels.matches(&namespace.labels),
        (None, None) => false,
    }
}

fn describe(
    cx: &Cx<'_>,
    namespace: &Meta,
    found: &[(&Placement, Option<&ResourceSelector>)],
) -> Option<Finding> {
    let deleting = namespace.deleting?;
    found.first()?;
    let names = join_names(found.iter().map(|(placement, _)| placement.meta.key.to_string()));
    let name = namespace.name();
    let age = cx.clock().since(deleting.value).map(|age| age.show()).unwrap_or_default();
    let conditions = namespace.conditions();
    let remains = conditions.iter().find(|condition| {
        condition.is_true() && &*condition.kind == "NamespaceFinalizersRemaining"
    });
    let hangs =
        remains.map(|remains| format!(" Finalizers hold it: {}", full_stop(remains.message())));
    let hangs = hangs.unwrap_or_default();
    let mut finding = TERMINATING_SELECTION
        .at(deleting.span, format!("deleted {age} before the capture"))
        .message(format!(
            "Namespace {name} is being deleted on the hub, so {names} no longer selects it and the \
             members delete what was placed.{hangs}"
        ))
        .why(
            "The controller silently skips a terminating namespace. Every condition stays True \
              while the members delete everything in it.",
        )
        .then(format!(
            "A deletion cannot be undone. Once {name} is gone, create it and its objects again; \
             they are placed by themselves."
        ))
        .recover(Recoverability::WaitsForPerson)
        .step(
            look_at_hub().words("get all,configmaps,secrets").namespace(name).build(),
            "lists what is still in the namespace, to save it",
        )
        .explains(Topic::Object(ObjectKey::on_hub("Namespace", "", name)));
    if let Some(remains) = remains {
        finding = finding.also(remains.best_span(), "what holds the namespace");
    }
    for (placement, selector) in found.iter().take(4) {
        let place = selector.map_or(placement.meta.name_span, ResourceSelector::place);
        finding = finding
            .also(place, "selects the namespace")
            .explains(Topic::Placement(placement.meta.key.clone()));
        // Objects in the namespace go with it.
        for selector in placement.selectors.iter().filter(|_| placement.meta.namespace() == name) {
            let (kind, own) = (selector.kind.as_deref(), selector.name.as_deref());
            if let Some((kind, own)) = kind.zip(own) {
                finding = finding.explains(Topic::Object(ObjectKey::on_hub(kind, name, own)));
            }
        }
    }
    Some(finding)
}
