//! FL0621 empty-selection.

use crate::declare_rule;
use crate::facts::empty_selector::EmptySelector;
use crate::finding::{Command, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::{Placement, ResourceSelector};
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;

declare_rule! {
    /// A placement whose selector matches no object.
    ///
    /// ## Why it matters
    /// A label selector without a match is no failure. All conditions turn True, with empty Works, and nothing is placed.
    ///
    /// ## What to do
    /// Compare the selector with the labels of the objects on the hub. A match is picked up by itself.
    pub static EMPTY_SELECTION = Rule {
        code: "FL0621",
        name: "empty-selection",
        severity: Severity::Warning,
        reads: &[Kind::Placement, Kind::Namespace],
        check: empty_selection,
    }
}

fn empty_selection(cx: &mut Cx<'_>) {
    let unnamed = cx.empty_selectors().iter().filter(|empty| empty.selector.name.is_none());
    for &EmptySelector { placement, selector, is_green } in unnamed {
        let key = &placement.meta.key;
        let green = if is_green { " Every condition is True all the same." } else { "" };
        let mut finding = EMPTY_SELECTION
            .at(selector.place(), "matches no object")
            .message(format!(
                "{key} selects {}, and no object matches. Nothing is placed.{green}",
                selector.show()
            ))
            .why("A selector without a match is no failure for the controller.")
            .then(format!("{} places a matching object by itself once there is one.", key.name))
            .recover(Recoverability::ResumesAfterRepair)
            .step(look_for(placement, selector), "shows the labels to compare with the selector");
        // Another value under the same key is probably what was meant.
        let is_namespace = selector.kind.as_deref() == Some("Namespace");
        let namespaces = if is_namespace { cx.hub_namespaces() } else { Vec::new() };
        let near = selector.labels.iter().flat_map(|labels| {
            namespaces.iter().flat_map(|meta| {
                labels.unmet(&meta.labels).into_iter().filter_map(|(_, _, has)| Some((*meta, has?)))
            })
        });
        for (meta, has) in near.take(3) {
            finding = finding.also(has.span, format!("{} has {}", meta.name(), &**has));
        }
        cx.report(finding);
    }
}

/// Returns the command that lists the objects of a selector's kind with their labels.
fn look_for(placement: &Placement, selector: &ResourceSelector) -> Option<Command> {
    let kind = selector.kind.as_deref().unwrap_or_default();
    let builder = look_at_hub().words("get").resource(kind);
    builder.namespace(placement.meta.namespace()).words("--show-labels").build()
}
