//! FL0621 empty-selection.

use crate::declare_rule;
use crate::finding::{Command, Recoverability, Severity};
use crate::grammar::kind::Kind;
use crate::model::placement::{Placement, ResourceSelector};
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::placing::selected::{all_green, judged_placements, selects_nothing};
use crate::rules::placing::selection::{place_of, show_selector};

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
    for placement in judged_placements(cx) {
        let key = &placement.meta.key;
        for selector in placement.selectors.iter().filter(|selector| selector.name.is_none()) {
            if !selects_nothing(placement, selector) {
                continue;
            }
            let green = if all_green(placement) { ", yet every condition is True" } else { "" };
            let mut finding = EMPTY_SELECTION
                .at(place_of(selector), "matches no object")
                .message(format!("{key} selects {}, and no object matches: nothing is placed{green}", show_selector(selector)))
                .why("a selector without a match is no failure; compare it with the labels of the objects on the hub")
                .recover(Recoverability::ResumesAfterRepair)
                .command(look_for(placement, selector));
            // Another value under the same key is probably what was meant.
            let namespaces = if selector.kind.as_deref() == Some("Namespace") {
                cx.hub_namespaces()
            } else {
                Vec::new()
            };
            let labels = selector.labels.iter();
            let near = labels.flat_map(|labels| {
                namespaces.iter().flat_map(|meta| {
                    labels
                        .unmet(&meta.labels)
                        .into_iter()
                        .filter_map(|(_, _, has)| Some((*meta, has?)))
                })
            });
            for (meta, has) in near.take(3) {
                finding = finding.also(has.span, format!("{} has {}", meta.name(), &**has));
            }
            cx.report(finding);
        }
    }
}

/// Returns the command that lists the objects of a selector's kind with their labels.
fn look_for(placement: &Placement, selector: &ResourceSelector) -> Option<Command> {
    let kind = selector.kind.as_deref().unwrap_or_default();
    let builder = look_at_hub().words("get").resource(kind);
    builder.namespace(placement.meta.namespace()).words("--show-labels").build()
}
