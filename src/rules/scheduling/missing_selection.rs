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
    /// A placement that selects an object by name which is not there, or is being deleted.
    ///
    /// ## Why it matters
    /// An absent object, or one that is being deleted, counts as nothing selected, not as a failure. All conditions
    /// turn True, Works may be empty, and nothing of the object reaches any cluster.
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
        let (state, then) = match seen_on_hub(cx, &object) {
            Some(SeenState::Living) => continue,
            Some(SeenState::Terminating) => {
                ("The bundle shows it being deleted.", "once it has been created again")
            }
            None => ("It is probably missing on the hub.", "once it exists"),
        };
        let green = if is_green { " Every condition is True all the same." } else { "" };
        cx.report(
            MISSING_SELECTION
                .at(name.span, "not among the selected resources")
                .message(format!(
                    "{key} selects {} {}, which is not among its selected resources. \
                     {state}{green}",
                    &**kind,
                    object.path()
                ))
                .why(
                    "A selected object that does not exist or is being deleted is no failure for \
                     the controller, and neither is a kind that is never placed (Pod, Node, \
                     Event).",
                )
                .then(format!("{} places it by itself {then}.", key.name))
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

/// How the bundle shows an object.
enum SeenState {
    /// It lives: the status of the placement is older, or was cut.
    Living,
    /// It is being deleted, so that no placement selects it.
    Terminating,
}

/// Looks for the object on the hub, or on a cluster that the bundle does not tell. One that a Work owns is a copy on a member.
fn seen_on_hub(cx: &Cx<'_>, object: &ObjectKey) -> Option<SeenState> {
    let untold = ObjectKey { cluster: "".into(), ..object.clone() };
    let seen = [object, &untold].into_iter().flat_map(|key| cx.sightings_of(key));
    let mut state = None;
    for meta in seen.map(|sighting| &sighting.meta) {
        let placed = meta.owners.iter().any(|owner| &*owner.kind == "AppliedWork");
        // Describe text of a namespace shows its phase, and not when it was deleted.
        let goes = meta.deleting.is_some() || meta.phase().is_some_and(|it| it == "Terminating");
        if goes {
            state = Some(SeenState::Terminating);
        } else if !meta.is_manifest() && !placed {
            return Some(SeenState::Living);
        }
    }
    state
}

fn object_of(placement: &Placement, selector: &ResourceSelector) -> ObjectKey {
    let text =
        |text: &Option<crate::model::read::Text>| text.as_deref().unwrap_or_default().to_owned();
    ObjectKey::on_hub(&text(&selector.kind), placement.meta.namespace(), &text(&selector.name))
}
