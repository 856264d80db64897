//! FL0620 missing-selection.

use crate::declare_rule;
use crate::facts::empty_selector::EmptySelector;
use crate::finding::{Certainty, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::model::key::ObjectKey;
use crate::model::placement::{Placement, ResourceSelector};
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;

declare_rule! {
    /// A placement that selects an object by name which is not there.
    ///
    /// ## Why it matters
    /// An absent object counts as nothing selected, not as a failure. All conditions turn True, Works may be empty, and
    /// nothing of the object reaches any cluster.
    ///
    /// ## What to do
    /// Create the object on the hub, or correct name, group, version and kind in the selector. The change is picked up
    /// by itself.
    pub static MISSING_SELECTION = Rule {
        code: "FL0620",
        name: "missing-selection",
        severity: Severity::Warning,
        reads: &[Kind::Placement],
        check: missing_selection,
    }
}

fn missing_selection(cx: &mut Cx<'_>) {
    for &EmptySelector { placement, selector, is_green } in cx.empty_selectors() {
        let (Some(kind), Some(name)) = (&selector.kind, &selector.name) else { continue };
        let key = &placement.meta.key;
        let object = object_of(placement, selector);
        if is_there(cx, &object) {
            continue;
        }
        let green = if is_green { " Every condition is True all the same." } else { "" };
        cx.report(
            MISSING_SELECTION
                .at(name.span, "not among the selected resources")
                .message(format!(
                    "{key} selects {} {}, which is not among its selected resources. It is \
                     probably missing on the hub.{green}",
                    &**kind,
                    object.path()
                ))
                .why(
                    "A selected object that does not exist is no failure for the controller, and \
                      neither is a kind that is never placed (Pod, Node, Event).",
                )
                .then(format!("{} places it by itself once it exists.", key.name))
                .certainty(Certainty::Likely)
                .recover(Recoverability::ResumesAfterRepair)
                .step(
                    look_at_hub().words("get").object(&object).build(),
                    "shows whether the object exists on the hub",
                )
                .about(Topic::Object(object)),
        );
    }
}

/// Says whether the bundle shows the object living on the hub, or on a cluster that it does not tell: then the status is
/// older, or was cut. One that a Work owns is a copy on a member.
fn is_there(cx: &Cx<'_>, object: &ObjectKey) -> bool {
    let untold = ObjectKey { cluster: "".into(), ..object.clone() };
    let seen = [object, &untold].into_iter().flat_map(|key| cx.sightings_of(key));
    seen.map(|sighting| &sighting.meta).any(|meta| {
        let placed = meta.owners.iter().any(|owner| &*owner.kind == "AppliedWork");
        meta.deleting.is_none() && !meta.is_manifest() && !placed
    })
}

fn object_of(placement: &Placement, selector: &ResourceSelector) -> ObjectKey {
    let text =
        |text: &Option<crate::model::read::Text>| text.as_deref().unwrap_or_default().to_owned();
    ObjectKey::on_hub(&text(&selector.kind), placement.meta.namespace(), &text(&selector.name))
}
